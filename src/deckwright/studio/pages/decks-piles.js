/** How the cards of a deck lie: in piles by a number or by terms. Nothing here touches the page. */

import { cardOf, valuesOf } from "./filters.js";

const MOST = 9; // piles of numbers; more are put together
const STEPS = [1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000];

/** Return the first face of each card, by what decks call it. */
export function cardsOf(wall) {
  const found = new Map();
  for (const face of wall.faces) {
    if (face.side === "face" && !face.token && !found.has(cardOf(face)))
      found.set(cardOf(face), face);
  }
  return found;
}

/** Return what cards can be piled by, numbers before terms: what the game counts and not all have alike. */
export function pilings(wall, faces, fields) {
  const filters = new Map((wall.game.filters ?? []).map((filter) => [filter.name, filter]));
  const telling = (values) => new Set(values).size > 1;
  const numbers = fields.filter(
    ({ id, numeric }) => numeric && telling(faces.map((face) => face.fields?.[id])),
  );
  const terms = fields.filter(
    ({ id, numeric }) =>
      !numeric &&
      filters.has(id) &&
      telling(faces.map((face) => valuesOf(face, filters.get(id)).join(" "))),
  );
  return [...numbers, ...terms].map(({ id, name, numeric }) => ({
    id,
    title: name || filters.get(id)?.title || id,
    filter: numeric ? null : filters.get(id),
  }));
}

/** Return what cards are piled by where nobody has chosen: what they cost, or else what comes first. */
export const usual = (all) =>
  (all.find(({ id }) => /^(cost|mana|price|provision)/i.test(id)) ?? all[0])?.id ?? "";

/**
 * Put the lines of a deck into piles.
 *
 * @param lines each with its `face`, undefined for a card that there is not.
 * @param by one of `pilings`, undefined for a single pile.
 * @param none what the pile is called of cards without such a value.
 * @returns piles in order, each with its title and lines.
 */
export function piled(lines, by, none) {
  if (!by) return lines.length ? [{ title: "", lines }] : [];
  const piles = by.filter ? byTerm(lines, by.filter, none) : byNumber(lines, by.id, none);
  return piles.length === 1 && piles[0].title === none ? [{ ...piles[0], title: "" }] : piles;
}

function byTerm(lines, filter, none) {
  const order = new Map(filter.values.map(({ value }, place) => [String(value), place]));
  const names = new Map(filter.values.map(({ value, name }) => [String(value), name]));
  const piles = new Map();
  for (const line of lines) {
    const values = line.face
      ? valuesOf(line.face, filter).toSorted((a, b) => order.get(a) - order.get(b))
      : [];
    const key = values.join(" ");
    const rank =
      values.reduce((sum, value, place) => sum + (order.get(value) ?? 99) / 100 ** place, 0) +
      (values.length ? values.length / 1e6 : 1e9);
    if (!piles.has(key))
      piles.set(key, {
        title: values.map((value) => names.get(value) ?? value).join(" + ") || none,
        rank,
        lines: [],
      });
    piles.get(key).lines.push(line);
  }
  return [...piles.values()].toSorted((a, b) => a.rank - b.rank);
}

function byNumber(lines, name, none) {
  const value = ({ face }) => (typeof face?.fields?.[name] === "number" ? face.fields[name] : null);
  const numbers = lines.map(value).filter((number) => number !== null);
  const few = new Set(numbers).size <= MOST;
  const low = Math.min(...numbers);
  const step = few
    ? 0
    : (STEPS.find((each) => (Math.max(...numbers) - low) / each < MOST - 1) ?? 5000);
  const piles = new Map();
  for (const line of lines) {
    const number = value(line);
    const rank = number === null ? Infinity : few ? number : Math.floor(number / step) * step;
    const title =
      number === null ? none : few || step === 1 ? String(rank) : `${rank}–${rank + step - 1}`;
    if (!piles.has(rank)) piles.set(rank, { title, rank, lines: [] });
    piles.get(rank).lines.push(line);
  }
  const within = (a, b) => (value(a) ?? 0) - (value(b) ?? 0);
  return [...piles.values()]
    .toSorted((a, b) => a.rank - b.rank)
    .map((pile) => ({ ...pile, lines: pile.lines.toSorted(within) }));
}
