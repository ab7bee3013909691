/** What a person does to a deck: each act is a step that can be undone. */

import { copiesOf, MOST_COPIES, moved, noted, withCopies } from "./decks-draft.js";
import { told } from "./decks-deck.js";
import { judge } from "./decks-judge.js";
import { mostOf, spotOf, zonesOf } from "./decks-spots.js";
import { at, context } from "./decks-state.js";
import { keepDraft } from "./decks-store.js";
import { word } from "./words.js";

export const nameOf = (card) => context().cards.get(card)?.name ?? card;

/** Take a step: draw it at once, keep it, and ask the server what it thinks. */
export function step(said, deck, join = "") {
  if (!at.draft.step(said, deck, join)) return false;
  at.gone = null;
  keepDraft();
  at.draw();
  judge();
  return true;
}

const place = (zone, card, leaving) =>
  zone === undefined ? spotOf(context(), card, leaving) : zone || null;

function say(card, zone) {
  at.studio.announce(
    told(nameOf(card), copiesOf(at.draft.now, card, zone), mostOf(context(), card, zone)),
  );
}

/** Let the deck have so many copies of a card in a zone. */
export function count(card, zone, copies) {
  const number = Math.max(0, Math.min(MOST_COPIES, Math.trunc(copies)));
  if (!Number.isFinite(number)) return at.draw();
  const deck = at.draft.now;
  const spot = place(zone, card, false);
  const by = number - copiesOf(deck, card, spot);
  const said =
    Math.abs(by) === 1
      ? word(by > 0 ? "decks-did-more" : "decks-did-less", nameOf(card))
      : word("decks-did-count", nameOf(card), number);
  if (step(said, withCopies(deck, card, spot, number))) say(card, spot);
  return undefined;
}

/** Put one copy of a card in. */
export function more(card, zone) {
  const spot = place(zone, card, false);
  count(card, spot ?? "", copiesOf(at.draft.now, card, spot) + 1);
}

/** Take one copy of a card out. */
export function less(card, zone) {
  const spot = place(zone, card, true);
  const had = copiesOf(at.draft.now, card, spot);
  if (had) count(card, spot ?? "", had - 1);
}

/** Let copies of a card stand in another zone, if that takes the card. */
export function move(card, from, to, copies = 1) {
  const zones = zonesOf(context().pool, card);
  const zone = context().zones.find(({ id }) => id === to);
  if (!zones.includes(to)) {
    at.studio.warn(word("decks-no-place", nameOf(card), zone?.name ?? to));
    return;
  }
  if (
    step(
      word("decks-did-move", nameOf(card), zone.name),
      moved(at.draft.now, card, from || null, to, copies),
    )
  ) {
    at.studio.announce(word("decks-did-move", nameOf(card), zone.name));
  }
}

/** Note something for a card. */
export function note(card, zone, text) {
  step(
    word("decks-did-note", nameOf(card)),
    noted(at.draft.now, card, zone || null, text),
    `note ${card} ${zone}`,
  );
}

const FACTS = { name: "decks-name", faction: "faction", format: "decks-format" };

/** Give the deck another name, faction or format. */
export function fact(name, value) {
  step(
    word("decks-did-fact", word(FACTS[name])),
    { ...at.draft.now, [name]: name === "format" ? value || null : value },
    name === "name" ? "name" : "",
  );
}

/** Go a step back or forth. */
export function travel(back) {
  const said = back ? at.draft.undo() : at.draft.redo();
  if (said === undefined) return;
  keepDraft();
  at.draw();
  judge();
  at.studio.announce(word(back ? "decks-undone" : "decks-redone", said));
}
