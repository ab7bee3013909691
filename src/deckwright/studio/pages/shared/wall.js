/** The wall: its faces as the server has them, what changed, and which are on the screen. */

import { readStored } from "./page.js";
import { ask, Missing, run } from "./session.js";

// The wall as the server has it: fetched once, then brought up to date by events.

/** What the server told last, null before it has told anything. */
export let wall = null;
let faces = new Map(); // by key
let style = "";
let loading = null;
let loadAgain = false;
let waiting = []; // what was told while the wall was fetched

function takeWall(reply) {
  wall = reply;
  faces = new Map(wall.faces.map((face) => [face.key, face]));
  for (const event of waiting)
    if (event.version > wall.version && !takeEvent(event)) loadAgain = true;
  waiting = [];
}

/**
 * Fetch the wall. What changes while it is fetched is fetched once more, and once only.
 *
 * @param told called with each wall that is fetched.
 * @param wanted the style, "" for the usual one; as before if it is left out.
 */
export function loadWall(told, wanted = style) {
  style = wanted;
  loadAgain = true;
  loading ??= (async () => {
    while (loadAgain) {
      loadAgain = false;
      const asked = style;
      waiting = [];
      const reply = await ask(
        `/api/wall${asked ? `?style=${encodeURIComponent(asked)}` : ""}`,
      ).catch((error) => {
        if (!(asked && error instanceof Missing)) throw error;
        style = ""; // it is gone
        loadAgain = true;
      });
      if (!reply || asked !== style) continue;
      takeWall(reply);
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
  return event.version === wall.version ? nothing : takeEvent(event);
}

function takeEvent(event) {
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

/** Return the page on which the texts of a face's card are. */
export const pageOf = ({ token, card, faction }) =>
  token ? `token/${card}` : `card/${faction}:${card}`;

/** Return the id under which they are translated, "" if they are not. */
export const translationOf = (face) =>
  wall?.game.languages.includes(wall.game.shown) ? `${wall.game.shown}/${pageOf(face)}` : "";

export const faceOf = (key) => faces.get(key);

// What has changed and was not seen: kept for all tabs, a list for each style. A studio that was
// started anew does not have the former faces any more.

/** The former hash of each face that nobody has seen yet. */
export let unseenFaces = new Map();
let lastHashes = new Map(); // the hash of each face when it was last told
let unseenKey = "";

const loadUnseen = () => {
  const kept = readStored(unseenKey, {});
  unseenFaces = new Map(kept.run === run() ? kept.faces : []);
};

const saveUnseen = () =>
  localStorage.setItem(unseenKey, JSON.stringify({ run: run(), faces: [...unseenFaces] }));

/** Call `changed` whenever another tab has changed the list. */
export function shareUnseen(changed) {
  addEventListener(
    "storage",
    ({ key }) => unseenKey && key === unseenKey && (loadUnseen(), changed()),
  );
}

/** Keep the former hash of each face that differs; what is as it was again is forgotten. */
export function compareFaces(game, wall) {
  const here = `deckwright:${game}:unseen:${wall.game.style ?? ""}${wall.game.shown && `:${wall.game.shown}`}`;
  if (here !== unseenKey) lastHashes = new Map();
  unseenKey = here;
  loadUnseen();
  const old = JSON.stringify([...unseenFaces]);
  const keys = new Set(wall.faces.map(({ key }) => key));
  for (const { key, hash } of wall.faces) {
    if (!hash) continue;
    const former = lastHashes.get(key);
    if (former && former !== hash && !unseenFaces.has(key)) unseenFaces.set(key, former);
    if (unseenFaces.get(key) === hash) unseenFaces.delete(key);
    lastHashes.set(key, hash);
  }
  for (const key of unseenFaces.keys()) if (!keys.has(key)) unseenFaces.delete(key);
  if (JSON.stringify([...unseenFaces]) !== old) saveUnseen();
}

/** Forget what has been seen; in another tab that may be before this one has the new pictures. */
export function markSeen(keys) {
  for (const key of keys) {
    unseenFaces.delete(key);
    lastHashes.delete(key);
  }
  saveUnseen();
}

// Which faces are on the screen: the server composes these first when files change.

const REST = 150; // so many milliseconds after the last move it is told
const MOST_TOLD = 200; // faces that are told
const onScreen = new Set();
/** @type {(keys: string[]) => void} */
let tellKeys = () => {};
let openedKey = () => "";
let lastTold = "";
let sayTimer = null;

const observer = new IntersectionObserver(
  (changes) => {
    for (const { target, isIntersecting } of changes) {
      if (isIntersecting) onScreen.add(target.dataset.key);
      else onScreen.delete(target.dataset.key);
    }
    sayKeysLater();
  },
  { rootMargin: "100px" },
);

function sayKeys() {
  const first = openedKey();
  const now = [...new Set(first ? [first, ...onScreen] : onScreen)].slice(0, MOST_TOLD);
  if (!now.length || document.hidden || String(now) === lastTold) return;
  lastTold = String(now);
  tellKeys(now);
}

/** Tell the keys of the faces on the screen when others come; that of the opened card first. */
export function beginScreen(hear, first) {
  tellKeys = hear;
  openedKey = first;
  document.addEventListener("visibilitychange", () => ((lastTold = ""), sayKeys()));
}

/** Say it in a moment, since another card was opened. */
export function sayKeysLater() {
  clearTimeout(sayTimer);
  sayTimer = setTimeout(sayKeys, REST);
}

/** Say it again: of another style, or to a server that was started anew. */
export function sayKeysAgain() {
  lastTold = "";
  sayKeys();
}

export const watchTile = (tile) => observer.observe(tile);

export function leaveTile(tile) {
  observer.unobserve(tile);
  onScreen.delete(tile.dataset.key);
}

export const isOnScreen = (key) => onScreen.has(key);
