/**
 * What has changed and was not seen: kept for all tabs, a list for each style. A studio that was
 * started anew does not have the former faces any more.
 */

import { run } from "./session.js";
import { stored } from "./settings.js";

/** The former hash of each face that nobody has seen yet. */
export let before = new Map();
let known = new Map(); // the hash of each face when it was last told
let place = "";

const load = () => {
  const kept = stored(place, {});
  before = new Map(kept.run === run() ? kept.faces : []);
};

const save = () => localStorage.setItem(place, JSON.stringify({ run: run(), faces: [...before] }));

/** Call `changed` whenever another tab has changed the list. */
export function share(changed) {
  addEventListener("storage", ({ key }) => place && key === place && (load(), changed()));
}

/** Keep the former hash of each face that differs; what is as it was again is forgotten. */
export function compare(game, wall) {
  const here = `deckwright:${game}:unseen:${wall.game.style ?? ""}`;
  if (here !== place) known = new Map();
  place = here;
  load();
  const old = JSON.stringify([...before]);
  const keys = new Set(wall.faces.map(({ key }) => key));
  for (const { key, hash } of wall.faces) {
    if (!hash) continue;
    const former = known.get(key);
    if (former && former !== hash && !before.has(key)) before.set(key, former);
    if (before.get(key) === hash) before.delete(key);
    known.set(key, hash);
  }
  for (const key of before.keys()) if (!keys.has(key)) before.delete(key);
  if (JSON.stringify([...before]) !== old) save();
}

/** Forget what has been seen; in another tab that may be before this one has the new pictures. */
export function see(keys) {
  for (const key of keys) {
    before.delete(key);
    known.delete(key);
  }
  save();
}
