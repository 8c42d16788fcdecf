// What pages do beyond reading and forms: they repaint when something happened, the desk takes keys, a form is
// sent once, the screen has a clock. Every page works without this.
"use strict";

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

// A phone without a connection sends its entry again, with the same key, until it is answered.
document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (event.defaultPrevented || form.method !== "post" || !form.closest(".pocket")) return;
  event.preventDefault();
  const body = new URLSearchParams(new FormData(form)), told = document.querySelector("[data-offline]");
  for (;;) {
    try {
      const answer = await fetch(form.action, { method: "POST", body });
      if (answer.redirected) { location.replace(answer.url); return; }
      document.open();
      document.write(await answer.text());
      document.close();
      return;
    } catch {
      if (told) told.hidden = false;
      await new Promise((done) => setTimeout(done, 2000));
    }
  }
});

// The clock of the hall screen.
const clock = document.querySelector(".clock");
if (clock) {
  const show = () => { clock.textContent = new Date().toTimeString().slice(0, 5); };
  show();
  setInterval(show, 1000);
}

// The slider of the record leads to its moment when it is let go.
const slider = document.querySelector("form[data-record] input[type=range]");
if (slider) slider.addEventListener("change", () => slider.form.submit());
document.addEventListener("keydown", (event) => {
  if (!slider || event.target.matches("input, select, textarea")) return;
  const side = { ArrowLeft: "prev", ArrowRight: "next" }[event.key];
  const link = side && document.querySelector(`form[data-record] a[rel=${side}]`);
  if (link) location.href = link.href;
});

// The desk: a board number and a result by keys.
const entry = () => document.querySelector("form[data-entry]");
entry()?.elements.result.focus();
document.addEventListener("keydown", (event) => {
  const form = entry();
  if (!form || event.ctrlKey || event.metaKey || event.altKey) return;
  const board = form.elements.board, result = form.elements.result;
  if (event.target === document.body && event.key.length === 1) result.focus();
  if (event.target === board && event.key === "Enter") { event.preventDefault(); result.focus(); return; }
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

// Pairing by hand: a player is dragged onto another; they do what is chosen, and the page shows the boards.
const seatAt = (event) => event.target.closest?.("[data-seat]");
let dragged = null;
document.addEventListener("dragstart", (event) => { dragged = seatAt(event); });
document.addEventListener("dragend", () => { dragged = null; });
document.addEventListener("dragover", (event) => { if (dragged && seatAt(event)) event.preventDefault(); });
for (const [kind, over] of [["dragenter", true], ["dragleave", false], ["drop", false]]) {
  document.addEventListener(kind, (event) => { if (dragged) seatAt(event)?.classList.toggle("over", over); });
}
document.addEventListener("drop", (event) => {
  const seat = dragged && seatAt(event);
  if (!seat || seat.dataset.seat === dragged.dataset.seat) return;
  event.preventDefault();
  const form = document.querySelector("form[data-alter]");
  form.elements.one.value = dragged.dataset.seat;
  form.elements.other.value = seat.dataset.seat;
  form.submit(); // the reason may follow below the boards
});

// Live: when something happened, the page is fetched again and what changed is marked.
const feed = document.body.dataset.feed;
if (feed && window.EventSource) {
  let source = null, waiting = 0, lost = false;
  const rowsOf = (main) => new Map([...main.querySelectorAll("tr.game[id]")].map(
    (row) => [row.id, (row.querySelector(".res") || row).textContent.trim()]));
  const touched = new Set();
  document.addEventListener("input", ({ target }) => { if (!target.closest("form[data-entry]")) touched.add(target); });
  const edited = (field) => field.isConnected
    && (field.type === "checkbox" ? field.checked !== field.defaultChecked : field.value !== field.defaultValue);
  const busy = () => [...touched].some(edited) || document.querySelector("main details[open]");
  const repaint = async () => {
    waiting = 0;
    if (busy()) { later(2000); return; }
    const answer = await fetch(location.href, { headers: { Accept: "text/html" } });
    if (answer.status === 503) { location.reload(); return; } // says that the store is away, and comes back by itself
    if (!answer.ok) return;
    const fetched = new DOMParser().parseFromString(await answer.text(), "text/html");
    const before = document.getElementById("main"), after = fetched.getElementById("main");
    if (!before || !after) return;
    const known = rowsOf(before);
    for (const [id, text] of rowsOf(after)) {
      if (known.has(id) && known.get(id) !== text) {
        after.querySelector(`#${id}`).classList.add("new");
        setTimeout(() => document.getElementById(id)?.classList.remove("new"), 30000);
      }
    }
    const form = entry(), kept = form && [form.elements.board.value, form.elements.result.value, document.activeElement.name];
    before.replaceWith(after);
    const line = document.querySelector("header.top .line"), fresh = fetched.querySelector("header.top .line");
    if (line && fresh) line.replaceWith(fresh);
    if (kept && entry()) {
      [entry().elements.board.value, entry().elements.result.value] = kept;
      if (kept[2] && entry().elements[kept[2]]) entry().elements[kept[2]].focus();
    }
  };
  const later = (most) => { if (!waiting) waiting = setTimeout(() => repaint().catch(() => {}), Math.random() * most + 150); };
  const open = () => {
    if (source) return;
    source = new EventSource(feed);
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
