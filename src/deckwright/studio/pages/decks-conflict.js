/** A deck that somebody else has changed meanwhile: both states side by side, and what to do. */

import { copiesOf, differences } from "./decks-draft.js";
import { make, word } from "./words.js";

function row(said, mine, theirs) {
  return make(
    "tr",
    { className: "differs" },
    make("th", { scope: "row" }, said),
    make("td", {}, mine),
    make("td", {}, theirs),
  );
}

/** Return what differs between what one has built and what the file holds, null for no file. */
export function conflictPart(ctx, mine, theirs) {
  if (!theirs) return [make("p", {}, word("decks-file-gone", mine.name))];
  const name = (card) => ctx.cards.get(card)?.name ?? card;
  const zone = (id) => ctx.zones.find((one) => one.id === id)?.name;
  const format = (id) =>
    ctx.list.formats.find((one) => one.id === id)?.name ?? word("decks-format-usual");
  const faction = (id) => ctx.list.factions.find((one) => one.id === id)?.name ?? id;
  const facts = [
    ["decks-name", mine.name, theirs.name],
    ["faction", faction(mine.faction), faction(theirs.faction)],
    ["decks-format", format(mine.format), format(theirs.format)],
  ];
  const changed = differences(mine, theirs);
  const note = (deck, card, place) =>
    deck.entries.find((entry) => entry.card === card && entry.zone === place)?.note ?? "";
  const notes = mine.entries.filter(
    ({ card, zone: place, note: own }) =>
      copiesOf(theirs, card, place) && note(theirs, card, place) !== own,
  );
  const rows = [
    ...facts
      .filter(([, one, other]) => one !== other)
      .map(([id, one, other]) => row(word(id), one, other)),
    ...changed.map(({ card, zone: place, before, after }) =>
      row(
        [name(card), ctx.zones.length > 1 ? zone(place) : null].filter(Boolean).join(" · "),
        String(before),
        String(after),
      ),
    ),
    ...notes.map(({ card, zone: place, note: own }) =>
      row(word("decks-note-of", name(card)), own || "–", note(theirs, card, place) || "–"),
    ),
  ];
  return [
    make("p", {}, word("decks-changed-outside", mine.name)),
    rows.length
      ? make(
          "table",
          { className: "decks-beside" },
          make(
            "thead",
            {},
            make(
              "tr",
              {},
              make(
                "th",
                { scope: "col" },
                make("span", { className: "hidden" }, word("decks-cards")),
              ),
              make("th", { scope: "col" }, word("decks-mine")),
              make("th", { scope: "col" }, word("decks-theirs")),
            ),
          ),
          make("tbody", {}, ...rows),
        )
      : make("p", { className: "under" }, word("decks-same-cards")),
  ];
}
