/** The opened card: its sides, its former state, its data, its findings and where it stands. */

import { edgeOf, finding, place, settings } from "./page.js";
import { withKey } from "./session.js";
import { cardOf } from "./filters.js";
import { translationOf } from "./wall.js";
import { make, makeOptions, makeSvg, word } from "./words.js";

export const VIEWS = ["normal", "grey", "protan", "deutan", "tritan", "draft"];
const BLEED = 3; // mm, as the server shows it
const edge = edgeOf("panel", -1);
edge.dataset.focus = "edge";

/**
 * Where the template of the opened face begins: what was asked, in which version, and the answer.
 */
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
  const picture = make("img", {
    src: withKey(bled ? `/faces/${hash}/bleed.svg` : `/faces/${hash}.svg`),
    alt: said,
  });
  const frame = make("div", { className: bled ? "frame bled" : "frame" }, [
    picture,
    bled && guides(face),
  ]);
  const more = bled ? 2 * BLEED : 0;
  frame.style.setProperty("--w", face.width + more);
  frame.style.setProperty("--h", face.height + more);
  const node = make("figure", { "--shape": (face.width + more) / (face.height + more) }, [
    frame,
    caption && make("figcaption", caption),
  ]);
  picture.addEventListener("error", () => node.classList.add("missing"));
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
  return make("table", [
    make("caption", word("data")),
    make("thead.hidden", [
      make("tr", [
        make("th", { scope: "col" }, word("field")),
        make("th", { scope: "col" }, word("value")),
      ]),
    ]),
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
  return make("div.pair", { role: "group", "aria-label": label }, [
    ...choices.map(([value, text]) => {
      return make(
        "button",
        {
          "aria-pressed": value === now,
          onclick: () => choose(value),
          "data-focus": `${label}${value}`,
        },
        [text],
      );
    }),
  ]);
}

/** Ask again where the template begins: a file has changed. */
export const lookAgain = () => (template.version = null);

/**
 * Return where the face's template begins, as far as it is known; it is asked for after each
 * change.
 */
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
  const node = make("div.figures");
  const bled = settings.guides;
  node.classList.toggle("life", settings.life);
  if (former)
    node.append(figure(face, former, `${face.name}, ${word("before")}`, word("before"), false));
  if (face.hash)
    node.append(
      figure(face, face.hash, `${face.name}, ${called(face)}`, former ? word("now") : null, bled),
    );
  else node.append(make("p.empty", word(face.pending ? "pending" : "never")));
  return node;
}

function looks(face, sides, called, studio) {
  const views = make(
    "select",
    {
      "aria-label": word("view"),
      onchange: (event) => studio.look({ view: event.target.value }),
      "data-focus": "view",
    },
    [
      ...makeOptions(
        VIEWS.map((view) => [view, word(`view-${view}`)]),
        settings.view,
      ),
    ],
  );
  const shows = make(
    "button.toggle",
    {
      "aria-pressed": settings.guides,
      onclick: () => studio.look({ guides: !settings.guides }),
      "data-focus": "guides",
    },
    [word("guides")],
  );
  return make("div.looks", [
    sides.length > 1 &&
      pair(
        word("sides"),
        sides.map((one) => [one.key, called(one)]),
        face.key,
        studio.openCard,
      ),
    pair(
      word("size"),
      [
        ["fit", word("fit")],
        ["life", word("life")],
      ],
      settings.life ? "life" : "fit",
      (value) => studio.look({ life: value === "life" }),
    ),
    shows,
    views,
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
  const button = (name, text, press, given = {}) => {
    return make("button", { onclick: press, ...given, "data-focus": name }, text);
  };
  const close = button("close", "✕", studio.close, {
    className: "quiet close",
    "aria-label": word("close"),
  });
  const arrow = (by, text, said) => {
    const key = studio.neighbour(by);
    return button(said, text, () => (studio.openCard(key), showOpened()), {
      className: "quiet",
      disabled: !key,
      "aria-label": word(said),
      title: word(said),
    });
  };
  const edit = studio.views.includes("edit")
    ? button(
        "edit",
        word(translationOf(face) ? "translate" : studio.readOnly ? "form" : "edit"),
        studio.editCard,
        { "aria-keyshortcuts": "e" },
      )
    : "";
  const seen = former
    ? button("seen", word("seen"), () => studio.see([face.key]), { className: "main" })
    : "";
  const templateButton = ({ path }) =>
    studio.views.includes("edit") && path.startsWith("templates/")
      ? button("template", word("template-edit"), () =>
          studio.go("edit", { template: path, on: face.key }),
        )
      : "";
  root.style.setProperty("--faction", faction?.color ?? "gray");
  root.replaceChildren(
    edge,
    make("header", [
      make("h2", face.name),
      make("div.ends", arrow(-1, "←", "previous"), arrow(1, "→", "next"), edit, close),
      make("p.under", [
        [face.card, game.kinds?.[face.kind] ?? face.kind, faction?.name]
          .filter(Boolean)
          .join(" · "),
      ]),
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
      ...(face.source ? [make("dt", word("source")), make("dd", place(face.source, game))] : []),
      ...(made
        ? [make("dt", word("template")), make("dd", place(made, game), " ", templateButton(made))]
        : []),
    ]),
  );
  if (focused) (root.querySelector(`[data-focus="${CSS.escape(focused)}"]`) ?? close).focus();
}
