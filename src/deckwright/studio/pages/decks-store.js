/** Drafts: opened, kept in the browser until they are saved, saved, and what comes between. */

import { Draft } from "./decks-draft.js";
import { at, game, sent } from "./decks-state.js";
import { word } from "./words.js";

const KEPT = `deckwright:${game}:deck:`;

/** Return what a deck is made of, without where it is kept. */
export const deckOf = ({ name, faction, format, entries }) => ({
  name,
  faction,
  format: format ?? null,
  entries: entries.map(({ card, zone, copies, note }) => ({
    card,
    zone: zone ?? null,
    copies,
    note: note ?? "",
  })),
});

/** Return all drafts that the browser keeps, by the id of their deck. */
export function kept() {
  const found = new Map();
  for (let place = 0; place < localStorage.length; place += 1) {
    const key = localStorage.key(place);
    if (!key.startsWith(KEPT)) continue;
    const draft = Draft.from(localStorage.getItem(key));
    if (draft) found.set(key.slice(KEPT.length), draft);
  }
  return found;
}

/** Tell the page which decks are not saved. */
export function tell() {
  const drafts = kept();
  for (const id of at.studio.unsavedIds())
    if (id.startsWith("deck:") && !drafts.has(id.slice(5))) at.studio.unsaved(id, null);
  for (const [id, draft] of drafts)
    at.studio.unsaved(`deck:${id}`, word("decks-deck", draft.now.name || word("decks-nameless")));
  return drafts;
}

/** Keep the open draft, or forget it where nothing of it is unsaved. */
export function keepDraft(draft = at.draft) {
  if (draft.dirty) localStorage.setItem(KEPT + draft.id, draft.kept());
  else localStorage.removeItem(KEPT + draft.id);
  tell();
}

/** Forget a draft. */
export function drop(id) {
  localStorage.removeItem(KEPT + id);
  tell();
}

/** Return the id of a deck whose draft a stored key is of, null for another key. */
export const ownerOf = (key) => (key?.startsWith(KEPT) ? key.slice(KEPT.length) : null);

/** Return an id for a deck that no file has yet. */
export const freshId = () => `*${Date.now().toString(36)}`;

/** Begin a deck that no file has yet. */
export function begin(deck) {
  const draft = new Draft(freshId(), null, null, deckOf(deck));
  localStorage.setItem(KEPT + draft.id, draft.kept());
  tell();
  return draft;
}

const asked = (id) => at.studio.ask(`/api/decks/deck?id=${encodeURIComponent(id)}`);

/** Open a deck: as its file has it, or as it was left; `outside` is what its file has instead. */
export async function opened(id) {
  const draft = Draft.from(localStorage.getItem(KEPT + id));
  if (id.startsWith("*")) return { draft, outside: null };
  const theirs = await asked(id).catch((error) => {
    if (draft && error.status === undefined && error.constructor.name === "Missing") return null;
    throw error;
  });
  if (!draft) return { draft: new Draft(id, deckOf(theirs), theirs.before), outside: null };
  return { draft, outside: theirs?.before === draft.before ? null : { theirs } };
}

/** Save the draft; returns "saved", or "conflict" where somebody else has changed the file. */
export async function save(draft) {
  const former = draft.id;
  const now = draft.now;
  try {
    const answer = await at.studio.post("/api/decks/save", sent(draft));
    const saved = deckOf(answer.draft);
    draft.keep(saved, answer.before, answer.id);
    if (draft.now === now) draft.now = saved;
  } catch (error) {
    if (error.status !== 409) throw error;
    at.outside = { theirs: error.answer.theirs };
    return "conflict";
  }
  if (former !== draft.id) localStorage.removeItem(KEPT + former);
  keepDraft(draft);
  return "saved";
}

/** Take what the file holds, as a step that can be undone. */
export function takeTheirs(draft, theirs, said) {
  const deck = deckOf(theirs);
  draft.keep(deck, theirs.before);
  draft.step(said, deck);
  keepDraft(draft);
}
