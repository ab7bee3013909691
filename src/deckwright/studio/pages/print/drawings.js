/**
 * Drawings that show where to measure on the calibration sheet. In mm of A4 paper; looks are in
 * print.css.
 */

const SVG = "http://www.w3.org/2000/svg";
const [WIDTH, HEIGHT, EDGE, ARM] = [210, 297, 40, 15];
const RULER = [55, 208, 100]; // where it begins, how far down it is, how long
const STAIR = 5;

/**
 * The five places that are measured, as they lie on the second side.
 *
 * @type {[number, number][]}
 */
export const SPOTS = [
  [EDGE, EDGE],
  [WIDTH - EDGE, EDGE],
  [WIDTH / 2, HEIGHT / 2],
  [EDGE, HEIGHT - EDGE],
  [WIDTH - EDGE, HEIGHT - EDGE],
];

const svg = (tag, given = {}, ...children) => {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(given)) node.setAttribute(name, value);
  node.append(...children);
  return node;
};
const path = (d, name) => svg("path", { d, class: name });
const svgText = (x, y, said, name = "") => svg("text", { x, y, class: name }, said);
const drawing = (box, title, ...children) =>
  svg(
    "svg",
    { viewBox: box, class: "print-drawing", role: "img", "aria-label": title },
    ...children,
  );

const paper = () =>
  svg("rect", { x: 0, y: 0, width: WIDTH, height: HEIGHT, rx: 1.5, class: "paper" });
const cross = ([x, y], name) =>
  path(`M${x - ARM} ${y}h${2 * ARM}M${x} ${y - ARM}v${2 * ARM}`, name);
const lines = (y, count) =>
  path(
    Array.from(
      { length: count },
      (_, at) => `M30 ${y + 6 * at}h${at === count - 1 ? 90 : 150}`,
    ).join(""),
    "text",
  );

function stair(name, chosen, transform) {
  const steps = Array.from({ length: 15 }, (_, at) =>
    path(`M${(at - 7.5) * STAIR} ${at + 1}h${STAIR}`, ""),
  );
  const label = svgText(0, 30, name, "letter");
  return svg("g", { transform, class: chosen ? "here" : "" }, ...steps, label);
}

function rulerLine(name) {
  const [x, y, length] = RULER;
  const ticks = Array.from(
    { length: 11 },
    (_, at) => `M${x + (at * length) / 10} ${y}v${at % 5 ? -3 : -5}`,
  ).join("");
  return svg(
    "g",
    { class: name },
    path(`M${x} ${y}h${length}${ticks}`),
    svgText(x + length / 2, y + 10, "100 mm"),
  );
}

/** Return the first side: its ruler, or its edges, are what is looked at. */
export function firstSide(title, look, edge = null) {
  const at = (name, transform, index) =>
    stair(name, look === "edges" && (edge === null || edge === index), transform);
  return drawing(
    `-6 -6 ${WIDTH + 12} ${HEIGHT + 12}`,
    title,
    paper(),
    lines(66, 3),
    ...SPOTS.map((spot) => cross(spot, "faint")),
    rulerLine(look === "ruler" ? "here" : "faint"),
    at("A", `translate(${WIDTH / 2} 0)`, 0),
    at("B", `matrix(0 1 -1 0 ${WIDTH} ${HEIGHT / 2})`, 1),
    at("C", `matrix(-1 0 0 -1 ${WIDTH / 2} ${HEIGHT})`, 2),
    at("D", `matrix(0 -1 1 0 0 ${HEIGHT / 2})`, 3),
  );
}

/** Return the second side against the light, with its five places; one is looked at. */
export function secondSide(title, chosen) {
  const place = (spot, index) => {
    const [x, y] = spot;
    return svg(
      "g",
      { class: index === chosen ? "here" : "" },
      svg("circle", { cx: x, cy: y, r: 22, class: "ring" }),
      cross(spot, "through"),
      path(`M${x - 7} ${y - 10}h14M${x - 10} ${y - 7}v14`),
      svgText(x + 26, y - 14, String(index + 1), "letter"),
    );
  };
  return drawing(
    `-6 -6 ${WIDTH + 12} ${HEIGHT + 12}`,
    title,
    svg("rect", { x: 0, y: 0, width: WIDTH, height: HEIGHT, rx: 1.5, class: "paper lit" }),
    lines(88, 4),
    ...SPOTS.map(place),
  );
}

/** Return one of the places as large as under a glass; the thin lines are where the numbers say. */
export function glass(title, x, y) {
  const ticks = (along) =>
    Array.from({ length: 25 }, (_, step) => {
      const at = (step - 12) / 2;
      const long = step % 6 === 0 ? 1.6 : step % 2 === 0 ? 1 : 0.6;
      return along ? `M${at} -10v${-long}` : `M-10 ${at}h${-long}`;
    }).join("");
  const numbers = [-6, -3, 0, 3, 6].flatMap((value) => {
    const said = value ? `${value > 0 ? "+" : "−"}${Math.abs(value)}` : "0";
    return [svgText(value, -12.2, said, "tick"), svgText(-12.9, value + 0.5, said, "tick")];
  });
  return drawing(
    "-15.5 -15 24 24",
    title,
    svg("circle", { cx: -3.5, cy: -3, r: 11.9, class: "paper lit" }),
    path(`M-6 -10h12${ticks(true)}M-10 -6v12${ticks(false)}`, "scale"),
    ...numbers,
    path(`M${x ?? 0} -12v18`, x === null ? "through faint" : "through"),
    path(`M-12 ${y ?? 0}h18`, y === null ? "through faint" : "through"),
  );
}

/** Return the stair at an edge as large as under a glass; what the printer leaves white is grey. */
export function stairs(title, white) {
  const steps = Array.from({ length: 15 }, (_, at) => {
    const lost = white !== null && at + 1 < white;
    const said = svgText((at - 7) * STAIR, at + 4.6, String(at + 1), lost ? "step faint" : "step");
    return svg(
      "g",
      { class: white === at + 1 ? "here" : "" },
      lost ? "" : path(`M${(at - 7.5) * STAIR} ${at + 1}h${STAIR}`, "step"),
      said,
    );
  });
  return drawing(
    "-42 -4 84 28",
    title,
    svg("rect", { x: -42, y: 0, width: 84, height: 24, class: "paper" }),
    svg("rect", { x: -42, y: 0, width: 84, height: Math.min(24, white ?? 0), class: "white" }),
    ...steps,
  );
}

/** Return a card and its back as they would lie, ten times as far apart, before and after. */
export function meaning(title, x, y) {
  const pair = (left, dx, dy) =>
    svg(
      "g",
      { transform: `translate(${left} 0)` },
      svg("rect", { x: 0, y: 0, width: 40, height: 56, rx: 2, class: "paper" }),
      svg("rect", { x: dx, y: dy, width: 40, height: 56, rx: 2, class: "back" }),
    );
  const far = Math.min(1, 14 / Math.max(1, Math.abs(x) * 10, Math.abs(y) * 10));
  return drawing(
    "-16 -16 152 88",
    title,
    pair(0, -x * 10 * far, -y * 10 * far),
    path("M56 28h18m-5 -4l5 4l-5 4", "arrow"),
    pair(80, 0, 0),
  );
}
