// A deputy's phone: its page stays without a connection, and it asks again until it is answered. An entry is sent
// under its own key as often as it takes, it counts once, and it is kept over a reload.
"use strict";

const HINT = 400, SPEAK = 3000; // ms until the page says that it is sending, and that nothing answers
const place = `paircard.phone.${location.pathname.split("/")[2]}`;
const kept = (entry) => {
  try {
    if (entry === undefined) return JSON.parse(localStorage.getItem(place));
    if (entry) localStorage.setItem(place, JSON.stringify(entry)); else localStorage.removeItem(place);
  } catch { /* private window */ }
  return null;
};
const connected = (yes) => document.querySelectorAll("[data-offline]").forEach((pill) => { pill.hidden = yes; });
const note = (name) => document.querySelectorAll("[data-waiting]").forEach((one) => { one.hidden = one.dataset.waiting !== name; });

let control = new AbortController();
const reach = async (address, entry) => { // the newest request is the one that counts
  control.abort();
  const own = control = new AbortController();
  note("");
  const hint = setTimeout(() => note(entry ? "sending" : "loading"), HINT);
  const silent = () => { connected(false); clearTimeout(hint); note(entry ? "entry" : "page"); };
  for (let patience = 6000; !own.signal.aborted; patience = Math.min(patience * 2, 48000)) {
    const speak = setTimeout(silent, SPEAK);
    try {
      const signal = AbortSignal.any([own.signal, AbortSignal.timeout(patience)]);
      const answer = await fetch(address, entry ? { method: "POST", body: new URLSearchParams(entry), signal } : { signal });
      const text = await answer.text();
      if (own.signal.aborted) return;
      if (answer.status === 503) throw new Error("not now");
      connected(true);
      if (entry && answer.status !== 401) kept(null);
      if (!entry && location.href !== address) history.pushState(null, "", address);
      show(text, answer.redirected || !entry ? answer.url : location.href);
      window.scrollTo(0, 0);
      const head = document.querySelector("[data-here], h1");
      head.tabIndex = -1;
      head.focus();
      return;
    } catch {
      if (own.signal.aborted) return;
      silent();
      await new Promise((done) => setTimeout(done, 2000));
    } finally {
      clearTimeout(speak);
      clearTimeout(hint);
    }
  }
};
const send = async (address, entry) => {
  document.body.dataset.sending = "1";
  kept({ address, entry });
  await reach(address, entry);
};
const go = (address) => { // away from an entry that is being sent: it is not sent again
  delete document.body.dataset.sending;
  kept(null);
  reach(address);
};

window.addEventListener("offline", () => connected(false));
window.addEventListener("online", () => connected(true));
window.addEventListener("popstate", () => go(location.href));
document.addEventListener("click", (event) => {
  const link = event.target.closest(".pocket a[href]");
  if (!link || event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  go(link.href);
});
document.addEventListener("submit", (event) => {
  const form = event.target, pressed = event.submitter;
  if (form.getAttribute("action") === "/sign-out" || !form.closest(".pocket")) return;
  event.preventDefault();
  if (document.body.dataset.sending) return;
  const fields = Object.fromEntries(new FormData(form));
  if (pressed?.name) fields[pressed.name] = pressed.value;
  if (form.method === "get") { go(`${form.action}?${new URLSearchParams(fields)}`); return; }
  if (pressed) pressed.disabled = true;
  send(form.action, fields);
});

const left = kept();
if (left && document.querySelector(".pocket")) send(left.address, left.entry);
