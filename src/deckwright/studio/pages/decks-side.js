/** What is always in sight of a deck: how its limits are kept, its curves, and its odds. */

import { button, drawn, folded } from "./decks-parts.js";
import { language, make, says, word } from "./words.js";

const number = new Intl.NumberFormat(language, { maximumFractionDigits: 1 });
const percent = new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: 0 });

function gauge(share, tick, state) {
  const bar = drawn(
    "svg",
    {
      viewBox: "0 0 100 6",
      preserveAspectRatio: "none",
      class: "decks-gauge",
      "aria-hidden": "true",
    },
    drawn("rect", { class: "ground", width: 100, height: 6 }),
    drawn("rect", {
      class: state,
      width: (100 * Math.min(1, Math.max(0, share))).toFixed(1),
      height: 6,
    }),
  );
  if (tick)
    bar.append(
      drawn("rect", { class: "tick", x: (100 * tick - 0.4).toFixed(1), width: 0.8, height: 6 }),
    );
  return bar;
}

/** Return what a limit wants, in short: "25+", "200", "20–30". */
function wanted({ min, max, exactly }) {
  if (exactly !== null) return number.format(exactly);
  if (min !== null && max !== null) return `${number.format(min)}–${number.format(max)}`;
  if (min !== null) return `${number.format(min)}+`;
  return number.format(max ?? Infinity);
}

/** Return what is missing or too much, in words; "" where a limit is kept. */
export function wrong(limit, cards) {
  if (limit.keeps) return limit.judged ? "" : word("decks-later");
  const said = (by) =>
    by > 0
      ? word("decks-missing", number.format(by))
      : word(limit.sums ? "decks-over-sum" : "decks-over", number.format(-by));
  const broken = (limit.groups ?? []).filter(({ by }) => by).slice(0, 3);
  if (broken.length) return broken.map(({ value, by }) => `${value}: ${said(by)}`).join(", ");
  if (limit.by) return said(limit.by);
  return limit.own
    ? word(
        "decks-foreign",
        limit.cards
          .map((card) => cards.get(card)?.name ?? card)
          .slice(0, 3)
          .join(", "),
      )
    : word("decks-broken");
}

const stateOf = (limit) =>
  limit.keeps ? "kept" : limit.warning ? "warned" : limit.by > 0 ? "short" : "over";

/** Return what a limit has come to: its numbers, and a bar; of one that only wants no strangers, the words. */
function measure(limit) {
  const low = limit.exactly ?? limit.min;
  const high = limit.exactly ?? limit.max;
  const full = high ?? low ?? 0;
  if (limit.own && !full && limit.keeps) return [limit.bound, null];
  const share = full ? limit.number / full : Number(limit.number > 0);
  return [
    full || !limit.own ? `${number.format(limit.number)} / ${wanted(limit)}` : limit.bound,
    gauge(share, high && low && low < high ? low / high : 0, stateOf(limit)),
  ];
}

function limitRow(limit, ctx) {
  const state = stateOf(limit);
  const words = wrong(limit, ctx.cards);
  const [numbers, bar] = measure(limit);
  return make(
    "li",
    {},
    button(
      "light",
      [
        make(
          "span",
          { className: "line" },
          make("span", { className: "name" }, limit.name),
          make("span", { className: "numbers" }, numbers),
        ),
        bar,
        words
          ? make(
              "span",
              { className: `words ${state}` },
              limit.warning && !limit.keeps ? word("decks-warned", words) : words,
            )
          : null,
      ],
      { limit: limit.id },
      {
        className: "decks-limit",
        "aria-pressed": String(ctx.look.lit === limit.id),
        title: limit.bound,
      },
    ),
  );
}

/** Return how the limits are kept, by zone. */
export function limitsPart(ctx) {
  const { limits } = ctx.judged;
  const zones = [...new Set(limits.map(({ zone }) => zone))];
  return zones.map((zone) =>
    make(
      "div",
      { className: "decks-limits" },
      zones.length > 1
        ? make(
            "h4",
            {},
            limits.find((limit) => limit.zone === zone).zoneName || word("decks-whole"),
          )
        : null,
      make(
        "ul",
        { role: "list" },
        ...limits.filter((limit) => limit.zone === zone).map((limit) => limitRow(limit, ctx)),
      ),
    ),
  );
}

function curve(chart) {
  const most = Math.max(1, ...chart.bars.map(({ copies }) => copies));
  return make(
    "figure",
    { className: "decks-chart" },
    make(
      "figcaption",
      {},
      make("span", { className: "name" }, chart.name),
      chart.numeric
        ? make("span", { className: "count" }, word("decks-average", number.format(chart.average)))
        : null,
    ),
    make(
      "ol",
      { role: "list", className: chart.numeric ? "curve" : "shares" },
      ...chart.bars.map(({ name, copies }) => {
        const bar = chart.numeric
          ? drawn(
              "svg",
              { viewBox: "0 0 10 40", preserveAspectRatio: "none", "aria-hidden": "true" },
              drawn("rect", {
                y: (40 - (40 * copies) / most).toFixed(1),
                width: 10,
                height: ((40 * copies) / most).toFixed(1),
              }),
            )
          : drawn(
              "svg",
              { viewBox: "0 0 100 6", preserveAspectRatio: "none", "aria-hidden": "true" },
              drawn("rect", { class: "ground", width: 100, height: 6 }),
              drawn("rect", { width: ((100 * copies) / most).toFixed(1), height: 6 }),
            );
        return make(
          "li",
          {},
          make("span", { className: "copies" }, copies ? String(copies) : " "),
          bar,
          make("span", { className: "label" }, name),
        );
      }),
    ),
  );
}

/** Return the curves of the zones that have cards. */
export function chartsPart(ctx) {
  const zones = ctx.judged.zones.filter(({ charts, cards }) => cards && charts.length);
  return zones
    .flatMap((zone) => [
      zones.length > 1 ? make("h4", {}, zone.name) : null,
      ...zone.charts.map(curve),
    ])
    .filter(Boolean);
}

function oddsRow({ name, cards, played: { some, average } }) {
  return make(
    "tr",
    {},
    make("th", { scope: "row" }, name, make("span", { className: "count" }, ` ${cards}`)),
    make(
      "td",
      {},
      make(
        "span",
        { className: "share" },
        drawn(
          "svg",
          { viewBox: "0 0 100 6", preserveAspectRatio: "none", "aria-hidden": "true" },
          drawn("rect", { class: "ground", width: 100, height: 6 }),
          drawn("rect", { width: (100 * some).toFixed(1), height: 6 }),
        ),
        percent.format(some),
      ),
    ),
    make("td", {}, number.format(average)),
  );
}

/** Return how likely the opening hand has cards, by terms and by card. */
export function oddsPart({ odds }) {
  if (!odds?.sections) return odds ? [make("p", { className: "under" }, says(odds))] : [];
  const table = ({ name, groups }) =>
    make(
      "table",
      { className: "decks-odds" },
      make("caption", {}, name || word("decks-cards")),
      make(
        "thead",
        {},
        make(
          "tr",
          {},
          make("th", { scope: "col" }, make("span", { className: "hidden" }, word("decks-group"))),
          make("th", { scope: "col" }, word("decks-some")),
          make("th", { scope: "col" }, "⌀"),
        ),
      ),
      make("tbody", {}, ...groups.map(oddsRow)),
    );
  return [
    make("p", { className: "under" }, word("decks-odds-about", odds.opening.hand, odds.name)),
    ...odds.sections.map(table),
  ];
}

/** Return the limits in short, for a narrow page: those that are broken first. */
export function briefPart({ judged }) {
  const telling = (judged?.limits ?? []).filter(({ own, keeps }) => !own || !keeps);
  const shown = telling.toSorted((a, b) => Number(a.keeps) - Number(b.keeps)).slice(0, 6);
  return shown.length
    ? [
        make(
          "ul",
          { role: "list", "aria-label": word("decks-limits"), tabIndex: 0 },
          ...shown.map((limit) => {
            const [numbers, bar] = measure(limit);
            return make(
              "li",
              {},
              make(
                "span",
                { className: `line ${stateOf(limit)}` },
                make("span", {}, limit.name),
                make("span", {}, numbers),
              ),
              bar,
            );
          }),
        ),
      ]
    : [];
}

/** Return what is wrong with a deck besides its limits: with one of its cards, or as a whole. */
function fault({ kind, card, name, near }, ctx) {
  const said = ctx.cards.get(card)?.name ?? card?.split(":")[1];
  const text = word(
    `decks-fault-${kind}`,
    ...(kind === "faction" || kind === "zone" ? [name] : []),
    said,
  );
  return make(
    "li",
    {},
    text,
    near ? make("span", { className: "hint" }, word("decks-near", near)) : null,
  );
}

/** Return the whole side: limits, curves, odds, each can be folded. */
export function sidePart(ctx) {
  const mistake = ctx.mistake
    ? make("p", { className: "decks-faults", role: "alert" }, says(ctx.mistake))
    : null;
  if (!ctx.judged) return [mistake ?? make("p", { className: "under" }, word("decks-judging"))];
  const open = (name) => ctx.look.folds[name] !== false;
  const faults = ctx.judged.findings ?? [];
  return [
    mistake,
    faults.length
      ? make(
          "ul",
          { className: "decks-faults", role: "list" },
          ...faults.map((one) => fault(one, ctx)),
        )
      : null,
    folded("limits", word("decks-limits"), open("limits"), ...limitsPart(ctx)),
    folded("charts", word("decks-charts"), open("charts"), ...chartsPart(ctx)),
    folded("odds", word("decks-odds"), open("odds"), ...oddsPart(ctx)),
  ];
}
