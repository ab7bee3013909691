/** The opened card: its sides, its former state, its data, its findings and where it stands. */

import { cardOf } from "./filters.js";
import { make, word } from "./words.js";

const VIEWS = ["normal", "grey", "protan", "deutan", "tritan"];
const SVG = "http://www.w3.org/2000/svg";

/** Return a link that opens a place in the editor, or a button that copies it. */
export function place(spot, game, editor, text) {
  const told = `${spot.path}${spot.line ? `:${spot.line}` : ""}`;
  if (editor === "none" || !game.folder) {
    const copy = async (event) => {
      await navigator.clipboard.writeText(told);
      event.target.textContent = word("copied");
    };
    return make("button", { type: "button", className: "link place", title: word("copy"), onclick: copy }, text ?? told);
  }
  const folder = game.folder.replaceAll("\\", "/").replace(/\/$/, "");
  const path = encodeURI(`${folder}/${spot.path}`).replaceAll("#", "%23").replaceAll("?", "%3F");
  const line = spot.line ?? 1;
  const href = editor === "idea" ? `idea://open?file=${path}&line=${line}` : `vscode://file${path.startsWith("/") ? "" : "/"}${path}:${line}:${spot.column ?? 1}`;
  return make("a", { href, className: "place", title: word("open") }, text ?? told);
}

/** Return a finding: its place, its message and its hint. */
export function finding(one, game, editor) {
  return make("li", { className: `finding ${one.severity}` },
    make("span", { className: "code" }, one.code), " ",
    make("span", {}, one.message),
    one.hint ? make("span", { className: "hint" }, `${word("hint")}: ${one.hint}`) : null,
    one.path ? place(one, game, editor) : null);
}

function guides(face) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", `0 0 ${face.width} ${face.height}`);
  svg.setAttribute("class", "guides");
  svg.setAttribute("aria-hidden", "true");
  const box = (inset, name) => {
    const rect = document.createElementNS(SVG, "rect");
    const at = { x: inset, y: inset, width: face.width - 2 * inset, height: face.height - 2 * inset, class: name };
    for (const [key, value] of Object.entries(at)) rect.setAttribute(key, value);
    svg.append(rect);
  };
  box(0.15, "trim");
  if (face.safe) box(face.safe, "safe");
  return svg;
}

function figure(face, hash, said, look, caption) {
  const picture = make("img", { src: `/faces/${hash}.svg`, alt: said, className: `view-${look.view}` });
  const frame = make("div", { className: "frame" }, picture, look.guides ? guides(face) : "");
  frame.style.setProperty("--w", face.width);
  frame.style.setProperty("--h", face.height);
  const node = make("figure", {}, frame, caption ? make("figcaption", {}, caption) : "");
  picture.addEventListener("error", () => node.classList.add("missing"));
  return node;
}

function data(face, game) {
  const filters = new Map((game.filters ?? []).map((filter) => [filter.name, filter]));
  const title = (name) => game.labels[name] ?? filters.get(name)?.title ?? name;
  const named = (name, value) => filters.get(name)?.values.find((one) => String(one.value) === String(value))?.name ?? value;
  const text = (name, value) => (typeof value === "object" && value !== null ? Object.values(value).join(" ") : String(named(name, value)));
  const rows = [
    ...Object.entries(face.fields ?? {}).filter(([, value]) => value !== null && value !== "" && !(Array.isArray(value) && !value.length)).map(([name, value]) => [name, Array.isArray(value) ? value : [value]]),
    ...Object.entries(face.children ?? {}).filter(([, values]) => values.length),
  ];
  return make("table", {},
    make("caption", {}, word("data")),
    make("thead", { className: "hidden" }, make("tr", {}, make("th", { scope: "col" }, word("field")), make("th", { scope: "col" }, word("value")))),
    make("tbody", {}, ...rows.map(([name, values]) => make("tr", {},
      make("th", { scope: "row", title: name }, title(name)),
      make("td", {}, values.map((value) => text(name, value)).join(", "))))));
}

function pair(label, choices, now, choose) {
  return make("div", { className: "pair", role: "group", "aria-label": label },
    ...choices.map(([value, text]) => {
      const button = make("button", { type: "button", "aria-pressed": String(value === now), onclick: () => choose(value) }, text);
      button.dataset.focus = `${label}${value}`;
      return button;
    }));
}

/**
 * Fill the panel with a card.
 *
 * @param root the panel.
 * @param face the face that is opened.
 * @param wall what the server told.
 * @param look how it is looked at: `life`, `guides`, `view`, `editor`.
 * @param before the former hash by key.
 * @param act what can be done: `look(changes)`, `open(key)`, `seen(keys)`, `close()`.
 */
export function fill(root, face, wall, look, before, act) {
  const sides = wall.faces.filter((other) => cardOf(other) === cardOf(face));
  const state = JSON.stringify([face.key, sides, look, sides.map(({ key }) => before.get(key)), wall.game]);
  if (root.filled === state) return;
  root.filled = state;
  const focused = root.contains(document.activeElement) ? document.activeElement.dataset.focus : null;
  const faction = wall.factions.find(({ id }) => id === face.faction);
  const many = sides.some(({ part }) => part > 1);
  const called = (one) => `${word(one.side === "back" ? "back" : "front")}${many ? ` ${one.part}` : ""}`;
  const close = make("button", { type: "button", className: "quiet close", "aria-label": word("close"), onclick: act.close }, "✕");
  close.dataset.focus = "close";
  const former = before.get(face.key);
  const views = make("select", { "aria-label": word("view"), onchange: (event) => act.look({ view: event.target.value }) },
    ...VIEWS.map((view) => make("option", { value: view, selected: view === look.view }, word(`view-${view}`))));
  views.dataset.focus = "view";
  const shows = make("button", { type: "button", className: "toggle", "aria-pressed": String(look.guides), onclick: () => act.look({ guides: !look.guides }) }, word("guides"));
  shows.dataset.focus = "guides";
  const pictures = make("div", { className: "figures" });
  if (former) pictures.append(figure(face, former, `${face.name}, ${word("before")}`, look, word("before")));
  if (face.hash) pictures.append(figure(face, face.hash, `${face.name}, ${called(face)}`, look, former ? word("now") : null));
  else pictures.append(make("p", { className: "empty" }, word(face.pending ? "pending" : "never")));
  pictures.classList.toggle("life", look.life);
  const seen = make("button", { type: "button", className: "main", onclick: () => act.seen([face.key]) }, word("seen"));
  seen.dataset.focus = "seen";
  root.style.setProperty("--faction", faction?.color ?? "gray");
  root.replaceChildren(
    make("header", {},
      make("div", {}, make("h2", {}, face.name), make("p", { className: "under" }, [face.card, wall.game.kinds?.[face.kind] ?? face.kind, faction?.name].filter(Boolean).join(" · "))),
      close),
    make("div", { className: "looks" },
      sides.length > 1 ? pair(word("sides"), sides.map((one) => [one.key, called(one)]), face.key, act.open) : "",
      pair(word("size"), [["fit", word("fit")], ["life", word("life")]], look.life ? "life" : "fit", (value) => act.look({ life: value === "life" })),
      shows, views),
    pictures,
    former ? make("p", { className: "acts" }, seen) : "",
    face.findings.length ? make("section", { className: "findings", "aria-label": word("findings") }, make("h3", {}, word("findings")), make("ul", { role: "list" }, ...face.findings.map((one) => finding(one, wall.game, look.editor)))) : "",
    data(face, wall.game),
    face.source ? make("p", { className: "source" }, make("span", {}, `${word("source")} `), place(face.source, wall.game, look.editor)) : "");
  if (focused) (root.querySelector(`[data-focus="${CSS.escape(focused)}"]`) ?? close).focus();
}
