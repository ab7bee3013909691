/** A deck as text: pasted in, with what was understood of it, and copied out. */

import { button, pair } from "./decks-parts.js";
import { counted, english, make, says, word } from "./words.js";

export const FORMS = ["text", "ids", "cockatrice", "xml"];

/** Return what is understood of a text that was pasted. */
export function readPart(ctx, read) {
  if (!read) return [make("p", { className: "under" }, word("decks-paste-how"))];
  if (read.message) return [make("p", { className: "wrong" }, says(read))];
  const copies = read.entries.reduce((sum, entry) => sum + entry.copies, 0);
  const zones = new Set(read.entries.map(({ zone }) => zone));
  return [
    make(
      "p",
      { role: "status" },
      counted("decks-understood-one", "decks-understood-many", copies),
      read.problems.length
        ? ` ${counted("decks-lost-one", "decks-lost-many", read.problems.length)}`
        : "",
    ),
    read.problems.length
      ? make(
          "ul",
          { className: "decks-lost", role: "list" },
          ...read.problems.map((problem) =>
            make(
              "li",
              {},
              make("code", {}, problem.text),
              " ",
              problem.kind === "file"
                ? english(problem.message)
                : word(`decks-lost-${problem.kind}`),
              problem.candidates?.length
                ? make(
                    "span",
                    { className: "decks-candidates" },
                    word("decks-meant"),
                    " ",
                    ...problem.candidates
                      .slice(0, 4)
                      .map((card) =>
                        button(
                          "mean",
                          ctx.cards.get(card)?.name ?? card,
                          { line: problem.line, card },
                          { title: card },
                        ),
                      ),
                  )
                : null,
            ),
          ),
        )
      : null,
    make(
      "ul",
      { className: "decks-read", role: "list" },
      ...read.entries.map((entry) =>
        make(
          "li",
          {},
          make("b", {}, String(entry.copies)),
          ` ${ctx.cards.get(entry.card)?.name ?? entry.card}`,
          zones.size > 1
            ? make(
                "span",
                { className: "under" },
                ` ${ctx.list.zones.find(({ id }) => id === entry.zone)?.name ?? word("decks-nowhere")}`,
              )
            : null,
        ),
      ),
    ),
  ];
}

/** Return the dialog's part for pasting. */
export function pastePart(ctx) {
  const { text, read } = ctx.texts;
  const field = make("textarea", {
    id: "decks-paste",
    rows: 14,
    spellcheck: false,
    placeholder: word("decks-paste-hint"),
  });
  field.value = text;
  field.textContent = text;
  field.dataset.act = "typed";
  return make(
    "div",
    { className: "decks-two" },
    make(
      "div",
      {},
      make("label", { htmlFor: "decks-paste", className: "under" }, word("decks-paste-label")),
      field,
    ),
    make("div", { className: "decks-reading" }, ...readPart(ctx, read).filter(Boolean)),
  );
}

/** Return the dialog's part for copying out. */
export function copyPart(ctx) {
  const { form, out } = ctx.texts;
  const field = make("textarea", {
    id: "decks-out",
    rows: 16,
    readOnly: true,
    spellcheck: false,
    "aria-label": word("decks-text"),
  });
  field.value = out?.text ?? "";
  field.textContent = out?.text ?? "";
  return make(
    "div",
    { className: "decks-out" },
    pair(
      "form",
      word("decks-form"),
      FORMS.map((id) => [id, word(`decks-form-${id}`)]),
      form,
    ),
    make("p", { className: "under" }, word(`decks-form-${form}-about`)),
    field,
  );
}
