/** What is said of a deck: its limits, curves and odds, and what the solver finds. */

import { facePicture, longList } from "../shared/page.js";
import { make, says, tableHead, tableRow, word } from "../shared/words.js";
import { barChart, button, limitName, NUMBER, PERCENT, shapeOf } from "./deck.js";
import { remembered } from "./state.js";

// What is always in sight of a deck: how its limits are kept, its curves, and its odds.

/** Make a bar of a share of the whole, perhaps with a tick at another one. */
function gauge(share, given = {}, state = "", tick = 0) {
  const width = (100 * Math.min(1, Math.max(0, share))).toFixed(1);
  /** @type {any[]} */
  const bars = [
    { class: "ground", width: 100, height: 6 },
    { class: state, width, height: 6 },
  ];
  if (tick) bars.push({ class: "tick", x: (100 * tick - 0.4).toFixed(1), width: 0.8, height: 6 });
  return barChart(100, 6, bars, given);
}

/** Return what a limit wants, in short: "25+", "200", "20–30". */
function wantedCount({ min, max, exactly }) {
  if (exactly !== null) return NUMBER.format(exactly);
  if (min !== null && max !== null) return `${NUMBER.format(min)}–${NUMBER.format(max)}`;
  if (min !== null) return `${NUMBER.format(min)}+`;
  return NUMBER.format(max ?? Infinity);
}

/** Return what is missing or too much, in words; "" where a limit is kept. */
function shortfall(limit, cards) {
  if (limit.keeps) return limit.judged ? "" : word("decks-later");
  const said = (by) =>
    by > 0
      ? word("decks-missing", NUMBER.format(by))
      : word(limit.sums ? "decks-over-sum" : "decks-over", NUMBER.format(-by));
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

/** Return the numbers of a limit and a bar; of one that only wants no strangers, its words. */
function measure(limit) {
  const low = limit.exactly ?? limit.min;
  const high = limit.exactly ?? limit.max;
  const full = high ?? low ?? 0;
  if (limit.own && !full && limit.keeps) return [limit.bound, null];
  const share = full ? limit.number / full : Number(limit.number > 0);
  return [
    full || !limit.own ? `${NUMBER.format(limit.number)} / ${wantedCount(limit)}` : limit.bound,
    gauge(share, { class: "decks-gauge" }, stateOf(limit), low < high && high ? low / high : 0),
  ];
}

function limitRow(limit, ctx) {
  const state = stateOf(limit);
  const words = shortfall(limit, ctx.cards);
  const [numbers, bar] = measure(limit);
  return make("li", [
    button(
      "light",
      [
        make("span.line", make("span.name", limit.name), make("span.numbers", numbers)),
        bar,
        words &&
          make("span", { className: `words ${state}` }, [
            limit.warning && !limit.keeps ? word("decks-warned", words) : words,
          ]),
      ],
      {
        "data-limit": limit.id,
        className: "decks-limit",
        "aria-pressed": ctx.look.lit === limit.id,
        title: `${limit.bound}\n${word("decks-light")}`,
      },
    ),
  ]);
}

function limitsPart(ctx) {
  const { limits } = ctx.judged;
  const zones = [...new Set(limits.map(({ zone }) => zone))];
  return zones.map((zone) =>
    make("div.decks-limits", [
      zones.length > 1 &&
        make("h4", limits.find((limit) => limit.zone === zone).zoneName || word("decks-whole")),
      make("ul", [
        ...limits.filter((limit) => limit.zone === zone).map((limit) => limitRow(limit, ctx)),
      ]),
    ]),
  );
}

function curve(chart) {
  const most = Math.max(1, ...chart.bars.map(({ copies }) => copies));
  return make("figure.decks-chart", [
    make("figcaption", [
      make("span.name", chart.name),
      chart.numeric && make("span.count", word("decks-average", NUMBER.format(chart.average))),
    ]),
    make("ol", { className: chart.numeric ? "curve" : "shares" }, [
      ...chart.bars.map(({ name, copies }) => {
        const height = (40 * copies) / most;
        return make("li", [
          make("span.copies", copies ? String(copies) : " "),
          chart.numeric
            ? barChart(10, 40, [
                { y: (40 - height).toFixed(1), width: 10, height: height.toFixed(1) },
              ])
            : gauge(copies / most),
          make("span.label", name),
        ]);
      }),
    ]),
  ]);
}

function chartsPart(ctx) {
  const zones = ctx.judged.zones.filter(({ charts, cards }) => cards && charts.length);
  return zones
    .flatMap((zone) => [zones.length > 1 && make("h4", zone.name), ...zone.charts.map(curve)])
    .filter(Boolean);
}

/** Return what the row of a group shows: its cards, the width of its bar, its odds. */
const oddsOf = ({ cards, at_least_1: some, average }) => [
  cards,
  some,
  PERCENT.format(some),
  NUMBER.format(average),
];

function oddsRow(group) {
  const { name } = group;
  const [cards, some, share, mean] = oddsOf(group);
  const title = [name, make("span.count", ` ${cards}`)];
  return tableRow(title, make("span.share", gauge(some), share), mean);
}

const oddsRows = remembered((groups) =>
  groups.map((group) => ({
    key: group.name,
    shown: oddsOf(group).join(" "),
    build: () => oddsRow(group),
  })),
);

/** Return how likely the opening hand has cards, by terms and by card. */
function oddsPart({ odds }) {
  if (!odds?.groups) return odds ? [make("p.under", says(odds))] : [];
  const [deck] = odds.decks;
  const table = (name) =>
    make("table.decks-odds", [
      make("caption", name || word("decks-cards")),
      tableHead(
        make("span.hidden", word("decks-group")),
        make("th", { scope: "col", title: word("decks-odds-some") }, word("decks-some")),
        word("decks-mean"),
      ),
      longList(
        "tbody",
        `decks-odds-${encodeURIComponent(name)}`,
        {},
        oddsRows(odds.groups.filter(({ section }) => section === name)),
      ),
    ]);
  return [
    make("p.under", word("decks-odds-about", deck.hand, deck.zone_name)),
    ...[...new Set(odds.groups.map(({ section }) => section))].map(table),
  ];
}

/** Return the limits in short, for a narrow page: those that are broken first. */
export function briefPart({ judged }) {
  const telling = (judged?.limits ?? []).filter(({ own, keeps }) => !own || !keeps);
  const shown = telling.toSorted((a, b) => Number(a.keeps) - Number(b.keeps)).slice(0, 6);
  return shown.length
    ? [
        make("ul", { "aria-label": word("decks-limits"), tabIndex: 0 }, [
          ...shown.map((limit) => {
            const [numbers, bar] = measure(limit);
            return make("li", [
              make("span", { className: `line ${stateOf(limit)}` }, [
                make("span", limit.name),
                make("span", numbers),
              ]),
              bar,
            ]);
          }),
        ]),
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
  return make("li", text, near && make("span.hint", word("decks-near", near)));
}

/** Return the whole side: limits, curves, odds, each can be folded. */
export function sidePart(ctx) {
  const mistake = ctx.mistake ? make("p.decks-faults", { role: "alert" }, says(ctx.mistake)) : null;
  if (!ctx.judged) return [mistake ?? make("p.under", word("decks-judging"))];
  const faults = (ctx.judged.findings ?? []).filter(({ kind }) => kind !== "empty"); // one sees it
  return [
    mistake,
    faults.length && make("ul.decks-faults", ...faults.map((one) => fault(one, ctx))),
    ...Object.entries({ limits: limitsPart, charts: chartsPart, odds: oddsPart }).map(
      ([name, part]) => {
        const parts = part(ctx);
        const title = make("summary", make("h3", word(`decks-${name}`)));
        const open = ctx.look.folds[name] !== false;
        const given = { "data-fold": name, open };
        return parts.length && make("details.decks-fold", given, title, parts);
      },
    ),
  ];
}

// What the solver says of a deck: what completes it, what else fits, and why a card does not.

function limitConflict(found) {
  if (!found) return null;
  const part = (one) =>
    one.limit
      ? `${[one.zone, one.name].filter(Boolean).join(": ")} (${one.bound}${one.possible ? `; ${word("decks-possible", one.possible)}` : ""})`
      : word(`decks-wish-${one.wish}`);
  return make("div.decks-conflict", [
    make("p", word(found.parts.length > 1 ? "decks-not-all" : "decks-not-one")),
    make("ul", ...found.parts.map((one) => make("li", part(one)))),
    !found.least && make("p.under", word("decks-not-least")),
  ]);
}

const installHint = (ctx) => [
  make("p", word("decks-no-solver")),
  make("p", word("decks-get-solver"), " ", make("code", ctx.list.howto)),
];

const failurePart = (ctx, found) =>
  ctx.list.solver ? [make("p.wrong", says(found))] : installHint(ctx);

const ignoredLimits = (ctx, found) =>
  found.leftOut?.length
    ? make("p.under", [
        word("decks-left-out", found.leftOut.map((id) => limitName(ctx.judged, id)).join(", ")),
      ])
    : null;

const waitingPart = () => [make("p.under", { role: "status" }, word("decks-thinking"))];

export function completePart(ctx, found) {
  if (!ctx.list.solver) return installHint(ctx);
  if (!found) return waitingPart();
  if (found.message) return failurePart(ctx, found);
  if (found.possible === null)
    return [make("p", { role: "status" }, word("decks-complete-unknown"))];
  if (!found.possible) return [make("p", word("decks-impossible")), limitConflict(found.conflict)];
  if (!found.changes.length) return [make("p", { role: "status" }, word("decks-legal"))];
  const zones = new Set(found.changes.map(({ zone }) => zone)).size > 1;
  return [
    make("p", { role: "status" }, word(found.proven ? "decks-smallest" : "decks-unproven")),
    make("ul.decks-changes", [
      ...found.changes.map(({ card, zone, by, why }) => {
        const face = ctx.cards.get(card);
        return make(
          "li",
          { className: by > 0 ? "in" : "out", "data-peek": card, ...shapeOf(face) },
          [
            face?.hash ? facePicture(face) : make("span"),
            make("b", by > 0 ? `+${by}` : `−${-by}`),
            make("span", [
              make("span.name", face?.name ?? card),
              zones &&
                make("span.under", ` ${ctx.zones.find(({ id }) => id === zone)?.name ?? ""}`),
              make("span.why", [
                why.length
                  ? word("decks-because", why.map((id) => limitName(ctx.judged, id)).join(", "))
                  : word("decks-no-zone"),
              ]),
            ]),
          ],
        );
      }),
    ]),
    ignoredLimits(ctx, found),
  ];
}

/** Return what else fits: the dialog only tells what there is to tell, the pool shows the cards. */
export function fitsPart(ctx, found) {
  if (!ctx.list.solver) return installHint(ctx);
  if (!found) return waitingPart();
  if (found.message) return failurePart(ctx, found);
  const said = !found.possible
    ? "decks-fits-never"
    : found.sure
      ? "decks-nothing-fits"
      : "decks-fits-unknown";
  return [
    make("p", { role: "status" }, word(said)),
    limitConflict(found.conflict),
    ignoredLimits(ctx, found),
  ];
}

function reason(ctx, id) {
  const limit = ctx.judged.limits.find((one) => one.id === id);
  return limit ? word("decks-reason", limitName(ctx.judged, id), limit.bound) : id;
}

/** Return what is in the way of one more of a card in a zone, and whether it could be legal. */
function zoneReason(ctx, card, { zone, why, possible, conflict: found }, asked) {
  const name = ctx.cards.get(card)?.name ?? card;
  const legal = possible
    ? word("decks-yet-possible")
    : found
      ? word("decks-never", name)
      : word("decks-unknown-yet");
  return make("section", [
    ctx.zones.length > 1 && make("h3", ctx.zones.find(({ id }) => id === zone)?.name ?? zone),
    make("p", word(why.length ? "decks-in-the-way" : "decks-nothing-in-the-way")),
    why.length && make("ul.decks-reasons", ...why.map((id) => make("li", reason(ctx, id)))),
    asked && make("p", legal),
    limitConflict(found),
  ]);
}

/** Return why not one more of a card, for each zone that takes it. */
export function whyPart(ctx, card, found) {
  if (!found) return waitingPart();
  if (!found.zones) return failurePart(ctx, found);
  const asked = !found.message;
  return [
    ...found.zones.map((one) => zoneReason(ctx, card, one, asked)),
    !found.zones.length && make("p", word("decks-no-zone")),
    ...(asked ? [ignoredLimits(ctx, found)] : failurePart(ctx, found)),
  ];
}
