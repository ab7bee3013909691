/** The dialogs of decks: conflicts, sample hands, decks as text, and their questions. */

import { facePicture } from "../shared/page.js";
import { counted, make, says, serverText, tableHead, word } from "../shared/words.js";
import { button, cardPart, choiceButtons, icon, shapeOf } from "./deck.js";
import { newPart } from "./list.js";
import { completePart, fitsPart, whyPart } from "./side.js";
import { askDecks, copiesIn, copiesOf, differences, draftToSend, state } from "./state.js";

// A deck that somebody else has changed meanwhile: both states side by side, and what to do.

function conflictRow(said, mine, theirs) {
  return make("tr.differs", [
    make("th", { scope: "row" }, said),
    make("td", mine),
    make("td", theirs),
  ]);
}

/** Return what differs between what one has built and what the file holds, null for no file. */
function conflictPart(ctx, mine, theirs) {
  if (!theirs) return [make("p", word("decks-file-gone", mine.name))];
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
      .map(([id, one, other]) => conflictRow(word(id), one, other)),
    ...changed.map(({ card, zone: place, before, after }) =>
      conflictRow(
        [name(card), ctx.zones.length > 1 && zone(place)].filter(Boolean).join(" · "),
        String(before),
        String(after),
      ),
    ),
    ...notes.map(({ card, zone: place, note: own }) =>
      conflictRow(word("decks-note-of", name(card)), own || "–", note(theirs, card, place) || "–"),
    ),
  ];
  return [
    make("p", word("decks-changed-outside", mine.name)),
    rows.length
      ? make("table.decks-beside", [
          tableHead(
            make("span.hidden", word("decks-cards")),
            word("decks-mine"),
            word("decks-theirs"),
          ),
          make("tbody", ...rows),
        ])
      : make("p.under", word("decks-same-cards")),
  ];
}

// Sample hands: faces in a fan, what is laid aside, and what the turns bring.

function handFace(card, ctx, place, of, marked, may) {
  const found = ctx.cards.get(card);
  const name = found?.name ?? card;
  const picture = found?.hash ? facePicture(found) : make("span.decks-blank", name);
  const middle = (of - 1) / 2;
  const turn = of > 1 ? (place - middle) * Math.min(5, 36 / of) : 0;
  const given = {
    className: "decks-held",
    "aria-label": name,
    "data-peek": card,
    "--turn": `${turn}deg`,
    "--drop": `${Math.abs(place - middle) ** 1.7 * (of > 8 ? 0.12 : 0.22)}rem`,
    ...shapeOf(found),
  };
  return make("li", [
    may
      ? button("aside", picture, { ...given, "data-place": place, "aria-pressed": marked })
      : make("span", { ...given, role: "img" }, picture),
  ]);
}

function handPart(ctx) {
  const { hand, aside } = ctx.hands;
  if (!hand) return [make("p.under", word("decks-drawing"))];
  if (hand.message) return [make("p.wrong", says(hand))];
  const may = hand.opening.redraws > 0 && !hand.aside.length && !hand.turns.length;
  return [
    make("p.under", [
      hand.hand.length === 1
        ? word("decks-hand-one", hand.left)
        : word("decks-hand-about", hand.hand.length, hand.left),
      may && ` ${word("decks-aside-how", hand.opening.redraws)}`,
      !ctx.list.opening && ` ${word("decks-usual-hand", hand.opening.hand)}`,
    ]),
    make("ul.decks-hand", { "aria-label": word("decks-in-hand") }, [
      ...hand.hand.map((card, place) =>
        handFace(card, ctx, place, hand.hand.length, aside.has(place), may),
      ),
    ]),
    hand.aside.length &&
      make("p.under", [
        word("decks-laid", hand.aside.map((card) => ctx.cards.get(card)?.name ?? card).join(", ")),
      ]),
    hand.turns.length &&
      make("ol.decks-turns", [
        ...hand.turns.map((cards, turn) =>
          make("li", [
            make("h3", word("decks-turn", turn + 1)),
            make("ul", ...cards.map((card) => handFace(card, ctx, 0, 1, false, false))),
            !cards.length && make("p.under", word("decks-empty-pile")),
          ]),
        ),
      ]),
  ];
}

function handActs(ctx) {
  const { hand, aside, mulligan } = ctx.hands;
  const opening = hand?.opening;
  return [
    make("span.under", hand?.seed !== undefined && word("decks-seed", hand.seed)),
    opening?.redraws &&
      !hand.aside.length &&
      !hand.turns.length &&
      button("redraw", counted("decks-redraw-one", "decks-redraw", aside.size), {
        disabled: !aside.size || aside.size > opening.redraws,
      }),
    opening?.mulligans &&
      button("mulligan", word("decks-mulligan", opening.mulligans - mulligan), {
        disabled: mulligan >= opening.mulligans || hand.turns.length > 0,
      }),
    opening?.draws && button("turn", word("decks-next-turn"), { disabled: !hand.left }),
    button("deal", word("decks-deal"), { className: "main" }),
  ];
}

// A deck as text: pasted in, with what was understood of it, and copied out.

const FORMS = ["text", "ids", "cockatrice", "xml"];

function readPart(ctx, read) {
  if (!read) return [make("p.under", word("decks-paste-how"))];
  if (read.message) return [make("p.wrong", says(read))];
  const copies = copiesIn(read.entries);
  const zones = new Set(read.entries.map(({ zone }) => zone));
  return [
    make("p", { role: "status" }, [
      counted("decks-understood-one", "decks-understood-many", copies),
      read.problems.length &&
        ` ${counted("decks-lost-one", "decks-lost-many", read.problems.length)}`,
    ]),
    read.problems.length &&
      make("ul.decks-lost", [
        ...read.problems.map((problem) =>
          make("li", [
            make("code", problem.text),
            " ",
            problem.kind === "file"
              ? serverText(problem.message)
              : word(`decks-lost-${problem.kind}`),
            problem.candidates?.length &&
              make("span.decks-candidates", [
                word("decks-meant"),
                " ",
                ...problem.candidates
                  .slice(0, 4)
                  .map((card) =>
                    button("mean", ctx.cards.get(card)?.name ?? card, {
                      "data-line": problem.line,
                      "data-card": card,
                      title: card,
                    }),
                  ),
              ]),
          ]),
        ),
      ]),
    make("ul.decks-read", [
      ...read.entries.map((entry) =>
        make("li", [
          make("b", String(entry.copies)),
          ` ${ctx.cards.get(entry.card)?.name ?? entry.card}`,
          zones.size > 1 &&
            make("span.under", [
              ` ${ctx.list.zones.find(({ id }) => id === entry.zone)?.name ?? word("decks-nowhere")}`,
            ]),
        ]),
      ),
    ]),
  ];
}

function pastePart(ctx) {
  const { text, read } = ctx.texts;
  const field = make("textarea", {
    id: "decks-paste",
    rows: 14,
    spellcheck: false,
    placeholder: word("decks-paste-hint"),
    textContent: text,
    "data-act": "typed",
  });
  return make("div.decks-two", [
    make("div", make("label.under", { htmlFor: "decks-paste" }, word("decks-paste-label")), field),
    make("div.decks-reading", readPart(ctx, read)),
  ]);
}

function copyPart(ctx) {
  const { form, out } = ctx.texts;
  const forms = FORMS.map((id) => [id, word(`decks-form-${id}`)]);
  const field = make("textarea", {
    id: "decks-out",
    rows: 16,
    readOnly: true,
    spellcheck: false,
    "aria-label": word("decks-text"),
    textContent: out?.text ?? "",
  });
  return make("div.decks-out", [
    choiceButtons("form", word("decks-form"), forms, form),
    make("p.under", word(`decks-form-${form}-about`)),
    field,
  ]);
}

// The dialog of decks: what it shows, and what it asks the server for.

const done = () => button("close", word("done"), { className: "main" });
const cancel = () => button("close", word("decks-cancel"));
/** What leaves a dialog; while it asks the server, that ends the question. */
const leave = (found, stop) => (stop && !found ? cancel() : done());

const KINDS = {
  card: (ctx, { card }) => [ctx.cards.get(card)?.name ?? card, cardPart(ctx, card)],
  complete: (ctx, { found, stop }) => [
    word("decks-complete"),
    completePart(ctx, found),
    ...(found?.changes?.length
      ? [cancel(), button("apply", word("decks-apply"), { className: "main" })]
      : [leave(found, stop)]),
  ],
  fits: (ctx, { found, stop }) => [word("decks-fits"), fitsPart(ctx, found), leave(found, stop)],
  why: (ctx, { card, found, stop }) => [
    word("decks-why-not", ctx.cards.get(card)?.name ?? card),
    whyPart(ctx, card, found),
    leave(found, stop),
  ],
  hand: (ctx) => [word("decks-hand"), handPart(ctx), ...handActs(ctx)],
  new: (ctx) => [
    word("decks-new"),
    newPart(ctx),
    cancel(),
    button("create", word("decks-create"), { className: "main" }),
  ],
  text(ctx, { side }) {
    const { read } = ctx.texts;
    const disabled = !read?.entries?.length;
    const of = [
      ["out", word("decks-copy-out")],
      ["in", word("decks-paste")],
    ];
    const sides = ctx.page === "deck" && choiceButtons("side", word("decks-text"), of, side);
    if (side === "out") {
      return [
        word("decks-text"),
        [sides, copyPart(ctx)],
        button("download", word("decks-download"), { disabled: !ctx.texts.out }),
        button("clip", ctx.texts.clipped ? word("copied") : word("decks-clip"), {
          className: "main",
          disabled: !ctx.texts.out,
        }),
      ];
    }
    const act = (name) =>
      button(name, word(`decks-${name}`), {
        className: name === "add-read" ? "" : "main",
        disabled,
      });
    return [
      word(ctx.page === "deck" ? "decks-text" : "decks-paste"),
      [sides, pastePart(ctx)],
      cancel(),
      ...(ctx.page === "deck" ? [act("add-read"), act("take-read")] : [act("new-read")]),
    ];
  },
  conflict: (ctx) => [
    word("decks-conflict"),
    conflictPart(ctx, ctx.deck, ctx.outside?.theirs ?? null),
    cancel(),
    button("save-copy", word("decks-save-copy")),
    ctx.outside?.theirs
      ? button("take-theirs", word("decks-take-theirs"))
      : button("drop", word("decks-drop"), { "data-deck": ctx.draft.id }),
    button("keep-mine", word("decks-keep-mine"), { className: "main" }),
  ],
  delete: (ctx, { name }) => [
    word("decks-delete"),
    [make("p", word("decks-delete-ask", name)), make("p.under", word("decks-delete-how"))],
    cancel(),
    button("delete-now", word("decks-delete"), { className: "main" }),
  ],
  revert: (ctx) => [
    word("decks-revert"),
    [make("p", word("decks-revert-ask", ctx.deck.name))],
    cancel(),
    button("revert-now", word("decks-revert"), { className: "main" }),
  ],
};

/** Return what the dialog holds, [] where none is open. */
export function dialogPart(ctx) {
  if (!ctx.dialog) return [];
  const [title, body, ...foot] = KINDS[ctx.dialog.kind](ctx, ctx.dialog);
  const close = { className: "quiet", "aria-label": word("close") };
  return [
    make("header", [
      make("h2", { id: "decks-dialog-title" }, title),
      button("close", icon("close"), close),
    ]),
    make("div.body", body),
    foot.length && make("footer", foot),
  ];
}

export function openDialog(dialog) {
  state.dialog = dialog;
  state.draw();
}

/** Open the dialog and ask the server for what it is to show; closing it ends the question. */
export async function openAsking(dialog, what, more = {}) {
  const stop = new AbortController();
  const mine = { ...dialog, found: null, stop };
  openDialog(mine);
  try {
    mine.found = await askDecks(what, { ...draftToSend(state.draft), ...more }, stop.signal);
  } catch (error) {
    if (error.name === "AbortError") return mine;
    state.dialog = null;
    state.studio.failed(error, () => openAsking(dialog, what, more));
  }
  state.draw();
  return mine;
}

/** Close the dialog, and end what it was asking for. */
export function closeDialog() {
  state.dialog?.stop?.abort();
  state.dialog = null;
  state.draw();
}
