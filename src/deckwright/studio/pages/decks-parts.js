/** Small parts that the pages of decks are made of. */

import { make, word } from "./words.js";

const SVG = "http://www.w3.org/2000/svg";
const ICONS = {
  undo: "M9 7 4 12l5 5M4 12h10a6 6 0 0 1 6 6",
  redo: "m15 7 5 5-5 5M20 12H10a6 6 0 0 0-6 6",
  back: "m14 6-6 6 6 6",
  close: "M6 6l12 12M18 6 6 18",
  note: "M5 5h14v10l-4 4H5zM9 10h6M9 14h3",
  fan: "M8 5h8v14H8zM5 7v10M19 7v10",
};

/** Make an element of a drawing, from attributes alone. */
export function drawn(tag, given, ...children) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(given)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

export const icon = (name) =>
  drawn(
    "svg",
    { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true" },
    drawn("path", { d: ICONS[name] }),
  );

/** Make a button that does something: `act` is looked up when it is clicked, `data` is given to it. */
export function button(act, said, data = {}, given = {}) {
  const node = make("button", { type: "button", ...given }, ...[said].flat().filter(Boolean));
  Object.assign(node.dataset, { act, ...data });
  return node;
}

/** Make a choice of one value: what is chosen is given to `act`. */
export function select(act, label, choices, now, given = {}) {
  const node = make(
    "select",
    { "aria-label": label, ...given },
    ...choices.map(([value, said]) => make("option", { value, selected: value === now }, said)),
  );
  Object.assign(node.dataset, { act, value: now });
  return node;
}

/** Make buttons of which one is pressed. */
export const pair = (act, label, choices, now) =>
  make(
    "div",
    { className: "pair", role: "group", "aria-label": label },
    ...choices.map(([value, said]) =>
      button(act, said, { value }, { "aria-pressed": String(value === now) }),
    ),
  );

/** Make a part that can be folded; whether it is open is kept under its name. */
export function folded(name, title, open, ...children) {
  const node = make(
    "details",
    { className: "decks-fold" },
    make("summary", {}, make("h3", {}, title)),
    ...children,
  );
  if (open) node.setAttribute("open", "");
  node.dataset.fold = name;
  return node;
}

/** Make a dialog's frame: its title, what is in it, and what ends it. */
export function framed(id, title, body, ...foot) {
  return [
    make(
      "header",
      {},
      make("h2", { id: `${id}-title` }, title),
      button("close", icon("close"), {}, { className: "quiet", "aria-label": word("close") }),
    ),
    make("div", { className: "body" }, ...body),
    ...(foot.length ? [make("footer", {}, ...foot)] : []),
  ];
}
