/** The wall as the server has it: fetched anew when it has changed, and hashes of faces as they come. */

import { ask, Missing } from "./session.js";

/** What the server told last, null before it has told anything. */
export let wall = null;
let style = "";
let composed = new Map(); // of faces that were composed since the wall was asked for
let loading = null;
let again = false;

/** Take the hashes of faces that were composed after the wall was told. */
function take() {
  for (const face of wall.faces) {
    if (face.hash || !composed.has(face.key)) continue;
    face.hash = composed.get(face.key);
    face.pending = false;
  }
}

/**
 * Fetch the wall. What comes while it is fetched is fetched once more, and once only.
 *
 * @param told called with each wall that is fetched.
 * @param wanted the style, "" for the usual one; as before if it is left out.
 */
export function load(told, wanted = style) {
  style = wanted;
  again = true;
  loading ??= (async () => {
    while (again) {
      again = false;
      const asked = style;
      composed = new Map();
      const reply = await ask(`/api/wall${asked ? `?style=${encodeURIComponent(asked)}` : ""}`).catch((error) => {
        if (!(asked && error instanceof Missing)) throw error;
        style = ""; // it is gone
        again = true;
      });
      if (!reply || asked !== style) continue;
      wall = reply;
      take();
      told();
    }
  })().finally(() => (loading = null));
  return loading;
}

/** Take the faces that an event tells of; return whether there are any for the wall that is shown. */
export function hearFaces(event) {
  if (!event.composed || (event.style ?? null) !== (wall?.game.style ?? null)) return false;
  for (const [key, hash] of Object.entries(event.composed)) composed.set(key, hash);
  if (wall) take();
  return Boolean(wall);
}

/** Return whether an event tells of another wall than the one that is known. */
export const isNews = (event) => Boolean(event.version) && event.version !== wall?.version;
