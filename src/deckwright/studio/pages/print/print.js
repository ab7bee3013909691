/** The view Print: how it is drawn, and what its controls do. */

import { morph, readStored } from "../shared/page.js";
import { Refused } from "../shared/session.js";
import { counted, group, join, make, says, word } from "../shared/words.js";
import { calibrationDialog } from "./calibration.js";
import { choiceForm, choiceSummary, outputs, outputSize, outputSources } from "./choices.js";
import { findings, jobList, jobName, jobNews } from "./jobs.js";
import {
  addressOf,
  candidates,
  cannotBeLaid,
  documents,
  enteredValue,
  extent,
  newState,
  number,
  PAIRS_AT_ONCE,
  sameValue,
  spreads,
  summary,
  takeAddress,
} from "./state.js";

const ZOOMS = ["all", "page", "width", "life"];
const SMALL = 150; // px that a page is wide at most in the overview

/** Return the option that prints decks in spite of their limits, if it can be chosen. */
const limitsOption = (state) =>
  state
    .current()
    .options.find(({ name }) => name === "ignore_limits" && !state.bag(state.current())[name]);

/**
 * Make the frame of the view; return what draws its parts, and its `form` and `desk`.
 *
 * @param root the view's element.
 * @param state what the view knows; nothing is drawn before it is `shown`.
 */
function printView(root, studio, state) {
  const bar = studio.bar("print");
  const folded = { "data-act": "fold", "aria-controls": "print-form", "aria-expanded": false };
  const fold = make("button.print-fold", folded);
  const form = make("form.print-form", { id: "print-form", autocomplete: "off" });
  const [foot, head] = [make("div.print-foot"), make("div.print-head")];
  const desk = make("div.print-desk", {
    tabIndex: 0,
    role: "region",
    "aria-label": word("print-sheets"),
  });
  const stage = make("div.print-stage", head, desk);
  root.append(
    make("section.print-pane", { "aria-label": word("print-choose") }, fold, form, foot),
    stage,
  );
  const pressed = (act, value, now, text, title = "") =>
    make("button", { "data-act": act, "data-value": value, "aria-pressed": now, title }, text);

  const leafButton = (by, text, said, disabled) =>
    make("button.quiet", { "data-act": "leaf", "data-by": by, "aria-label": said, disabled }, text);

  function drawBar() {
    const pair = (act, now, all, said) =>
      group(
        "div.pair",
        word(`print-${act}${act === "tab" ? "s" : ""}`),
        all.map((one) => pressed(act, one, one === now, word(said(one)))),
      );
    const toggle = (name) =>
      pressed("look", name, state.look[name], word(`print-${name}`), word(`print-${name}-how`));
    const pages = state.pairs.length;
    const parts = [pair("tab", state.tab, ["paper", "files"], (tab) => `print-${tab}-tab`)];
    if (state.tab === "paper")
      parts.push(
        pair("zoom", state.look.zoom, ZOOMS, (zoom) => `print-zoom-${zoom}`),
        state.pairs.some(({ back }) => back) && toggle("light"),
        toggle("cuts"),
        pages > 1 &&
          make("div.print-leaf", [
            leafButton(-1, "‹", word("print-before"), state.at === 0),
            make("span", { id: "print-at" }, `${number(state.at + 1)} / ${number(pages)}`),
            leafButton(1, "›", word("print-next"), state.at === pages - 1),
          ]),
      );
    morph(bar, make("div.print-bar", parts));
  }

  function drawForm() {
    fold.ariaExpanded = String(state.unfolded);
    fold.textContent = join(
      ": ",
      word("print-choose"),
      state.tab === "paper" && choiceSummary(state),
    );
    morph(form, state.tab === "paper" ? choiceForm(state) : outputSources(state));
  }

  function drawFoot() {
    const thing = state.current();
    morph(foot, [
      state.jobs.size && jobList(state, studio),
      state.tab === "paper" &&
        make(
          "button.main",
          {
            id: "print-make",
            "data-act": "make",
            "data-thing": thing.id,
            disabled: !state.complete(thing) || cannotBeLaid(state.wrong),
          },
          [outputSize(state.wrong || state.preview?.thing !== thing.id ? null : state.preview)],
        ),
      make("p.print-hint", [
        state.can.goes === "temporary"
          ? word("print-where-temporary")
          : word("print-where", `${state.can.goes}/`),
      ]),
    ]);
  }

  /** Whether what lies there is something else than what is chosen. */
  const other = () => Boolean(state.preview) && state.preview.thing !== state.thing;

  function drawHead() {
    const { preview, wrong } = state;
    stage.ariaBusy = String(state.busy);
    desk.classList.toggle("old", Boolean(wrong) || other());
    if (state.tab === "files") return morph(head, []);
    const told = wrong?.answer?.findings ?? [];
    const notes = (!wrong && preview?.findings) || [];
    morph(head, [
      make("p.print-sum", { role: "status" }, [
        !wrong && (!preview || other()) && (state.busy || !state.can)
          ? word("print-laying")
          : preview && !wrong && !other()
            ? summary(preview)
            : "",
      ]),
      wrong &&
        make("section.note.broken", { role: "alert" }, [
          make("p.head", word("print-broken")),
          told.length ? findings(told, studio) : make("p", says(wrong.answer)),
          told.length &&
            told.every(({ code }) => code[0] === "D") &&
            limitsOption(state) &&
            make("button", { "data-act": "ignore-limits" }, word("print-option-ignore_limits")),
          preview && make("p", word("print-last-good")),
        ]),
      notes.length &&
        make("details.note", { id: "print-notes" }, [
          make("summary", counted("print-notes-one", "print-notes", notes.length)),
          findings(notes, studio),
        ]),
    ]);
  }

  function drawDesk() {
    desk.ariaLabel = word(state.tab === "files" ? "print-files-tab" : "print-sheets");
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
    const tall = Math.min(desk.clientHeight, innerHeight) - most.down * 26 - 34;
    const high = Math.max(280, tall + room(["paddingTop", "paddingBottom"]));
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
    if (at === state.at) return;
    state.at = at;
    drawBar();
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

const NEWS = ["wall", "files", "print"]; // after which the sheets may be others
const PATIENCE = 150; // ms after which what was entered is laid out

export function start(root, studio) {
  const kept = `deckwright:${document.documentElement.dataset.game}:print`;
  const state = newState(readStored(`${kept}:look`, {}));
  let stale = true;
  let asking = null;
  let timer = 0;

  const view = printView(root, studio, state);
  const { form, desk } = view;
  const printer = calibrationDialog(root, studio, state, { draw, begin, changed, kept, saved });

  function draw() {
    view.draw();
    printer.draw();
  }

  function drawJobs() {
    view.drawJobs();
    printer.draw();
  }

  // What is asked for.

  async function ask() {
    const [can, { jobs }] = await Promise.all([
      studio.ask("/api/print"),
      studio.ask("/api/print/jobs"),
    ]);
    state.can = can;
    state.jobs = new Map(jobs.map((job) => [job.id, job]));
    if (!state.thingOf(state.thing) || state.current().group !== "print")
      state.thing = can.things.find(({ group }) => group === "print").id;
    if (!state.of.decks && can.decks.length) state.of.decks = [can.decks[0].id];
  }

  /** Ask what there is to print, and lay it out; a game that cannot be read is a refusal, too. */
  async function renew() {
    try {
      await ask();
    } catch (error) {
      if (!(error instanceof Refused)) return studio.failed(error, renew);
      state.wrong = error;
      return draw();
    }
    return lay();
  }

  /** Lay out what is chosen; what lay there stays until then, and if it cannot be. */
  async function lay() {
    clearTimeout(timer);
    asking?.abort();
    const thing = state.current();
    if (state.tab !== "paper" || !thing.preview || !state.complete(thing)) {
      state.busy = false;
      return draw();
    }
    const mine = (asking = new AbortController());
    state.busy = true;
    stale = false;
    view.drawHead();
    try {
      const preview = await studio.post("/api/print/preview", state.wanted(thing), mine.signal);
      if (
        !sameValue(
          preview.documents.map(({ file }) => file),
          state.preview?.documents.map(({ file }) => file),
        )
      ) {
        state.most = PAIRS_AT_ONCE;
        desk.scrollTo(0, 0);
      }
      state.preview = { ...preview, thing: thing.id, mended: Boolean(desk.querySelector(".lost")) };
      state.pairs = spreads(state.preview);
      state.wrong = null;
      state.changes = [];
      if (root.querySelector("#print-differences[open]")) studio.attempt(differences);
    } catch (error) {
      if (mine.signal.aborted) return;
      if (!(error instanceof Refused)) {
        stale = true;
        studio.failed(error, lay);
      } else state.wrong = error;
    }
    state.busy = false;
    draw();
    for (const picture of desk.querySelectorAll(".lost .print-ink"))
      picture.src = picture.getAttribute("src");
  }

  /** A picture that the server does not know any more is laid out once more, and once only. */
  function lost(paper) {
    paper.classList.add("lost");
    if (state.preview.mended || state.busy || state.wrong) return;
    state.preview.mended = true;
    later();
  }

  function later(call = lay, wait = PATIENCE) {
    clearTimeout(timer);
    if (state.shown) timer = setTimeout(call, wait);
    else stale = true;
  }

  function changed(wait) {
    studio.keep();
    draw();
    later(lay, wait);
  }

  async function differences() {
    const decks = Object.entries(state.preview?.changed ?? {}).filter(([, last]) => last);
    const all = await Promise.all(
      decks.map(async ([id]) => ({
        name: state.can.decks.find((deck) => deck.id === id)?.name ?? id,
        ...(await studio.ask(`/api/print/changes?deck=${encodeURIComponent(id)}`)),
      })),
    );
    state.changes = all;
    view.drawForm();
  }

  async function begin(thing, choice = state.wanted(thing)) {
    try {
      const job = await studio.post("/api/print/jobs", choice);
      hearJob(job);
      return job;
    } catch (error) {
      if (error instanceof Refused)
        [state.wrong, state.tab] = [error, thing.group === "print" ? "paper" : state.tab];
      studio.failed(error, () => begin(thing, choice));
      draw();
      return null;
    }
  }

  function hearJob(job) {
    const before = state.jobs.get(job.id);
    if (!before) state.jobs = new Map([[job.id, job], ...state.jobs]);
    else state.jobs.set(job.id, job);
    if (state.can && before?.state !== job.state) {
      const said = !before
        ? word("print-job-started", jobName(job, state.can))
        : jobNews(job, state.can);
      if (said) studio.announce(said);
    }
    drawJobs();
  }

  async function saved(name, printers) {
    state.can.printers = printers;
    state.bags.print = { ...state.bags.print, printer: name };
    await ask();
    changed(0);
  }

  // What is done.

  const acts = {
    tab: ({ value }) => ((state.tab = value), changed(0)),
    zoom: ({ value }) => look({ zoom: value }),
    look: ({ value }) => look({ [value]: !state.look[value] }),
    leaf: ({ by }) => view.leaf(state.at + Number(by)),
    open: ({ key }) => studio.openCard(key),
    make({ thing }) {
      const made = () => begin(state.thingOf(thing));
      const backs = state.pairs.some(({ back }) => back); // without, nothing must be calibrated
      return backs ? printer.first(state.thingOf(thing), made) : made();
    },
    calibrate: () => printer.open(),
    fold: () => ((state.unfolded = !state.unfolded), view.drawForm()),
    differences,
    "of-every": ({ of }) => (
      (state.of[of] = candidates(state.can, of).map(({ id }) => id)),
      changed()
    ),
    "of-none": ({ of }) => ((state.of[of] = []), changed()),
    "more-pages": () => ((state.most += PAIRS_AT_ONCE), view.drawDesk()),
    "job-cancel": async ({ job }) =>
      hearJob(await studio.post(`/api/print/jobs/${encodeURIComponent(job)}/cancel`, {})),
    "job-forget": async ({ job }) => {
      await studio.post(`/api/print/jobs/${encodeURIComponent(job)}/forget`, {});
      state.jobs.delete(job);
      drawJobs();
      root.querySelector("#print-make")?.focus();
    },
    "ignore-limits": () => ((state.bag(state.current()).ignore_limits = true), changed(0)),
    "new-deck": () => studio.go("decks", { new: "1" }),
    "job-files": ({ job }) => (state.allFiles.add(job), drawJobs()),
  };

  function look(changes) {
    Object.assign(state.look, changes);
    localStorage.setItem(`${kept}:look`, JSON.stringify(state.look));
    const at = state.at;
    draw();
    view.leaf(at, "instant");
  }

  function enter({ target }) {
    const { act, option: name, bag, of } = target.dataset;
    if (act === "thing") [state.thing, state.wrong] = [target.value, null];
    else if (act === "of")
      state.of[of] = target.checked
        ? [...(state.of[of] ?? []), target.value]
        : state.of[of].filter((id) => id !== target.value);
    else if (act === "of-all") state.of[of] = [];
    else if (act === "backs") {
      const own = state.bag(state.current());
      delete own.backs;
      delete own.backs_apart;
      if (target.value) own.backs = target.value !== "no";
      if (target.value === "apart") own.backs_apart = true;
    } else if (name) {
      const thing = bag === "print" ? state.current() : state.thingOf(bag);
      const option = thing.options.find((one) => one.name === name);
      const value = enteredValue(option, target);
      if (value === undefined) return;
      if (sameValue(value, option.default)) delete state.bag(thing)[name];
      else state.bag(thing)[name] = value;
    } else return;
    changed();
  }

  function click(event) {
    const place = event.target.closest("button.place");
    if (place)
      navigator.clipboard.writeText(place.textContent).then(() => studio.announce(word("copied")));
    const node = event.target.closest("button[data-act], details[data-act] > summary");
    const named = node?.dataset.act ?? node?.parentElement.dataset.act;
    if (!(named in acts)) return;
    const given = { ...node.dataset };
    studio.attempt(() => acts[named](given));
  }

  root.addEventListener("click", click);
  studio.bar("print").addEventListener("click", click);
  form.addEventListener("change", enter);
  desk.addEventListener("change", enter);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", ({ target }) => {
    if (target.dataset.act !== "find") return;
    state.find = target.value;
    view.drawForm();
  });
  desk.addEventListener("focusin", ({ target }) => {
    if (!target.matches(".print-slot")) return;
    desk.querySelector('.print-slot[tabindex="0"]')?.setAttribute("tabindex", "-1");
    target.tabIndex = 0;
    state.tabbed = target.id;
  });
  desk.addEventListener(
    "error",
    ({ target }) => target.matches(".print-ink") && lost(target.closest(".print-paper")),
    true,
  );
  desk.addEventListener(
    "load",
    ({ target }) => target.closest(".print-paper")?.classList.remove("lost"),
    true,
  );

  return {
    async show(params) {
      const former = String(addressOf(state));
      state.shown = true;
      takeAddress(state, params);
      draw();
      if (stale || !state.preview || String(addressOf(state)) !== former) await renew();
    },
    hide: () => (state.shown = false),
    params: () => addressOf(state),
    press: view.press,
    place: (key) => desk.querySelector(`.print-slot[data-key="${CSS.escape(key)}"]`),
    hear(event) {
      if (event.kind === "job") {
        if (event.job) hearJob(event.job);
        else if (state.jobs.delete(event.gone)) drawJobs();
      } else if (NEWS.includes(event.kind)) {
        stale = true;
        later(renew);
      } else if (event.kind === "settings") draw();
    },
  };
}
