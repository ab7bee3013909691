/** The row over an open deck: what it is called, how it stands, undo and save. */

import { sizeOf } from "./decks-draft.js";
import { button, icon, select } from "./decks-parts.js";
import { counted, make, word } from "./words.js";

function state(ctx) {
  const { judged, mistake } = ctx;
  if (mistake) return make("span", { className: "decks-state over" }, word("decks-unread"));
  if (!judged) return make("span", { className: "decks-state" }, "…");
  const broken =
    judged.limits.filter(({ keeps, warning }) => !keeps && !warning).length +
    judged.findings.length;
  return broken
    ? make(
        "span",
        { className: "decks-state over" },
        counted("decks-broken-one", "decks-broken-many", broken),
      )
    : make("span", { className: "decks-state kept" }, word("decks-ok"));
}

/** Return the row over an open deck. */
export function headPart(ctx) {
  const { deck, draft, list } = ctx;
  const name = make("input", {
    type: "text",
    className: "decks-title",
    value: deck.name,
    maxLength: 120,
    autocomplete: "off",
    spellcheck: false,
    "aria-label": word("decks-name"),
    placeholder: word("decks-nameless"),
  });
  name.dataset.act = "name";
  const known = list.factions.some(({ id }) => id === deck.faction);
  const factions = list.factions.filter(({ id, own }) => own || id === deck.faction);
  const usual = list.formats.find((format) => format.default);
  const undone = draft.past.at(-1)?.said;
  const redone = draft.future.at(-1)?.said;
  return [
    button(
      "list",
      icon("back"),
      {},
      { className: "quiet", "aria-label": word("decks-all"), title: word("decks-all") },
    ),
    name,
    select(
      "faction",
      word("faction"),
      [
        ...(known ? [] : [[deck.faction, deck.faction]]),
        ...factions.map(({ id, name: said }) => [id, said]),
      ],
      deck.faction,
    ),
    list.formats.length
      ? select(
          "format",
          word("decks-format"),
          [
            ["", usual ? word("decks-format-as", usual.name) : word("decks-format-usual")],
            ...list.formats.map(({ id, name: said }) => [id, said]),
          ],
          deck.format ?? "",
        )
      : null,
    make(
      "span",
      { className: "decks-size" },
      counted("decks-card-one", "decks-card-many", sizeOf(deck)),
    ),
    state(ctx),
    make("span", { className: "decks-gap" }),
    button(
      "undo",
      icon("undo"),
      {},
      {
        className: "quiet",
        disabled: !undone,
        "aria-label": undone ? word("decks-undo-what", undone) : word("decks-undo"),
        title: undone ? word("decks-undo-what", undone) : word("decks-undo"),
      },
    ),
    button(
      "redo",
      icon("redo"),
      {},
      {
        className: "quiet",
        disabled: !redone,
        "aria-label": redone ? word("decks-redo-what", redone) : word("decks-redo"),
        title: redone ? word("decks-redo-what", redone) : word("decks-redo"),
      },
    ),
    make("button", { type: "button", popovertarget: "decks-menu" }, word("decks-more-acts")),
    make(
      "div",
      { id: "decks-menu", popover: "auto", className: "decks-menu" },
      button("copy", word("decks-copy"), { deck: draft.id }),
      button("beside", word("decks-beside-open")),
      button("text", word("decks-text")),
      draft.saved ? button("revert", word("decks-revert"), {}, { disabled: !draft.dirty }) : null,
      draft.saved
        ? button("delete", word("decks-delete"), { deck: draft.id }, { disabled: ctx.readOnly })
        : button("drop", word("decks-delete"), { deck: draft.id }),
    ),
    button(
      "save",
      draft.dirty ? word("decks-save") : word("decks-saved"),
      {},
      {
        className: draft.dirty ? "main" : "",
        disabled: !draft.dirty || ctx.readOnly,
        title: ctx.readOnly ? word("decks-read-only") : "Ctrl-S",
      },
    ),
  ];
}

/** Return what is said over a deck whose file somebody else has changed. */
export const outsidePart = (ctx) =>
  ctx.outside
    ? make(
        "p",
        { className: "decks-note", role: "alert" },
        word(ctx.outside.theirs ? "decks-outside" : "decks-outside-gone"),
        " ",
        button("conflict", word("decks-look"), {}, {}),
      )
    : null;
