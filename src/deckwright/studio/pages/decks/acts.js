/** What a person does to a deck: steps that can be undone, its file, and what helps to build it. */

import { Missing } from "../shared/session.js";
import { $, counted, word } from "../shared/words.js";
import { copiesInWords } from "./deck.js";
import { closeDialog, openAsking, openDialog } from "./dialogs.js";
import {
  askDeck,
  askDecks,
  beginDraft,
  context,
  copiesOf,
  deckOf,
  draftToSend,
  dropDraft,
  freshId,
  judge,
  keepDraft,
  keptDrafts,
  MOST_COPIES,
  mostOf,
  openDraft,
  saveDraft,
  spotOf,
  state,
  takeTheirs,
  withCopies,
  withMove,
  withNote,
  zonesOf,
} from "./state.js";

// What a person does to a deck: each act is a step that can be undone.

const nameOf = (card) => context().cards.get(card)?.name ?? card;

/** Take a step: draw it at once, keep it, and ask the server what it thinks. */
function step(said, deck, join = "") {
  if (!state.draft.step(said, deck, join)) return false;
  state.gone = null;
  keepDraft();
  state.draw();
  judge();
  return true;
}

const targetZone = (zone, card, leaving) =>
  zone === undefined ? spotOf(context(), card, leaving) : zone || null;

function announceCopies(card, zone) {
  state.studio.announce(
    copiesInWords(
      nameOf(card),
      copiesOf(state.draft.now, card, zone),
      mostOf(context(), card, zone),
    ),
  );
}

export function count(card, zone, copies) {
  const number = Math.max(0, Math.min(MOST_COPIES, Math.trunc(copies)));
  if (!Number.isFinite(number)) return state.draw();
  const deck = state.draft.now;
  const spot = targetZone(zone, card, false);
  const by = number - copiesOf(deck, card, spot);
  const said =
    Math.abs(by) === 1
      ? word(by > 0 ? "decks-did-more" : "decks-did-less", nameOf(card))
      : word("decks-did-count", nameOf(card), number);
  if (step(said, withCopies(deck, card, spot, number))) announceCopies(card, spot);
  return undefined;
}

export function more(card, zone) {
  const spot = targetZone(zone, card, false);
  count(card, spot ?? "", copiesOf(state.draft.now, card, spot) + 1);
}

export function less(card, zone) {
  const spot = targetZone(zone, card, true);
  const had = copiesOf(state.draft.now, card, spot);
  if (had) count(card, spot ?? "", had - 1);
}

/** Let copies of a card stand in another zone, if that takes the card. */
export function move(card, from, to, copies = 1) {
  const zones = zonesOf(context().pool, card);
  const zone = context().zones.find(({ id }) => id === to);
  if (!zones.includes(to)) {
    state.studio.warn(word("decks-no-place", nameOf(card), zone?.name ?? to));
    return;
  }
  if (
    step(
      word("decks-did-move", nameOf(card), zone.name),
      withMove(state.draft.now, card, from || null, to, copies),
    )
  ) {
    state.studio.announce(word("decks-did-move", nameOf(card), zone.name));
  }
}

export function note(card, zone, text) {
  step(
    word("decks-did-note", nameOf(card)),
    withNote(state.draft.now, card, zone || null, text),
    `note ${card} ${zone}`,
  );
}

const FACTS = { name: "decks-name", faction: "faction", format: "decks-format" };

export function fact(name, value) {
  step(
    word("decks-did-fact", word(FACTS[name])),
    { ...state.draft.now, [name]: name === "format" ? value || null : value },
    name === "name" ? "name" : "",
  );
}

export function travel(back) {
  const said = back ? state.draft.undo() : state.draft.redo();
  if (said === undefined) return;
  keepDraft();
  state.draw();
  judge();
  state.studio.announce(word(back ? "decks-undone" : "decks-redone", said));
}

// Decks as files: listed, opened, begun, copied, saved, deleted, and what others do to them.

/** Go to another page of this view; the browser's button leads back. */
function visit(params) {
  history.pushState(null, "", location.href);
  return state.studio.go("decks", params);
}

export async function refreshList() {
  state.list = await state.studio.ask("/api/decks");
}

export function showList() {
  state.page = "list";
  state.draw();
}

/** Open a deck; one that there is not leads to the list. */
export async function openDeck(id) {
  /** @type {{draft: any, outside?: any, error?: any}} */
  const found = await openDraft(id).catch((error) => {
    if (error instanceof Missing || error.status === 422) return { draft: null, error };
    throw error;
  });
  if (!found.draft) {
    if (found.error?.status)
      state.studio.failed(found.error, () => state.studio.attempt(() => openDeck(id)));
    else state.studio.warn(word("decks-missing-deck"));
    showList();
    return;
  }
  const other = state.draft?.id !== id;
  const same =
    !other && !state.draft.dirty && !found.draft.dirty && state.draft.before === found.draft.before;
  Object.assign(state, {
    page: "deck",
    draft: same ? state.draft : found.draft,
    outside: found.outside,
  });
  const unjudged = { judged: null, odds: null, fitting: null, refitting: false };
  if (other) Object.assign(state, { ...unjudged, judgedDeck: { entries: [] } });
  state.draw();
  judge(0);
}

function enterDeck(draft) {
  closeDialog();
  return visit(new URLSearchParams({ deck: draft.id }));
}

export async function showCompare(ids) {
  Object.assign(state, { page: "compare", beside: ids, compared: null });
  state.draw();
  const drafts = keptDrafts();
  state.compared = await askDecks("compare", {
    decks: ids.map((id) => (drafts.has(id) ? draftToSend(drafts.get(id)) : { id })),
  });
  state.draw();
}

/** Follow what has changed in the game's folder: a deck that is not edited, the pool, the list. */
export async function followChanges() {
  await refreshList();
  if (state.page === "compare") return showCompare(state.beside);
  if (state.page === "deck") await follow(state.draft);
  state.draw();
  if (state.page === "deck") judge(0);
  return undefined;
}

async function follow(draft) {
  if (!draft || draft.id.startsWith("*")) return;
  const theirs = await askDeck(draft.id).catch((error) => {
    if (error instanceof Missing) return null;
    throw error;
  });
  if (draft !== state.draft) return;
  if (theirs?.before === draft.before) state.outside = null;
  else if (theirs && !draft.dirty) {
    takeTheirs(draft, theirs, word("decks-did-outside"));
    state.studio.announce(word("decks-did-outside"));
  } else state.outside = { theirs };
}

let saving = null; // the draft that is being saved: a new one must not become two files

async function saveNow(draft) {
  if (saving === draft) return;
  const former = draft.id;
  saving = draft;
  const result = await saveDraft(draft).finally(() => (saving = null));
  if (result === "conflict") {
    openDialog({ kind: "conflict" });
    return;
  }
  state.outside = null;
  state.studio.announce(word("decks-was-saved", draft.now.name));
  if (former !== draft.id) state.studio.keep();
  await refreshList();
  state.draw();
}

async function deckContent(id) {
  const draft = keptDrafts().get(id);
  return draft ? draft.now : deckOf(await askDeck(id));
}

async function deleteDeck(deck, name) {
  const { before } = await askDeck(deck);
  const draft = keptDrafts().get(deck);
  const { undo } = await state.studio.post("/api/decks/delete", { id: deck, before });
  dropDraft(deck);
  state.marked.delete(deck);
  state.gone = { ...undo, name, draft };
  await refreshList();
  if (state.page === "deck") await visit("");
  else state.draw();
  state.studio.announce(word("decks-deleted", name));
}

const fieldText = (id) => $(id)?.value ?? "";

export const fileActs = {
  list: () => visit(""),
  show: ({ deck }) => visit(new URLSearchParams({ deck })),
  mark({ deck, checked }) {
    if (checked) state.marked.add(deck);
    else state.marked.delete(deck);
    state.draw();
  },
  compare: () => visit(new URLSearchParams([...state.marked].map((id) => ["beside", id]))),
  beside: () => {
    state.marked = new Set([state.draft.id]);
    state.studio.announce(word("decks-compare-how"));
    return visit("");
  },
  "add-beside": ({ value: id }) =>
    id && visit(new URLSearchParams([...state.beside, id].map((one) => ["beside", one]))),
  "drop-beside": ({ deck }) =>
    visit(
      new URLSearchParams(state.beside.filter((id) => id !== deck).map((one) => ["beside", one])),
    ),
  differing: () => ((state.look.differing = !state.look.differing), state.draw()),
  new: () => openDialog({ kind: "new" }),
  create: () =>
    enterDeck(
      beginDraft({
        name: fieldText("decks-new-name").trim() || word("decks-nameless"),
        faction: fieldText("decks-new-faction"),
        format: fieldText("decks-new-format") || null,
        entries: [],
      }),
    ),
  async copy({ deck }) {
    const found = await deckContent(deck);
    return enterDeck(beginDraft({ ...found, name: word("decks-copy-name", found.name) }));
  },
  async save() {
    if (state.draft.dirty && !state.studio.readOnly) await saveNow(state.draft);
  },
  /** Print the deck as it stands: sheets are laid out from its file. */
  async print() {
    const { draft, studio } = state;
    if (draft.dirty) await saveNow(draft);
    if (!draft.dirty) await studio.go("print", { thing: "decks", "of.decks": draft.id });
  },
  conflict: () => openDialog({ kind: "conflict" }),
  async "keep-mine"() {
    const { theirs } = state.outside;
    if (!theirs) dropDraft(state.draft.id);
    Object.assign(
      state.draft,
      theirs ? { before: theirs.before } : { id: freshId(), before: null, saved: null },
    );
    keepDraft();
    closeDialog();
    await state.studio.attempt(() => saveNow(state.draft));
  },
  "take-theirs"() {
    takeTheirs(state.draft, state.outside.theirs, word("decks-did-outside"));
    state.outside = null;
    closeDialog();
    judge(0);
  },
  async "save-copy"() {
    const { now, id } = state.draft;
    dropDraft(id);
    Object.assign(state, {
      draft: beginDraft({ ...now, name: word("decks-copy-name", now.name) }),
      outside: null,
    });
    closeDialog();
    await state.studio.attempt(() => saveNow(state.draft));
    judge(0);
  },
  revert: () => openDialog({ kind: "revert" }),
  "revert-now"() {
    closeDialog();
    step(word("decks-revert"), state.draft.saved);
  },
  drop({ deck }) {
    dropDraft(deck);
    state.outside = null;
    closeDialog();
    return state.page === "deck" ? visit("") : state.draw();
  },
  delete({ deck }) {
    const told = state.list.decks.find(({ id }) => id === deck);
    openDialog({ kind: "delete", deck, name: told?.name || deck });
  },
  async "delete-now"() {
    const { deck, name } = state.dialog;
    closeDialog();
    await state.studio.attempt(() => deleteDeck(deck, name));
  },
  async restore() {
    const { id, content: text, draft, name } = state.gone;
    await state.studio.post("/api/decks/restore", { id, content: text });
    if (draft) keepDraft(draft);
    state.gone = null;
    await refreshList();
    state.draw();
    state.studio.announce(word("decks-restored", name));
  },
};

// What helps to build: completing, what fits, why not, sample hands, and decks as text.

const PATIENCE = 200;
let textTimer = 0;

async function dealHand(more = {}) {
  const { hand, mulligan } = state.hands;
  const asked = { seed: null, mulligan, redraw: [], turns: 0, ...more };
  const found = await askDecks("hand", { ...draftToSend(state.draft), ...asked });
  state.hands = {
    ...state.hands,
    hand: found.message ? { ...found, cards: hand?.hand } : found,
    aside: new Set(),
    asked,
  };
  state.draw();
  if (found.hand) state.studio.announce(word("decks-drawn", found.hand.map(nameOf).join(", ")));
}

function newHand() {
  state.hands = { hand: null, aside: new Set(), mulligan: 0 };
  return dealHand();
}

const hands = {
  hand: () => (openDialog({ kind: "hand" }), newHand()),
  deal: newHand,
  mulligan() {
    state.hands.mulligan += 1;
    return dealHand({ seed: state.hands.hand.seed });
  },
  aside({ place }) {
    const { aside, hand } = state.hands;
    const one = Number(place);
    if (aside.has(one)) aside.delete(one);
    else if (aside.size < hand.opening.redraws) aside.add(one);
    state.draw();
  },
  redraw() {
    const { aside, hand } = state.hands;
    return dealHand({ seed: hand.seed, redraw: [...aside].map((place) => hand.hand[place]) });
  },
  turn: () =>
    dealHand({
      ...state.hands.asked,
      seed: state.hands.hand.seed,
      turns: state.hands.hand.turns.length + 1,
    }),
};

const solver = {
  complete: () =>
    state.list.solver
      ? openAsking({ kind: "complete" }, "complete")
      : openDialog({ kind: "complete" }),
  apply() {
    const { entries } = state.dialog.found;
    closeDialog();
    if (step(word("decks-did-complete"), { ...state.draft.now, entries }))
      state.studio.announce(word("decks-did-complete"));
  },
  async fits() {
    if (!state.list.solver) return openDialog({ kind: "fits" });
    if (state.query.only === "fits") {
      state.query.only = "";
      return state.draw();
    }
    const dialog = await openAsking({ kind: "fits" }, "fits");
    const cards = Object.keys(dialog.found?.cards ?? {});
    if (state.dialog !== dialog || !cards.length) return;
    closeDialog();
    state.fitting = dialog.found;
    state.query.only = "fits";
    state.look.tab = "pool";
    state.draw();
    state.root.querySelector(".decks-pool").scrollTo(0, 0);
    state.studio.announce(counted("decks-fits-one", "decks-fits-many", cards.length));
  },
  why: ({ card }) => openAsking({ kind: "why", card }, "why", { card }),
};

async function readText() {
  const { text } = state.texts;
  const deck = state.page === "deck" ? state.draft.now : null;
  const found = text.trim()
    ? await askDecks("read", { text, faction: deck?.faction ?? null })
    : null;
  if (state.texts.text !== text) return;
  state.texts.read = found;
  state.draw();
}

async function writeText(form = state.texts.form) {
  Object.assign(state.texts, { form, out: null, clipped: false });
  openDialog({ kind: "text", side: "out" });
  state.texts.out = await state.studio.post("/api/decks/text", {
    ...draftToSend(state.draft),
    form,
  });
  state.draw();
}

function takeEntries(said, deck) {
  closeDialog();
  if (step(said, deck)) state.studio.announce(said);
}

const texts = {
  text: () => writeText(),
  form: ({ value }) => writeText(value),
  side({ value }) {
    if (value === "out") return writeText();
    return openDialog({ kind: "text", side: "in" });
  },
  paste() {
    state.texts = { ...state.texts, text: "", read: null };
    openDialog({ kind: "text", side: "in" });
  },
  typed({ value }) {
    state.texts.text = value;
    clearTimeout(textTimer);
    textTimer = setTimeout(() => state.studio.attempt(readText), PATIENCE);
  },
  mean({ line, card }) {
    const { read: found } = state.texts;
    const problem = found.problems.find((one) => String(one.line) === line);
    const copies = Number(/\d+/.exec(problem.text.replace(card, ""))?.[0] ?? 1);
    state.texts.read = {
      ...found,
      problems: found.problems.filter((one) => one !== problem),
      entries: [...found.entries, { card, zone: null, copies, note: "" }],
    };
    state.draw();
  },
  "take-read"() {
    const { read: found } = state.texts;
    const deck = state.draft.now;
    takeEntries(word("decks-did-paste"), {
      ...deck,
      name: found.name || deck.name,
      faction: found.faction ?? deck.faction,
      format: found.format ?? deck.format,
      entries: found.entries,
    });
  },
  "add-read"() {
    let deck = state.draft.now;
    for (const { card, zone, copies } of state.texts.read.entries)
      deck = withCopies(deck, card, zone, copiesOf(deck, card, zone) + copies);
    takeEntries(word("decks-did-add"), deck);
  },
  "new-read"() {
    const { read: found } = state.texts;
    const faction =
      found.faction ??
      found.entries[0]?.card.split(":")[0] ??
      state.list.factions.find(({ own }) => own)?.id;
    return enterDeck(
      beginDraft({
        name: found.name || word("decks-nameless"),
        faction,
        format: found.format,
        entries: found.entries,
      }),
    );
  },
  async clip() {
    await navigator.clipboard.writeText(state.texts.out.text);
    state.texts.clipped = true;
    state.draw();
    state.studio.announce(word("copied"));
  },
  download() {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([state.texts.out.text], { type: "text/plain" }));
    link.download = state.texts.out.file;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  },
};

export const helperActs = { ...hands, ...solver, ...texts };
