/** The dialog in which a printer is calibrated: what was measured, and what is done with it. */

import { blank, dialog, margins, onwards, read } from "./print-steps.js";
import { morph } from "./morph.js";
import { make, word } from "./words.js";

/**
 * Return what opens the dialog: `open()`, and `first(thing, print)`, which asks before the first print.
 *
 * @param root the view's element.
 * @param state what the view knows.
 * @param act what the view can do: `draw()`, `begin(thing, choice)`, `changed()`, `saved(name, printers)`, and `kept`, where the browser keeps things.
 */
export function calibrating(root, studio, state, act) {
  const name = `${act.kept}:calibration`;
  const asked = `${act.kept}:asked`;
  let now = { ...blank(), ...JSON.parse(localStorage.getItem(name) ?? "{}"), wrong: null };
  let without = null; // what is printed if one does not want to calibrate
  const node = make("dialog", {
    className: "print-c",
    id: "print-c",
    "aria-labelledby": "print-c-heading",
  });
  root.append(node);

  function draw() {
    if (node.open) morph(node, dialog(now, state, studio));
  }

  function set(changes) {
    Object.assign(now, changes);
    localStorage.setItem(name, JSON.stringify(now));
    draw();
  }

  function open(step = now.step === "ask" ? "print" : now.step) {
    Object.assign(now, {
      step,
      wrong: null,
      name: now.name || state.printer()?.name || word("print-c-name-usual"),
    });
    node.showModal();
    draw();
  }

  function go(by) {
    set({ step: onwards(now, by), wrong: null });
    node.scrollTo(0, 0);
    node.querySelector("#print-c-step").focus();
  }

  async function sheet() {
    const thing = state.thingOf("calibration");
    const options = Object.fromEntries(
      ["paper", "flip"]
        .filter((one) => thing.options.some((option) => option.name === one))
        .map((one) => [one, now[one]]),
    );
    const job = await act.begin(thing, { thing: thing.id, of: [], options });
    if (job) set({ job: job.id });
  }

  async function save() {
    const found = read(now.spots);
    if (studio.readOnly) {
      (state.bags.print ??= {}).back_offset = found.offset;
      finish(word("print-c-used"));
      return act.changed(0);
    }
    const white = margins(now.margins);
    const told = {
      name: now.name,
      flip: now.flip,
      ...(found ? { offset: found.offset } : {}),
      ...(white ? { margins: white } : {}),
    };
    try {
      const { printers } = await studio.post("/api/print/printers", told);
      finish(word("print-c-saved", told.name));
      await act.saved(told.name, printers);
    } catch (error) {
      if (error.status < 500) set({ wrong: error.message });
      else studio.failed(error, save);
    }
  }

  function finish(said) {
    localStorage.removeItem(name);
    now = blank();
    node.close();
    studio.announce(said);
    act.draw();
  }

  const acts = {
    "c-close": () => node.close(),
    "c-begin": () => ((without = null), go(1)),
    "c-without": () => (node.close(), without?.()),
    "c-next": () => go(1),
    "c-back": () => go(-1),
    "c-sheet": sheet,
    "c-save": save,
  };

  node.addEventListener("click", ({ target }) =>
    acts[target.closest("[data-act]")?.dataset.act]?.(),
  );
  node.addEventListener("focusin", ({ target }) => {
    const [, kind, index] = target.dataset.c?.match(/^(spot|margin)-(\d)/) ?? [];
    const looked = kind === "margin" ? "edge" : kind;
    if (kind && Number(index) !== now[looked]) set({ [looked]: Number(index) });
  });
  node.addEventListener("input", ({ target }) => {
    const [kind, index, at] = (target.dataset.c ?? "").split("-");
    if (!kind) return;
    if (kind === "margin") now.margins[index] = target.value;
    else if (kind === "spot") now.spots[index][at] = target.value;
    else now[kind] = target.value;
    set({ wrong: null });
  });

  return {
    draw,
    open: () => open(),
    first(thing, print) {
      const matters =
        thing.group === "print" && !state.can.printers.length && !localStorage.getItem(asked);
      if (!matters) return print();
      localStorage.setItem(asked, "1");
      without = print;
      return open("ask");
    },
  };
}
