/** Which faces a search and filters want, in which order, and the way from one to the next. */

/** Return the identity of a face's card: ids are unique within a faction. */
export const cardOf = (face) => `${face.faction}:${face.card}`;

/** Split what was typed into words for the page and an expression for the server. */
export function split(typed) {
  const terms = typed.match(/(?:[^\s"'“”]|"[^"]*"|'[^']*')+/g) ?? [];
  if (/\s(and|or|not|in)\s|[()]|\s[<>=!]=?|[<>=]\s+\S/i.test(` ${typed}`) && /[<>=:]/.test(typed)) {
    return { words: [], expression: typed.trim() };
  }
  const asks = (term) => /^(["'“][^"'“”]+["'”]|[\p{L}\p{N}_-]+)(:|[<>=!]=?)./u.test(term);
  return {
    words: terms
      .filter((term) => !asks(term))
      .map((term) => term.replace(/["']/g, "").toLowerCase()),
    expression: terms.filter(asks).join(" "),
  };
}

export function valuesOf(face, filter) {
  if (filter.of === "face") return [String(face[filter.name])];
  const value = face[filter.of]?.[filter.name];
  if (value === undefined || value === null) return [];
  return (Array.isArray(value) ? value : [value]).map(String);
}

/** Return the filters of a game: its factions, kinds and terms, each with what the faces have. */
export function filtersOf(wall, words) {
  const own = wall.game.filters ?? [];
  const kinds = [...new Set(wall.faces.map((face) => face.kind))];
  const all = [
    {
      of: "face",
      name: "faction",
      title: words.faction,
      values: wall.factions.map(({ id, name, color }) => ({ value: id, name, color })),
    },
    {
      of: "face",
      name: "kind",
      title: words.kind,
      values: kinds.map((kind) => ({ value: kind, name: wall.game.kinds?.[kind] ?? kind })),
    },
    ...own.map((filter) => ({
      ...filter,
      values: filter.values.map((value) =>
        value.value === undefined
          ? { value, name: value }
          : { ...value, value: String(value.value) },
      ),
    })),
  ];
  return all
    .map((filter) => {
      const had = new Set(wall.faces.flatMap((face) => valuesOf(face, filter)));
      return { ...filter, values: filter.values.filter(({ value }) => had.has(value)) };
    })
    .filter((filter) => filter.values.length > 1);
}

/** Choose a value of a filter, or choose it no longer. */
export function flipFilter(filters, name, value) {
  const values = filters[name] ?? [];
  filters[name] = values.includes(value)
    ? values.filter((one) => one !== value)
    : [...values, value];
  if (!filters[name].length) delete filters[name];
}

export function numbersOf(faces) {
  const values = faces.flatMap(({ fields }) => Object.entries(fields ?? {}));
  return [
    ...new Set(values.filter(([, value]) => typeof value === "number").map(([name]) => name)),
  ];
}

/** Return the faces that a query wants. Values of one filter are alternatives; filters add up. */
export function filterFaces(faces, query, filters, found, isChanged) {
  const { words } = split(query.q);
  return faces.filter((face) => {
    if (face.side !== query.side) return false;
    if (query.findings && !face.findings.length) return false;
    if (query.changed && !isChanged(face)) return false;
    for (const filter of filters) {
      const wanted = query.filters[filter.name];
      if (wanted?.length && !valuesOf(face, filter).some((value) => wanted.includes(value)))
        return false;
    }
    if (found && !found.has(cardOf(face))) return false;
    const text = `${face.name}\n${face.card}\n${face.text}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** Return the faces in the order that is wanted; those of equal rank stay as in the files. */
export function sortFaces(faces, order, language) {
  if (order === "order") return faces;
  const compare = new Intl.Collator(language, { numeric: true }).compare;
  if (order === "name") return faces.toSorted((a, b) => compare(a.name, b.name));
  if (order === "id") return faces.toSorted((a, b) => compare(a.card, b.card));
  const rank = (face) => face.fields?.[order] ?? Infinity;
  return faces.toSorted((a, b) => (rank(a) === rank(b) ? 0 : rank(a) - rank(b)));
}

const isWord = (name) => !/\s/.test(name);

/** Return conditions that can be searched for, in the game's own terms. */
export function sampleTerms({ faces, game: { labels } }, filters) {
  const numbers = numbersOf(faces);
  const number = [...numbers.map((name) => labels[name]).filter(Boolean), ...numbers].find(isWord);
  const filter = filters.findLast(
    ({ of, title, values }) => of !== "face" && isWord(title) && isWord(values[0].name),
  );
  return [number && `${number}>=3`, filter && `${filter.title}:${filter.values[0].name}`].filter(
    Boolean,
  );
}

/** Return which of all tiles the key of an arrow leads to, by what stands where. */
export function neighbour(all, from, key) {
  const at = all.indexOf(from);
  if (key === "Home") return all[0];
  if (key === "End") return all.at(-1);
  if (key === "ArrowRight") return all[at + 1];
  if (key === "ArrowLeft") return all[at - 1];
  const step = key === "ArrowDown" ? 1 : -1;
  const here = from.getBoundingClientRect();
  const middle = (box) => box.left + box.width / 2;
  let best;
  let row;
  for (let place = at + step; all[place]; place += step) {
    const box = all[place].getBoundingClientRect();
    if (Math.abs(box.top - here.top) < 4) continue;
    row ??= box.top;
    if (Math.abs(box.top - row) > 4) break;
    const far = Math.abs(middle(box) - middle(here));
    if (!best || far < best.far) best = { far, node: all[place] };
  }
  return best?.node;
}
