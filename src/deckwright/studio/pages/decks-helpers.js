/** What helps to build: completing, what fits, why not, sample hands, and decks as text. */

import { nameOf, step } from "./decks-acts.js";
import { closeDialog, openAsking, openDialog } from "./decks-dialogs.js";
import { copiesOf, withCopies } from "./decks-draft.js";
import { enter } from "./decks-files.js";
import { answer, at, sent } from "./decks-state.js";
import { begin } from "./decks-store.js";
import { counted, word } from "./words.js";

const PATIENCE = 200;
let timer = 0;

async function deal(more = {}) {
  const { hand, mulligan } = at.hands;
  const asked = { seed: null, mulligan, redraw: [], turns: 0, ...more };
  const found = await answer("hand", { ...sent(at.draft), ...asked });
  at.hands = {
    ...at.hands,
    hand: found.message ? { ...found, cards: hand?.hand } : found,
    aside: new Set(),
    asked,
  };
  at.draw();
  if (found.hand) at.studio.announce(word("decks-drawn", found.hand.map(nameOf).join(", ")));
}

function fresh() {
  at.hands = { hand: null, aside: new Set(), mulligan: 0 };
  return deal();
}

const hands = {
  hand: () => (openDialog({ kind: "hand" }), fresh()),
  deal: fresh,
  mulligan() {
    at.hands.mulligan += 1;
    return deal({ seed: at.hands.hand.seed });
  },
  aside({ place }) {
    const { aside, hand } = at.hands;
    const one = Number(place);
    if (aside.has(one)) aside.delete(one);
    else if (aside.size < hand.opening.redraws) aside.add(one);
    at.draw();
  },
  redraw() {
    const { aside, hand } = at.hands;
    return deal({ seed: hand.seed, redraw: [...aside].map((place) => hand.hand[place]) });
  },
  turn: () =>
    deal({ ...at.hands.asked, seed: at.hands.hand.seed, turns: at.hands.hand.turns.length + 1 }),
};

const solver = {
  complete: () =>
    at.list.solver
      ? openAsking({ kind: "complete" }, "complete")
      : openDialog({ kind: "complete" }),
  apply() {
    const { entries } = at.dialog.found;
    closeDialog();
    if (step(word("decks-did-complete"), { ...at.draft.now, entries }))
      at.studio.announce(word("decks-did-complete"));
  },
  async fits() {
    if (!at.list.solver) return openDialog({ kind: "fits" });
    const dialog = await openAsking({ kind: "fits" }, "fits");
    const cards = Object.keys(dialog.found?.cards ?? {});
    if (at.dialog !== dialog || !cards.length) return;
    closeDialog();
    at.fitting = dialog.found;
    at.query.only = "fits";
    at.look.tab = "pool";
    at.draw();
    at.studio.announce(counted("decks-fits-one", "decks-fits-many", cards.length));
  },
  why: ({ card }) => openAsking({ kind: "why", card }, "why", { card }),
};

async function read() {
  const { text } = at.texts;
  const deck = at.page === "deck" ? at.draft.now : null;
  const found = text.trim() ? await answer("read", { text, faction: deck?.faction ?? null }) : null;
  if (at.texts.text !== text) return;
  at.texts.read = found;
  at.draw();
}

async function write(form = at.texts.form) {
  Object.assign(at.texts, { form, out: null, clipped: false });
  openDialog({ kind: "text", side: "out" });
  at.texts.out = await at.studio.post("/api/decks/text", { ...sent(at.draft), form });
  at.draw();
}

/** Take what was read as a step, and close the dialog. */
function take(said, deck) {
  closeDialog();
  if (step(said, deck)) at.studio.announce(said);
}

const texts = {
  text: () => write(),
  form: ({ value }) => write(value),
  side({ value }) {
    if (value === "out") return write();
    return openDialog({ kind: "text", side: "in" });
  },
  paste() {
    at.texts = { ...at.texts, text: "", read: null };
    openDialog({ kind: "text", side: "in" });
  },
  typed({ value }) {
    at.texts.text = value;
    clearTimeout(timer);
    timer = setTimeout(() => at.studio.attempt(read), PATIENCE);
  },
  mean({ line, card }) {
    const { read: found } = at.texts;
    const problem = found.problems.find((one) => String(one.line) === line);
    const copies = Number(/\d+/.exec(problem.text.replace(card, ""))?.[0] ?? 1);
    at.texts.read = {
      ...found,
      problems: found.problems.filter((one) => one !== problem),
      entries: [...found.entries, { card, zone: null, copies, note: "" }],
    };
    at.draw();
  },
  "take-read"() {
    const { read: found } = at.texts;
    const deck = at.draft.now;
    take(word("decks-did-paste"), {
      ...deck,
      name: found.name || deck.name,
      faction: found.faction ?? deck.faction,
      format: found.format ?? deck.format,
      entries: found.entries,
    });
  },
  "add-read"() {
    let deck = at.draft.now;
    for (const { card, zone, copies } of at.texts.read.entries)
      deck = withCopies(deck, card, zone, copiesOf(deck, card, zone) + copies);
    take(word("decks-did-add"), deck);
  },
  "new-read"() {
    const { read: found } = at.texts;
    const faction =
      found.faction ??
      found.entries[0]?.card.split(":")[0] ??
      at.list.factions.find(({ own }) => own)?.id;
    return enter(
      begin({
        name: found.name || word("decks-nameless"),
        faction,
        format: found.format,
        entries: found.entries,
      }),
    );
  },
  async clip() {
    await navigator.clipboard.writeText(at.texts.out.text);
    at.texts.clipped = true;
    at.draw();
    at.studio.announce(word("copied"));
  },
  download() {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([at.texts.out.text], { type: "text/plain" }));
    link.download = at.texts.out.file;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  },
};

export const acts = { ...hands, ...solver, ...texts };
