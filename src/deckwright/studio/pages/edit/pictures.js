/** Pictures in forms: the faces that preview a card, and the choice of a picture. */

import { encodeFile, facePicture } from "../shared/page.js";
import { ask, Refused, withKey } from "../shared/session.js";
import { counted, group, make, searchField, select, sentence, word } from "../shared/words.js";
import { isCard } from "./draft.js";

/**
 * What asks for previews: one at a time, and the newest draft when the answer is there.
 *
 * @param send asks the server for one.
 * @param take is given each answer.
 */
export function previews(send, take) {
  let busy = false;
  let again = false;
  let round = 0;
  return {
    /** Ask for the faces of what stands in the form now. */
    async want() {
      again = true;
      if (busy) return;
      busy = true;
      const mine = round;
      while (again && mine === round) {
        again = false;
        try {
          const answer = await send();
          if (mine === round) await take(answer);
        } catch (error) {
          if (mine === round) await take(null, error);
        }
      }
      if (mine === round) busy = false;
    },
    /** What is under way is of no interest any more. */
    drop() {
      round += 1;
      busy = again = false;
    },
  };
}

/** Fetch pictures, so that nothing is blank while they come. */
export const fetchPictures = (hashes) =>
  Promise.all(
    hashes.filter(Boolean).map(async (hash) => {
      const image = new Image();
      image.src = withKey(`/faces/${hash}.svg`);
      try {
        await image.decode();
      } catch {
        /* what cannot be shown stays what it was */
      }
    }),
  );

/** What tells a face from the others; a card that is new has no lasting id. */
const faceKey = (face, own) =>
  `${own ? "" : `${face.card.faction}:${face.card.id}`}:${face.part}:${face.side}`;

/** Return the faces after an answer: those that cannot be composed stay, as stale ones. */
export function mergeFaces(former, faces, own) {
  const old = new Map(former.map((face) => [faceKey(face, own), face]));
  return faces.map((face) => {
    const last = old.get(faceKey(face, own));
    return face.hash ? { ...face, stale: false } : { ...(last?.hash ? last : face), stale: true };
  });
}

function figure(face, stale, caption) {
  const isOld = (stale && !face.faulty) || face.stale;
  const alt = word("edit-face-of", face.card?.name ?? "", sideName(face.side));
  return make("figure", { "--w": face.width, "--h": face.height }, [
    make("div", { className: `edit-face${isOld ? " stale" : ""}` }, [
      face.hash
        ? facePicture(face, { className: "face", alt })
        : make("span", word(face.begun ? "edit-not-yet" : "never")),
    ]),
    caption && make("figcaption", caption),
  ]);
}

const sideName = (side) => word(side === "back" ? "back" : "front");

/** Return buttons of which one is pressed, where there is something to choose. */
const choiceOf = (act, label, all, now, name = (each) => String(each)) =>
  all.length > 1 &&
  group(
    "div.pair",
    label,
    all.map((each) => {
      const given = { "data-act": act, "data-value": each, "aria-pressed": each === now };
      return make("button", given, name(each));
    }),
  );

export function faces(state, draft) {
  const { form } = draft;
  const own = isCard(form.thing);
  const { shown, side, style } = state;
  const sides = [...new Set(shown.map((face) => face.side))];
  const parts = [...new Set(shown.map((face) => face.part))];
  const now = sides.includes(side) ? side : sides[0];
  const part = parts.includes(state.part) ? state.part : parts[0];
  const chosen = shown.filter((face) => face.side === now && (!own || face.part === part));
  const styles = [["", word("usual")], ...state.styles.map((name) => [name, name])];
  const styled = { "data-choose": "style", "aria-label": word("style") };
  const used = counted("edit-used-one", "edit-used", form.used);
  return make(
    "aside",
    { className: `edit-faces${own ? "" : " many"}`, "aria-label": word("edit-preview") },
    [
      make("div.edit-figures", [
        ...chosen.map((face) =>
          figure({ ...face, begun: form.thing.new }, state.stale, own ? null : face.card?.name),
        ),
        !shown.length &&
          make("p.empty", [
            word(state.answered ? (own ? "edit-no-faction" : "edit-no-card") : "pending"),
          ]),
      ]),
      state.stale &&
        chosen.some(({ hash, faulty, stale }) => hash && (stale || !faulty)) &&
        make("p.edit-stale", { role: "status" }, word("edit-last-good")),
      make("div.edit-row.edit-sides", [
        choiceOf("side", word("sides"), sides, now, sideName),
        own && choiceOf("part", word("edit-parts"), parts, part),
        styles.length > 1 && select(styled, styles, style),
      ]),
      !own && form.used && make("p.soft", make("button.link", { "data-act": "users" }, used)),
    ],
  );
}

export const choices = (faction) =>
  ask(`/api/edit/choices${faction ? `?${new URLSearchParams({ faction })}` : ""}`);

// Dialogs of editing.

/** Show a dialog with a title; what has `data-close` closes it. */
export function dialog(editor, title, ...children) {
  const node = make("dialog.edit-dialog", { "aria-labelledby": "edit-dialog-title" }, [
    make("h2", { id: "edit-dialog-title" }, title),
    ...children,
  ]);
  node.addEventListener("close", () => node.remove());
  node.addEventListener("click", ({ target }) => "close" in target.dataset && node.close());
  editor.dialogs.replaceChildren(node);
  node.showModal();
  return node;
}

// The picture of a card, cropped in a frame of the shape that it has in print.

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
export const cropValues = ({ x, y, zoom }) => ({
  focus: round(x, 3) === "0.5" && round(y, 3) === "0.5" ? null : `${round(x, 3)} ${round(y, 3)}`,
  zoom: zoom <= 1.004 ? null : round(zoom, 2),
});

/** Return where a picture lies that covers a box, as shares of the box. */
function coverBox(crop, picture, box) {
  const scale = Math.max(box.width / picture.width, box.height / picture.height) * crop.zoom;
  const width = (picture.width * scale) / box.width;
  const height = (picture.height * scale) / box.height;
  const within = (middle, size) => Math.min(0, Math.max(1 - size, 0.5 - middle * size));
  return { left: within(crop.x, width), top: within(crop.y, height), width, height };
}

/** Return the crop after the picture was moved by shares of its box. */
function moveCrop(crop, picture, box, dx, dy) {
  const at = coverBox(crop, picture, box);
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
const zoomCrop = (crop, by) => ({ ...crop, zoom: Math.min(20, Math.max(1, crop.zoom * by)) });

const pictureSource = (picture) => withKey(`/faces/picture/${picture.hash}`);

export const drawingSource = (one) =>
  one.hash ? pictureSource(one) : withKey(`/faces/icon/${one.id}`);

function dots(dpi, drawing) {
  if (drawing) return make("p.edit-dpi", word("edit-drawing"));
  if (dpi === null || dpi === undefined) return null;
  const told = Math.round(dpi);
  const how = told >= SHARP - 1 ? "edit-sharp" : told >= COARSE ? "edit-soft" : "edit-coarse";
  return make("p", { className: `edit-dpi ${how}` }, [
    make("strong", word("edit-dpi", told)),
    " ",
    word(how),
  ]);
}

/** Return a picture's field: what is chosen, its crop, and how sharp it will be. */
export function pictureField(spec, value, given, state) {
  const [, ...where] = given["data-path"].split(":");
  const own = where.length === 1; // fields of the card itself can be cropped
  const picture = state.choices.pictures.find(({ name }) => name === value);
  const box = own ? state.boxes.find(({ field }) => field === spec.name) : null;
  const cropped = ["focus", "zoom"].map((name) => state.fields.get(`${spec.name}-${name}`));
  const crops = own && box && picture && cropped[0];
  const locked = crops ? cropped.filter((one) => one?.lock) : [];
  const path = { "data-path": given["data-path"] };
  const measured = crops && state.natural[picture.hash];
  const thumb = picture && { src: pictureSource(picture), alt: "", "data-hash": picture.hash };
  const none = spec.default ? word("edit-default", spec.default) : word("edit-no-picture");
  return make("div.edit-picture", path, [
    measured ? frame(spec.name, picture, box, state) : picture && make("img.edit-thumb", thumb),
    make("div.edit-picture-side", [
      make("p.edit-picture-name", value || make("span.soft", none)),
      value &&
        !picture &&
        state.choices.pictures.length &&
        make("p.edit-finding.warning", word("edit-picture-gone")),
      box && picture && dots(box.dpi, picture.drawing),
      !(state.readOnly || value) && make("p.soft", word("edit-drop-here")),
      !state.readOnly &&
        make("p.edit-row", [
          make("button", { id: given.id, "data-act": "picture", ...path }, [
            word(value ? "edit-other-picture" : "edit-choose-picture"),
          ]),
          value &&
            !spec.needed &&
            make("button.quiet", { "data-act": "put", "data-put": "", ...path }, [
              word("edit-no-picture"),
            ]),
        ]),
      measured && !state.readOnly && zoom(spec.name, state),
      locked.length &&
        make("p.soft", [
          locked[0].lock === "column"
            ? word("edit-lock-crop", locked.map(({ name }) => name).join(", "))
            : word(`edit-lock-${locked[0].lock}`),
        ]),
    ]),
  ]);
}

function frame(name, picture, box, state) {
  const crop = cropOf(state.values, name);
  const at = coverBox(crop, state.natural[picture.hash], box);
  const locked = Boolean(state.fields.get(`${name}-focus`).lock);
  const image = make("img", {
    src: pictureSource(picture),
    alt: "",
    draggable: false,
    "data-hash": picture.hash,
  });
  for (const side of ["left", "top", "width", "height"])
    image.style.setProperty(side, `${at[side] * 100}%`);
  const node = make(
    "div.edit-frame",
    {
      role: "group",
      tabIndex: 0,
      "data-crop": name,
      "aria-disabled": locked,
      "aria-label": word("edit-frame"),
      title: locked ? "" : word("edit-frame-how"),
    },
    [image, make("span.edit-cross", { "aria-hidden": "true" })],
  );
  node.style.setProperty("aspect-ratio", `${box.width} / ${box.height}`);
  return node;
}

function zoom(name, state) {
  const crop = cropOf(state.values, name);
  const cropped = crop.zoom !== 1 || crop.x !== 0.5 || crop.y !== 0.5;
  const disabled = Boolean(state.fields.get(`${name}-zoom`)?.lock);
  const still = disabled && state.fields.get(`${name}-focus`).lock;
  return make("div.edit-zoom", [
    make("label", [
      make("span", word("edit-zoom")),
      make("input", {
        type: "range",
        min: 0,
        max: 100,
        step: 1,
        disabled,
        value: Math.round((Math.log(crop.zoom) / Math.log(8)) * 100),
        "data-zoom": name,
        "aria-valuetext": `${round(crop.zoom, 2)}×`,
      }),
    ]),
    !still && make("p.soft", word("edit-frame-how")),
    cropped &&
      !still &&
      make("button.quiet", { "data-act": "uncrop", "data-crop": name }, word("edit-uncrop")),
  ]);
}

export const zoomAt = (place) => 8 ** (place / 100);

/**
 * Crop by pointers, wheel and keys in frames below a root.
 *
 * @param root where they are listened for.
 * @param now gives `{crop, picture, box}` of a field.
 * @param change takes a field and its new crop; `done` says that a movement has ended.
 */
export function wireCropping(root, now, change, done) {
  const pointers = new Map();
  let field = null;
  const of = (event) => event.target.closest?.(".edit-frame:not(fieldset:disabled *)");
  const spread = () => {
    const [one, other] = [...pointers.values()];
    return Math.hypot(one.x - other.x, one.y - other.y);
  };
  root.addEventListener("pointerdown", (event) => {
    const node = of(event);
    if (!node || event.button || node.ariaDisabled === "true") return;
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
    let next = moveCrop(
      crop,
      picture,
      box,
      (here.x - last.x) / width / pointers.size,
      (here.y - last.y) / height / pointers.size,
    );
    if (before) next = zoomCrop(next, spread() / before);
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
      // Where it has no focus, the page scrolls.
      if (!node || document.activeElement !== node) return;
      event.preventDefault();
      change(node.dataset.crop, zoomCrop(now(node.dataset.crop).crop, 1.0015 ** -event.deltaY));
    },
    { passive: false },
  );
  root.addEventListener("keydown", (event) => {
    const node = of(event);
    if (!node || event.ctrlKey || event.metaKey || event.altKey) return;
    const by = event.shiftKey ? 0.1 : 0.02;
    const way = { ArrowLeft: [-by, 0], ArrowRight: [by, 0], ArrowUp: [0, -by], ArrowDown: [0, by] }[
      event.key
    ];
    const { crop, picture, box } = now(node.dataset.crop);
    if (way) change(node.dataset.crop, moveCrop(crop, picture, box, ...way));
    else if (event.key === "+" || event.key === "=")
      change(node.dataset.crop, zoomCrop(crop, 1.05));
    else if (event.key === "-") change(node.dataset.crop, zoomCrop(crop, 1 / 1.05));
    else return;
    event.preventDefault();
  });
}

// The pictures of the game: one is chosen, or comes by file, drop or paste.

const LARGEST = 20_000_000; // bytes, as the server has it
const TAKEN = ".png,.jpg,.jpeg,.webp,.gif,.tif,.tiff,.bmp,.svg";
const UNNAMED = /^image\.\w+$/i; // what browsers call a picture that is pasted

function grid(pictures, text, now) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const found = pictures.filter(({ name }) =>
    words.every((each) => name.toLowerCase().includes(each)),
  );
  return found.map((one) =>
    make(
      "button.edit-tile",
      { "data-put": one.name, "aria-pressed": one.name === now, title: one.name },
      [
        make("img", { src: pictureSource(one), alt: "", loading: "lazy", decoding: "async" }),
        make("span", one.name.split("/").at(-1)),
        make("span.soft", one.drawing ? word("edit-vector") : `${one.width} × ${one.height}`),
      ],
    ),
  );
}

export function chooser(editor, step, path) {
  const now = step.specOf(path).value;
  const all = editor.choices.pictures;
  const tiles = make("div.edit-tiles");
  const count = make("p.soft", { role: "status" });
  const fill = (text) => {
    const found = grid(all, text, now);
    tiles.replaceChildren(...found);
    count.textContent = all.length
      ? counted("edit-picture-found", "edit-pictures-found", found.length)
      : word("edit-no-pictures");
  };
  const search = searchField(word("edit-find-picture"), {});
  const file = make("input", { type: "file", accept: TAKEN, hidden: true });
  const pick = make("button.main", word("edit-from-computer"));
  search.addEventListener("input", () => fill(search.value));
  pick.addEventListener("click", () => ((file.value = ""), file.click()));
  const node = dialog(
    editor,
    word("edit-choose-picture"),
    make("div.edit-row", search, pick, file, make("button", { "data-close": "" }, word("close"))),
    make("p.soft", word("edit-drop-how")),
    count,
    tiles,
  );
  node.classList.add("wide");
  node.dataset.path = path;
  fill("");
  file.addEventListener("change", () =>
    editor.studio.attempt(() => addPicture(editor, step, path, file.files[0])),
  );
  tiles.addEventListener("click", (event) => {
    const tile = event.target.closest("[data-put]");
    if (!tile) return;
    node.close();
    step.picture(path, tile.dataset.put);
  });
}

/** Put a file into the game's pictures, and take it for the field of a path. */
async function addPicture(editor, step, path, file) {
  const { studio, draft } = editor;
  if (!file) return;
  const refused = (text) => {
    editor.dialogs.querySelector("dialog")?.close();
    editor.notice = { kind: "wrong", text };
    editor.draw();
    editor.body.querySelector(".edit-notice")?.scrollIntoView({ block: "nearest" });
  };
  if (file.size > LARGEST)
    return refused(word("edit-too-large", file.name, Math.ceil(file.size / 1e6), LARGEST / 1e6));
  editor.notice = { kind: "", text: word("edit-bringing", file.name) };
  editor.draw();
  try {
    const name = UNNAMED.test(file.name) ? editor.title || file.name : file.name;
    const { name: kept, findings } = await studio.post("/api/edit/picture", {
      name,
      content: await encodeFile(file),
    });
    const all = await choices(editor.thing?.faction);
    if (editor.draft !== draft) return;
    editor.choices = { ...editor.choices, ...all };
    editor.notice = findings.length
      ? { kind: "", text: word("edit-brought", kept), findings }
      : null;
    editor.dialogs.querySelector("dialog")?.close();
    step.picture(path, kept);
    studio.announce(word("edit-brought", kept));
  } catch (error) {
    if (!(error instanceof Refused) || error.status >= 500) {
      editor.notice = null;
      editor.draw();
      throw error;
    }
    refused(sentence(error.answer));
  }
}

/** Return the field that takes a picture: the one below the pointer, or the form's first. */
function fieldFor(editor, target) {
  const below = target?.closest?.(".edit-picture, dialog[data-path]")?.dataset.path;
  const first = ["image", "drawing"]
    .map((kind) => editor.draft?.form.fields.find(({ type, shown }) => type === kind && !shown))
    .find(Boolean);
  return below ?? (first && `f:${first.name}`);
}

const holdsFile = (transfer) => [...(transfer?.types ?? [])].includes("Files");

/** Take files that are dropped on a form or pasted into it. */
export function listenForFiles(root, editor, step) {
  const wanted = (event) =>
    editor.draft?.form.editable &&
    !root.hidden &&
    holdsFile(event.dataTransfer ?? event.clipboardData) &&
    fieldFor(editor, event.target);
  const over = (event) => {
    const path = wanted(event);
    for (const node of root.querySelectorAll(".edit-picture.over"))
      if (node.dataset.path !== path) node.classList.remove("over");
    if (!path) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = "copy";
    root.querySelector(`.edit-picture[data-path="${CSS.escape(path)}"]`)?.classList.add("over");
  };
  const leave = () =>
    root.querySelectorAll(".edit-picture.over").forEach((node) => node.classList.remove("over"));
  const take = (event, transfer) => {
    const path = wanted(event);
    leave();
    if (!path) return;
    event.preventDefault();
    const [file] = transfer.files;
    editor.studio.attempt(() => addPicture(editor, step, path, file));
  };
  root.addEventListener("dragenter", over);
  root.addEventListener("dragover", over);
  root.addEventListener("dragleave", (event) => root.contains(event.relatedTarget) || leave());
  root.addEventListener("drop", (event) => take(event, event.dataTransfer));
  document.addEventListener("paste", (event) => take(event, event.clipboardData));
}
