/** Templates by eye: the text of a template beside the faces that it draws, and elements dragged there. */

import { finding, layNodes, morph } from "../shared/page.js";
import { post, Refused, withKey } from "../shared/session.js";
import { make, makeOptions, makeSvg, sentence, word } from "../shared/words.js";
import { MarkupField } from "./markup.js";
import {
  cornersOf,
  drag,
  EDGES,
  inverted,
  isSquare,
  placed,
  resized,
  snapLines,
  STEP,
  STILL,
} from "./moving.js";
import { fetchPictures } from "./pictures.js";

const PAUSE = 800; // ms without typing after which a new step begins
const QUIET = 400; // ms without a change after which the other faces are composed
const APART = 30; // ms between questions: the server answers so many a second
const NEAR = 3; // px that a click may wander
const GRIDS = [0, 0.5, 1, 2, 5];
const HELD = [
  ["left", "top"],
  ["top"],
  ["right", "top"],
  ["right"],
  ["right", "bottom"],
  ["bottom"],
  ["left", "bottom"],
  ["left"],
];
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

const wait = (time) => new Promise((done) => setTimeout(done, time));
const pointsOf = (corners) => corners.map((corner) => corner.join(",")).join(" ");
const middleOf = (one, other) => one.map((value, axis) => (value + other[axis]) / 2);
const sameEdges = (one, other) => EDGES.every((edge) => one[edge] === other[edge]);

/** The page of a template that an editor has open. */
export class TemplatePage {
  elements = []; // of the face that is shown, as the server has found them
  #chosen = -1; // the index of the element that is selected
  #pinned = false; // whether it stays selected where others lie over it
  #move = null; // the number of an element and how its edges move, until it is in the text
  #drag = null; // what a pointer that is down holds, and where it was pressed
  #answer = { findings: [], faces: {} };
  #said = ""; // why something was refused
  #others = {}; // the faces of the draft, by key
  #round = 0; // of composing them
  #typed = 0;
  #asked = 0;
  #near = null; // where the last click was
  #step = ""; // what the last step was about
  #items = new Map(); // the small faces, by key

  constructor(editor, root) {
    this.editor = editor;
    this.markup = new MarkupField({
      "data-path": "f:text",
      "data-multiline": "1",
      "aria-label": word("template-text"),
      readOnly: !editor.draft.form.editable,
    });
    this.grid = make(
      "select",
      { "aria-label": word("template-grid") },
      ...makeOptions(
        GRIDS.map((mm) => [mm, mm ? word("template-grid-of", mm) : word("template-no-grid")]),
        0,
      ),
    );
    this.snap = make("button.toggle", { "aria-pressed": "true" }, word("template-snap"));
    this.picture = make("img.face", { alt: "" });
    this.marks = makeSvg("g", {});
    this.hits = makeSvg("g", {});
    this.overlay = makeSvg(
      "svg",
      { class: "eye-overlay", role: "group", "aria-label": word("template-elements") },
      this.hits,
      this.marks,
    );
    this.frame = make("div.eye-face", this.picture, this.overlay);
    this.about = make("div.eye-about");
    this.findings = make("ul.eye-findings", { role: "list" });
    this.gallery = make("ul.eye-gallery", { role: "list" });
    this.progress = make("span.soft", { role: "status" });
    root.replaceChildren(
      make(
        "section.eye-stage",
        { "aria-label": word("template-face") },
        make("div.edit-row", this.snap, this.grid),
        this.frame,
        this.about,
      ),
      make(
        "section.eye-source",
        { "aria-label": word("template-text") },
        this.findings,
        this.markup.node,
      ),
      make(
        "section.eye-faces",
        { "aria-label": word("template-faces") },
        make("h3", word("template-faces"), " ", this.progress),
        this.gallery,
      ),
    );
    this.#wire();
  }

  get #text() {
    return this.editor.draft.values.text ?? "";
  }

  get #faces() {
    return this.editor.draft.form.faces;
  }

  /** The key of the face that is shown: that of the card from which the template was opened. */
  get key() {
    const { on } = this.editor.thing;
    return this.#faces.includes(on) ? on : (this.#sorted()[0] ?? "");
  }

  get #face() {
    return this.editor.studio.face(this.key) ?? { width: 63, height: 88, safe: 0, name: "" };
  }

  get #selected() {
    return this.elements[this.#chosen];
  }

  // Questions to the server, and what it answers.

  #body(more) {
    const style = this.editor.studio.wall()?.game.style ?? "";
    return { ...this.editor.sent(), style, ...more };
  }

  /** Ask for the face of what stands there now; what is being moved, the server writes into it. */
  async ask() {
    await wait(this.#asked + APART - performance.now());
    this.#asked = performance.now();
    const move = this.#move && { ...this.#move };
    const edges = EDGES.map((edge) => [edge, Math.round((move?.edges[edge] ?? 0) * 1000)]);
    const moved = move && { number: move.number, ...Object.fromEntries(edges) };
    const body = this.#body({ face: this.key, move: moved });
    return { ...(await post("/api/edit/template/preview", body)), move, key: this.key };
  }

  /** Take an answer, or why there is none; what has come to rest goes into the text. */
  async take(answer, error) {
    if (error) {
      if (!(error instanceof Refused) || error.status >= 500)
        return this.editor.studio.failed(error, () => this.editor.previews.want());
      this.#said = sentence(error.answer);
      this.#move = null;
      this.editor.studio.announce(this.#said);
      return this.draw();
    }
    const { hash } = answer.faces[answer.key] ?? {};
    await fetchPictures([hash]);
    this.#answer = answer;
    if (hash) {
      this.#keepChoice(answer.elements);
      this.picture.src = withKey(`/faces/${hash}.svg`);
    }
    const move = this.#move;
    if (answer.move && move && !this.#drag && sameEdges(answer.move.edges, move.edges)) {
      this.#move = null;
      this.#write(answer.text, `move ${move.number}`);
      const { given } = this.#selected ?? { given: {} };
      this.editor.studio.announce(Object.entries(given).flat().join(" "));
      return this.editor.changed();
    }
    this.draw();
    if (!move) this.#composeLater();
    return undefined;
  }

  /** Select the same element among those that were found anew. */
  #keepChoice(elements) {
    const { file, number } = this.#selected ?? {};
    const same = (one) => one.file === file && one.number === number;
    const turn = this.elements.slice(0, this.#chosen).filter(same).length;
    const all = [...elements.keys()].filter((at) => same(elements[at]));
    this.elements = elements;
    this.#chosen = all[turn] ?? all[0] ?? -1;
  }

  /** Put a text in place of the one that stands there; what is done on goes into the same step. */
  #write(text, step) {
    if (step !== this.#step) this.editor.draft.seal();
    this.#step = step;
    this.editor.draft.set("text", text);
  }

  // The other faces of the template.

  /** The keys of the faces, the one with the longest text first. */
  #sorted() {
    const { studio } = this.editor;
    const length = (key) => studio.face(key)?.text?.length ?? 0;
    return [...this.#faces].sort((one, other) => length(other) - length(one));
  }

  /** Compose the other faces of the draft, once nothing has changed for a while. */
  async #composeLater() {
    const round = ++this.#round;
    await wait(QUIET);
    let left = this.editor.draft?.dirty ? this.#sorted() : [];
    if (!left.length) this.#others = {};
    while (round === this.#round && left.length && !this.#isBroken) {
      const { faces } = await post("/api/edit/template/preview", this.#body({ others: left }));
      if (round !== this.#round || !Object.keys(faces).length) return;
      this.#others = { ...this.#others, ...faces };
      left = left.filter((key) => !(key in faces));
      this.progress.textContent = left.length
        ? word("template-progress", this.#faces.length - left.length, this.#faces.length)
        : "";
      this.#drawGallery();
    }
  }

  get #isBroken() {
    return this.#answer.findings.some(({ code }) => code.startsWith("X"));
  }

  #drawGallery() {
    const { studio } = this.editor;
    const seen = new Set();
    const items = this.#sorted().flatMap((key) => {
      const face = studio.face(key);
      const { hash, faulty } = this.#others[key] ?? { hash: face?.hash, faulty: false };
      if (!face || (face.side === "back" && seen.has(hash))) return [];
      seen.add(hash);
      const src = hash ? withKey(`/faces/${hash}.svg`) : "";
      const shown = [key, src, faulty, key === this.key].join(" ");
      const former = this.#items.get(key);
      if (former?.shown === shown) return [former];
      const node =
        former?.node ??
        make("li", make("button.eye-one", make("img", { loading: "lazy" }), make("span")));
      const [button] = node.children;
      const [image, name] = button.children;
      button.dataset.key = key;
      button.setAttribute("aria-pressed", String(key === this.key));
      button.classList.toggle("faulty", faulty);
      name.textContent = face.name;
      image.alt = word("edit-face-of", "", word(face.side === "back" ? "back" : "front"));
      image.style.aspectRatio = `${face.width} / ${face.height}`;
      if (src) image.src = src;
      this.#items.set(key, { shown, node });
      return [{ shown, node }];
    });
    layNodes(
      this.gallery,
      items.map(({ node }) => node),
    );
  }

  // What is drawn.

  /** Draw all: the text, what was found in it, the face and what is selected there. */
  draw() {
    const { editor } = this;
    const { width, height, name } = this.#face;
    const { id } = editor.draft.form.thing;
    const text = this.#move ? (this.#answer.text ?? this.#text) : this.#text;
    const found = this.#answer.findings.map((one) => {
      const [, file, line] = / \((\S+):(\d+)\)$/.exec(one.message) ?? [];
      return {
        ...one,
        at: one.path === id ? one.line : id.endsWith(`/${file}`) ? Number(line) : 0,
      };
    });
    this.markup.show(text);
    const wrong = found.filter(({ severity }) => severity === "error").map(({ at }) => at);
    this.markup.mark(new Set(wrong), this.#chosenLines());
    const game = editor.studio.wall()?.game ?? {};
    this.findings.replaceChildren(
      ...found.map((one) => {
        const item = finding(one, game);
        if (one.at)
          item.prepend(
            make("button.link", { "data-line": one.at }, word("template-line", one.at)),
            " ",
          );
        return item;
      }),
    );
    const drawn = Boolean(this.#answer.faces[this.key]?.hash);
    this.frame.style.setProperty("--w", String(width));
    this.frame.style.setProperty("--h", String(height));
    this.frame.classList.toggle("stale", !drawn && Boolean(this.elements.length));
    this.frame.hidden = !this.key;
    this.picture.alt = word("edit-face-of", name, "");
    this.overlay.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.#drawHits();
    this.#drawMarks();
    this.#drawAbout();
    this.#drawGallery();
  }

  #drawHits() {
    const leaves = [...this.elements.entries()].filter(([, { leaf, extent }]) => leaf && extent);
    while (this.hits.childElementCount > leaves.length) this.hits.lastChild.remove();
    for (const [place, [index, element]] of leaves.entries()) {
      const node =
        this.hits.children[place] ??
        makeSvg("path", { class: "eye-hit", role: "button", tabindex: 0 });
      const [first, ...corners] = cornersOf({ ...element, frame: null });
      const given = {
        d: element.shape || `M${first}L${corners.join("L")}Z`,
        "data-index": index,
        "aria-label": this.#nameOf(element),
        "aria-pressed": index === this.#chosen,
      };
      for (const [name, value] of Object.entries(given)) node.setAttribute(name, String(value));
      node.classList.toggle("line", Boolean(element.shape) && !element.fills);
      if (!node.isConnected) this.hits.append(node);
    }
  }

  #nameOf({ tag, label, line, own, file }) {
    const name = label ? `${tag} “${label}”` : tag;
    return own
      ? word("template-at", name, line)
      : word("template-in", name, file.split("/").at(-1), line);
  }

  #drawMarks() {
    const element = this.#selected;
    const { width, height, safe = 0 } = this.#face;
    const nodes = [
      makeSvg("rect", {
        class: "eye-safe",
        x: safe,
        y: safe,
        width: width - 2 * safe,
        height: height - 2 * safe,
      }),
    ];
    if (element?.extent) {
      const edges = this.#move && this.#move.number === element.number ? this.#pending : STILL;
      const corners = cornersOf(element, edges);
      const twins = this.elements.filter(
        (one) =>
          one !== element &&
          one.extent &&
          one.number === element.number &&
          one.file === element.file,
      );
      nodes.push(
        ...twins.map((one) =>
          makeSvg("polygon", { class: "eye-twin", points: pointsOf(cornersOf(one)) }),
        ),
        makeSvg("polygon", { class: "eye-frame", points: pointsOf(corners) }),
        ...this.#snapped(),
        ...(this.#drag?.moved ? [] : this.#handles(element, corners)),
      );
    }
    this.overlay.classList.toggle("held", Boolean(element));
    this.marks.replaceChildren(...nodes);
  }

  /** The part of the way of what is moved that the face does not show yet. */
  get #pending() {
    const shown = this.#answer.move?.number === this.#move.number ? this.#answer.move.edges : STILL;
    return Object.fromEntries(EDGES.map((edge) => [edge, this.#move.edges[edge] - shown[edge]]));
  }

  #snapped() {
    const { x = null, y = null } = this.#drag?.snapped ?? {};
    const { width, height } = this.#face;
    return [
      x === null ? null : makeSvg("path", { class: "eye-snapped", d: `M${x} -3V${height + 3}` }),
      y === null ? null : makeSvg("path", { class: "eye-snapped", d: `M-3 ${y}H${width + 3}` }),
    ].filter(Boolean);
  }

  #handles(element, corners) {
    const { axes, frame, own } = element;
    if (!frame || !own || this.markup.area.readOnly) return [];
    const isFree = (edge) => {
      const [size, place] = edge === "left" || edge === "right" ? ["w", "x"] : ["h", "y"];
      return (
        axes[size] === "free" && (edge === "right" || edge === "bottom" || axes[place] === "free")
      );
    };
    const [nw, ne, se, sw] = corners;
    const spots = [
      nw,
      middleOf(nw, ne),
      ne,
      middleOf(ne, se),
      se,
      middleOf(se, sw),
      sw,
      middleOf(sw, nw),
    ];
    return spots.flatMap(([cx, cy], at) =>
      HELD[at].every(isFree) && !(isSquare(element) && HELD[at].length === 1)
        ? [
            makeSvg("circle", {
              class: `eye-handle ${HELD[at].join("-")}`,
              cx,
              cy,
              r: 5 / this.#scale,
              "data-held": at,
            }),
          ]
        : [],
    );
  }

  get #scale() {
    return this.overlay.getBoundingClientRect().width / this.#face.width || 1;
  }

  /** What is selected: what it is, its numbers, why it does not move, and what is around it. */
  #drawAbout() {
    const element = this.#selected;
    const { key } = this;
    const nodes = [];
    if (!key) nodes.push(make("p.soft", word("template-unused")));
    else if (!element) nodes.push(make("p.soft", word("template-how")));
    else {
      const { own, file, given, around } = element;
      const name = file.split("/").at(-1);
      const why = this.#reasons(element);
      const outer = [];
      for (
        let at = around;
        at !== null && at !== undefined && outer.length < 4;
        at = this.elements[at].around
      )
        outer.push(make("button.link", { "data-index": at }, this.#nameOf(this.elements[at])));
      nodes.push(
        make("p", make("strong", this.#nameOf(element))),
        make(
          "p.eye-numbers",
          ...Object.entries(given).map(([attribute, value]) =>
            make("span", `${attribute} `, make("code", value)),
          ),
        ),
        ...why.map((text) => make("p.eye-why", text)),
        make(
          "p.edit-row",
          own
            ? make("button", { "data-act": "line" }, word("template-line", element.line))
            : file.startsWith("templates/")
              ? make(
                  "button",
                  {
                    "data-act": "open",
                    "data-thing": JSON.stringify({ of: "template", id: file, on: key }),
                  },
                  word("template-open", name),
                )
              : null,
        ),
        outer.length ? make("p.soft", word("template-around"), " ", ...outer) : null,
      );
    }
    if (this.#said) nodes.push(make("p.eye-why", { role: "alert" }, this.#said));
    morph(this.about, nodes);
  }

  /** Why an element is not moved or resized, in sentences. */
  #reasons({ own, file, line, axes, given, flow, names }) {
    if (!own) return [word("template-elsewhere", file, line)];
    const computed = Object.entries(axes).filter(([, state]) => state === "computed");
    const why = [...new Set(computed.map(([axis]) => names["xywh".indexOf(axis)]))].map((name) =>
      word("template-computed", name, given[name] ?? ""),
    );
    if (flow) why.push(word("template-in-flow", flow.tag, flow.line));
    else if (!axes.x && !axes.y) why.push(word("template-no-place"));
    return why;
  }

  /**
   * The first and the last line of the tag of the element that is selected.
   *
   * @returns {[number, number]}
   */
  #chosenLines() {
    const element = this.#selected;
    if (!element?.own) return [0, -1];
    const last = this.#isBroken ? element.line : this.markup.lineAt(this.#endOf(element));
    return [element.line, last];
  }

  #endOf({ start }) {
    const [tag] = /^<(?:"[^"]*"|'[^']*'|[^"'>])*>?/.exec(this.markup.area.value.slice(start)) ?? [
      "",
    ];
    return start + tag.length;
  }

  // What is selected.

  /** Select an element by its index; -1 for none. */
  choose(index, { pinned = false, reveal = true } = {}) {
    if (index !== this.#chosen) {
      this.#step = "";
      this.#said = "";
    }
    this.#chosen = index;
    this.#pinned = pinned;
    this.draw();
    const element = this.#selected;
    if (element?.own && reveal) this.markup.reveal(element.line);
  }

  /** Select the element in whose tag or text the cursor is. */
  #follow() {
    const { selectionStart } = this.markup.area;
    let found = -1;
    for (const [index, { own, start, extent }] of this.elements.entries())
      if (own && extent && start <= selectionStart && start > (this.elements[found]?.start ?? -1))
        found = index;
    const now = this.#selected;
    if (now && this.elements[found] && now.own && now.number === this.elements[found].number)
      return;
    this.choose(found, { pinned: true, reveal: false });
  }

  #hitsAt({ clientX, clientY }) {
    return document
      .elementsFromPoint(clientX, clientY)
      .filter((node) => this.hits.contains(node) && node !== this.hits)
      .map((node) => Number(node.getAttribute("data-index")));
  }

  /** Whether an element is another one, or around it. */
  #isAround(index, inner) {
    for (let at = inner; at !== null && at !== undefined; at = this.elements[at]?.around)
      if (at === index) return true;
    return false;
  }

  // What a person does.

  #wire() {
    const { overlay, markup, editor } = this;
    markup.area.addEventListener("input", ({ inputType = "" }) => {
      const now = performance.now();
      const isStep = !/^(insertText|delete)/.test(inputType) || now - this.#typed > PAUSE;
      if (isStep || this.#step !== "type") editor.draft.seal();
      [this.#typed, this.#step, this.#said] = [now, "type", ""];
    });
    document.addEventListener("selectionchange", () => {
      if (document.activeElement === markup.area && !this.#move) this.#follow();
    });
    overlay.addEventListener("pointerdown", (event) => this.#press(event));
    overlay.addEventListener("pointermove", (event) => this.#drags(event));
    overlay.addEventListener("pointerup", (event) => this.#release(event));
    overlay.addEventListener("pointercancel", () => this.#cancel());
    overlay.addEventListener("keydown", (event) => this.#keys(event));
    // A drawing that hears of the focus could get it itself.
    this.frame.addEventListener("focusin", ({ target }) => {
      if (!this.#drag) this.choose(Number(target.getAttribute("data-index")), { pinned: true });
    });
    this.about.addEventListener("click", ({ target }) => {
      const { index, act } = target.closest("button")?.dataset ?? {};
      if (index) this.choose(Number(index), { pinned: true });
      if (act === "line") this.#toLine();
    });
    this.findings.addEventListener("click", ({ target }) => {
      const { line } = target.dataset;
      if (line) markup.select(markup.startOf(Number(line)), markup.startOf(Number(line) + 1) - 1);
    });
    this.gallery.addEventListener("click", ({ target }) => {
      const key = target.closest("button")?.dataset.key;
      if (!key) return;
      editor.thing = { ...editor.thing, on: key };
      this.choose(-1);
      editor.studio.keep();
      editor.previews.want();
    });
    this.snap.addEventListener("click", () =>
      this.snap.setAttribute(
        "aria-pressed",
        String(this.snap.getAttribute("aria-pressed") !== "true"),
      ),
    );
  }

  #toLine() {
    const element = this.#selected;
    if (element?.own) this.markup.select(element.start, this.#endOf(element));
  }

  #isMovable(element) {
    return element?.own && !this.markup.area.readOnly;
  }

  #press(event) {
    if (event.button) return;
    const { clientX, clientY, target, pointerId, pointerType } = event;
    const held = HELD[target.getAttribute("data-held")] ?? [];
    const hits = this.#hitsAt(event);
    const keeps =
      held.length > 0 ||
      (this.#chosen >= 0 &&
        hits.some((hit) => this.#isAround(this.#chosen, hit)) &&
        (this.#pinned || this.#isAround(this.#chosen, hits[0])));
    event.preventDefault();
    this.#drag = {
      held,
      hits,
      keeps,
      from: [clientX, clientY],
      moved: false,
      touch: pointerType === "touch",
    };
    if (!keeps) this.choose(hits[0] ?? -1);
    const node = [...this.hits.children].find(
      (one) => one.getAttribute("data-index") === String(hits[0]),
    );
    node?.focus({ preventScroll: true });
    this.overlay.setPointerCapture(pointerId);
    const away = this.elements.filter(
      (one, at) =>
        one.leaf &&
        one.extent &&
        !this.#isAround(this.#chosen, at) &&
        !this.#isAround(at, this.#chosen),
    );
    this.#drag.element = this.#selected;
    this.#drag.lines = snapLines(this.#face, away);
  }

  #drags({ clientX, clientY, altKey }) {
    const { element, held, from, keeps, touch, lines } = this.#drag ?? {};
    if (!element || !this.#isMovable(element) || (touch && !keeps)) return;
    const way = [clientX - from[0], clientY - from[1]];
    if (!this.#drag.moved && Math.hypot(...way) < NEAR) return;
    this.#drag.moved = true;
    const scale = this.#scale;
    const snaps = this.snap.getAttribute("aria-pressed") === "true" && !altKey;
    const [dx, dy] = way.map((px) => px / scale);
    const moved = drag(element, held, [dx, dy], {
      lines: snaps ? lines : null,
      grid: Number(this.grid.value),
      scale,
    });
    this.#drag.snapped = moved.lines;
    this.#begin(element, moved.edges);
  }

  /** Move the edges of an element, of which the server writes the text. */
  #begin(element, edges) {
    this.#move = { number: element.number, edges };
    this.#drawMarks();
    this.editor.previews.want();
  }

  #release({ clientX, clientY }) {
    const { moved, hits, keeps, held, from } = this.#drag ?? {};
    this.#drag = null;
    if (moved) return this.editor.previews.want(); // what it says now goes into the text
    if (!from || held.length) return undefined;
    const again = this.#near && Math.hypot(clientX - this.#near[0], clientY - this.#near[1]) < NEAR;
    this.#near = [clientX, clientY];
    if (!keeps) return undefined;
    const at = hits.findIndex((hit) => this.#isAround(this.#chosen, hit));
    return this.choose(again ? hits[(at + 1) % hits.length] : hits[0], { pinned: again });
  }

  #cancel() {
    this.#drag = this.#move = null;
    this.draw();
    this.editor.previews.want();
  }

  #keys(event) {
    const { key, shiftKey, altKey } = event;
    const element = this.#selected;
    if (event.ctrlKey || event.metaKey || !element) return;
    if (key === "Enter") this.#toLine();
    else if (key === "Escape" && this.#drag) this.#cancel();
    else if (key === "Escape") this.choose(element.around ?? -1, { pinned: true });
    else if (key in ARROWS) this.#arrow(element, ARROWS[key], shiftKey ? 10 * STEP : STEP, altKey);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  #arrow(element, [right, down], step, grows) {
    if (!this.#isMovable(element) || (grows && !element.frame)) return;
    const former = this.#move?.number === element.number ? this.#move.edges : STILL;
    const [dx, dy] = [right * step, down * step];
    const way = grows
      ? resized(element, [right ? "right" : "bottom"], dx, dy)
      : placed(element.axes, ...inverted(element.matrix, dx, dy));
    const edges = Object.fromEntries(EDGES.map((edge) => [edge, former[edge] + way[edge]]));
    if (sameEdges(edges, former)) this.editor.studio.announce(this.#reasons(element).join(" "));
    else this.#begin(element, edges);
  }
}
