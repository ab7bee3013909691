/** The sheets as they will come out, on a quiet desk: pages and their backs, face to face. */

import { withKey } from "../shared/session.js";
import { counted, make, word } from "../shared/words.js";
import { number } from "./words.js";

const SVG = "http://www.w3.org/2000/svg";
const PAIRS_AT_ONCE = 120; // pairs of pages; more are shown when asked for
const BEYOND = 7; // mm by which a cut is drawn beyond the cards

const svg = (tag, given, ...children) => {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(given)) node.setAttribute(name, value);
  node.append(...children);
  return node;
};

/**
 * Return all pages as pairs of a front and its back, which may be null.
 *
 * Where backs follow their fronts, a sheet of paper has each page and the next: texts as well.
 */
export function spreads(preview) {
  const all = preview.documents.map(({ file, pages }, at) =>
    pages.map((page, index) => ({ page, file, id: `${at}-${index}`, at, index })),
  );
  const backs = new Map(
    all
      .flat()
      .filter(({ page }) => page.behind)
      .map((one) => [one.page.behind.join("-"), one]),
  );
  return all.flatMap((pages) => {
    if (pages.some(({ page, at }) => page.behind?.[0] === at)) {
      return pages
        .filter(({ index }) => index % 2 === 0)
        .map((front) => ({ front, back: pages[front.index + 1] ?? null }));
    }
    return pages
      .filter(({ page }) => !page.behind)
      .map((front) => ({ front, back: backs.get(front.id) ?? null }));
  });
}

/** Return whether a page is turned about an upright axis, as that of a book. */
const turnsUpright = (page, flip) => (flip !== "short") === page.height >= page.width;

/**
 * Return how large pairs are at most: their width and height in mm, and how many pages lie side by
 * side and below.
 */
export function extent(pairs, flip, light) {
  const beside = pairs.some(({ front, back }) => back && !light && turnsUpright(front.page, flip));
  const below = pairs.some(({ front, back }) => back && !light && !turnsUpright(front.page, flip));
  const size = ({ front, back }) => {
    const { width, height } = front.page;
    if (!back || light) return [width, height];
    return turnsUpright(front.page, flip)
      ? [width + back.page.width, height]
      : [width, height + back.page.height];
  };
  const sizes = pairs.map(size);
  return {
    width: Math.max(0, ...sizes.map(([w]) => w)),
    height: Math.max(0, ...sizes.map(([, h]) => h)),
    across: beside ? 2 : 1,
    down: below ? 2 : 1,
  };
}

function cuts(page) {
  const [left, top] = [
    Math.min(...page.slots.map(({ x }) => x)),
    Math.min(...page.slots.map(({ y }) => y)),
  ];
  const right = Math.max(...page.slots.map(({ x, width }) => x + width));
  const bottom = Math.max(...page.slots.map(({ y, height }) => y + height));
  const places = (ends) => [...new Set(ends.map((one) => one.toFixed(2)))];
  const xs = places(page.slots.flatMap(({ x, width }) => [x, x + width]));
  const ys = places(page.slots.flatMap(({ y, height }) => [y, y + height]));
  const path = [
    ...xs.map((x) => `M${x} ${top - BEYOND}V${bottom + BEYOND}`),
    ...ys.map((y) => `M${left - BEYOND} ${y}H${right + BEYOND}`),
  ].join("");
  return svg(
    "svg",
    { viewBox: `0 0 ${page.width} ${page.height}`, class: "print-cuts", "aria-hidden": "true" },
    svg("path", { d: path, "vector-effect": "non-scaling-stroke" }),
  );
}

function slot(one, id, first) {
  const state = one.state ? word(`print-${one.state}`) : null;
  const node = make(
    "button",
    {
      type: "button",
      className: `print-slot ${one.state ?? ""}`,
      id,
      "data-act": "open",
      "data-key": one.key,
      tabIndex: first ? 0 : -1,
      title: one.name,
      "aria-label": state
        ? word("print-slot-state", one.name, state)
        : word("print-slot", one.name),
    },
    state ? make("span", { className: "print-flag", "aria-hidden": "true" }, state) : null,
  );
  for (const name of ["x", "y", "width", "height"]) node.style.setProperty(`--${name}`, one[name]);
  return node;
}

function picture(url, className, alt) {
  return make("img", {
    src: url,
    alt,
    className,
    loading: "lazy",
    decoding: "async",
    draggable: false,
  });
}

function sheet(one, pair, state, side) {
  const { page } = one;
  const light = state.look.light && pair.back && one === pair.front;
  const shown = page.slots.filter(({ key }) => key);
  const paper = make(
    "div",
    { className: "print-paper", id: `print-paper-${state.preview.thing}-${one.id}` },
    picture(
      withKey(page.picture),
      "print-ink",
      word("print-title", page.title ?? one.file, page.number),
    ),
    light ? behindFront(pair, state) : null,
    state.look.cuts && page.slots.length ? cuts(page) : null,
    ...shown.map((each, index) => {
      const id = `print-slot-${one.id}-${index}`;
      return slot(each, id, id === state.tabbed);
    }),
  );
  const said = [word("print-page", page.number), side ? word(`print-${side}`) : null, page.title]
    .filter(Boolean)
    .join(" · ");
  const figure = make(
    "figure",
    { className: "print-page", id: `print-page-${state.preview.thing}-${one.id}` },
    paper,
    make("figcaption", { title: said }, said),
  );
  figure.style.setProperty("--w", page.width);
  figure.style.setProperty("--h", page.height);
  return figure;
}

/**
 * Return the back of a sheet as it lies behind its front; the printer undoes what the page is moved
 * by.
 */
function behindFront({ front, back }, state) {
  const node = picture(
    withKey(back.page.picture),
    `print-ink print-through ${turnsUpright(front.page, state.preview.flip) ? "across" : "down"}`,
    "",
  );
  const [x, y] = state.printer()?.offset ?? [0, 0];
  node.style.setProperty("--x", -x);
  node.style.setProperty("--y", -y);
  return node;
}

function spread(pair, state) {
  const { front, back } = pair;
  const both = back && !state.look.light;
  const turned = back ? (turnsUpright(front.page, state.preview.flip) ? "across" : "down") : "";
  const apart = back && back.at !== front.at ? `, ${word("print-apart", back.file)}` : "";
  return make(
    "li",
    { className: `print-spread ${turned}`, id: `print-spread-${state.preview.thing}-${front.id}` },
    make(
      "div",
      { className: "print-pair" },
      sheet(front, pair, state, back ? "front" : null),
      both ? sheet(back, pair, state, "back") : null,
    ),
    both
      ? make(
          "p",
          { className: "print-turned" },
          word(`print-turned-${state.preview.flip ?? "long"}`) + apart,
        )
      : null,
  );
}

/** Return what is told of the sheets as a whole. */
export function summary(preview) {
  const pages = preview.documents.reduce((sum, one) => sum + one.pages.length, 0);
  const said = [counted("print-one-page", "print-many-pages", pages)];
  const paper = spreads(preview).length;
  if (paper !== pages) said.push(counted("print-one-sheet", "print-many-sheets", paper));
  if (preview.cards) said.push(counted("print-card", "print-cards", preview.cards));
  if (preview.empty) said.push(counted("print-one-empty", "print-many-empty", preview.empty));
  const spare = Object.entries(preview.spare ?? {});
  if (spare.length)
    said.push(
      word("print-spare", spare.map(([name, count]) => `${name} ${number(count)}`).join(", ")),
    );
  return said.join(" · ");
}

/** Return all documents with their pages. */
export function documents(state) {
  const pairs = state.pairs.slice(0, state.most ?? PAIRS_AT_ONCE);
  const many = state.preview.documents.length > 1;
  const nodes = state.preview.documents.map(({ file }, at) => {
    const own = pairs.filter(({ front }) => front.at === at);
    if (!own.length) return null;
    return make(
      "section",
      {
        className: "print-document",
        id: `print-document-${state.preview.thing}-${at}`,
        "aria-label": file,
      },
      many ? make("h3", {}, file) : null,
      make("ol", { role: "list" }, ...own.map((pair) => spread(pair, state))),
    );
  });
  const left = state.pairs.length - pairs.length;
  if (left > 0)
    nodes.push(
      make(
        "p",
        { className: "acts" },
        make("button", { type: "button", "data-act": "more-pages" }, word("print-and-more", left)),
      ),
    );
  return nodes.filter(Boolean);
}

/** Return how many more pairs are shown at a time. */
export const step = PAIRS_AT_ONCE;
