/** A text of XML to type in: numbered lines, colours, and marks of lines. */

import { make } from "../shared/words.js";
import { differenceOf } from "./draft.js";

const PARTS =
  /<!--[\s\S]*?(?:-->|$)|<[/?!]?[^\s<>"'/]+(?:"[^"]*"|'[^']*'|[^<>"'])*>?|\{[{%][\s\S]*?[%}]\}/g;
const VALUES = /("[^"]*"|'[^']*')/;
const EXPRESSIONS = /(\{[{%][\s\S]*?[%}]\})/;

/** Return a text in parts: each with the class that colours it. */
function* partsOf(text) {
  let at = 0;
  for (const { 0: found, index } of text.matchAll(PARTS)) {
    if (index > at) yield ["", text.slice(at, index)];
    at = index + found.length;
    if (found.startsWith("<!--")) yield ["comment", found];
    else if (found.startsWith("{")) yield ["code", found];
    else
      for (const [place, part] of found.split(VALUES).entries())
        if (place % 2 === 0) yield ["tag", part];
        else
          for (const [turn, inner] of part.split(EXPRESSIONS).entries())
            yield [turn % 2 ? "code" : "value", inner];
  }
  yield ["", text.slice(at)];
}

function linesOf(text) {
  const lines = [[]];
  for (const [name, part] of partsOf(text))
    for (const [turn, piece] of part.split("\n").entries()) {
      if (turn) lines.push([]);
      if (piece) lines.at(-1).push([name, piece]);
    }
  return lines;
}

/**
 * A text with numbered lines. The text area is as large as the lines behind it, so that both break
 * at the same places and scroll together.
 */
export class MarkupField {
  #shown = []; // what each line shows

  /** @param {Record<string, any>} given the properties of the text area. */
  constructor(given) {
    this.lines = make("div.markup-lines", { "aria-hidden": "true" });
    this.area = make("textarea.markup-text", {
      spellcheck: false,
      autocapitalize: "off",
      autocomplete: "off",
      ...given,
    });
    this.node = make("div.markup", this.lines, this.area);
    this.area.addEventListener("keydown", (event) => this.#indent(event));
  }

  /** A new line begins as far from the left as the one before it. */
  #indent(event) {
    if (event.key !== "Enter" || event.isComposing || event.ctrlKey || this.area.readOnly) return;
    const { value, selectionStart } = this.area;
    const line = value.slice(value.lastIndexOf("\n", selectionStart - 1) + 1, selectionStart);
    const [space] = /^[ \t]*/.exec(line);
    if (!space) return;
    event.preventDefault();
    this.area.setRangeText(`\n${space}`, selectionStart, this.area.selectionEnd, "end");
    this.area.dispatchEvent(
      new InputEvent("input", { bubbles: true, inputType: "insertLineBreak" }),
    );
  }

  /** Show a text; the cursor goes behind what differs from the one that was there. */
  show(text) {
    const { area } = this;
    if (area.value !== text) {
      const { tail } = differenceOf(area.value, text);
      area.value = text;
      if (document.activeElement === area)
        area.setSelectionRange(text.length - tail, text.length - tail);
    }
    const lines = linesOf(text);
    while (this.lines.childElementCount > lines.length) this.lines.lastChild.remove();
    this.#shown.length = Math.min(this.#shown.length, lines.length);
    for (const [at, parts] of lines.entries()) {
      const shown = JSON.stringify(parts);
      if (this.#shown[at] === shown) continue;
      this.#shown[at] = shown;
      const pieces = parts.map(([name, part]) =>
        name ? make("span", { className: `markup-${name}` }, part) : part,
      );
      if (at < this.lines.childElementCount) this.lines.children[at].replaceChildren(...pieces);
      else this.lines.append(make("div", ...pieces));
    }
  }

  /**
   * Mark lines.
   *
   * @param {Set<number>} wrong those with errors, from 1.
   * @param {[number, number]} chosen the first and the last that are chosen.
   */
  mark(wrong, [first, last]) {
    for (const [at, line] of [...this.lines.children].entries()) {
      line.classList.toggle("wrong", wrong.has(at + 1));
      line.classList.toggle("chosen", at + 1 >= first && at + 1 <= last);
    }
  }

  /** Bring a line, from 1, into view, without moving the page. */
  reveal(line) {
    const { top, bottom } = this.node.getBoundingClientRect();
    const box = this.lines.children[line - 1]?.getBoundingClientRect();
    if (box && (box.top < top || box.bottom > bottom))
      this.node.scrollTop += box.top - top - (bottom - top) / 3;
  }

  select(start, end) {
    this.area.focus({ preventScroll: true });
    this.area.setSelectionRange(start, end);
    this.reveal(this.lineAt(start));
  }

  lineAt(place) {
    return this.area.value.slice(0, place).split("\n").length;
  }

  startOf(line) {
    return (
      this.area.value
        .split("\n")
        .slice(0, line - 1)
        .join("\n").length + (line > 1 ? 1 : 0)
    );
  }
}
