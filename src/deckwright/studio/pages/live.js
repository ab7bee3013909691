/** The wall as the server has it: fetched once, and then brought up to date by what the server tells. */

import { ask, Missing } from "./session.js";

/** What the server told last, null before it has told anything. */
export let wall = null;
let faces = new Map(); // by key
let style = "";
let loading = null;
let again = false;
let waiting = []; // what was told while the wall was fetched

function take(reply) {
  wall = reply;
  faces = new Map(wall.faces.map((face) => [face.key, face]));
  for (const event of waiting) if (event.version > wall.version && !bring(event)) again = true;
  waiting = [];
}

/**
 * Fetch the wall. What changes while it is fetched is fetched once more, and once only.
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
      waiting = [];
      const reply = await ask(
        `/api/wall${asked ? `?style=${encodeURIComponent(asked)}` : ""}`,
      ).catch((error) => {
        if (!(asked && error instanceof Missing)) throw error;
        style = ""; // it is gone
        again = true;
      });
      if (!reply || asked !== style) continue;
      take(reply);
      told();
    }
  })().finally(() => (loading = null));
  return loading;
}

/**
 * Take an event of the server into the wall.
 *
 * @returns null if the wall must be fetched, else the keys of the faces that it tells of, and whether
 *   more is told of them than another picture.
 */
export function hearWall(event) {
  const nothing = { keys: [], facts: false };
  if (loading) {
    waiting.push(event);
    return nothing;
  }
  if (!wall || event.version < wall.version) return null; // a studio that was started anew
  return event.version === wall.version ? nothing : bring(event);
}

function bring(event) {
  if (event.whole || event.after !== wall.version) return null;
  const name = wall.game.style ?? "";
  const patches = event.faces[name] ?? [];
  const lost = new Set(event.lost[name]);
  if (patches.some(({ key }) => !faces.has(key))) return null;
  for (const patch of patches) Object.assign(faces.get(patch.key), patch);
  for (const key of lost) faces.delete(key);
  if (lost.size) wall.faces = [...faces.values()];
  if (event.state) wall.state = event.state;
  wall.version = event.version;
  const looks = new Set(["key", "hash", "pending", "stale", "findings"]);
  const facts =
    lost.size > 0 || patches.some((patch) => Object.keys(patch).some((field) => !looks.has(field)));
  return { keys: patches.map(({ key }) => key), facts };
}

/** Return a face by its key. */
export const faceOf = (key) => faces.get(key);
