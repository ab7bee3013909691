/** All decks of the game, and those that nobody has saved yet. */

import { button } from "./decks-parts.js";
import { linked } from "./session.js";
import { counted, make, word } from "./words.js";

function fan(cards, all) {
  const faces = cards.map((card) => all.get(card)).filter((face) => face?.hash);
  return make(
    "span",
    { className: "decks-fan", "aria-hidden": "true" },
    ...faces.map((face) => {
      const picture = make("img", {
        src: linked(`/faces/${face.hash}.svg`),
        alt: "",
        loading: "lazy",
        decoding: "async",
      });
      picture.style.setProperty("--shape", `${face.width} / ${face.height}`);
      return picture;
    }),
  );
}

function state(deck, unsaved) {
  if (unsaved) return make("span", { className: "decks-state open" }, word("decks-unsaved"));
  if (deck.ok) return make("span", { className: "decks-state kept" }, word("decks-ok"));
  return make(
    "span",
    { className: "decks-state over" },
    deck.ok === null
      ? word("decks-unread")
      : counted("decks-broken-one", "decks-broken-many", deck.problems.length),
  );
}

function item(deck, ctx) {
  const faction = ctx.list.factions.find(({ id }) => id === deck.faction);
  const format = ctx.list.formats.find(({ id }) => id === deck.format);
  const unsaved = ctx.drafts.has(deck.id);
  const mark = make("input", {
    type: "checkbox",
    checked: ctx.marked.has(deck.id),
    "aria-label": word("decks-mark", deck.name),
  });
  if (ctx.marked.has(deck.id)) mark.setAttribute("checked", "");
  Object.assign(mark.dataset, { act: "mark", deck: deck.id });
  const node = make(
    "li",
    { className: "decks-item" },
    button(
      "show",
      [
        fan(deck.first ?? [], ctx.cards),
        make("span", { className: "name" }, deck.name || deck.id),
        make(
          "span",
          { className: "under" },
          [
            faction?.name ?? deck.faction,
            format?.name,
            counted("decks-card-one", "decks-card-many", deck.cards),
          ]
            .filter(Boolean)
            .join(" · "),
        ),
        state(deck, unsaved),
      ],
      { deck: deck.id },
      { className: "decks-open", disabled: deck.ok === null && !unsaved },
    ),
    deck.problems.length && !unsaved
      ? make(
          "ul",
          { className: "decks-problems", role: "list" },
          ...deck.problems
            .slice(0, 3)
            .map(({ text, language }) => make("li", { lang: language }, text)),
        )
      : null,
    make(
      "div",
      { className: "decks-acts" },
      make("label", {}, mark, make("span", {}, word("decks-beside"))),
      button(
        "copy",
        word("decks-copy"),
        { deck: deck.id },
        { "aria-label": word("decks-copy-of", deck.name), disabled: deck.ok === null },
      ),
      button(
        deck.fresh ? "drop" : "delete",
        word("decks-delete"),
        { deck: deck.id },
        {
          "aria-label": word("decks-delete-of", deck.name),
          disabled: !deck.fresh && (ctx.readOnly || deck.table),
        },
      ),
    ),
  );
  node.style.setProperty("--faction", faction?.color ?? "gray");
  return node;
}

/** Return the page that lists decks. */
export function listPart(ctx) {
  const decks = [...ctx.fresh, ...ctx.list.decks];
  return [
    make(
      "header",
      { className: "decks-top" },
      make("h2", {}, word("decks-all")),
      make(
        "div",
        { className: "decks-acts" },
        button(
          "compare",
          ctx.marked.size > 1
            ? word("decks-compare-these", ctx.marked.size)
            : word("decks-compare"),
          {},
          { disabled: ctx.marked.size < 2, title: word("decks-compare-how") },
        ),
        button("paste", word("decks-paste")),
        button("new", word("decks-new"), {}, { className: "main" }),
      ),
    ),
    ctx.gone
      ? make(
          "p",
          { className: "decks-note", role: "status" },
          word("decks-deleted", ctx.gone.name),
          " ",
          button("restore", word("decks-undo")),
        )
      : null,
    decks.length
      ? make(
          "ul",
          { className: "decks-list", role: "list" },
          ...decks.map((deck) => item(deck, ctx)),
        )
      : make("p", { className: "empty" }, word("decks-none")),
  ];
}

/** Return the dialog for a new deck: its name, faction and format. */
export function newPart(ctx) {
  const own = ctx.list.factions.filter((faction) => faction.own);
  const field = (id, label, input) => make("p", {}, make("label", { htmlFor: id }, label), input);
  const choice = (id, choices, now) =>
    make(
      "select",
      { id },
      ...choices.map(([value, said]) => make("option", { value, selected: value === now }, said)),
    );
  return [
    field(
      "decks-new-name",
      word("decks-name"),
      make("input", {
        id: "decks-new-name",
        type: "text",
        maxLength: 120,
        autofocus: true,
        autocomplete: "off",
        placeholder: word("decks-name-hint"),
      }),
    ),
    field(
      "decks-new-faction",
      word("faction"),
      choice(
        "decks-new-faction",
        own.map(({ id, name }) => [id, name]),
        own[0]?.id,
      ),
    ),
    ctx.list.formats.length
      ? field(
          "decks-new-format",
          word("decks-format"),
          choice(
            "decks-new-format",
            [
              ["", word("decks-format-usual")],
              ...ctx.list.formats.map(({ id, name }) => [id, name]),
            ],
            "",
          ),
        )
      : null,
  ];
}
