/** An opened card of a deck: its face, its copies in each zone, a note, and what is in the way of more. */

import { copiesOf, MOST_COPIES } from "./decks-draft.js";
import { button, select } from "./decks-parts.js";
import { whyNot, zonesOf } from "./decks-spots.js";
import { linked } from "./session.js";
import { make, word } from "./words.js";

function number(name, card, zone, copies) {
  const field = make("input", {
    type: "number",
    min: 0,
    max: MOST_COPIES,
    value: copies,
    "aria-label": word("decks-copies-of", name),
  });
  field.setAttribute("value", copies);
  Object.assign(field.dataset, { act: "count", card, zone });
  return make(
    "span",
    { className: "decks-step large" },
    button(
      "less",
      "−",
      { card, zone },
      { "aria-label": word("decks-less", name), disabled: !copies },
    ),
    field,
    button("more", "+", { card, zone }, { "aria-label": word("decks-more", name) }),
  );
}

function note(card, entry) {
  const field = make("textarea", {
    rows: 3,
    maxLength: 500,
    "aria-label": word("decks-note"),
    placeholder: word("decks-note-hint"),
  });
  field.value = entry.note;
  field.textContent = entry.note;
  Object.assign(field.dataset, { act: "note", card, zone: entry.zone ?? "" });
  return make(
    "label",
    { className: "decks-note-field" },
    make("span", {}, word("decks-note")),
    field,
  );
}

/** Return that a zone has no room for one more, as a list of one sentence or none. */
function fullOf(ctx, card, zone, said) {
  const why = whyNot(ctx, card, zone)
    .map((id) => ctx.judged.limits.find((limit) => limit.id === id)?.name ?? id)
    .join(", ");
  if (!why) return [];
  return [said ? word("decks-full-in", said, why) : word("decks-full", why)];
}

/** Return what is told of a card in the deck. */
export function cardPart(ctx, card) {
  const face = ctx.cards.get(card);
  const entries = ctx.deck.entries.filter((entry) => entry.card === card);
  const ids = [...new Set([...zonesOf(ctx.pool, card), ...entries.map(({ zone }) => zone ?? "")])];
  const zones = ids.map(
    (id) => ctx.zones.find((zone) => zone.id === id) ?? { id, name: word("decks-nowhere") },
  );
  const name = face?.name ?? card;
  const picture = face?.hash
    ? make("img", { src: linked(`/faces/${face.hash}.svg`), alt: name })
    : make("p", { className: "empty" }, word("decks-unknown"));
  if (face) picture.style.setProperty("--shape", `${face.width} / ${face.height}`);
  const row = (zone) =>
    make(
      "div",
      { className: "decks-in" },
      make("span", { className: "name" }, zone.name),
      number(name, card, zone.id, copiesOf(ctx.deck, card, zone.id || null)),
      zones.length > 1 && copiesOf(ctx.deck, card, zone.id || null)
        ? select(
            "move",
            word("decks-move"),
            [
              ["", word("decks-move-to")],
              ...zones.filter(({ id }) => id !== zone.id).map((other) => [other.id, other.name]),
            ],
            "",
          )
        : null,
    );
  const full = zones.flatMap(({ id, name: said }) =>
    fullOf(ctx, card, id, zones.length > 1 ? said : ""),
  );
  const rows = zones.map((zone) => {
    const node = row(zone);
    const choice = node.querySelector("select");
    if (choice) Object.assign(choice.dataset, { card, zone: zone.id });
    return node;
  });
  return [
    make("div", { className: "decks-portrait" }, picture),
    make(
      "div",
      { className: "decks-about" },
      make(
        "p",
        { className: "under" },
        [card.split(":")[1], ctx.wall.factions.find(({ id }) => id === face?.faction)?.name]
          .filter(Boolean)
          .join(" · "),
      ),
      ...(zones.length ? rows : [make("p", {}, word("decks-no-zone"))]),
      full.length
        ? make(
            "p",
            { className: "decks-words" },
            full.join(" "),
            " ",
            button("why", word("decks-why"), { card }),
          )
        : null,
      ...entries.map((entry) => note(card, entry)),
      face
        ? make(
            "p",
            {},
            button("wall", word("decks-to-wall"), { key: face.key }, { className: "link" }),
          )
        : null,
    ),
  ];
}
