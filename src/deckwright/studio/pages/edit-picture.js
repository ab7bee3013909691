/** The picture of a card, cropped in a frame of the shape that it has in print. */

import { linked } from "./session.js";
import { make, word } from "./words.js";

const SHARP = 300;
const COARSE = 200;

export const cropOf = (values, name) => {
  const [x, y] = (values[`${name}-focus`] ?? "0.5 0.5").split(/\s+/).map(Number);
  const zoom = Number(values[`${name}-zoom`] ?? 1);
  return {
    x: Number.isFinite(x) ? x : 0.5,
    y: Number.isFinite(y) ? y : 0.5,
    zoom: zoom >= 1 ? zoom : 1,
  };
};

const round = (value, digits) => String(Number(value.toFixed(digits)));

/** Return what a crop is called in the files: null for what is meant without it. */
export const written = ({ x, y, zoom }) => ({
  focus: round(x, 3) === "0.5" && round(y, 3) === "0.5" ? null : `${round(x, 3)} ${round(y, 3)}`,
  zoom: zoom <= 1.004 ? null : round(zoom, 2),
});

/** Return where a picture lies that covers a box, as shares of the box. */
export function laid(crop, picture, box) {
  const scale = Math.max(box.width / picture.width, box.height / picture.height) * crop.zoom;
  const width = (picture.width * scale) / box.width;
  const height = (picture.height * scale) / box.height;
  const within = (middle, size) => Math.min(0, Math.max(1 - size, 0.5 - middle * size));
  return { left: within(crop.x, width), top: within(crop.y, height), width, height };
}

/** Return the crop after the picture was moved by shares of its box. */
export function moved(crop, picture, box, dx, dy) {
  const at = laid(crop, picture, box);
  const clamp = (value, size) => Math.min(0, Math.max(1 - size, value));
  const middle = (start, by, size, old) =>
    size <= 1.0001 ? old : (0.5 - clamp(start + by, size)) / size;
  return {
    ...crop,
    x: middle(at.left, dx, at.width, crop.x),
    y: middle(at.top, dy, at.height, crop.y),
  };
}

/** Return the crop after zooming; the middle of what is seen stays. */
export const zoomed = (crop, by) => ({ ...crop, zoom: Math.min(20, Math.max(1, crop.zoom * by)) });

export const source = (picture) => linked(`/faces/picture/${picture.hash}`);

function dots(dpi, drawing) {
  if (drawing) return make("p", { className: "edit-dpi" }, word("edit-drawing"));
  if (dpi === null || dpi === undefined) return null;
  const told = Math.round(dpi);
  const how = told >= SHARP - 1 ? "edit-sharp" : told >= COARSE ? "edit-soft" : "edit-coarse";
  return make(
    "p",
    { className: `edit-dpi ${how}` },
    make("strong", {}, word("edit-dpi", told)),
    " ",
    word(how),
  );
}

/** Return a picture's field: what is chosen, its crop, and how sharp it will be. */
export function pictureField(spec, value, given, state) {
  const [, ...where] = given["data-path"].split(":");
  const own = where.length === 1; // fields of the card itself can be cropped
  const picture = state.choices.pictures.find(({ name }) => name === value);
  const box = own ? state.boxes.find(({ field }) => field === spec.name) : null;
  const crops = own && box && picture && state.fields.has(`${spec.name}-focus`);
  const shown = [];
  if (crops && state.natural[picture.hash]) shown.push(frame(spec.name, picture, box, state));
  else if (picture)
    shown.push(
      make("img", {
        className: "edit-thumb",
        src: source(picture),
        alt: "",
        "data-hash": picture.hash,
      }),
    );
  return make(
    "div",
    { className: "edit-picture", "data-path": given["data-path"] },
    ...shown,
    make(
      "div",
      { className: "edit-picture-side" },
      make(
        "p",
        { className: "edit-picture-name" },
        value
          ? value
          : make(
              "span",
              { className: "soft" },
              spec.default ? word("edit-default", spec.default) : word("edit-no-picture"),
            ),
      ),
      value && !picture && state.choices.pictures.length
        ? make("p", { className: "edit-finding warning" }, word("edit-picture-gone"))
        : null,
      box && picture ? dots(box.dpi, picture.drawing) : null,
      state.readOnly || value ? null : make("p", { className: "soft" }, word("edit-drop-here")),
      state.readOnly
        ? null
        : make(
            "p",
            { className: "edit-row" },
            make(
              "button",
              {
                type: "button",
                id: given.id,
                "data-act": "picture",
                "data-path": given["data-path"],
              },
              word(value ? "edit-other-picture" : "edit-choose-picture"),
            ),
            value && !spec.needed
              ? make(
                  "button",
                  {
                    type: "button",
                    className: "quiet",
                    "data-act": "put",
                    "data-put": "",
                    "data-path": given["data-path"],
                  },
                  word("edit-no-picture"),
                )
              : null,
          ),
      crops && state.natural[picture.hash] && !state.readOnly ? zoom(spec.name, state) : null,
    ),
  );
}

function frame(name, picture, box, state) {
  const crop = cropOf(state.values, name);
  const at = laid(crop, state.natural[picture.hash], box);
  const image = make("img", {
    src: source(picture),
    alt: "",
    draggable: false,
    "data-hash": picture.hash,
  });
  for (const side of ["left", "top", "width", "height"])
    image.style.setProperty(side, `${at[side] * 100}%`);
  const node = make(
    "div",
    {
      className: "edit-frame",
      role: "group",
      tabIndex: 0,
      "data-crop": name,
      "aria-label": word("edit-frame"),
      title: word("edit-frame-how"),
    },
    image,
    make("span", { className: "edit-cross", "aria-hidden": "true" }),
  );
  node.style.setProperty("aspect-ratio", `${box.width} / ${box.height}`);
  return node;
}

function zoom(name, state) {
  const crop = cropOf(state.values, name);
  const cropped = crop.zoom !== 1 || crop.x !== 0.5 || crop.y !== 0.5;
  return make(
    "div",
    { className: "edit-zoom" },
    make(
      "label",
      {},
      make("span", {}, word("edit-zoom")),
      make("input", {
        type: "range",
        min: 0,
        max: 100,
        step: 1,
        value: Math.round((Math.log(crop.zoom) / Math.log(8)) * 100),
        "data-zoom": name,
        "aria-valuetext": `${round(crop.zoom, 2)}×`,
      }),
    ),
    make("p", { className: "soft" }, word("edit-frame-how")),
    cropped
      ? make(
          "button",
          { type: "button", className: "quiet", "data-act": "uncrop", "data-crop": name },
          word("edit-uncrop"),
        )
      : null,
  );
}

/** Return the zoom of a slider's place, 0 to 100. */
export const zoomAt = (place) => 8 ** (place / 100);

/**
 * Crop by pointers, wheel and keys in frames below a root.
 *
 * @param root where they are listened for.
 * @param now gives `{crop, picture, box}` of a field.
 * @param change takes a field and its new crop; `done` says that a movement has ended.
 */
export function cropping(root, now, change, done) {
  const pointers = new Map();
  let field = null;
  const of = (event) => event.target.closest?.(".edit-frame");
  const spread = () => {
    const [one, other] = [...pointers.values()];
    return Math.hypot(one.x - other.x, one.y - other.y);
  };
  root.addEventListener("pointerdown", (event) => {
    const node = of(event);
    if (!node || event.button || node.closest("fieldset:disabled")) return;
    event.preventDefault();
    node.focus();
    node.setPointerCapture(event.pointerId);
    field = node.dataset.crop;
    pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
  });
  root.addEventListener("pointermove", (event) => {
    const last = pointers.get(event.pointerId);
    if (!last || !field) return;
    const { crop, picture, box } = now(field);
    const before = pointers.size > 1 ? spread() : 0;
    const here = { x: event.clientX, y: event.clientY };
    pointers.set(event.pointerId, here);
    const { width, height } = of(event)?.getBoundingClientRect() ?? { width: 1, height: 1 };
    let next = moved(
      crop,
      picture,
      box,
      (here.x - last.x) / width / pointers.size,
      (here.y - last.y) / height / pointers.size,
    );
    if (before) next = zoomed(next, spread() / before);
    change(field, next);
  });
  for (const end of ["pointerup", "pointercancel"]) {
    root.addEventListener(end, (event) => {
      if (pointers.delete(event.pointerId) && !pointers.size) done();
    });
  }
  root.addEventListener(
    "wheel",
    (event) => {
      const node = of(event);
      if (!node || node.closest("fieldset:disabled") || document.activeElement !== node) return; // else the page scrolls
      event.preventDefault();
      change(node.dataset.crop, zoomed(now(node.dataset.crop).crop, 1.0015 ** -event.deltaY));
    },
    { passive: false },
  );
  root.addEventListener("keydown", (event) => {
    const node = of(event);
    if (
      !node ||
      event.ctrlKey ||
      event.metaKey ||
      event.altKey ||
      node.closest("fieldset:disabled")
    )
      return;
    const by = event.shiftKey ? 0.1 : 0.02;
    const way = { ArrowLeft: [-by, 0], ArrowRight: [by, 0], ArrowUp: [0, -by], ArrowDown: [0, by] }[
      event.key
    ];
    const { crop, picture, box } = now(node.dataset.crop);
    if (way) change(node.dataset.crop, moved(crop, picture, box, ...way));
    else if (event.key === "+" || event.key === "=") change(node.dataset.crop, zoomed(crop, 1.05));
    else if (event.key === "-") change(node.dataset.crop, zoomed(crop, 1 / 1.05));
    else return;
    event.preventDefault();
  });
}
