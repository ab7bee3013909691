/** A deck as it is built: its lines, what can be undone, and what the browser keeps. Nothing here touches the page. */

/** How many copies of a card a zone may have. */
export const MOST_COPIES = 9990;
const MOST = 60; // steps that can be undone after a reload

const same = (one, other) => one.card === other.card && one.zone === other.zone;

/** Return how many copies of a card a deck has, in one zone's lines or in all. */
export function copiesOf(deck, card, zone) {
  let copies = 0;
  for (const entry of deck.entries)
    if (entry.card === card && (zone === undefined || entry.zone === zone)) copies += entry.copies;
  return copies;
}

/** Return a deck that has so many copies of a card in the lines of a zone. */
export function withCopies(deck, card, zone, copies) {
  const line = { card, zone };
  const rest = Math.max(0, copies);
  const first = deck.entries.find((entry) => same(entry, line));
  if (!first)
    return rest
      ? { ...deck, entries: [...deck.entries, { card, copies: rest, zone, note: "" }] }
      : deck;
  const entries = deck.entries.flatMap((entry) => {
    if (!same(entry, line)) return [entry];
    return entry === first && rest ? [{ ...entry, copies: rest }] : [];
  });
  return { ...deck, entries };
}

/** Return a deck in which copies of a card stand in another zone. */
export function moved(deck, card, from, to, copies) {
  const had = copiesOf(deck, card, from);
  const some = Math.min(copies, had);
  return withCopies(
    withCopies(deck, card, from, had - some),
    card,
    to,
    copiesOf(deck, card, to) + some,
  );
}

/** Return a deck with a note for a card. */
export function noted(deck, card, zone, note) {
  return {
    ...deck,
    entries: deck.entries.map((entry) =>
      same(entry, { card, zone }) ? { ...entry, note } : entry,
    ),
  };
}

/** Return how many cards a deck has. */
export const sizeOf = (deck) => deck.entries.reduce((sum, { copies }) => sum + copies, 0);

/** Return what makes one deck of another: the copies of each card that differ, by zone. */
export function differences(before, after) {
  const keys = new Map(
    [...before.entries, ...after.entries].map(({ card, zone }) => [
      `${card} ${zone ?? ""}`,
      { card, zone },
    ]),
  );
  return [...keys.values()]
    .map(({ card, zone }) => ({
      card,
      zone,
      before: copiesOf(before, card, zone),
      after: copiesOf(after, card, zone),
    }))
    .filter((one) => one.before !== one.after);
}

const text = (deck) =>
  JSON.stringify([
    deck.name,
    deck.faction,
    deck.format ?? null,
    deck.entries.map(({ card, copies, zone, note }) => [card, copies, zone ?? null, note || ""]),
  ]);

/** An open deck with its steps back and forth. */
export class Draft {
  /**
   * @param saved the deck as its file has it, null for one that was never saved.
   * @param now the deck as it is built.
   */
  constructor(id, saved, before, now = saved) {
    Object.assign(this, { id, saved, before, now, past: [], future: [] });
  }

  /** Whether something is not saved yet. */
  get dirty() {
    return !this.saved || text(this.saved) !== text(this.now);
  }

  /** Take a step; return whether it changes anything. Steps that `join` with the last are one. */
  step(said, now, join = "") {
    if (text(now) === text(this.now)) return false;
    const last = this.past.at(-1);
    if (!join || last?.join !== join || this.future.length)
      this.past.push({ said, join, deck: this.now });
    this.past.splice(0, this.past.length - MOST);
    this.future = [];
    this.now = now;
    return true;
  }

  /** Go a step back; return what was undone, undefined for nothing. */
  undo() {
    const last = this.past.pop();
    if (!last) return undefined;
    this.future.push({ said: last.said, deck: this.now });
    this.now = last.deck;
    return last.said;
  }

  /** Go a step forth again; return what was done. */
  redo() {
    const next = this.future.pop();
    if (!next) return undefined;
    this.past.push({ said: next.said, join: "", deck: this.now });
    this.now = next.deck;
    return next.said;
  }

  /** Take what the file holds: nothing else is left to save. */
  keep(saved, before, id = this.id) {
    Object.assign(this, { id, saved, before });
  }

  /** Return what the browser keeps. */
  kept() {
    const { id, saved, before, now, past, future } = this;
    return JSON.stringify({ id, saved, before, now, past, future });
  }

  /** Return the draft that the browser has kept, null for none. */
  static from(kept) {
    try {
      const found = JSON.parse(kept);
      if (!found?.now?.entries) return null;
      return Object.assign(new Draft(found.id, found.saved, found.before, found.now), {
        past: found.past ?? [],
        future: found.future ?? [],
      });
    } catch {
      return null;
    }
  }
}
