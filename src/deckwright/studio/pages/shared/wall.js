/** The wall: its faces, what changed, and which of them are shown in which order. */

import { readStored } from "./page.js";
import { ask, Missing, run } from "./session.js";

/** Return the identity of a face's card: ids are unique within a faction. */
export const cardOf = (face) => `${face.faction}:${face.card}`;

/** Split what was typed into words for the page and an expression for the server. */
export function split(typed) {
  const terms = typed.match(/(?:[^\s"'“”]|"[^"]*"|'[^']*')+/g) ?? [];
  if (/\s(and|or|not|in)\s|[()]|\s[<>=!]=?|[<>=]\s+\S/i.test(` ${typed}`) && /[<>=:]/.test(typed)) {
    return { words: [], expression: typed.trim() };
  }
  const asks = (term) => /^(["'“][^"'“”]+["'”]|[\p{L}\p{N}_-]+)(:|[<>=!]=?)./u.test(term);
  return {
    words: terms
      .filter((term) => !asks(term))
      .map((term) => term.replace(/["']/g, "").toLowerCase()),
    expression: terms.filter(asks).join(" "),
  };
}

/** Return the values of a face for a filter, as texts. */
export function valuesOf(face, filter) {
  if (filter.of === "face") return [String(face[filter.name])];
  const value = face[filter.of]?.[filter.name];
  if (value === undefined || value === null) return [];
  return (Array.isArray(value) ? value : [value]).map(String);
}

const option = (value) => ({ value, name: value });

/** Return the filters of a game: its factions, kinds and terms, each with what the faces have. */
export function filtersOf(wall, words) {
  const own = wall.game.filters ?? [];
  const kinds = [...new Set(wall.faces.map((face) => face.kind))];
  const all = [
    {
      of: "face",
      name: "faction",
      title: words.faction,
      values: wall.factions.map(({ id, name, color }) => ({ value: id, name, color })),
    },
    {
      of: "face",
      name: "kind",
      title: words.kind,
      values: kinds.map((kind) => ({ value: kind, name: wall.game.kinds?.[kind] ?? kind })),
    },
    ...own.map((filter) => ({
      ...filter,
      values: filter.values.map((value) =>
        value.value === undefined ? option(value) : { ...value, value: String(value.value) },
      ),
    })),
  ];
  return all
    .map((filter) => {
      const had = new Set(wall.faces.flatMap((face) => valuesOf(face, filter)));
      return { ...filter, values: filter.values.filter(({ value }) => had.has(value)) };
    })
    .filter((filter) => filter.values.length > 1);
}

/** Choose a value of a filter, or choose it no longer. */
export function flipFilter(filters, name, value) {
  const values = filters[name] ?? [];
  filters[name] = values.includes(value)
    ? values.filter((one) => one !== value)
    : [...values, value];
  if (!filters[name].length) delete filters[name];
}

/** Return the names of the fields that are numbers. */
export function numbersOf(faces) {
  const values = faces.flatMap(({ fields }) => Object.entries(fields ?? {}));
  return [
    ...new Set(values.filter(([, value]) => typeof value === "number").map(([name]) => name)),
  ];
}

/** Return the faces that a query wants. Values of one filter are alternatives; filters add up. */
export function filterFaces(faces, query, filters, found, isChanged) {
  const { words } = split(query.q);
  return faces.filter((face) => {
    if (face.side !== query.side) return false;
    if (query.findings && !face.findings.length) return false;
    if (query.changed && !isChanged(face)) return false;
    for (const filter of filters) {
      const wanted = query.filters[filter.name];
      if (wanted?.length && !valuesOf(face, filter).some((value) => wanted.includes(value)))
        return false;
    }
    if (found && !found.has(cardOf(face))) return false;
    const text = `${face.name}\n${face.card}\n${face.text}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** Return the faces in the order that is wanted; those of equal rank stay as in the files. */
export function sortFaces(faces, order, language) {
  if (order === "order") return faces;
  const compare = new Intl.Collator(language, { numeric: true }).compare;
  if (order === "name") return faces.toSorted((a, b) => compare(a.name, b.name));
  if (order === "id") return faces.toSorted((a, b) => compare(a.card, b.card));
  const rank = (face) => face.fields?.[order] ?? Infinity;
  return faces.toSorted((a, b) => (rank(a) === rank(b) ? 0 : rank(a) - rank(b)));
}

// The wall as the server has it: fetched once, and then brought up to date by what the server
// tells.

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

/** Return a face by its key. */
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

/**
 * Tell the keys of the faces on the screen whenever others have come; that of the opened card
 * first.
 */
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

/** Look after a tile. */
export const watchTile = (tile) => observer.observe(tile);

/** Look after it no longer. */
export function leaveTile(tile) {
  observer.unobserve(tile);
  onScreen.delete(tile.dataset.key);
}

/** Return whether a face is on the screen. */
export const isOnScreen = (key) => onScreen.has(key);
