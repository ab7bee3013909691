/** What was deleted and can come back, until its file changes: the browser keeps it, the last one last. */

const NAME = `deckwright:${document.documentElement.dataset.game}:deleted`;
const MOST = 20;

function all() {
  try {
    return JSON.parse(localStorage.getItem(NAME)) ?? [];
  } catch {
    return [];
  }
}

const keep = (list) => localStorage.setItem(NAME, JSON.stringify(list.slice(-MOST)));

/** Return what was deleted last: `{thing, title, path, undo}`. */
export const lastGone = () => all().at(-1);

export const keepGone = (one) => keep([...all(), one]);

/** Forget what was deleted last; or all that was in a file, which has changed. */
export const forgetGone = (path) =>
  keep(path === undefined ? all().slice(0, -1) : all().filter((one) => one.path !== path));
