// Exchanges the secret in the fragment for a session. A fragment is never sent to a server, so the secret is
// in no log and no Referer, and a program that opens links to look at them does not use it up.
"use strict";
const state = document.getElementById("state");
const link = location.hash.slice(1);
history.replaceState(null, "", location.pathname);
async function signIn() {
  if (!link) {
    state.textContent = state.dataset.broken;
    return;
  }
  const answer = await fetch("/api/v1/sessions", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ link }),
  });
  const told = await answer.json();
  if (!answer.ok) {
    state.textContent = told.detail;
    document.getElementById("lost").hidden = false;
    return;
  }
  location.replace(told.tournament ? "/tournaments/" + told.tournament : "/");
}
signIn().catch(() => { state.textContent = state.dataset.silent; });
