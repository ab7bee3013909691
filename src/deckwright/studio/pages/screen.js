/** Which faces are on the screen: the server composes these first when files change. */

const REST = 150; // so many milliseconds after the last move it is told
const MOST = 200; // faces that are told
const keys = new Set();
let tell = () => {};
let opened = () => "";
let told = "";
let timer = null;

const observer = new IntersectionObserver(
  (changes) => {
    for (const { target, isIntersecting } of changes) {
      if (isIntersecting) keys.add(target.dataset.key);
      else keys.delete(target.dataset.key);
    }
    sayLater();
  },
  { rootMargin: "100px" },
);

function say() {
  const first = opened();
  const now = [...new Set(first ? [first, ...keys] : keys)].slice(0, MOST);
  if (!now.length || document.hidden || String(now) === told) return;
  told = String(now);
  tell(now);
}

/** Tell the keys of the faces on the screen whenever others have come; that of the opened card first. */
export function begin(hear, first) {
  tell = hear;
  opened = first;
  document.addEventListener("visibilitychange", () => ((told = ""), say()));
}

/** Say it in a moment, since another card was opened. */
export function sayLater() {
  clearTimeout(timer);
  timer = setTimeout(say, REST);
}

/** Say it again: of another style, or to a server that was started anew. */
export function sayAgain() {
  told = "";
  say();
}

/** Look after a tile. */
export const watch = (tile) => observer.observe(tile);

/** Look after it no longer. */
export function leave(tile) {
  observer.unobserve(tile);
  keys.delete(tile.dataset.key);
}

/** Return whether a face is on the screen. */
export const isOnScreen = (key) => keys.has(key);
