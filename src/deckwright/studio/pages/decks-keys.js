/** The keyboard in a deck: from card to card, copies by keys, and one stop for Tab in each part. */

const CARDS = ".decks-face, .decks-name";
const current = new Map(); // the id of the card that Tab leads to, by part
let lost = null; // where the focus was when its card went

const idOf = (card) => {
  const { card: id, zone } = card.dataset;
  return `${id} ${zone ?? ""}`;
};

/** Let Tab lead to one card of each part, and give the focus back where its card has gone. */
export function rove(...roots) {
  for (const root of roots) {
    const all = [...root.querySelectorAll(CARDS)];
    const one = all.find((card) => idOf(card) === current.get(root)) ?? all[0];
    for (const card of all) card.tabIndex = card === one ? 0 : -1;
    if (lost?.root === root && document.activeElement === document.body)
      (
        all[Math.min(lost.place, all.length - 1)] ??
        document.querySelector("#decks .decks-tools button")
      )?.focus({ preventScroll: true });
    const focused = all.indexOf(document.activeElement);
    if (focused >= 0) lost = { root, place: focused };
  }
}

/** Note which card has the focus. */
export function focused(card, ...roots) {
  const root = roots.find((one) => one?.contains(card));
  if (!root || !card.matches(CARDS)) {
    lost = null;
    return;
  }
  const all = [...root.querySelectorAll(CARDS)];
  for (const other of all) other.tabIndex = other === card ? 0 : -1;
  current.set(root, idOf(card));
  lost = { root, place: all.indexOf(card) };
}

/** Return the card that the key of an arrow leads to: the nearest in its direction. */
export function neighbour(root, from, key) {
  const all = [...root.querySelectorAll(CARDS)];
  if (key === "Home") return all[0];
  if (key === "End") return all.at(-1);
  const middle = (node) => {
    const box = node.getBoundingClientRect();
    return { x: box.left + box.width / 2, y: box.top + Math.min(box.height, 30) / 2 };
  };
  const here = middle(from);
  const across = key === "ArrowLeft" || key === "ArrowRight";
  const sign = key === "ArrowRight" || key === "ArrowDown" ? 1 : -1;
  let best = null;
  for (const node of all) {
    if (node === from || !node.offsetParent) continue;
    const there = middle(node);
    const along = sign * (across ? there.x - here.x : there.y - here.y);
    const aside = Math.abs(across ? there.y - here.y : there.x - here.x);
    if (along < 4) continue;
    const far = along + 3 * aside;
    if (!best || far < best.far) best = { far, node };
  }
  return best?.node;
}

let typed = "";
let timer = 0;

/** Return the number that digits typed one after the other make. */
export function digit(key) {
  clearTimeout(timer);
  typed = (typed + key).slice(-2);
  timer = setTimeout(() => (typed = ""), 700);
  return Number(typed);
}
