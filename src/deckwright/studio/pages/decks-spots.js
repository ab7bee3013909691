/** The zones that a card may be in, where its next copy goes, and how many more there may be. Nothing here touches the page. */

import { copiesOf } from "./decks-draft.js";

const spots = (pool, card) => pool.get(card)?.zones ?? [];

/** Return the ids of the zones that take a card, the usual one first. */
export const zonesOf = (pool, card) => spots(pool, card).map(({ zone }) => zone);

/** Return the zone that a card's copies go to or come from where none is said, null for none. */
export function spotOf({ deck, pool, query, fitting }, card, leaving = false) {
  if (!leaving && query.only === "fits" && fitting?.cards[card]) return fitting.cards[card][0];
  const entries = deck.entries.filter((entry) => entry.card === card);
  if (entries.length) return entries.at(leaving ? -1 : 0).zone;
  return zonesOf(pool, card)[0] ?? null;
}

/** Return the ids of the limits in the way of one more copy in a zone. */
export const whyNot = ({ pool }, card, zone) =>
  spots(pool, card).find((spot) => spot.zone === zone)?.why ?? [];

/**
 * Return how many copies of a card limits allow as the deck stands, undefined where none does.
 *
 * @param zone where they are, undefined for all: then only the zone of the next one has room for more.
 */
export function mostOf(ctx, card, zone) {
  const { pool, judged, judgedDeck } = ctx;
  const { room } =
    spots(pool, card).find((spot) => spot.zone === (zone ?? spotOf(ctx, card))) ?? {};
  if (!Number.isInteger(room)) return undefined;
  const over = judged.limits
    .flatMap(({ groups }) => groups)
    .filter(({ by, cards }) => by < 0 && cards.includes(card));
  return copiesOf(judgedDeck, card, zone) + (room || Math.min(0, ...over.map(({ by }) => by)));
}
