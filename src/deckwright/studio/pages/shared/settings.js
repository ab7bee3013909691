/** What a person has set for all games: how the page looks, and how large a millimetre is. */

import { $, word } from "./words.js";

const NAME = "deckwright:settings";

/** Return what the browser keeps under a name. */
export function readStored(name, otherwise) {
  try {
    return JSON.parse(localStorage.getItem(name)) ?? otherwise;
  } catch {
    return otherwise;
  }
}

export const settings = {
  size: 55,
  theme: "auto",
  editor: "vscode",
  pattern: "",
  calibration: 100,
  life: false,
  guides: false,
  view: "normal",
  ...readStored(NAME, {}),
};

/** Change settings, and keep them. */
export function set(changes) {
  Object.assign(settings, changes);
  localStorage.setItem(NAME, JSON.stringify(settings));
  dress();
}

/**
 * Let the page look as the settings say. Styles are set by script, as the page's policy wants it.
 */
export function dress() {
  const root = document.documentElement;
  if (settings.theme === "auto") delete root.dataset.theme;
  else root.dataset.theme = settings.theme;
  root.dataset.seen = settings.view;
  root.style.setProperty("--mm", `${(96 / 25.4) * (settings.calibration / 100)}px`);
  root.style.setProperty("--scale", String(settings.size / 100));
  for (const name of ["theme", "editor", "calibration", "pattern"])
    if ($(name).value !== String(settings[name])) $(name).value = settings[name];
  $("pattern-line").hidden = settings.editor !== "own";
}

/** Let the frame be dragged by its corner until it is as large as a card. Keys have the slider. */
function wireFrame() {
  const { min, max } = $("calibration");
  $("calibration-corner").addEventListener("pointerdown", (down) => {
    const corner = down.currentTarget;
    const frame = $("calibration-card").getBoundingClientRect();
    const [dx, dy] = [frame.right - down.clientX, frame.bottom - down.clientY];
    const drag = ({ clientX, clientY }) => {
      const grown = Math.max(
        (clientX + dx - frame.left) / frame.width,
        (clientY + dy - frame.top) / frame.height,
      );
      const percent = Math.min(max, Math.max(min, begun * grown));
      set({ calibration: Math.round(percent * 10) / 10 });
    };
    const begun = settings.calibration;
    corner.setPointerCapture(down.pointerId);
    corner.addEventListener("pointermove", drag);
    corner.addEventListener(
      "lostpointercapture",
      () => corner.removeEventListener("pointermove", drag),
      { once: true },
    );
  });
}

/** Let the dialog change the settings; `changed` is called where something must be drawn anew. */
export function wireSettings(face, changed) {
  dress();
  $("settings-open").addEventListener("click", () => {
    const { width, height } = face() ?? { width: 63, height: 88 };
    $("calibration-card").style.setProperty("--w", width);
    $("calibration-card").style.setProperty("--h", height);
    $("calibration-size").textContent = word("calibrate-size", width, height);
    $("settings").showModal();
  });
  $("calibration").addEventListener("input", () =>
    set({ calibration: Number($("calibration").value) }),
  );
  $("theme").addEventListener("change", () => set({ theme: $("theme").value }));
  $("pattern").addEventListener(
    "input",
    () => (set({ pattern: $("pattern").value.trim() }), changed()),
  );
  wireFrame();
  $("editor").addEventListener("change", () => (set({ editor: $("editor").value }), changed()));
  addEventListener("storage", ({ key }) => {
    if (key !== NAME) return;
    Object.assign(settings, readStored(NAME, {}));
    dress();
    changed();
  });
}
