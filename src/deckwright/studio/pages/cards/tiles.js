/**
 * The wall: a tile for each face, by faction. Tiles are kept by key; only what differs is touched.
 */

import { cardOf } from "../shared/filters.js";
import { withKey } from "../shared/session.js";
import { isOnScreen, leaveTile, watchTile } from "../shared/wall.js";
import { counted, make, word } from "../shared/words.js";

const tiles = new Map();
const sections = new Map();

const set = (node, name, value) => {
  if (node[name] !== value) node[name] = value;
};

function tile(key) {
  const picture = make("img", { alt: "", loading: "lazy", decoding: "async" });
  const marks = make("span", { className: "marks" });
  const name = make("span", { className: "name" });
  const id = make("span", { className: "id" });
  const pictures = make("span", { className: "pictures" }, picture);
  const caption = make("span", { className: "caption" }, name, id);
  const button = make(
    "button",
    { type: "button", className: "tile", tabIndex: -1 },
    pictures,
    marks,
    caption,
  );
  button.dataset.key = key;
  watchTile(button);
  return {
    node: make("li", { className: "card" }, button),
    button,
    pictures,
    picture,
    marks,
    name,
    id,
    former: null,
  };
}

function mark(text, className, said) {
  return make(
    "span",
    { className: `mark ${className}` },
    make("span", { "aria-hidden": "true" }, text),
    make("span", { className: "hidden" }, ` ${said} `),
  );
}

/** Bring a tile to what its face is now. */
function show(kept, face, before, both, unsaved) {
  kept.unsaved = unsaved;
  const source = face.hash ? withKey(`/faces/${face.hash}.svg`) : "";
  if (kept.source !== source) {
    kept.source = source;
    if (isOnScreen(face.key)) kept.picture.loading = "eager"; // else it waits for the next layout
    if (source) kept.picture.src = source;
    else kept.picture.removeAttribute("src");
  }
  kept.button.classList.toggle("pending", !source);
  kept.button.classList.toggle("stale", Boolean(face.stale));
  const former = both && before ? withKey(`/faces/${before}.svg`) : null;
  if (kept.former !== former) {
    kept.former = former;
    kept.pictures.querySelector(".before")?.remove();
    if (former)
      kept.pictures.prepend(
        make("img", {
          alt: "",
          className: "before",
          src: former,
          onerror: (event) => event.target.remove(),
        }),
      );
  }
  const size = `${face.width} ${face.height} ${Boolean(former)}`;
  if (kept.size !== size) {
    kept.size = size;
    kept.node.style.setProperty("--w", face.width);
    kept.node.style.setProperty("--h", face.height);
    kept.node.classList.toggle("double", Boolean(former));
  }
  const part = face.part > 1 ? ` · ${face.part}` : "";
  set(kept.name, "textContent", face.name);
  set(kept.id, "textContent", face.card + part);
  const worst =
    ["error", "warning"].find((one) => face.findings.some(({ severity }) => severity === one)) ??
    "info";
  const marks = `${JSON.stringify(face.findings)} ${worst} ${Boolean(before)} ${face.stale} ${source === "" && face.pending} ${source} ${unsaved}`;
  if (kept.marked === marks) return;
  kept.marked = marks;
  kept.marks.replaceChildren();
  if (before) kept.marks.append(mark(word("changed"), "new", ""));
  if (unsaved) kept.marks.append(mark("✎", "old", word("not-saved")));
  if (face.stale) kept.marks.append(mark(word("last-good"), "old", ""));
  if (face.findings.length) {
    const told = mark(
      String(face.findings.length),
      worst,
      counted("finding-one", "finding-count", face.findings.length),
    );
    told.title = face.findings.map(({ code, message }) => `${code} ${message}`).join("\n");
    kept.marks.append(told);
  }
  if (!source) kept.marks.append(mark(word(face.pending ? "pending" : "never"), "old", ""));
}

function section(faction) {
  const count = make("span", { className: "count" });
  const name = make("span", { className: "faction-name" });
  const heading = make(
    "h3",
    { id: `faction-${faction.id}` },
    make("span", { className: "swatch" }),
    name,
    count,
  );
  const list = make("ul", { role: "list" });
  return {
    node: make("section", { "aria-labelledby": heading.id }, heading, list),
    list,
    count,
    name,
  };
}

/** Put the nodes into their parent in this order, moving only those out of place. */
function layNodes(parent, nodes) {
  const wanted = new Set(nodes);
  for (const node of [...parent.children]) if (!wanted.has(node)) node.remove();
  let next = parent.firstElementChild;
  for (const node of nodes) {
    if (node === next) next = node.nextElementSibling;
    else parent.insertBefore(node, next);
  }
}

/**
 * Show these faces.
 *
 * @param root the element that holds the factions.
 * @param factions in their order, each with its id, name and color.
 * @param faces those that are shown, in order.
 * @param before the former hash by key.
 * @param both whether the former face stands beside the new one.
 * @param unsaved the ids of works that are not saved.
 */
export function layOut(root, factions, faces, before, both, unsaved) {
  const edited = new Set(unsaved);
  const groups = new Map(factions.map((faction) => [faction.id, []]));
  for (const face of faces) groups.get(face.faction)?.push(face);
  const shown = factions.filter(({ id }) => groups.get(id).length);
  layNodes(
    root,
    shown.map((faction) => {
      if (!sections.has(faction.id)) sections.set(faction.id, section(faction));
      const kept = sections.get(faction.id);
      const group = groups.get(faction.id);
      set(kept.name, "textContent", faction.name);
      set(kept.count, "textContent", String(group.length));
      kept.node.style.setProperty("--faction", faction.color);
      layNodes(
        kept.list,
        group.map((face) => {
          if (!tiles.has(face.key)) tiles.set(face.key, tile(face.key));
          const one = tiles.get(face.key);
          show(one, face, before.get(face.key), both, edited.has(`edit:${cardOf(face)}`));
          return one.node;
        }),
      );
      return kept.node;
    }),
  );
}

/** Bring the tile of one face up to date where it stands. */
export function touch(face, before, both) {
  const kept = tiles.get(face.key);
  if (kept?.node.isConnected) show(kept, face, before, both, kept.unsaved);
}

/** Forget the tiles of faces that the game does not have any more. */
export function forget(keys) {
  for (const [key, { button }] of tiles) {
    if (keys.has(key)) continue;
    leaveTile(button);
    tiles.delete(key);
  }
}

/** Return the tile of a face, undefined if it is not on the wall. */
export function tileOf(key) {
  const kept = tiles.get(key);
  return kept?.node.isConnected ? kept.button : undefined;
}

/** Return the tile that the key of an arrow leads to, by what stands where. */
export function neighbour(root, from, key) {
  const all = [...root.querySelectorAll(".tile")];
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
