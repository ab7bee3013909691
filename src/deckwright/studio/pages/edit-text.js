/** Texts with emphasis and symbols: the buttons above them, and what these write. */

import { linked } from "./session.js";
import { make, word } from "./words.js";

const SIGNS = { bold: "**", italic: "__" };

/** Return the buttons over a text. */
export function tools(label, path, state) {
  const button = (mark, text, said, keys) =>
    make(
      "button",
      {
        type: "button",
        className: `edit-tool ${mark}`,
        "data-act": "mark",
        "data-mark": mark,
        "data-path": path,
        "aria-label": said,
        title: keys ? `${said} (${keys})` : said,
      },
      text,
    );
  const symbols = state.choices.symbols ?? [];
  const open = state.symbols === path;
  const shown = symbols.map(({ id, name, hash }) =>
    make(
      "button",
      {
        type: "button",
        className: "edit-symbol",
        "data-act": "symbol",
        "data-symbol": id,
        "data-path": path,
        title: `{${id}}`,
      },
      hash ? make("img", { src: linked(`/faces/${hash}.svg`), alt: "" }) : null,
      name || id,
    ),
  );
  return make(
    "div",
    { className: "edit-tools", role: "group", "aria-label": `${label}: ${word("edit-tools")}` },
    make(
      "div",
      { className: "edit-row" },
      button("bold", "B", word("edit-bold"), "Ctrl+B"),
      button("italic", "I", word("edit-italic"), "Ctrl+I"),
      symbols.length
        ? make(
            "button",
            {
              type: "button",
              className: "edit-tool",
              "data-act": "symbols",
              "data-path": path,
              "aria-expanded": String(open),
            },
            `{ } ${word("edit-symbols")}`,
          )
        : null,
    ),
    open ? make("div", { className: "edit-symbols" }, ...shown) : null,
  );
}

/** Write into a text where its cursor is, so that the browser itself can undo it. */
export function write(area, text) {
  area.focus();
  if (!document.execCommand("insertText", false, text)) {
    area.setRangeText(text, area.selectionStart, area.selectionEnd, "end");
    area.dispatchEvent(new InputEvent("input", { bubbles: true }));
  }
}

/** Put the signs of an emphasis around what is selected, or take them away. */
export function emphasize(area, mark) {
  const sign = SIGNS[mark];
  const { value } = area;
  let { selectionStart: start, selectionEnd: end } = area;
  if (start === end) {
    // The word at the cursor.
    while (start > 0 && /[\p{L}\p{N}'’-]/u.test(value[start - 1])) start--;
    while (end < value.length && /[\p{L}\p{N}'’-]/u.test(value[end])) end++;
  }
  while (start < end && /\s/.test(value[start])) start++;
  while (end > start && /\s/.test(value[end - 1])) end--;
  const text = value.slice(start, end);
  const around =
    value.slice(start - sign.length, start) === sign &&
    value.slice(end, end + sign.length) === sign;
  if (around) area.setSelectionRange(start - sign.length, end + sign.length);
  else area.setSelectionRange(start, end);
  const within = text.length > 2 * sign.length && text.startsWith(sign) && text.endsWith(sign);
  const plain = within ? text.slice(sign.length, -sign.length) : text;
  const at = around ? start - sign.length : start;
  write(area, around || within ? plain : `${sign}${text}${sign}`);
  const offset = around || within ? 0 : sign.length;
  area.setSelectionRange(at + offset, at + offset + plain.length);
}
