/** Decks as files: listed, opened, begun, copied, saved, deleted, and what others do to them. */

import { step } from "./decks-acts.js";
import { closeDialog, openDialog } from "./decks-dialogs.js";
import { judge } from "./decks-judge.js";
import { answer, at, sent } from "./decks-state.js";
import {
  begin,
  deckOf,
  drop,
  freshId,
  keepDraft,
  kept,
  opened,
  save,
  takeTheirs,
} from "./decks-store.js";
import { word } from "./words.js";

/** Go to another page of this view; the browser's button leads back. */
export function visit(params) {
  history.pushState(null, "", location.href);
  return at.studio.go("decks", params);
}

/** Ask anew what decks there are. */
export async function refresh() {
  at.list = await at.studio.ask("/api/decks");
}

/** Show the list of decks. */
export function list() {
  at.page = "list";
  at.draw();
}

/** Open a deck; one that there is not leads to the list. */
export async function open(id) {
  const found = await opened(id).catch((error) => {
    if (error.constructor.name === "Missing" || error.status === 422) return { draft: null, error };
    throw error;
  });
  if (!found.draft) {
    if (found.error?.status) at.studio.failed(found.error, () => at.studio.attempt(() => open(id)));
    else at.studio.warn(word("decks-missing-deck"));
    list();
    return;
  }
  const other = at.draft?.id !== id;
  const same =
    !other && !at.draft.dirty && !found.draft.dirty && at.draft.before === found.draft.before;
  Object.assign(at, { page: "deck", draft: same ? at.draft : found.draft, outside: found.outside });
  if (other)
    Object.assign(at, {
      judged: null,
      odds: null,
      fitting: null,
      refitting: false,
      judgedDeck: { entries: [] },
    });
  at.draw();
  judge(0);
}

/** Open a deck that was just begun. */
export function enter(draft) {
  closeDialog();
  return visit(new URLSearchParams({ deck: draft.id }));
}

/** Show decks side by side. */
export async function compare(ids) {
  Object.assign(at, { page: "compare", beside: ids, compared: null });
  at.draw();
  const drafts = kept();
  at.compared = await answer("compare", {
    decks: ids.map((id) => (drafts.has(id) ? sent(drafts.get(id)) : { id })),
  });
  at.draw();
}

/** Follow what has changed in the game's folder: a deck that is not edited, the pool, the list. */
export async function outside() {
  await refresh();
  if (at.page === "compare") return compare(at.beside);
  if (at.page === "deck") await follow(at.draft);
  at.draw();
  if (at.page === "deck") judge(0);
  return undefined;
}

async function follow(draft) {
  if (!draft || draft.id.startsWith("*")) return;
  const theirs = await at.studio
    .ask(`/api/decks/deck?id=${encodeURIComponent(draft.id)}`)
    .catch((error) => {
      if (error.constructor.name === "Missing") return null;
      throw error;
    });
  if (draft !== at.draft) return;
  if (theirs?.before === draft.before) at.outside = null;
  else if (theirs && !draft.dirty) {
    takeTheirs(draft, theirs, word("decks-did-outside"));
    at.studio.announce(word("decks-did-outside"));
  } else at.outside = { theirs };
}

let saving = null; // the draft that is being saved: a new one must not become two files

async function saved(draft) {
  if (saving === draft) return;
  const former = draft.id;
  saving = draft;
  const result = await save(draft).finally(() => (saving = null));
  if (result === "conflict") {
    openDialog({ kind: "conflict" });
    return;
  }
  at.outside = null;
  at.studio.announce(word("decks-was-saved", draft.now.name));
  if (former !== draft.id) at.studio.keep();
  await refresh();
  at.draw();
}

async function content(id) {
  const draft = kept().get(id);
  return draft
    ? draft.now
    : deckOf(await at.studio.ask(`/api/decks/deck?id=${encodeURIComponent(id)}`));
}

async function remove(deck, name) {
  const { before } = await at.studio.ask(`/api/decks/deck?id=${encodeURIComponent(deck)}`);
  const draft = kept().get(deck);
  const { undo } = await at.studio.post("/api/decks/delete", { id: deck, before });
  drop(deck);
  at.marked.delete(deck);
  at.gone = { ...undo, name, draft };
  await refresh();
  if (at.page === "deck") await visit("");
  else at.draw();
  at.studio.announce(word("decks-deleted", name));
}

const value = (id) => document.getElementById(id)?.value ?? "";

export const acts = {
  list: () => visit(""),
  show: ({ deck }) => visit(new URLSearchParams({ deck })),
  mark({ deck, checked }) {
    if (checked) at.marked.add(deck);
    else at.marked.delete(deck);
    at.draw();
  },
  compare: () => visit(new URLSearchParams([...at.marked].map((id) => ["beside", id]))),
  beside: () => {
    at.marked = new Set([at.draft.id]);
    at.studio.announce(word("decks-compare-how"));
    return visit("");
  },
  "add-beside": ({ value: id }) =>
    id && visit(new URLSearchParams([...at.beside, id].map((one) => ["beside", one]))),
  "drop-beside": ({ deck }) =>
    visit(new URLSearchParams(at.beside.filter((id) => id !== deck).map((one) => ["beside", one]))),
  differing: () => ((at.look.differing = !at.look.differing), at.draw()),
  new: () => openDialog({ kind: "new" }),
  create: () =>
    enter(
      begin({
        name: value("decks-new-name").trim() || word("decks-nameless"),
        faction: value("decks-new-faction"),
        format: value("decks-new-format") || null,
        entries: [],
      }),
    ),
  async copy({ deck }) {
    const found = await content(deck);
    return enter(begin({ ...found, name: word("decks-copy-name", found.name) }));
  },
  async save() {
    if (at.draft.dirty && !at.studio.readOnly) await saved(at.draft);
  },
  conflict: () => openDialog({ kind: "conflict" }),
  async "keep-mine"() {
    const { theirs } = at.outside;
    if (!theirs) drop(at.draft.id);
    Object.assign(
      at.draft,
      theirs ? { before: theirs.before } : { id: freshId(), before: null, saved: null },
    );
    keepDraft();
    closeDialog();
    await at.studio.attempt(() => saved(at.draft));
  },
  "take-theirs"() {
    takeTheirs(at.draft, at.outside.theirs, word("decks-did-outside"));
    at.outside = null;
    closeDialog();
    judge(0);
  },
  async "save-copy"() {
    const { now, id } = at.draft;
    drop(id);
    Object.assign(at, {
      draft: begin({ ...now, name: word("decks-copy-name", now.name) }),
      outside: null,
    });
    closeDialog();
    await at.studio.attempt(() => saved(at.draft));
    judge(0);
  },
  revert: () => openDialog({ kind: "revert" }),
  "revert-now"() {
    closeDialog();
    step(word("decks-revert"), at.draft.saved);
  },
  drop({ deck }) {
    drop(deck);
    at.outside = null;
    closeDialog();
    return at.page === "deck" ? visit("") : at.draw();
  },
  delete({ deck }) {
    const told = at.list.decks.find(({ id }) => id === deck);
    openDialog({ kind: "delete", deck, name: told?.name || deck });
  },
  async "delete-now"() {
    const { deck, name } = at.dialog;
    closeDialog();
    await at.studio.attempt(() => remove(deck, name));
  },
  async restore() {
    const { id, content: text, draft, name } = at.gone;
    await at.studio.post("/api/decks/restore", { id, content: text });
    if (draft) keepDraft(draft);
    at.gone = null;
    await refresh();
    at.draw();
    at.studio.announce(word("decks-restored", name));
  },
};
