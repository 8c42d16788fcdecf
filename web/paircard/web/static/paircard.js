// What pages do beyond reading and forms: they repaint when something happened, follow the record, find while
// you type, take keys and drags at the desk, and wait for a connection on a phone. Every page works without this.
"use strict";

// What every page gets when it is there, and again when a part of it was replaced.
const ready = () => {
  for (const time of document.querySelectorAll("time[data-local]")) { // the server writes UTC
    const when = new Date(time.dateTime);
    const [day, hour] = [when.toLocaleDateString("sv"), when.toTimeString().slice(0, 5)];
    time.textContent = time.dataset.local === "day" ? `${day} ${hour}` : hour;
  }
  find();
};

// Finding while typing: rows without the name or number are hidden.
const letters = { ł: "l", ø: "o", đ: "d", ð: "d", ı: "i", ß: "ss", æ: "ae", œ: "oe", þ: "th" };
const folded = (text) => text.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "").replace(/[łøđðıßæœþ]/g, (one) => letters[one]);
const find = () => {
  const field = document.getElementById("find");
  if (!field) return;
  const words = folded(field.value).split(/[\s,]+/).filter(Boolean);
  let found = 0;
  for (const row of document.querySelectorAll("main tbody tr")) {
    const names = [...row.querySelectorAll(".pl")].map((cell) => folded(cell.textContent));
    const numbers = [...row.querySelectorAll(".no")].map((cell) => cell.textContent.trim());
    const fits = numbers.includes(words.join(" ")) || names.some((name) => words.every((word) => name.includes(word)));
    row.hidden = words.length > 0 && !fits;
    found += fits;
  }
  const told = document.querySelector("[data-found]");
  if (told) told.textContent = words.length ? told.dataset.found.replace("#", found) : "";
};
document.addEventListener("input", (event) => { if (event.target.id === "find") find(); });

// Another page in the place of this one, without losing the script, the focus or a waiting entry.
const show = (text, address) => {
  const fetched = new DOMParser().parseFromString(text, "text/html");
  const held = document.activeElement?.id;
  document.title = fetched.title;
  document.body.replaceWith(fetched.body);
  if (address !== location.href) history.replaceState(null, "", address);
  ready();
  document.getElementById(held)?.focus();
};

// A form is sent once, however often its button is tapped.
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.dataset.sent) { event.preventDefault(); return; }
  if (form.method === "post") {
    form.dataset.sent = "1";
    setTimeout(() => { delete form.dataset.sent; }, 8000);
  }
});
window.addEventListener("pageshow", () => {
  document.querySelectorAll("form[data-sent]").forEach((form) => { delete form.dataset.sent; });
});

// A phone keeps its page without a connection, and asks again until it is answered: an entry with the same key.
const pocket = document.querySelector(".pocket");
let sending = false, asked = 0;
const connected = (yes) => document.querySelectorAll("[data-offline]").forEach((pill) => { pill.hidden = yes; });
const reach = async (address, options) => {
  for (const mine = ++asked; mine === asked; ) {
    try {
      const answer = await fetch(address, options);
      if (mine !== asked) return;
      const text = await answer.text();
      connected(true);
      if (!options && location.href !== address) history.pushState(null, "", address);
      show(text, answer.redirected || !options ? answer.url : location.href);
      window.scrollTo(0, 0);
      const head = document.querySelector("[data-here], h1");
      head.tabIndex = -1;
      head.focus();
      return;
    } catch {
      connected(false);
      document.querySelector(`[data-waiting=${options ? "entry" : "page"}]`)?.removeAttribute("hidden");
      await new Promise((done) => setTimeout(done, 2000));
    }
  }
};
if (pocket) {
  window.addEventListener("offline", () => connected(false));
  window.addEventListener("online", () => connected(true));
  window.addEventListener("popstate", () => { if (!sending) reach(location.href); });
  document.addEventListener("click", (event) => {
    const link = event.target.closest(".pocket a[href]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    if (!sending) reach(link.href);
  });
  document.addEventListener("submit", async (event) => {
    const form = event.target, pressed = event.submitter;
    if (event.defaultPrevented || form.getAttribute("action") === "/sign-out") return;
    event.preventDefault();
    if (sending) return;
    const body = new URLSearchParams(new FormData(form));
    if (pressed?.name) body.append(pressed.name, pressed.value);
    if (form.method === "get") { reach(`${form.action}?${body}`); return; }
    sending = form.inert = true;
    await reach(form.action, { method: "POST", body });
    sending = false;
  });
}

// The clock of the hall screen.
const clock = document.querySelector(".clock");
if (clock) {
  const tell = () => { clock.textContent = new Date().toTimeString().slice(0, 5); };
  tell();
  setInterval(tell, 1000);
}

// The record: the slider and the keys ← → lead from fact to fact, on every page that shows a fact of the past.
// What is different after a step is marked.
const rowsOf = (scope) => new Map([...scope.querySelectorAll("tbody tr")].map(
  (row) => [row.id || row.querySelector("th")?.textContent.trim(), row]));
const subject = () => document.querySelector("h1")?.textContent;
const step = async (address) => {
  const mine = ++asked, answer = await fetch(address);
  if (!answer.ok || mine !== asked) return;
  const text = await answer.text(), before = rowsOf(document), about = subject();
  show(text, answer.url);
  if (document.querySelector("form[data-record]") || subject() !== about) return; // that page marks by itself
  for (const [key, row] of rowsOf(document)) {
    const changed = before.has(key) && before.get(key).textContent !== row.textContent;
    row.classList.toggle("chg", changed);
    if (changed) document.querySelector("[data-marked]").hidden = false;
  }
};
document.addEventListener("change", (event) => {
  const slider = event.target;
  if (slider.matches("form[data-record] input[type=range]")) step(`${slider.form.action}?at=${slider.value}`);
});
document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest("input, select, textarea, .scroll")) return;
  const side = { ArrowLeft: "prev", ArrowRight: "next" }[event.key];
  const link = side && document.querySelector(`a[rel=${side}]`);
  if (link) step(link.href);
});

// The desk: a board number and a result by keys; n leads to the next step.
const entry = () => document.querySelector("form[data-entry]");
document.addEventListener("keydown", (event) => {
  const form = entry();
  if (!form || event.ctrlKey || event.metaKey || event.altKey) return;
  const board = form.elements.board, result = form.elements.result;
  if (event.target === document.body && event.key.length === 1) result.focus();
  if (event.target === board && event.key === "Enter") { event.preventDefault(); result.focus(); return; }
  if (event.target === result && event.key === "n" && !result.value) {
    event.preventDefault();
    document.querySelector("#next button, #next a")?.focus();
    return;
  }
  if (event.key !== "ArrowUp" && event.key !== "ArrowDown") return;
  const open = [...document.querySelectorAll("tr[data-open]")].map((row) => row.dataset.board);
  if (!open.length || event.target.matches("select")) return;
  event.preventDefault();
  const at = open.indexOf(board.value) + (event.key === "ArrowDown" ? 1 : -1);
  board.value = open[(at + open.length) % open.length];
  document.querySelectorAll("tr.game.sel").forEach((row) => row.classList.remove("sel"));
  const row = document.getElementById(`b${board.value}`);
  row.classList.add("sel");
  row.scrollIntoView({ block: "nearest" });
  result.focus();
});

// Pairing by hand: a player is dragged onto another, by mouse, pen or finger; they do what is chosen, and the
// page shows the boards.
let drag = null;
const seatAt = (event) => document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-seat]");
const drop = (seat) => {
  const { chip, timer } = drag;
  clearInterval(timer);
  drag = null;
  chip.classList.remove("held");
  chip.style.transform = "";
  document.querySelectorAll(".move.over").forEach((one) => one.classList.remove("over"));
  if (!seat || seat.dataset.seat === chip.dataset.seat) return;
  const form = document.querySelector("form[data-alter]");
  form.elements.one.value = chip.dataset.seat;
  form.elements.other.value = seat.dataset.seat;
  form.submit(); // the reason may follow below the boards
};
document.addEventListener("pointerdown", (event) => {
  const chip = event.target.closest?.("[data-seat]");
  if (!chip || drag || event.button) return;
  event.preventDefault();
  chip.setPointerCapture(event.pointerId);
  chip.classList.add("held");
  drag = { chip, from: [event.pageX, event.pageY], last: event };
  drag.timer = setInterval(() => { // near an edge the page moves along
    const y = drag.last.clientY, edge = 60;
    window.scrollBy(0, y < edge ? -12 : y > innerHeight - edge ? 12 : 0);
  }, 30);
});
document.addEventListener("pointermove", (event) => {
  if (!drag) return;
  drag.last = event;
  drag.chip.style.transform = `translate(${event.pageX - drag.from[0]}px, ${event.pageY - drag.from[1]}px)`;
  const seat = seatAt(event);
  document.querySelectorAll(".move").forEach((one) => one.classList.toggle("over", one === seat));
});
document.addEventListener("pointerup", (event) => { if (drag) drop(seatAt(event)); });
document.addEventListener("pointercancel", () => { if (drag) drop(null); });

// Live: when something happened, the page is fetched again and what changed is marked.
// The feed begins after what the page shows, so that nothing falls between the page and the feed.
if (document.body.dataset.feed && window.EventSource) {
  let source = null, waiting = 0, lost = false;
  const resultsOf = (main) => new Map([...main.querySelectorAll("tr.game[id]")].map(
    (row) => [row.id, (row.querySelector(".res") || row).textContent.trim()]));
  const touched = new Set();
  document.addEventListener("input", ({ target }) => {
    if (target.id !== "find" && !target.closest("form[data-entry]")) touched.add(target);
  });
  const edited = (field) => field.isConnected
    && (field.type === "checkbox" ? field.checked !== field.defaultChecked : field.value !== field.defaultValue);
  const busy = () => sending || drag || [...touched].some(edited) || document.querySelector("main details[open]");
  const repaint = async () => {
    waiting = 0;
    if (busy()) { later(2000); return; }
    const address = location.href, answer = await fetch(address, { headers: { Accept: "text/html" } });
    if (answer.status === 503) { location.reload(); return; } // says that the store is away, and comes back by itself
    if (!answer.ok) return;
    const fetched = new DOMParser().parseFromString(await answer.text(), "text/html");
    const before = document.getElementById("main"), after = fetched.getElementById("main");
    if (!before || !after || busy() || address !== location.href) return;
    const known = resultsOf(before), news = [];
    for (const [id, text] of resultsOf(after)) {
      if (known.has(id) && known.get(id) !== text) {
        const row = after.querySelector(`#${id}`);
        row.classList.add("new");
        news.push([".bd", ".pl.w", ".res", ".pl.bl"].map((part) => row.querySelector(part)?.textContent.trim()).join(" "));
        setTimeout(() => document.getElementById(id)?.classList.remove("new"), 30000);
      }
    }
    const kept = [...before.querySelectorAll("#find, form[data-entry] input[type=text]")].map((one) => [one.id, one.value]);
    const held = document.activeElement?.id;
    before.replaceWith(after);
    document.body.dataset.feed = fetched.body.dataset.feed;
    const line = document.querySelector("header.top .line"), fresh = fetched.querySelector("header.top .line");
    if (line && fresh) line.replaceWith(fresh);
    for (const [id, value] of kept) if (document.getElementById(id)) document.getElementById(id).value = value;
    if (held) document.getElementById(held)?.focus({ preventScroll: true });
    ready();
    const told = document.querySelector("[data-told]"); // stays where it is, so that it is read out
    if (told && news.length) told.textContent = news.slice(0, 3).join("; ");
  };
  const later = (most) => { if (!waiting) waiting = setTimeout(() => repaint().catch(() => {}), Math.random() * most + 150); };
  const open = () => {
    if (source) return;
    source = new EventSource(document.body.dataset.feed);
    for (const kind of ["change", "fact"]) source.addEventListener(kind, () => later(600));
    source.addEventListener("open", () => { if (lost) { lost = false; later(600); } });
    source.addEventListener("error", () => {
      lost = true;
      later(600);
      if (source && source.readyState === EventSource.CLOSED) { close(); setTimeout(() => { if (!document.hidden) open(); }, 5000); }
    });
  };
  const close = () => { if (source) { source.close(); source = null; } };
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) close(); else { open(); later(300); }
  });
  if (!document.hidden) open();
}

ready();
(entry()?.elements.result || document.querySelector("[data-here]"))?.focus({ preventScroll: true });
