/** Drawing the view Print: its frame is made once, and changed where it differs. */

import { morph } from "../shared/page.js";
import { counted, make, says, word } from "../shared/words.js";
import { choiceForm, choiceSummary, outputs, outputSize, outputSources } from "./choices.js";
import { documents, extent, summary } from "./desk.js";
import { findings, jobList } from "./jobs.js";
import { number } from "./words.js";

const ZOOMS = ["all", "page", "width", "life"];
const SMALL = 150; // px that a page is wide at most in the overview

/**
 * Make the frame of the view; return what draws its parts, and its `form` and `desk`.
 *
 * @param root the view's element.
 * @param state what the view knows; nothing is drawn before it is `shown`.
 */
export function printView(root, studio, state) {
  const bar = studio.bar("print");
  root.append(
    make(
      "section",
      { className: "print-pane", "aria-label": word("print-choose") },
      make("button", {
        type: "button",
        className: "print-fold",
        "data-act": "fold",
        "aria-expanded": "false",
        "aria-controls": "print-form",
      }),
      make("form", { className: "print-form", id: "print-form", autocomplete: "off" }),
      make("div", { className: "print-foot" }),
    ),
    make(
      "div",
      { className: "print-stage" },
      make("div", { className: "print-head" }),
      make("div", {
        className: "print-desk",
        tabIndex: 0,
        role: "region",
        "aria-label": word("print-sheets"),
      }),
    ),
  );
  const [fold, form, foot, head, desk] = [
    ".print-fold",
    ".print-form",
    ".print-foot",
    ".print-head",
    ".print-desk",
  ].map((one) => root.querySelector(one));
  const pressed = (act, value, now, text, title) =>
    make(
      "button",
      {
        type: "button",
        "data-act": act,
        "data-value": value,
        "aria-pressed": String(now),
        ...(title ? { title } : {}),
      },
      text,
    );

  function drawBar() {
    const tabs = make(
      "div",
      { className: "pair", role: "group", "aria-label": word("print-tabs") },
      ...["paper", "files"].map((tab) =>
        pressed("tab", tab, tab === state.tab, word(`print-${tab}-tab`)),
      ),
    );
    const pages = state.pairs.length;
    morph(
      bar,
      make(
        "div",
        { className: "print-bar" },
        tabs,
        ...(state.tab === "paper"
          ? [
              make(
                "div",
                { className: "pair", role: "group", "aria-label": word("print-zoom") },
                ...ZOOMS.map((zoom) =>
                  pressed("zoom", zoom, zoom === state.look.zoom, word(`print-zoom-${zoom}`)),
                ),
              ),
              state.pairs.some(({ back }) => back)
                ? pressed(
                    "look",
                    "light",
                    state.look.light,
                    word("print-light"),
                    word("print-light-how"),
                  )
                : null,
              pressed("look", "cuts", state.look.cuts, word("print-cuts"), word("print-cuts-how")),
              pages > 1
                ? make(
                    "div",
                    { className: "print-leaf" },
                    make(
                      "button",
                      {
                        type: "button",
                        className: "quiet",
                        "data-act": "leaf",
                        "data-by": -1,
                        "aria-label": word("print-before"),
                        disabled: state.at === 0,
                      },
                      "‹",
                    ),
                    make("span", { id: "print-at" }, `${number(state.at + 1)} / ${number(pages)}`),
                    make(
                      "button",
                      {
                        type: "button",
                        className: "quiet",
                        "data-act": "leaf",
                        "data-by": 1,
                        "aria-label": word("print-next"),
                        disabled: state.at === pages - 1,
                      },
                      "›",
                    ),
                  )
                : null,
            ]
          : []),
      ),
    );
  }

  function drawForm() {
    fold.setAttribute("aria-expanded", String(state.unfolded));
    fold.textContent =
      state.tab === "paper"
        ? `${word("print-choose")}: ${choiceSummary(state)}`
        : word("print-choose");
    morph(form, state.tab === "paper" ? choiceForm(state) : outputSources(state));
  }

  function drawFoot() {
    const thing = state.current();
    morph(
      foot,
      [
        state.jobs.size ? jobList(state, studio) : null,
        state.tab === "paper"
          ? make(
              "button",
              {
                type: "button",
                id: "print-make",
                className: "main",
                "data-act": "make",
                "data-thing": thing.id,
                disabled: !state.complete(thing),
              },
              outputSize(state.wrong || state.preview?.thing !== thing.id ? null : state.preview),
            )
          : null,
        make(
          "p",
          { className: "print-hint" },
          state.can.goes === "temporary"
            ? word("print-where-temporary")
            : word("print-where", `${state.can.goes}/`),
        ),
      ].filter(Boolean),
    );
  }

  /** Whether what lies there is something else than what is chosen. */
  const other = () => Boolean(state.preview) && state.preview.thing !== state.thing;

  function drawHead() {
    const { preview, wrong } = state;
    root.querySelector(".print-stage").setAttribute("aria-busy", String(state.busy));
    desk.classList.toggle("old", Boolean(wrong) || other());
    if (state.tab === "files") return morph(head, []);
    const told = wrong?.answer?.findings ?? [];
    const notes = (!wrong && preview?.findings) || [];
    morph(
      head,
      [
        make(
          "p",
          { className: "print-sum", role: "status" },
          !wrong && (!preview || other()) && (state.busy || !state.can)
            ? word("print-laying")
            : preview && !wrong && !other()
              ? summary(preview)
              : "",
        ),
        wrong
          ? make(
              "section",
              { className: "note broken", role: "alert" },
              make("p", { className: "head" }, word("print-broken")),
              told.length ? findings(told, studio) : make("p", {}, says(wrong.answer)),
              preview ? make("p", {}, word("print-last-good")) : null,
            )
          : null,
        notes.length
          ? make(
              "details",
              { className: "note", id: "print-notes" },
              make("summary", {}, counted("print-notes-one", "print-notes", notes.length)),
              findings(notes, studio),
            )
          : null,
      ].filter(Boolean),
    );
  }

  function drawDesk() {
    desk.setAttribute(
      "aria-label",
      word(state.tab === "files" ? "print-files-tab" : "print-sheets"),
    );
    desk.classList.toggle("outputs", state.tab === "files");
    if (state.tab === "files") return morph(desk, outputs(state));
    desk.className = `print-desk ${state.look.zoom}${state.wrong || other() ? " old" : ""}`;
    const slots = state.pairs
      .flatMap(({ front, back }) => [front, back])
      .find((one) => one?.page.slots.some(({ key }) => key));
    if (!desk.querySelector(`#${CSS.escape(state.tabbed || "none")}`) && slots)
      state.tabbed = `print-slot-${slots.id}-0`;
    size(); // before there are pages: those that are far away are not asked for
    morph(desk, state.preview ? documents(state) : []);
  }

  /** Let the pages be as large as the zoom says. */
  function size() {
    if (state.tab !== "paper" || !state.pairs.length) return;
    const { flip } = state.preview;
    const most = extent(state.pairs, flip, state.look.light);
    const style = getComputedStyle(desk);
    const room = (sides) => sides.reduce((sum, side) => sum - parseFloat(style[side]), 0);
    const wide =
      desk.clientWidth + room(["paddingLeft", "paddingRight"]) - (most.across - 1) * 14 - 2;
    const high = Math.max(
      280,
      Math.min(desk.clientHeight, innerHeight) +
        room(["paddingTop", "paddingBottom"]) -
        most.down * 26 -
        34,
    );
    const width = wide / most.width;
    const widest = Math.max(
      ...state.pairs.map(({ front }) => Math.max(front.page.width, front.page.height)),
    );
    const px = {
      all: Math.min(SMALL / Math.min(210, widest), width),
      page: Math.min(width, high / most.height),
      width,
      life: (96 / 25.4) * (studio.settings.calibration / 100),
    }[state.look.zoom];
    desk.style.setProperty("--px", `${px}px`);
  }

  function draw() {
    if (!state.shown) return;
    drawHead();
    if (!state.can) return;
    drawBar();
    drawForm();
    drawFoot();
    drawDesk();
  }

  function leaf(at, behavior = "smooth") {
    const all = desk.querySelectorAll(".print-spread");
    all[Math.max(0, Math.min(all.length - 1, at))]?.scrollIntoView({
      block: "start",
      inline: "nearest",
      behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "instant" : behavior,
    });
  }

  function where() {
    const top = desk.getBoundingClientRect().top;
    const middle = Math.max(top, 0) + Math.min(desk.clientHeight, innerHeight) / 3;
    const all = [...desk.querySelectorAll(".print-spread")];
    const at = Math.max(
      0,
      all.findIndex((one) => one.getBoundingClientRect().bottom > middle),
    );
    if (at !== state.at) {
      state.at = at;
      drawBar();
    }
  }

  function press(event) {
    const slot = event.target.closest?.(".print-slot");
    if (!slot || !desk.contains(slot)) return false;
    const all = [...desk.querySelectorAll(".print-slot")];
    const at = all.indexOf(slot);
    const beside = all.filter(
      (one) =>
        one.parentElement === slot.parentElement &&
        one.style.getPropertyValue("--y") === slot.style.getPropertyValue("--y"),
    ).length;
    const next = {
      ArrowRight: at + 1,
      ArrowLeft: at - 1,
      ArrowDown: at + beside,
      ArrowUp: at - beside,
      Home: 0,
      End: all.length - 1,
    }[event.key];
    if (next === undefined) return false;
    event.preventDefault();
    all[Math.max(0, Math.min(all.length - 1, next))].focus();
    return true;
  }

  /** Draw what is being made, and leave the sheets alone: it changes several times a second. */
  function drawJobs() {
    if (state.shown && state.can) drawFoot();
  }

  for (const place of [desk, document])
    place.addEventListener("scroll", () => state.shown && requestAnimationFrame(where), {
      passive: true,
    });
  new ResizeObserver(size).observe(desk);
  return { form, desk, draw, drawDesk, drawForm, drawHead, drawJobs, leaf, press };
}
