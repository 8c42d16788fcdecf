// What pages do beyond reading and forms: they repaint when something happened, follow the record, find while
// you type, and take drags at the desk. Every page works without this. desk.js and phone.js build on it.
"use strict";

// What every page gets when it is there, and again when a part of it was replaced.
const language = document.documentElement.lang.replace(/^en$/, "en-GB");
const ready = () => {
  for (const time of document.querySelectorAll("time[data-local]")) { // the server writes UTC
    const when = new Date(time.dateTime);
    const day = when.toLocaleDateString(language, { day: "numeric", month: "short", year: "numeric" });
    const hour = when.toTimeString().slice(0, 5);
    time.textContent = time.dataset.local === "day" ? `${day}, ${hour}` : hour;
  }
  tellTime();
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

// The clock of the hall screen.
const tellTime = () => {
  for (const clock of document.querySelectorAll(".clock")) clock.textContent = new Date().toTimeString().slice(0, 5);
};
setInterval(tellTime, 1000);

// The record: the slider and the keys ← → lead from fact to fact, on every page that shows a fact of the past.
// What is different after a step is marked.
const rowsOf = (scope) => new Map([...scope.querySelectorAll("tbody tr")].map(
  (row) => [row.id || row.querySelector("th")?.textContent.trim(), row]));
const subject = () => document.querySelector("h1")?.textContent;
let asked = 0;
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

// What is under a pointer stays there: a click right after things moved does nothing.
let moved = -Infinity;
const places = () => new Map([...document.querySelectorAll("main a, main button")].map(
  (one) => [one.textContent, Math.round(one.getBoundingClientRect().top)]));
const hasMoved = (before) => [...places()].some(([text, top]) => before.has(text) && before.get(text) !== top);
document.addEventListener("click", (event) => {
  if (!event.detail || performance.now() - moved >= 400 || !event.target.closest("main a, main button")) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}, true);

// A result of the round that is played, put into the page without asking for it: most pages show nothing of it
// but how many there are (data-own names the boards that matter), and a round has a row for it. Where the page
// cannot tell what else would change, as at the end of a round, it is fetched again.
const patch = ({ kind, round, board, result }) => {
  const pill = document.querySelector("[data-playing]"), main = document.getElementById("main");
  if (kind !== "result-recorded" || !pill || !main || Number(pill.dataset.playing) !== round) return false;
  const results = Number(pill.dataset.results) + 1, own = main.querySelector("[data-own]");
  if (results >= Number(pill.dataset.boards)) return false;
  if (own?.dataset.own === `${round}.${board}`) return false;
  const row = main.querySelector(`table.boards[data-round="${round}"] #b${board}[data-result=""]`);
  if (!own) {
    const like = row && main.querySelector(`tr.game[data-result="${result}"] .res`);
    if (!like || busy()) return false;
    row.querySelector(".res").innerHTML = like.innerHTML;
    row.dataset.result = result;
    row.classList.add("new");
    setTimeout(() => row.classList.remove("new"), 30000);
    const count = main.querySelector("[data-count]"), bar = main.querySelector("progress");
    if (count) count.textContent = results;
    if (bar) bar.value = results;
  }
  pill.dataset.results = results;
  pill.textContent = pill.dataset.words.replace("#", results);
  return true;
};

// The page as the server has it: what we have of it, from the cache of the browser at first, and the lines that are
// new since. Where the server no longer knows what we have, it sends the whole.
let had = {};
const newest = async (address) => {
  const ask = async (more, cache = "default") => {
    const answer = await fetch(address, { headers: { Accept: "text/html", ...more }, cache, signal: AbortSignal.timeout(20000) });
    if (answer.status === 503) location.reload(); // says that the store is away, and comes back by itself
    return answer;
  };
  const take = async (answer) => {
    had = answer.ok ? { address, tag: answer.headers.get("ETag"), lines: (await answer.text()).split("\n") } : {};
  };
  if (had.address !== address || !had.tag) await take(await ask({}, "force-cache"));
  if (had.tag) {
    const answer = await ask({ "A-IM": "paircard-lines", "If-None-Match": had.tag });
    if (answer.status === 226 && answer.headers.get("Delta-Base") === had.tag) {
      const { lines } = had, parts = await answer.json();
      had = { address, tag: answer.headers.get("ETag"), lines: parts.flatMap(
        (part) => (Array.isArray(part) ? lines.slice(part[0], part[0] + part[1]) : part)) };
    } else if (answer.status !== 304) await take(answer.status === 226 ? await ask({}, "reload") : answer);
  }
  return had.lines?.join("\n");
};

// Live: when something happened, the page is painted again as it is now, and what changed is marked.
// The feed begins after what the page shows, so that nothing falls between the page and the feed.
let waits = 0, due = 0, heard = 0;
const resultsOf = (main) => { // by round and board: another round is no new result
  const round = main.querySelector("[data-round]")?.dataset.round;
  return new Map([...main.querySelectorAll("tr.game[id]")].map(
    (row) => [`${round}/${row.id}`, [row, (row.querySelector(".res") || row).textContent.trim()]]));
};
const touched = new Set();
document.addEventListener("input", ({ target }) => {
  if (!["find", "seek"].includes(target.id)) touched.add(target);
});
const edited = (field) => field.isConnected
  && (field.type === "checkbox" ? field.checked !== field.defaultChecked : field.value !== field.defaultValue);
const busy = () => document.body.dataset.sending || drag || [...touched].some(edited)
  || document.querySelector("main details[open], #kinds:not([hidden])");
const repaint = async () => {
  waits = 0;
  if (busy()) { later(2000); return; }
  const address = location.href, text = await newest(address);
  if (!text) return;
  const fetched = new DOMParser().parseFromString(text, "text/html");
  const before = document.getElementById("main"), after = fetched.getElementById("main");
  if (!before || !after || busy() || address !== location.href) { later(600); return; }
  const known = resultsOf(before), news = [];
  for (const [key, [row, text]] of resultsOf(after)) {
    if (known.has(key) && known.get(key)[1] !== text) news.push(row);
  }
  for (const { id } of news) {
    after.querySelector(`#${id}`).classList.add("new");
    setTimeout(() => document.getElementById(id)?.classList.remove("new"), 30000);
  }
  const kept = [...before.querySelectorAll("#find, #seek")].map((one) => [one.id, one.value]);
  const held = document.activeElement?.id, stood = places();
  document.title = fetched.title;
  document.body.dataset.feed = fetched.body.dataset.feed;
  for (const part of ["#main", "header.top .line", "header.top .facts", ".hall > header", "footer"]) {
    const old = document.querySelector(part), fresh = fetched.querySelector(part);
    if (old && fresh) old.replaceWith(fresh);
  }
  const banner = document.getElementById("published"), fresh = fetched.getElementById("published");
  if (banner && fresh && Number(fresh.dataset.published) > Number(banner.dataset.published)) {
    fresh.hidden = false;
    banner.replaceWith(fresh);
  }
  for (const [id, value] of kept) if (document.getElementById(id)) document.getElementById(id).value = value;
  ready();
  document.dispatchEvent(new CustomEvent("repainted", { detail: news }));
  if (held) document.getElementById(held)?.focus({ preventScroll: true });
  if (hasMoved(stood)) moved = performance.now();
  const told = document.querySelector("[data-told]"); // stays where it is, so that it is read out
  const words = (row) => [".bd", ".pl.w", ".res", ".pl.bl"].map((part) => row.querySelector(part)?.textContent.trim()).join(" ");
  if (told && news.length) told.textContent = news.slice(0, 3).map(words).join("; ");
  if (heard > Number(document.body.dataset.feed.split("=")[1])) later(1000); // a large event's page may be a moment old
};
const later = (most) => {
  const soon = performance.now() + most + 150;
  if (waits && soon >= due) return;
  clearTimeout(waits);
  due = soon;
  waits = setTimeout(() => repaint().catch(() => later(3000)), Math.random() * most + 150);
};
if (document.body.dataset.feed && window.EventSource) {
  let source = null, lost = false;
  const open = () => {
    if (source) return;
    source = new EventSource(document.body.dataset.feed);
    source.addEventListener("fact", () => later(600));
    source.addEventListener("change", ({ data, lastEventId }) => { // a large hall asks one after the other
      heard = Number(lastEventId);
      const boards = Number(document.querySelector("[data-playing]")?.dataset.boards || 0);
      later(patch(JSON.parse(data)) ? 60000 : 600 + 8 * boards);
    });
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

// What a form came to is said once: a reload does not say it again.
if (/[?&]done=/.test(location.search)) {
  const address = new URL(location.href);
  address.searchParams.delete("done");
  history.replaceState(null, "", address);
}

ready();
document.querySelector("[data-here]")?.focus({ preventScroll: true });
