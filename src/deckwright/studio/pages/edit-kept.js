/** Drafts that are not saved: the browser keeps them, so that they outlive the page. */

const game = document.documentElement.dataset.game;
const BEGIN = `deckwright:${game}:edit:`;

/** Return all drafts: `{key, thing, title, kept}`. */
export function drafts() {
  const found = [];
  for (let at = 0; at < localStorage.length; at++) {
    const name = localStorage.key(at);
    if (!name.startsWith(BEGIN)) continue;
    const one = draftOf(name.slice(BEGIN.length));
    if (one) found.push(one);
  }
  return found.sort((one, other) => one.title.localeCompare(other.title));
}

export function draftOf(key) {
  try {
    const kept = JSON.parse(localStorage.getItem(BEGIN + key));
    return kept && { key, ...kept };
  } catch {
    return null;
  }
}

const workOf = ({ thing, key }) =>
  thing.of === "card" && !thing.new ? `edit:${thing.faction}:${thing.id}` : `edit:${key}`;

/** Keep a draft, and say so. */
export function keepDraft(studio, key, draft) {
  const former = localStorage.getItem(BEGIN + key);
  const text = JSON.stringify(draft);
  if (former !== text) localStorage.setItem(BEGIN + key, text);
  studio.unsaved(workOf({ key, ...draft }), draft.title);
}

export function forgetDraft(studio, key, thing) {
  localStorage.removeItem(BEGIN + key);
  studio.unsaved(workOf({ key, thing }), null);
}

/** Hear of drafts that another tab writes. */
export function hearDrafts(hear) {
  addEventListener(
    "storage",
    ({ key, newValue }) =>
      key?.startsWith(BEGIN) &&
      hear(
        key.slice(BEGIN.length),
        newValue === null ? null : draftOf(key.slice(BEGIN.length))?.kept,
      ),
  );
}

/** Say of all drafts that they are not saved, as after a reload. */
export function remind(studio) {
  for (const draft of drafts()) studio.unsaved(workOf(draft), draft.title);
}
