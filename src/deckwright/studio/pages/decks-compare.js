/** Decks side by side: what they have in common, and what differs. */

import { button, drawn, select } from "./decks-parts.js";
import { counted, language, make, says, word } from "./words.js";

const number = new Intl.NumberFormat(language, { maximumFractionDigits: 1 });
const percent = new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: 0 });
const differs = (values) => values.some((value) => value !== values[0]);

function table(title, decks, rows, said) {
  if (!rows.length) return null;
  return make(
    "table",
    { className: "decks-beside" },
    make("caption", {}, title),
    make(
      "thead",
      {},
      make(
        "tr",
        {},
        make("th", { scope: "col" }, make("span", { className: "hidden" }, said)),
        ...decks.map(({ name }) => make("th", { scope: "col" }, name)),
      ),
    ),
    make("tbody", {}, ...rows),
  );
}

function row(said, values, given = {}) {
  const node = make(
    "tr",
    { className: differs(values) ? "differs" : "common" },
    make("th", { scope: "row" }, said),
    ...values.map((value) =>
      make("td", { className: value === "0" || value === "–" ? "none" : "" }, value),
    ),
  );
  Object.assign(node.dataset, given);
  return node;
}

function cards(found, zone, ctx) {
  const rows = zone.lines
    .filter(({ copies }) => !ctx.look.differing || differs(copies))
    .toSorted((a, b) => Number(differs(b.copies)) - Number(differs(a.copies)))
    .map(({ faction, id, name, copies }) =>
      row(name, copies.map(String), { peek: `${faction}:${id}` }),
    );
  return table(
    zone.name || word("decks-nowhere"),
    found.decks,
    [row(word("decks-cards"), zone.cards.map(String)), ...rows],
    word("decks-cards"),
  );
}

function curves(found, zone) {
  return zone.charts.map((chart) => {
    const most = Math.max(1, ...chart.bars.flatMap(({ copies }) => copies));
    const wide = 10 * found.decks.length + 4;
    return make(
      "figure",
      { className: "decks-chart" },
      make(
        "figcaption",
        {},
        make("span", { className: "name" }, chart.name),
        chart.averages
          ? make(
              "span",
              { className: "count" },
              chart.averages.map((each) => `⌀ ${number.format(each)}`).join(" · "),
            )
          : null,
      ),
      make(
        "ol",
        { className: "curve", role: "list" },
        ...chart.bars.map(({ name, copies }) =>
          make(
            "li",
            {},
            make("span", { className: "copies" }, copies.some(Boolean) ? copies.join("·") : ""),
            drawn(
              "svg",
              { viewBox: `0 0 ${wide} 40`, preserveAspectRatio: "none", "aria-hidden": "true" },
              ...copies.map((count, place) =>
                drawn("rect", {
                  class: `deck-${place % 4}`,
                  x: 2 + 10 * place,
                  y: (40 - (40 * count) / most).toFixed(1),
                  width: 9,
                  height: ((40 * count) / most).toFixed(1),
                }),
              ),
            ),
            make("span", { className: "label" }, name),
          ),
        ),
      ),
    );
  });
}

/** Return decks side by side. */
export function comparePart(ctx, found) {
  const others = [...ctx.fresh, ...ctx.list.decks].filter(
    ({ id, ok }) => ok !== null && !ctx.beside.includes(id),
  );
  const head = make(
    "header",
    { className: "decks-top" },
    make(
      "div",
      {},
      button("list", `‹ ${word("decks-all")}`, {}, { className: "link" }),
      make("h2", {}, word("decks-side")),
    ),
    make(
      "div",
      { className: "decks-acts" },
      button(
        "differing",
        word("decks-differing"),
        {},
        { "aria-pressed": String(Boolean(ctx.look.differing)) },
      ),
      others.length && ctx.beside.length < 8
        ? select(
            "add-beside",
            word("decks-add-beside"),
            [["", word("decks-add-beside")], ...others.map(({ id, name }) => [id, name || id])],
            "",
          )
        : null,
    ),
  );
  if (!found) return [head, make("p", { className: "under" }, word("decks-judging"))];
  if (found.message) return [head, make("p", { className: "wrong" }, says(found))];
  const all = found.zones.flatMap(({ lines }) => lines);
  const common = all.filter(({ copies }) => !differs(copies)).length;
  const names = make(
    "ul",
    { className: "decks-legend", role: "list" },
    ...found.decks.map(({ name, faction }, place) =>
      make(
        "li",
        { className: `deck-${place % 4}` },
        make("b", {}, name),
        make(
          "span",
          { className: "under" },
          ` ${ctx.list.factions.find(({ id }) => id === faction)?.name ?? faction}`,
        ),
        button(
          "show",
          word("decks-open"),
          { deck: ctx.beside[place] },
          { className: "link", "aria-label": word("decks-open-of", name) },
        ),
        found.decks.length > 2
          ? button(
              "drop-beside",
              "✕",
              { deck: ctx.beside[place] },
              { className: "link", "aria-label": word("decks-drop-beside", name) },
            )
          : null,
      ),
    ),
  );
  const limits = found.limits.map((states) => {
    const { name, zone } = states.find(Boolean);
    const where = ctx.zones.find(({ id }) => id === zone)?.name;
    return row(
      [where, name].filter(Boolean).join(": "),
      states.map((state) =>
        state ? `${number.format(state.number)}${state.keeps ? "" : " ✗"}` : "–",
      ),
    );
  });
  const worth = found.measures.map(({ measure, values }) =>
    row(
      measure,
      values.map((value) => number.format(value)),
    ),
  );
  const odds = found.odds.map(({ term, some }) =>
    row(
      term,
      some.map((share) => percent.format(share)),
    ),
  );
  return [
    head,
    names,
    make(
      "p",
      { className: "under", role: "status" },
      word(
        "decks-shared",
        counted("decks-common-one", "decks-common", common),
        counted("decks-differ-one", "decks-differ", all.length - common),
      ),
    ),
    make(
      "div",
      { className: "decks-columns" },
      make("div", {}, ...found.zones.map((zone) => cards(found, zone, ctx)).filter(Boolean)),
      make(
        "div",
        {},
        ...found.zones.flatMap((zone) =>
          zone.charts.length
            ? [
                found.zones.length > 1 ? make("h3", {}, zone.name || word("decks-nowhere")) : "",
                ...curves(found, zone),
              ]
            : [],
        ),
        table(word("decks-limits"), found.decks, limits, word("decks-limits")) ?? "",
        table(word("decks-worth"), found.decks, worth, word("decks-worth")) ?? "",
        table(word("decks-odds-some"), found.decks, odds, word("decks-odds")) ?? "",
      ),
    ),
  ];
}
