/** Templates by eye: the text of a template beside the faces that it draws, and elements dragged there. */

import { finding, layNodes, morph } from "../shared/page.js";
import { post, Refused, withKey } from "../shared/session.js";
import { make, makeOptions, makeSvg, sentence, word } from "../shared/words.js";
import { MarkupField } from "./markup.js";
import {
  cornersOf,
  drag,
  EDGES,
  invert,
  isFree,
  isSquare,
  moveEdges,
  resizeEdges,
  snapLines,
  STEP,
  STILL,
} from "./moving.js";
import { fetchPictures } from "./pictures.js";

const PAUSE = 800; // ms without typing after which a new step begins
const QUIET = 600; // ms without a change after which the other faces are composed
const APART = 30; // ms between questions: the server answers so many a second
const NEAR = 3; // px that a click may wander
const GRIDS = [0, 0.5, 1, 2, 5];
const MOST_AROUND = 4; // elements that are named
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
const outlineOf = (corners) => `M${corners.join("L")}Z`;
const nameIn = (path) => path.split("/").at(-1);
const isSame = (one, other) => one.file === other.file && one.number === other.number;
const sameEdges = (one, other) => EDGES.every((edge) => one[edge] === other[edge]);

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
    const grids = GRIDS.map((mm) => [mm, word(mm ? "template-grid-of" : "template-no-grid", mm)]);
    this.grid = make("select", { "aria-label": word("template-grid") }, ...makeOptions(grids, 0));
    this.snap = make("button.toggle", { "aria-pressed": "true" }, word("template-snap"));
    this.picture = make("img.face", { alt: "" });
    this.marks = makeSvg("g", {});
    this.hits = makeSvg("g", {});
    const given = { class: "eye-overlay", role: "group", "aria-label": word("template-elements") };
    this.overlay = makeSvg("svg", given, this.hits, this.marks);
    this.frame = make("div.eye-face", this.picture, this.overlay);
    this.about = make("div.eye-about");
    this.findings = make("ul.eye-findings");
    this.gallery = make("ul.eye-gallery");
    this.progress = make("span.soft", { role: "status" });
    const part = (name, said, ...inside) =>
      make(`section.eye-${name}`, { "aria-label": word(said) }, ...inside);
    const tools = make("div.edit-row", this.snap, this.grid);
    const title = make("h3", word("template-faces"), " ", this.progress);
    root.replaceChildren(
      part("stage", "template-face", tools, this.frame, this.about),
      part("source", "template-text", this.findings, this.markup.node),
      part("faces", "template-faces", title, this.gallery),
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
    const said = { move, key: this.key, from: this.#text };
    return { ...(await post("/api/edit/template/preview", body)), ...said };
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
    if (this.editor.template !== this) return undefined;
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
    const former = this.#selected;
    const same = (one) => former && isSame(one, former);
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
    const isNow = () => round === this.#round && this.editor.template === this;
    let left = isNow() && this.editor.draft.dirty ? this.#sorted() : [];
    if (!left.length) this.#others = {};
    while (isNow() && left.length && !this.#isBroken) {
      const { faces } = await post("/api/edit/template/preview", this.#body({ others: left }));
      if (!isNow() || !Object.keys(faces).length) return;
      this.#others = { ...this.#others, ...faces };
      left = left.filter((key) => !(key in faces));
      const done = [this.#faces.length - left.length, this.#faces.length];
      this.progress.textContent = left.length ? word("template-progress", ...done) : "";
      this.#drawGallery();
    }
  }

  get #isBroken() {
    return this.#answer.findings.some(({ code }) => code.startsWith("X"));
  }

  #drawGallery() {
    const { studio } = this.editor;
    const seen = new Set();
    const nodes = this.#sorted().flatMap((key) => {
      const face = studio.face(key);
      const { hash, faulty } = this.#others[key] ?? { hash: face?.hash, faulty: false };
      if (!face || (face.side === "back" && seen.has(hash))) return [];
      seen.add(hash);
      const image = make("img", { loading: "lazy" });
      const node = this.#items.get(key) ?? make("li", make("button.eye-one", image, make("span")));
      this.#items.set(key, node);
      const [button] = node.children;
      const [picture, name] = button.children;
      const src = hash ? withKey(`/faces/${hash}.svg`) : "";
      if (src && picture.getAttribute("src") !== src) picture.src = src;
      picture.alt = word(face.side === "back" ? "back" : "front");
      picture.style.aspectRatio = `${face.width} / ${face.height}`;
      name.textContent = face.name;
      button.dataset.key = key;
      button.setAttribute("aria-pressed", String(key === this.key));
      button.classList.toggle("faulty", faulty);
      return [node];
    });
    layNodes(this.gallery, nodes);
  }

  // What is drawn.

  /** Draw all: the text, what was found in it, the face and what is selected there. */
  draw() {
    const { editor } = this;
    const { width, height, name } = this.#face;
    const { id } = editor.draft.form.thing;
    const text = this.#move ? (this.#answer.text ?? this.#text) : this.#text;
    this.markup.show(text);
    const game = editor.studio.wall()?.game ?? {};
    const wrong = new Set();
    const items = this.#answer.findings.map((one) => {
      const [, file, mention] = / \((\S+):(\d+)\)$/.exec(one.message) ?? [];
      const line = one.path === id ? one.line : id.endsWith(`/${file}`) ? Number(mention) : 0;
      const item = finding(one, game);
      if (line)
        item.prepend(make("button.link", { "data-line": line }, word("template-line", line)));
      if (one.severity === "error") wrong.add(line);
      return item;
    });
    this.findings.replaceChildren(...items);
    this.markup.mark(wrong, this.#chosenLines());
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
      const given = { class: "eye-hit", role: "button", tabindex: 0 };
      const node = this.hits.children[place] ?? makeSvg("path", given);
      node.setAttribute("d", element.shape || outlineOf(cornersOf({ ...element, frame: null })));
      node.setAttribute("data-index", index);
      node.setAttribute("aria-label", this.#nameOf(element));
      node.setAttribute("aria-pressed", String(index === this.#chosen));
      node.classList.toggle("line", Boolean(element.shape) && !element.fills);
      if (!node.isConnected) this.hits.append(node);
    }
  }

  #nameOf({ tag, label, line, own, file, leaf }) {
    const name = label && leaf ? word("template-name", tag, label) : tag;
    return own ? word("template-at", name, line) : word("template-in", name, nameIn(file), line);
  }

  #drawMarks() {
    const element = this.#selected;
    const { width, height, safe = 0 } = this.#face;
    const mark = (name, d) => makeSvg("path", { class: `eye-${name}`, d });
    const nodes = [mark("safe", `M${safe} ${safe}H${width - safe}V${height - safe}H${safe}Z`)];
    if (element?.extent) {
      const edges = this.#move?.number === element.number ? this.#pending : STILL;
      const corners = cornersOf(element, edges);
      const twins = this.elements.filter((one) => one.extent && isSame(one, element));
      const { x = null, y = null } = this.#drag?.snapped ?? {};
      nodes.push(
        ...twins.map((one) => mark("twin", outlineOf(cornersOf(one)))),
        mark("frame", outlineOf(corners)),
        ...(x === null ? [] : [mark("snapped", `M${x} -3V${height + 3}`)]),
        ...(y === null ? [] : [mark("snapped", `M-3 ${y}H${width + 3}`)]),
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

  #handles(element, corners) {
    if (!element.frame || !this.#isMovable(element)) return [];
    return HELD.flatMap((held, at) => {
      const isCorner = at % 2 === 0;
      if (!held.every((edge) => isFree(element, edge)) || (isSquare(element) && !isCorner))
        return [];
      const [one, other] = [corners[Math.floor(at / 2)], corners[Math.ceil(at / 2) % 4]];
      const [cx, cy] = [0, 1].map((axis) => (one[axis] + other[axis]) / 2);
      const given = { class: "eye-handle", cx, cy, r: 5 / this.#scale, "data-held": at };
      return [makeSvg("circle", given)];
    });
  }

  get #scale() {
    return this.overlay.getBoundingClientRect().width / this.#face.width || 1;
  }

  /** What is selected: what it is, its numbers, why it does not move, and what is around it. */
  #drawAbout() {
    const element = this.#selected;
    const said = this.#said ? make("p.eye-why", { role: "alert" }, this.#said) : null;
    if (!element) {
      const how = make("p.soft", word(this.key ? "template-how" : "template-unused"));
      return morph(this.about, [how, said]);
    }
    const { own, file, given, around } = element;
    const thing = JSON.stringify({ of: "template", id: file, on: this.key });
    const outer = this.#pathTo(around).slice(0, MOST_AROUND);
    return morph(this.about, [
      make("p", make("strong", this.#nameOf(element))),
      make("p.eye-numbers", ...Object.entries(given).map((pair) => make("code", pair.join(" ")))),
      ...this.#reasons(element).map((text) => make("p.eye-why", text)),
      !own &&
        file.startsWith("templates/") &&
        make("button", { "data-act": "open", "data-thing": thing }, [
          word("template-open", nameIn(file)),
        ]),
      outer.length &&
        make("p.soft", [
          word("template-around"),
          ...outer.map((at) =>
            make("button.link", { "data-index": at }, this.#nameOf(this.elements[at])),
          ),
        ]),
      said,
    ]);
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
    const [tag] = /^(?:"[^"]*"|'[^']*'|[^"'>])*>?/.exec(this.markup.area.value.slice(start));
    return start + tag.length;
  }

  // What is selected.

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
    if (
      found === this.#chosen ||
      (this.#selected && isSame(this.elements[found] ?? {}, this.#selected))
    )
      return;
    this.choose(found, { pinned: true, reveal: false });
  }

  #hitsAt({ clientX, clientY }) {
    return document
      .elementsFromPoint(clientX, clientY)
      .filter((node) => this.hits.contains(node) && node !== this.hits)
      .map((node) => Number(node.getAttribute("data-index")));
  }

  #pathTo(index) {
    return index === null || !this.elements[index]
      ? []
      : [index, ...this.#pathTo(this.elements[index].around)];
  }

  #isAround(index, inner) {
    return this.#pathTo(inner).includes(index);
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
      const { index } = target.dataset;
      if (index) this.choose(Number(index), { pinned: true });
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
      this.snap.setAttribute("aria-pressed", String(!this.#snaps)),
    );
  }

  get #snaps() {
    return this.snap.getAttribute("aria-pressed") === "true";
  }

  #toLine() {
    const element = this.#selected;
    if (element?.own) this.markup.select(element.start, this.#endOf(element));
  }

  /** Whether an element is of this text, and where the server has found it in the last one. */
  #isMovable(element) {
    const { from, text } = this.#answer;
    return element.own && !this.markup.area.readOnly && [from, text].includes(this.#text);
  }

  #press(event) {
    if (event.button) return;
    const { clientX, clientY, target, pointerId, pointerType } = event;
    const held = HELD[target.getAttribute("data-held")] ?? [];
    const hits = this.#hitsAt(event);
    const within = hits.filter((hit) => this.#isAround(this.#chosen, hit));
    const keeps = held.length > 0 || (within.length > 0 && (this.#pinned || within[0] === hits[0]));
    event.preventDefault();
    const from = [clientX, clientY];
    this.#drag = {
      held,
      hits,
      keeps,
      from,
      moved: false,
      waits: pointerType === "touch" && !keeps,
    };
    if (!keeps) this.choose(hits[0] ?? -1);
    this.hits.querySelector(`[data-index="${hits[0]}"]`)?.focus({ preventScroll: true });
    this.overlay.setPointerCapture(pointerId);
    const inside = (one, at) =>
      this.#isAround(this.#chosen, at) || this.#isAround(at, this.#chosen);
    const away = this.elements.filter((one, at) => one.leaf && one.extent && !inside(one, at));
    Object.assign(this.#drag, { element: this.#selected, lines: snapLines(this.#face, away) });
  }

  #drags({ clientX, clientY, altKey }) {
    const { element, held, from, waits, lines } = this.#drag ?? {};
    if (!element || waits || !(this.#drag.moved || this.#isMovable(element))) return;
    const way = [clientX - from[0], clientY - from[1]];
    if (!this.#drag.moved && Math.hypot(...way) < NEAR) return;
    const [dx, dy] = way.map((px) => px / this.#scale);
    const near = this.#snaps && !altKey ? lines : null;
    const snap = { lines: near, grid: Number(this.grid.value), scale: this.#scale };
    const moved = drag(element, held, [dx, dy], snap);
    Object.assign(this.#drag, { moved: true, snapped: moved.lines });
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
      ? resizeEdges(element, [right ? "right" : "bottom"], dx, dy)
      : moveEdges(element.axes, ...invert(element.matrix, dx, dy));
    const edges = Object.fromEntries(EDGES.map((edge) => [edge, former[edge] + way[edge]]));
    if (sameEdges(edges, former)) this.editor.studio.announce(this.#reasons(element).join(" "));
    else this.#begin(element, edges);
  }
}
