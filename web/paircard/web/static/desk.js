// The desk: the selected board is the only truth. It is shown large, every key and button is for it, and it stays
// selected when the page is painted again. Entries wait in a queue: each has its own key, its own board and the
// players it was typed for, and they are sent in their order, whatever the connection does.
"use strict";

const KEYS = { 1: "1-0", "=": "½-½", 5: "½-½", r: "½-½", R: "½-½", 0: "0-1" };
const SILENT = 4000; // ms without an answer until the desk says so
const STEADY = 60000; // longest ms for one answer
const part = (name) => document.getElementById(name);
const say = (key, values = {}) => JSON.parse(part("tail").dataset.words)[key].replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
const shown = (result) => { // in the words of its button
  const other = document.querySelector(`#kinds button[value="${result}"]`);
  return other ? (other.querySelector(".score") ?? other).textContent.trim() : result.replace("-", "–");
};

// ---- boards as the page has them, with what this desk knows already

const table = () => document.querySelector("table[data-round]");
const roundNow = () => table()?.dataset.round;
const rowOf = (board) => document.querySelector(`tr[data-board="${Number(board)}"]`);
const rowsNow = () => [...document.querySelectorAll("tr[data-board]")];
const numbers = () => rowsNow().map((row) => row.dataset.board);
const fits = (item) => { // the row an entry is for, if the same players still sit there
  const row = item.round === roundNow() && rowOf(item.board);
  return row && row.dataset.white === item.white && row.dataset.black === item.black ? row : null;
};
const painted = (item) => Number(table().dataset.version) >= Number(String(item.done).split("-").pop());
const mine = (board) => queue.find((one) => one.board === board && one.round === roundNow() && !one.undo
  && (one.state === "waiting" || (one.state === "stored" && one.done !== "nothing" && !painted(one))));
const isOpen = (row) => !row.dataset.result && !mine(row.dataset.board);
const mayEnter = (row) => ["", "adjourned"].includes(row.dataset.result) && !mine(row.dataset.board);

// ---- the queue

const place = () => `paircard.desk.${location.pathname}.${part("tail").dataset.who}`;
let queue = []; // {key, round, board, white, black, result, state: waiting | stored | refused, done, said, asks, undo}
let pumping = false, since = 0, signedOut = false, others = "";
const waiting = () => queue.filter((one) => one.state === "waiting");
const keep = () => {
  try { localStorage.setItem(place(), JSON.stringify(queue.filter((one) => one.state !== "stored"))); } catch { /* private window */ }
};
const newKey = () => [...crypto.getRandomValues(new Uint8Array(12))].map((one) => one.toString(16).padStart(2, "0")).join("");

const enter = (row, result) => {
  const { board, white, black } = row.dataset;
  queue = queue.filter((one) => !(one.state === "refused" && one.board === board) && !(one.state === "stored" && one.undo));
  queue.push({ key: newKey(), round: roundNow(), board, white, black, result, state: "waiting" });
  keep();
  pump();
};
const refuse = (row, result, said) => {
  const { board, white, black } = row.dataset;
  queue.push({ key: newKey(), round: roundNow(), board, white, black, result, state: "refused", said });
  keep();
};
const takeBack = () => {
  const last = queue.findLast((one) => !one.undo && one.state !== "refused" && one.done !== "nothing"
    && !queue.some((other) => other.undo === one.key));
  if (!last) return;
  const { round, board, white, black, done } = last;
  queue.push({ key: newKey(), round, board, white, black, done, undo: last.key, state: "waiting" });
  keep();
  pump();
};

const fieldsOf = ({ key, round, board, white, black, result }) => ({ key, round, board, white, black, result });
const post = async (item, patience) => {
  const tail = part("tail").dataset, entry = queue.find((one) => one.key === item.undo);
  const done = entry?.state === "refused" ? "" : entry?.done ?? item.done;
  if (item.undo && !done) return { ok: true }; // it was never recorded
  const answer = await fetch(item.undo ? tail.undo : tail.result, {
    method: "POST",
    body: new URLSearchParams(item.undo ? { key: item.key, done } : fieldsOf(item)),
    headers: { Accept: "application/json" },
    signal: AbortSignal.timeout(patience),
  });
  if (answer.status === 401 || answer.status === 403) return { out: true };
  if (answer.status === 429 || answer.status >= 500) throw new Error("not now");
  const told = answer.headers.get("content-type").includes("json") ? await answer.json() : { said: answer.statusText };
  return { ok: answer.ok, ...told };
};
const pump = async () => {
  paint();
  if (pumping) return;
  pumping = true;
  for (let patience = 5000, item; (item = waiting()[0]); ) {
    since ||= performance.now();
    try {
      const told = await post(item, patience);
      since = 0;
      patience = 5000;
      signedOut = Boolean(told.out);
      if (signedOut) { paint(); await pause(3000); continue; }
      Object.assign(item, { state: told.ok ? "stored" : "refused", done: told.done, said: told.said, asks: told.asks });
      if (item.undo && told.ok) queue = queue.filter((one) => one.key !== item.undo && one !== item);
    } catch { // no answer: the same again, under the same key, with more patience
      patience = Math.min(patience * 2, STEADY);
      paint();
      await pause(1000);
    }
    keep();
    paint();
  }
  pumping = false;
  later(100); // what is recorded is painted from the record
};
const pause = (time) => new Promise((done) => setTimeout(done, time));
setInterval(() => { if (since) paintTail(); }, 500); // says it when nothing was answered for too long

// ---- the selection

let chosen = part("stage")?.dataset.board, told = "", hold = false, half = "", halfAt = 0;
const seats = () => { // who the selection is about
  const row = rowOf(chosen);
  return row && [roundNow(), chosen, row.dataset.white, row.dataset.black].join();
};
let about = seats();
const nextOpen = (board) => {
  const open = rowsNow().filter(isOpen).map((row) => Number(row.dataset.board));
  const next = open.find((one) => one > Number(board)) ?? open[0];
  return next === undefined ? board : String(next);
};
const select = (board, { scroll = true } = {}) => {
  if (board !== chosen) moved = performance.now();
  chosen = board;
  about = seats();
  told = "";
  hold = false;
  closeOthers();
  paint();
  if (scroll) rowOf(board)?.scrollIntoView({ block: "nearest" });
};
const record = (result) => {
  const row = rowOf(chosen);
  if (!row) return;
  if (hold) { select(chosen); return; } // what stood here has changed: look first
  if (mine(chosen)) { told = say("busy", { board: chosen }); paint(); return; }
  if (!mayEnter(row)) { // somebody else was faster: the key was for this board, so it goes nowhere else
    if (row.dataset.result !== result) refuse(row, result, say("differs", { entered: row.dataset.says }));
    select(nextOpen(chosen));
    return;
  }
  enter(row, result);
  select(nextOpen(chosen));
  part("stage")?.focus({ preventScroll: true });
};

// ---- painting: what the desk knows, onto the page as it came

const paintSide = (seat, cell, row) => { // names, number and points of one side
  const box = part("stage").querySelector(`.side.${seat}`), [white, black] = row.querySelectorAll(".no");
  const name = row.querySelector(`.pl.${cell}`).cloneNode(true);
  name.querySelectorAll(".sq").forEach((one) => one.remove());
  box.querySelector(".nm").replaceChildren(...name.childNodes);
  const [colour, number] = box.querySelector(".sub").textContent.split(" · ");
  const fresh = number.replace(/\S+$/, (seat === "w" ? white : black).textContent.trim());
  box.querySelector(".sub").textContent = [colour, fresh, row.querySelector(`.pt.${cell}`).textContent.trim()].join(" · ");
};
const paintStage = () => {
  const stage = part("stage"), row = rowOf(chosen);
  if (!stage || !row) return;
  const may = mayEnter(row), { board, white, black } = row.dataset, entry = mine(board);
  stage.dataset.board = board;
  stage.setAttribute("aria-label", stage.getAttribute("aria-label").replace(/\d+/, board));
  stage.querySelector(".num .n").textContent = board;
  paintSide("w", "w", row);
  paintSide("b", "bl", row);
  for (const form of stage.querySelectorAll("form[data-entry]")) {
    for (const [name, value] of Object.entries({ round: roundNow(), board, white, black })) form.elements[name].value = value;
  }
  stage.querySelector(".results").hidden = part("others").hidden = !may;
  const verdict = stage.querySelector(".verdict"), link = verdict.querySelector("a");
  const text = told || (entry ? say(entry.state === "stored" ? "stored" : "row") : row.dataset.says && !may ? `${row.dataset.says}. ${say("wait")}` : row.dataset.says);
  verdict.hidden = !text;
  verdict.querySelector("span").textContent = text || "";
  link.hidden = may || Boolean(entry);
  link.href = link.href.replace(/board=\d+/, `board=${board}`);
};
const paintRows = () => {
  for (const row of rowsNow()) {
    row.classList.toggle("sel", Boolean(part("stage")) && row.dataset.board === chosen);
    row.classList.remove("bad");
  }
  for (const item of queue) {
    const row = fits(item);
    if (!row || item.undo) continue;
    if (item.state === "refused") {
      row.classList.add("bad");
      if (row.classList.contains("sending")) row.querySelector(".res").textContent = "–";
      row.classList.remove("sending");
      continue;
    }
    if (!mine(item.board)) continue;
    row.classList.toggle("sending", item.state === "waiting");
    row.classList.toggle("in", item.state === "stored");
    row.querySelector(".res").textContent = shown(item.result);
    row.querySelector(".more").textContent = say(item.state === "stored" ? "stored" : "row");
  }
};
const button = (text, press) => {
  const made = document.createElement("button");
  Object.assign(made, { type: "button", className: "link", textContent: text });
  made.addEventListener("click", press);
  return made;
};
const chip = (kind, item, ...more) => {
  const made = document.createElement("span"), board = document.createElement("b");
  made.className = `q1 ${kind}`;
  board.textContent = item.board;
  made.append(board, item.result ? ` ${shown(item.result)} ` : ` ${say("back")} `, ...more);
  return made;
};
const paintTail = () => {
  const tail = part("tail");
  if (!tail) return;
  const line = [], sending = waiting(), last = queue.findLast((one) => one.state === "stored" && !one.undo);
  if (sending.length) {
    const count = document.createElement("b");
    count.textContent = say("sending", { n: sending.length });
    line.push(count, ...sending.slice(0, 12).map((item) => chip("", item)));
  }
  for (const item of queue.filter((one) => one.state === "refused")) {
    const drop = button(say("drop"), () => { queue = queue.filter((one) => one !== item); keep(); paint(); });
    line.push(chip("bad", item, item.said || "", ...(item.asks ? [button(say("answer"), () => ask(item))] : []), drop));
  }
  if (last) line.push(chip("ok", last, "✓ ", button(say("back"), takeBack)));
  if (others) line.push(others);
  const silent = since && performance.now() - since >= SILENT;
  if (sending.length && (silent || signedOut)) {
    const one = document.createElement("span");
    one.className = "silent";
    one.textContent = signedOut ? say("out") : say(sending.length === 1 ? "one" : "other", { n: sending.length });
    line.push(one);
  }
  const text = line.map((one) => one.textContent ?? one).join("|");
  if (tail.dataset.text === text) return;
  const high = tail.offsetHeight;
  tail.dataset.text = text;
  tail.replaceChildren(...line);
  if (tail.offsetHeight !== high) moved = performance.now();
};
const ask = (item) => { // a warning is answered on a page of its own
  const form = part("stage").querySelector("form[data-entry]").cloneNode();
  for (const [name, value] of Object.entries(fieldsOf(item))) {
    const field = document.createElement("input");
    Object.assign(field, { type: "hidden", name, value: name === "key" ? newKey() : value });
    form.append(field);
  }
  queue = queue.filter((one) => one !== item);
  keep();
  document.body.append(form);
  form.submit();
};
const paint = () => { paintRows(); paintStage(); paintTail(); };

// After the page was painted again: the selection is where it was. If it is no longer what it was (other players,
// another round), it says so and waits for a key.
document.addEventListener("repainted", ({ detail }) => {
  if (!table()) return;
  load();
  queue = queue.filter((one) => one.state !== "stored" || one.round === roundNow());
  if (!about || about !== seats()) {
    if (about) { told = `${say("gone", { board: chosen })} ${say("wait")}`; hold = true; }
    if (!rowOf(chosen)) chosen = part("stage")?.dataset.board;
    about = seats();
  }
  const foreign = detail.filter((row) => row.dataset.says && !queue.some((one) => fits(one) === row));
  if (foreign.length) others = foreign.at(-1).dataset.says;
  paint();
});

// ---- other results: chosen in words, confirmed by a sentence with both names

const openOthers = () => {
  if (part("others")?.hidden !== false) return;
  moved = performance.now();
  part("kinds").hidden = false;
  part("kinds").querySelector("button").focus();
};
const closeOthers = () => {
  const kinds = part("kinds");
  if (!kinds || kinds.hidden) return;
  moved = performance.now();
  kinds.hidden = kinds.querySelector(".sure").hidden = true;
  kinds.querySelectorAll("[aria-pressed=true]").forEach((one) => one.setAttribute("aria-pressed", "false"));
};
const choose = (pressed) => {
  const sure = part("kinds").querySelector(".sure"), names = [...part("stage").querySelectorAll(".side bdi")];
  part("kinds").querySelectorAll("[aria-pressed]").forEach((one) => one.setAttribute("aria-pressed", String(one === pressed)));
  const pieces = pressed.dataset.says.split(/(\{white\}|\{black\})/).map(
    (text) => ({ "{white}": names[0], "{black}": names[1] })[text]?.cloneNode(true) ?? text);
  sure.querySelector("button span").replaceChildren(...pieces);
  sure.elements.result.value = pressed.value;
  sure.hidden = false;
  sure.querySelector("button").focus();
};

// ---- pointer and keys

document.addEventListener("click", (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  const link = event.target.closest("a[data-choose], #others, #back");
  if (!link || !part("stage")) return;
  event.preventDefault();
  if (link.id === "others") { if (part("kinds").hidden) openOthers(); else closeOthers(); return; }
  select(link.id === "back" ? chosen : link.closest("tr").dataset.board, { scroll: false });
  part("stage").focus({ preventScroll: true });
});
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.matches("form[data-entry]")) record(event.submitter?.name === "result" ? event.submitter.value : form.elements.result.value);
  else if (form.matches(".groups4")) choose(event.submitter);
  else if (form.matches(".seekform")) seek(true);
  else return;
  event.preventDefault();
  event.stopImmediatePropagation();
}, true);
const seek = (done) => { // a number or a name selects and shows its board; nothing is recorded
  const text = part("seek").value.trim();
  const wanted = rowsNow().filter((row) => /^\d+$/.test(text) ? row.dataset.board === String(Number(text))
    : text && [...row.querySelectorAll(".pl")].some((cell) => folded(cell.textContent).includes(folded(text))));
  const row = wanted.find(isOpen) ?? wanted[0];
  if (row) select(row.dataset.board);
  part("seek").setAttribute("aria-invalid", String(Boolean(text) && !row));
  if (!done || !row) return;
  part("seek").value = "";
  part("stage").focus({ preventScroll: true });
};
document.addEventListener("input", (event) => { if (event.target.id === "seek") seek(false); });

const walk = (list, from, by) => list[(list.indexOf(from) + by + list.length) % list.length];
document.addEventListener("keydown", (event) => {
  const { key, target } = event, step = { ArrowUp: -1, ArrowDown: 1 }[key], kinds = part("kinds");
  if (!part("keys") || event.ctrlKey || event.metaKey || event.altKey) return;
  const done = () => event.preventDefault();
  if (target.id === "seek" && key === "Escape") { target.value = ""; part("stage").focus(); return; }
  if (target.closest("input, select, textarea") && !(target.id === "seek" && step)) return;
  if (key.toLowerCase() === "n") { done(); document.querySelector("#next button, #next a")?.focus(); return; }
  if (key.toLowerCase() === "p") { if (!waiting().length) document.querySelector("form[data-step=pair] button.main")?.click(); return; }
  if (key === "?") { done(); part("keys").focus(); part("keys").scrollIntoView({ block: "nearest" }); return; }
  if (!table()) return;
  if (key.toLowerCase() === "z") { done(); takeBack(); return; }
  if (!part("stage")) return;
  if (!kinds.hidden) {
    if (key === "Escape") { done(); select(chosen); part("stage").focus(); }
    if (step) { done(); walk([...kinds.querySelectorAll("fieldset button")], target.closest("fieldset button"), step).focus(); }
    return;
  }
  const row = rowOf(chosen), waits = row && !mayEnter(row) && !mine(chosen);
  if (step) { done(); select(walk(numbers(), chosen, step)); return; }
  if (key === "/") { done(); part("seek").focus(); part("seek").select(); return; }
  if (key.toLowerCase() === "f") { done(); openOthers(); return; }
  if (event.repeat) return;
  const soon = performance.now() - halfAt < 1500;
  if (/^[-–:]$/.test(key) && half && soon) { half += "-"; return; } // somebody types 1-0: one result, not two
  if (KEYS[key]) {
    done();
    if (half.endsWith("-") && soon) { half = ""; return; }
    [half, halfAt] = [key, performance.now()];
    record(KEYS[key]);
    return;
  }
  if (key.length === 1) half = "";
  if ((waits || hold) && ["Enter", " ", "Escape"].includes(key) && !target.closest("a, button")) { done(); select(hold ? chosen : nextOpen(chosen)); }
});

// ---- what was kept over a reload

let loaded = false;
const load = () => {
  if (loaded || !part("tail")) return;
  loaded = true;
  try { queue = JSON.parse(localStorage.getItem(place()) || "[]"); } catch { queue = []; }
  paint();
  if (waiting().length) pump();
};
load();
