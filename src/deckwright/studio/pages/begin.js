/**
 * The beginning: what others left on this port goes, the server proves itself, and the page is
 * shown.
 */

import { ask, begin, Unknown } from "./shared/session.js";
import { dress } from "./shared/settings.js";
import { $, language, speak, word } from "./shared/words.js";

const AGAIN = 1000; // milliseconds until it is tried again

/**
 * Do away with service workers that another program left on this port, before they see anything.
 */
async function alone() {
  const workers = await navigator.serviceWorker.getRegistrations();
  await Promise.all(workers.map((worker) => worker.unregister()));
  if (!navigator.serviceWorker.controller) return;
  location.reload(); // this page came through one
  await new Promise(() => {});
}

/** Return what the server says of the game, as soon as it can be asked. */
async function game() {
  for (;;) {
    try {
      await begin();
      return await ask("/api/game");
    } catch (error) {
      $("connection").textContent = word(error instanceof Unknown ? "stale" : "gone");
      $("connection").hidden = false;
      await new Promise((done) => setTimeout(done, AGAIN));
    }
  }
}

dress();
await alone();
document.documentElement.lang = language;
speak(document);
const { name, language: spoken, readOnly } = await game();
$("connection").hidden = true;
document.documentElement.dataset.game = document.title = $("game").textContent = name;
$("game").lang = spoken;
if (readOnly) document.documentElement.dataset.readOnly = "";
$("looks-only").hidden = !readOnly;
await import("./studio.js");
document.querySelector("header").inert = false; // its links lead elsewhere before they are wired
