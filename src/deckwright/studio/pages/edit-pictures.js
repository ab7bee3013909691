/** The pictures of the game: one is chosen from a grid, or a new one is put into it, by file, drop or paste. */

import { dialog } from "./edit-dialog.js";
import { choices } from "./edit-faces.js";
import { source } from "./edit-picture.js";
import { Refused } from "./session.js";
import { counted, make, sentence, word } from "./words.js";

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
      "button",
      {
        type: "button",
        className: "edit-tile",
        "data-put": one.name,
        "aria-pressed": String(one.name === now),
        title: one.name,
      },
      make("img", { src: source(one), alt: "", loading: "lazy", decoding: "async" }),
      make("span", {}, one.name.split("/").at(-1)),
      make(
        "span",
        { className: "soft" },
        one.drawing ? word("edit-vector") : `${one.width} × ${one.height}`,
      ),
    ),
  );
}

/** Let a picture be chosen for the field of a path. */
export function chooser(editor, step, path) {
  const now = step.specOf(path).value;
  const all = editor.choices.pictures;
  const tiles = make("div", { className: "edit-tiles" });
  const count = make("p", { className: "soft", role: "status" });
  const fill = (text) => {
    const found = grid(all, text, now);
    tiles.replaceChildren(...found);
    count.textContent = all.length
      ? counted("edit-picture-found", "edit-pictures-found", found.length)
      : word("edit-no-pictures");
  };
  const search = make("input", {
    type: "search",
    placeholder: word("edit-find-picture"),
    "aria-label": word("edit-find-picture"),
    autocomplete: "off",
  });
  const file = make("input", { type: "file", accept: TAKEN, hidden: true });
  const pick = make("button", { type: "button", className: "main" }, word("edit-from-computer"));
  search.addEventListener("input", () => fill(search.value));
  pick.addEventListener("click", () => file.click());
  const node = dialog(
    editor,
    word("edit-choose-picture"),
    make(
      "div",
      { className: "edit-row" },
      search,
      pick,
      file,
      make("button", { type: "button", "data-close": "" }, word("close")),
    ),
    make("p", { className: "soft" }, word("edit-drop-how")),
    count,
    tiles,
  );
  node.classList.add("wide");
  node.dataset.path = path;
  fill("");
  file.addEventListener("change", () =>
    editor.studio.attempt(() => bring(editor, step, path, file.files[0])),
  );
  tiles.addEventListener("click", (event) => {
    const tile = event.target.closest("[data-put]");
    if (!tile) return;
    node.close();
    step.picture(path, tile.dataset.put);
  });
}

/** Return the bytes of a file in base64. */
const encoded = (file) =>
  new Promise((done, fail) => {
    const reader = new FileReader();
    reader.addEventListener("load", () =>
      done(reader.result.slice(reader.result.indexOf(",") + 1)),
    );
    reader.addEventListener("error", () => fail(reader.error));
    reader.readAsDataURL(file);
  });

/** Put a file into the game's pictures, and take it for the field of a path. */
async function bring(editor, step, path, file) {
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
      content: await encoded(file),
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

/** Return the field of a picture that something is meant for: the one below it, or the form's first. */
function meant(editor, target) {
  const below = target?.closest?.(".edit-picture, dialog[data-path]")?.dataset.path;
  const first = editor.draft?.form.fields.find(({ type, shown }) => type === "image" && !shown);
  return below ?? (first && `f:${first.name}`);
}

const holdsFile = (transfer) => [...(transfer?.types ?? [])].includes("Files");

/** Take files that are dropped on a form or pasted into it. */
export function listenForFiles(root, editor, step) {
  const wanted = (event) =>
    editor.draft?.form.editable &&
    !root.hidden &&
    holdsFile(event.dataTransfer ?? event.clipboardData) &&
    meant(editor, event.target);
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
    editor.studio.attempt(() => bring(editor, step, path, file));
  };
  root.addEventListener("dragenter", over);
  root.addEventListener("dragover", over);
  root.addEventListener("dragleave", (event) => root.contains(event.relatedTarget) || leave());
  root.addEventListener("drop", (event) => take(event, event.dataTransfer));
  document.addEventListener("paste", (event) => take(event, event.clipboardData));
}
