/** The opened card: its sides, its former state, its data, its findings and where it stands. */

import { edgeOf, finding, place, settings } from "./page.js";
import { withKey } from "./session.js";
import { cardOf } from "./filters.js";
import { translationOf } from "./wall.js";
import { group, join, make, makeSvg, select, tableHead, word } from "./words.js";

export const VIEWS = ["normal", "grey", "protan", "deutan", "tritan", "draft"];
const BLEED = 3; // mm, as the server shows it
const edge = edgeOf("panel", -1);
edge.dataset.focus = "edge";

/** Where the opened face's template begins: the question, its version, and the answer. */
let template = {};

function guides({ width, height, safe }) {
  const svg = makeSvg("svg", {
    viewBox: `${-BLEED} ${-BLEED} ${width + 2 * BLEED} ${height + 2 * BLEED}`,
    class: "guides",
    "aria-hidden": "true",
  });
  const box = (grown) => `M${-grown} ${-grown}H${width + grown}V${height + grown}H${-grown}Z`;
  svg.append(
    makeSvg("path", { d: `${box(BLEED)}${box(0)}`, "fill-rule": "evenodd", class: "waste" }),
    makeSvg("path", { d: box(BLEED - 0.15), class: "bleed" }),
    makeSvg("path", { d: box(0), class: "trim" }),
  );
  if (safe) svg.append(makeSvg("path", { d: box(-safe), class: "safe" }));
  return svg;
}

function legend({ width, height, safe }) {
  const all = [
    ["bleed", word("guide-bleed", BLEED)],
    ["trim", word("guide-trim", width, height)],
  ];
  if (safe) all.push(["safe", word("guide-safe", safe)]);
  return make("ul.legend", ...all.map(([name, text]) => make("li", { className: name }, text)));
}

function figure(face, hash, said, caption, bled) {
  const [w, h] = [face.width, face.height].map((side) => side + (bled ? 2 * BLEED : 0));
  const picture = make("img", {
    src: withKey(bled ? `/faces/${hash}/bleed.svg` : `/faces/${hash}.svg`),
    alt: said,
    onerror: () => node.classList.add("missing"),
  });
  const given = { className: bled ? "frame bled" : "frame", "--w": w, "--h": h };
  const node = make("figure", { "--shape": w / h }, [
    make("div", given, picture, bled && guides(face)),
    caption && make("figcaption", caption),
  ]);
  return node;
}

function data(face, game) {
  const filters = new Map((game.filters ?? []).map((filter) => [filter.name, filter]));
  const title = (name) => game.labels[name] ?? filters.get(name)?.title ?? name;
  const named = (name, value) =>
    filters.get(name)?.values.find((one) => String(one.value) === String(value))?.name ?? value;
  const text = (name, value) =>
    typeof value === "object" && value !== null
      ? Object.values(value).join(" ")
      : String(named(name, value));
  const rows = [
    ...Object.entries(face.fields ?? {})
      .filter(
        ([, value]) => value !== null && value !== "" && !(Array.isArray(value) && !value.length),
      )
      .map(([name, value]) => [name, Array.isArray(value) ? value : [value]]),
    ...Object.entries(face.children ?? {}).filter(([, values]) => values.length),
  ];
  const head = tableHead(word("field"), word("value"));
  head.className = "hidden";
  return make("table", [
    make("caption", word("data")),
    head,
    make("tbody", [
      ...rows.map(([name, values]) =>
        make("tr", [
          make("th", { scope: "row", title: name }, title(name)),
          make("td", [
            values.map((value) => text(name, value)).join(", "),
            face.unprinted.includes(name) && make("span.unprinted", word("no-room")),
          ]),
        ]),
      ),
    ]),
  ]);
}

function pair(label, choices, now, choose) {
  const button = ([value, text]) => {
    const given = { "aria-pressed": value === now, "data-focus": `${label}${value}` };
    return make("button", { ...given, onclick: () => choose(value) }, text);
  };
  return group("div.pair", label, choices.map(button));
}

/** Ask again where the template begins: a file has changed. */
export const lookAgain = () => (template.version = null);

/** Return where a face's template begins, if that is known; each change asks anew. */
function templateOf(face, studio, redraw) {
  const { version, game } = studio.wall();
  const name = new URLSearchParams({ key: face.key, style: game.style ?? "" }).toString();
  if (template.name !== name) template = { name };
  const asked = template;
  if (asked.version !== version) {
    asked.version = version;
    studio.ask(`/api/cards/template?${name}`).then(
      (place) => ((asked.place = place), redraw()),
      () => {},
    );
  }
  return asked.place;
}

function pictures(face, called, former) {
  const before = word("before");
  const now = former && word("now");
  return make("div", { className: `figures${settings.life ? " life" : ""}` }, [
    former && figure(face, former, `${face.name}, ${before}`, before, false),
    face.hash
      ? figure(face, face.hash, `${face.name}, ${called(face)}`, now, settings.guides)
      : make("p.empty", word(face.pending ? "pending" : "never")),
  ]);
}

function looks(face, sides, called, studio) {
  const names = VIEWS.map((view) => [view, word(`view-${view}`)]);
  const onchange = (event) => studio.look({ view: event.target.value });
  const given = { "aria-label": word("view"), "data-focus": "view", onchange };
  const sizes = ["fit", "life"].map((size) => [size, word(size)]);
  const turned = sides.map((one) => [one.key, called(one)]);
  const resize = (size) => studio.look({ life: size === "life" });
  const guided = { "aria-pressed": settings.guides, "data-focus": "guides" };
  const onclick = () => studio.look({ guides: !settings.guides });
  return make("div.looks", [
    sides.length > 1 && pair(word("sides"), turned, face.key, studio.openCard),
    pair(word("size"), sizes, settings.life ? "life" : "fit", resize),
    make("button.toggle", { ...guided, onclick }, word("guides")),
    select(given, names, settings.view),
  ]);
}

const showOpened = () =>
  document.querySelector(".tile[aria-current]")?.scrollIntoView({ block: "nearest" });

export function fill(root, face, studio) {
  const wall = studio.wall();
  const { game } = wall;
  const sides = wall.faces.filter((other) => cardOf(other) === cardOf(face));
  const redraw = () =>
    fill(root, wall.faces.find(({ key }) => key === studio.opened()) ?? face, studio);
  const made = templateOf(face, studio, () => studio.opened() === face.key && redraw());
  const former = studio.before().get(face.key);
  const beside = [studio.neighbour(-1), studio.neighbour(1)];
  const state = JSON.stringify([face.key, sides, settings, former, game, made, beside]);
  if (root.filled === state) return;
  root.filled = state;
  const focused = root.contains(document.activeElement)
    ? document.activeElement.dataset.focus
    : null;
  const faction = wall.factions.find(({ id }) => id === face.faction);
  const many = sides.some(({ part }) => part > 1);
  const called = (one) =>
    `${word(one.side === "back" ? "back" : "front")}${many ? ` ${one.part}` : ""}`;
  const button = (name, text, onclick, given = {}) =>
    make("button", { onclick, ...given, "data-focus": name }, text);
  const closing = { className: "quiet close", "aria-label": word("close") };
  const close = button("close", "✕", studio.close, closing);
  const arrow = (by, text, said) => {
    const key = studio.neighbour(by);
    return button(said, text, () => (studio.openCard(key), showOpened()), {
      className: "quiet",
      disabled: !key,
      "aria-label": word(said),
      title: word(said),
    });
  };
  const mayEdit = studio.views.includes("edit");
  const verb = word(translationOf(face) ? "translate" : studio.readOnly ? "form" : "edit");
  const edit = mayEdit && button("edit", verb, studio.editCard, { "aria-keyshortcuts": "e" });
  const see = () => studio.see([face.key]);
  const seen = former && button("seen", word("seen"), see, { className: "main" });
  const editTemplate = () => studio.go("edit", { template: made.path, on: face.key });
  const templateButton =
    mayEdit &&
    made?.path.startsWith("templates/") &&
    button("template", word("template-edit"), editTemplate);
  root.style.setProperty("--faction", faction?.color ?? "gray");
  root.replaceChildren(
    edge,
    make("header", [
      make("h2", face.name),
      make("div.ends", arrow(-1, "←", "previous"), arrow(1, "→", "next"), edit, close),
      make("p.under", join(" · ", face.card, game.kinds?.[face.kind] ?? face.kind, faction?.name)),
    ]),
    looks(face, sides, called, studio),
    pictures(face, called, former),
    settings.guides ? legend(face) : "",
    seen ? make("p.acts", seen) : "",
    face.findings.length
      ? make("section.findings", { "aria-label": word("findings") }, [
          make("h3", word("findings")),
          make("ul", ...face.findings.map((one) => finding(one, game))),
        ])
      : "",
    data(face, game),
    make("dl.source", [
      face.source && make("dt", word("source")),
      face.source && make("dd", place(face.source, game)),
      made && make("dt", word("template")),
      made && make("dd", place(made, game), " ", templateButton),
    ]),
  );
  if (focused) (root.querySelector(`[data-focus="${CSS.escape(focused)}"]`) ?? close).focus();
}
