/** The view Edit: its list of things, and the form that is open. */

import { morph } from "../shared/page.js";
import { Refused } from "../shared/session.js";
import { cardOf } from "../shared/filters.js";
import { pageOf, translationOf } from "../shared/wall.js";
import { counted, make, select, sentence, word } from "../shared/words.js";
import {
  Draft,
  draftOf,
  drafts,
  forgetDraft,
  hearDrafts,
  isCard,
  keepDraft,
  keyOf,
  lastGone,
} from "./draft.js";
import { findIn } from "./fields.js";
import { byPath, general, page } from "./form.js";
import { choices, fetchPictures, mergeFaces, previews } from "./pictures.js";
import { save, wireForm } from "./steps.js";
import { titleOf, withTitles } from "./titles.js";
import { findField, groupChip, partsOfId, routeOf, startTexts } from "./translate.js";

const MOST = 60;

const link = (thing, title, about, text, mark) =>
  make("li", [
    make("button.edit-entry", { "data-act": "open", "data-thing": JSON.stringify(thing) }, [
      make("span.edit-entry-title", [
        make("strong", title),
        about && make("span.soft", about),
        mark && make("span.edit-mark", mark),
      ]),
      text && make("span.edit-entry-text", text),
    ]),
  ]);

const group = (title, entries, more) =>
  entries.length
    ? make("section.edit-group", { "aria-label": title }, [
        make("h3", title, make("span.count", String(entries.length + more))),
        make("ul.edit-entries", ...entries),
        more && make("p.soft", word("edit-more-found", more)),
      ])
    : null;

function section(title, all, text, entry) {
  const found = text ? findIn(all, text) : all;
  return group(title, found.slice(0, MOST).map(entry), Math.max(0, found.length - MOST));
}

function newCard(list, state) {
  const factions = list.factions.filter(({ editable }) => editable);
  if (!factions.length || !list.kinds.length) return null;
  const faction = state.faction || factions[0].id;
  const kind = state.kind || list.kinds[0].kind;
  const kinds = list.kinds.map((one) => [one.kind, one.name || one.kind]);
  const choice = (name, all, now) =>
    make("label", make("span", word(name)), select({ "data-new": name }, all, now));
  return make("div.edit-row", [
    choice(
      "faction",
      factions.map(({ id, name }) => [id, name || id]),
      faction,
    ),
    list.kinds.length > 1 && choice("kind", kinds, kind),
    make("button.main", { "data-act": "begin" }, word("edit-new-card")),
  ]);
}

function newThings(list, state) {
  if (list.readOnly) return null;
  const others = Object.entries(list.begins)
    .filter(([, can]) => can)
    .map(([of]) =>
      make("button", { "data-act": "open", "data-thing": JSON.stringify({ of, new: true }) }, [
        word(`edit-new-${of}`),
      ]),
    );
  const parts = [newCard(list, state), others.length > 0 && make("div.edit-row", others)];
  return (
    parts.some(Boolean) &&
    make("section.edit-group.edit-new", { "aria-label": word("edit-new") }, [
      make("h3", word("edit-new")),
      make("div.edit-begins", parts),
    ])
  );
}

function deletedPart(readOnly) {
  const last = !readOnly && lastGone();
  if (!last) return null;
  return make("div.edit-notice.edit-gone", [
    make("p", word("edit-deleted", last.title)),
    make("p.edit-row", [
      make("button", { "data-act": "restore" }, word("edit-restore")),
      make("button.quiet", { "data-act": "forget" }, word("close")),
    ]),
  ]);
}

function cardsOf(wall) {
  const found = new Map();
  for (const face of wall?.faces ?? []) {
    const { faction, card: id, name, text } = face;
    if (!found.has(cardOf(face))) found.set(cardOf(face), { face, faction, id, name, text });
  }
  return [...found.values()];
}

function startPage(list, wall, drafts, { state, notice }) {
  const text = state.find;
  const names = new Map((wall?.factions ?? []).map(({ id, name }) => [id, name]));
  const only = state.group;
  // Those of tables alone have no forms.
  const factions = list.begins.faction ? list.factions.filter(({ id }) => id) : [];
  const there = {
    cards: true,
    rules: list.rules.length,
    texts: list.texts.length,
    factions: factions.length,
  };
  const of = (name, all, entry) =>
    only && only !== name ? null : section(word(`edit-${name}`), all, text, entry);
  const groups = [
    !(text || only) &&
      group(
        word("edit-drafts"),
        drafts.map(({ thing, title }) => link(thing, title, "", "", word("edit-unsaved"))),
        0,
      ),
    !(text || only) && newThings(list, state),
    (text || only === "cards") &&
      of("cards", cardsOf(wall), (one) =>
        link(
          { of: "card", faction: one.faction, id: one.id },
          one.name,
          `${one.id} · ${names.get(one.faction) ?? one.faction}`,
        ),
      ),
    of("rules", list.rules, (one) =>
      link({ of: "rule", id: one.id }, one.label || one.id, one.id, one.text),
    ),
    of(
      "texts",
      list.texts.map((one) => ({ ...one, name: titleOf({ of: "texts", id: one.id }, one.title) })),
      (one) => link({ of: "texts", id: one.id }, one.name),
    ),
    of("factions", factions, (one) => link({ of: "faction", id: one.id }, one.name, one.id)),
  ].filter(Boolean);
  return make("div.edit-start", [
    make("div.edit-top", [
      make("h2", word(list.readOnly ? "edit-look-title" : "edit-title")),
      findField(word("edit-find"), text),
    ]),
    make("div.edit-row.edit-groups", [
      ...["", ...Object.keys(there).filter((name) => there[name])].map((name) =>
        groupChip(name, only, word(`edit-${name || "all"}`)),
      ),
      make("p.soft", word("edit-start-how")),
    ]),
    make("div.edit-notices", [
      notice && make("p", { className: `edit-notice ${notice.kind}`, role: "alert" }, notice.text),
      deletedPart(list.readOnly),
    ]),
    ...groups,
    text && !groups.length && make("p.empty", word("edit-none-found")),
    make("p.hidden", { role: "status" }, [
      text &&
        counted(
          "edit-found-one",
          "edit-found",
          groups.reduce((sum, node) => sum + node.querySelectorAll("li").length, 0),
        ),
    ]),
  ]);
}

const MOST_USERS = 4; // cards that show a rule or a name, beside its form
const NONE = { rules: [], cards: [], pictures: [], icons: [], symbols: [] };

/** Return what an address names, null for where editing begins. */
function thingOf(params) {
  if (params.get("new")) {
    const said = ["faction", "kind", "like", "rule"].map((name) => [name, params.get(name)]);
    return {
      of: params.get("new"),
      new: true,
      ...Object.fromEntries(said.filter(([, value]) => value)),
    };
  }
  const of = ["card", "rule", "faction", "texts", "translation", "template"];
  const name = of.find((one) => params.get(one));
  if (!name) return null;
  const text = params.get(name);
  if (name === "template") return { of: name, id: text, on: params.get("on") ?? "" };
  if (name !== "card") return { of: name, id: text };
  const [faction, id] = text.split(/:(.*)/s);
  return { of: "card", ...(faction && { faction }), id };
}

function paramsOf(thing) {
  if (!thing) return {};
  const { of, id, faction = "", new: begun, ...said } = thing;
  if (begun) return { new: of, ...(faction && { faction }), ...said };
  return { [of]: of === "card" ? `${faction}:${id}` : id, ...said };
}

/** Whether a finding is an error that is said below a field. */
const isBelow = ({ severity, here, field, child }) =>
  severity === "error" && here && Boolean(field || child);

class Editor {
  constructor(root, studio) {
    this.studio = studio;
    this.body = make("div.edit");
    this.eye = make("div.edit.eye", { hidden: true });
    this.dialogs = make("div");
    root.append(this.body, this.eye, this.dialogs);
    this.thing = null;
    this.draft = null;
    this.list = null;
    this.language = ""; // that is translated into
    this.texts = null; // of this language
    this.choices = NONE;
    const start = { find: "", group: "", faction: "", kind: "" };
    const looks = { side: "face", part: 1, style: "", look: false, natural: {} };
    this.state = { ...start, ...looks, seeking: null, symbols: null, parts: {} };
    this.clear();
    this.previews = previews(
      () =>
        this.template?.ask() ??
        studio.post(`${routeOf(this.thing)}/preview`, {
          ...(this.unsure ? this.toSave() : this.sent()),
          style: this.state.style || null,
          on: this.draft.form.users?.slice(0, MOST_USERS),
        }),
      (answer, error) => this.template?.take(answer, error) ?? this.previewed(answer, error),
    );
    wireForm(root, this);
    hearDrafts((key, kept) => this.follow(key, kept));
  }

  clear() {
    this.answer = null;
    this.shown = [];
    this.notice = null;
    this.saving = false;
    this.tried = false;
    this.unsure = false; // whether it was sent to be saved, and nobody knows what came of it
    this.template = null; // the page of a template, which has no form
    Object.assign(this.state, { seeking: null, symbols: null, parts: {}, part: 1 });
  }

  // What is shown.

  async show(params) {
    const asked = thingOf(params);
    const thing = asked?.of === "card" ? this.translated(asked) : asked;
    if (thing && this.draft && keyOf(thing) === keyOf(this.thing)) {
      const kept = draftOf(keyOf(thing))?.kept ?? null; // the table of cards may have edited it
      const mine = this.draft.dirty ? this.draft.kept() : null;
      if (JSON.stringify(kept) !== JSON.stringify(mine)) this.draft.follow(kept);
      this.thing = thing;
      return this.changed();
    }
    this.keep();
    this.previews.drop();
    this.clear();
    this.thing = thing;
    this.draft = null;
    if (!thing)
      Object.assign(this.state, {
        find: params.get("find") ?? "",
        group: params.get("group") ?? "",
      });
    return thing ? this.open(thing) : this.begin();
  }

  /** Return what is edited instead of a thing in the language that is shown. */
  translated(thing) {
    const { game } = this.studio.wall() ?? {};
    const { language, page } = partsOfId(thing);
    if (!game || !thing || thing.new || language === game.shown) return thing;
    const card = isCard(thing) && this.cardOf(thing);
    const id = card
      ? translationOf(card.face)
      : language && game.languages.includes(game.shown) && `${game.shown}/${page}`;
    if (id) return { of: "translation", id };
    if (!language) return thing;
    return card ? { of: "card", faction: card.faction, id: card.id } : null;
  }

  cardOf(thing) {
    return cardsOf(this.studio.wall()).find(
      ({ face, faction, id }) =>
        (thing.faction === faction && thing.id === id) || pageOf(face) === partsOfId(thing).page,
    );
  }

  /** Ask for the texts of the language that is translated into, if one is. */
  async askTexts() {
    const game = this.studio.wall()?.game;
    const { language } = partsOfId(this.thing);
    this.language = language || (game?.languages.includes(game.shown) ? game.shown : "");
    const asked = new URLSearchParams({ language: this.language });
    this.texts = this.language ? await this.studio.ask(`/api/translation/list?${asked}`) : null;
  }

  params() {
    const { find, group } = this.state;
    return new URLSearchParams(
      this.thing ? paramsOf(this.thing) : { ...(find && { find }), ...(group && { group }) },
    );
  }

  /** Show something else; the way back leads here. */
  async go(thing) {
    history.pushState(null, "", location.href);
    await this.show(new URLSearchParams(paramsOf(thing)));
    this.studio.keep();
    scrollTo(0, 0);
    const first = ":is(input, textarea, select):not(#edit-f-id)"; // nobody has to think of an id
    const typed = thing?.new && this.body.querySelector(`#edit-f-name, .edit-form ${first}`);
    (typed || this.body.querySelector("h2"))?.focus();
  }

  async begin() {
    this.draw();
    try {
      await this.askTexts();
      this.list = await this.studio.ask("/api/edit/list");
      if (!this.thing) this.draw();
    } catch (error) {
      if (!this.thing) this.refused(error, () => this.begin());
    }
  }

  named(opened) {
    if (opened.thing.of === "template") return opened;
    return withTitles(opened, this.studio.wall()?.game.filters);
  }

  /** Begin a card of the first faction and kind that can have one, where none is named. */
  async beginCard() {
    this.list = await this.studio.ask("/api/edit/list");
    const faction = this.list.factions.find(({ editable }) => editable);
    return faction && this.list.kinds.length
      ? this.go({ of: "card", new: true, faction: faction.id, kind: this.list.kinds[0].kind })
      : this.go(null);
  }

  async open(thing) {
    this.draw();
    if (thing.of === "card" && thing.new && !thing.faction && !thing.rule) return this.beginCard();
    try {
      const { language } = partsOfId(thing);
      if (language && this.studio.wall()?.game.shown !== language)
        await this.studio.speak(language);
      const [opened, all, template] = await this.fetch(
        thing,
        thing.of === "template" && import("./template.js"),
      );
      if (keyOf(thing) !== keyOf(this.thing ?? {})) return;
      this.choices = { ...NONE, ...all };
      this.draft = new Draft(this.named(opened));
      const kept = draftOf(keyOf(thing))?.kept;
      if (kept && opened.editable) this.draft.resume(kept);
      this.template = template ? new template.TemplatePage(this, this.eye) : null;
      this.changed();
    } catch (error) {
      this.refused(error, () => this.open(thing));
    }
  }

  /** Fetch the form of a thing and what its fields can refer to, along with something else. */
  fetch(thing, more) {
    return Promise.all([
      this.studio.ask(`${routeOf(thing)}/form?${new URLSearchParams(thing)}`),
      thing.of === "template" ? NONE : choices(thing.faction),
      more,
      this.askTexts(),
    ]);
  }

  /** Go back to where one came from: the wall with the card, or where editing begins. */
  async back() {
    const { thing, studio } = this;
    if (thing.on) return studio.go("cards").then(() => studio.openCard(thing.on));
    if (!this.own || thing.rule) return this.go(null);
    await studio.go("cards");
    const found = this.cardOf(thing);
    if (found) studio.openCard(found.face.key);
    return undefined;
  }

  // What is edited.

  sent() {
    return { ...this.draft.form.thing, state: this.draft.form.state, ...this.draft.changes() };
  }

  /** What is saved: of something new also the id that is shown, so that it is not saved twice. */
  toSave() {
    const said = this.sent();
    const { id } = this.draft.values;
    if (this.template) return { ...said, face: this.template.key };
    return this.thing.new && id ? { ...said, values: { ...said.values, id } } : said;
  }

  /** Whether it is a card, and not what cards show. */
  get own() {
    return isCard(this.thing);
  }

  get title() {
    return this.draft?.values.name || this.draft?.form.title || "";
  }

  /** Return the card before (-1) or after (1) this one on the wall, undefined if there is none. */
  neighbour(by) {
    const all = cardsOf(this.studio.wall());
    const card = this.own && this.cardOf({ faction: "", ...this.thing });
    const at = all.findIndex(({ face }) => face === card?.face);
    const found = at >= 0 ? all[at + by] : undefined;
    return found && this.translated({ of: "card", faction: found.faction, id: found.id });
  }

  get unsaved() {
    return Boolean(this.draft?.form.editable) && (this.draft.dirty || Boolean(this.thing.new));
  }

  /** Something was changed: keep it, show it, look at its faces. */
  changed() {
    if (!this.draft) return;
    this.keep();
    this.draw();
    this.previews.want();
  }

  /** Show what another tab writes in the same form: there is one draft of a thing. */
  follow(key, kept) {
    if (!this.draft?.form.editable || this.saving || key !== keyOf(this.thing)) return;
    this.draft.follow(kept);
    this.draw();
    this.previews.want();
  }

  /** Let the browser keep what is not saved. */
  keep() {
    if (!this.draft || !this.draft.form.editable) return;
    const { thing } = this;
    const key = keyOf(thing);
    if (this.draft.dirty)
      keepDraft(this.studio, key, { thing, title: this.title, kept: this.draft.kept() });
    else forgetDraft(this.studio, key, thing);
  }

  async previewed(answer, error) {
    if (error) {
      if (!(error instanceof Refused) || error.status >= 500)
        return this.studio.failed(error, () => this.previews.want());
      const { findings, message, hint } = error.answer;
      const whole = [{ severity: "error", code: "", message, hint }];
      this.answer = { faces: [], ...this.answer, ok: false, findings: findings ?? whole };
      return this.draw();
    }
    if (this.thing.new && answer.id && !this.unsure && !this.saving)
      this.draft.propose("id", answer.id);
    await fetchPictures(answer.faces.map(({ hash }) => hash));
    this.answer = answer;
    if (this.notice?.below) this.notice = this.noticeBelow(answer.findings.filter(isBelow));
    this.shown = mergeFaces(this.shown, answer.faces, this.own);
    this.draw(true);
  }

  /** Save what is edited, once it is settled whose words stay where others have written. */
  save(anyway = false) {
    this.tried = true;
    if (!Object.keys(this.draft.clashes).length) return save(this, anyway);
    this.studio.announce(word("edit-clashes"));
    return this.body.querySelector(".edit-clash button")?.focus();
  }

  /** Say why something was refused: in the form, or over it where trying `again` may help. */
  refused(error, again) {
    if (!(error instanceof Refused) || error.status >= 500) return this.studio.failed(error, again);
    const { findings = [], anyway = false } = error.answer;
    const wrong = findings.filter(({ severity }) => severity === "error");
    const below = findings.filter(isBelow);
    const others = { findings: findings.filter((one) => !below.includes(one)), anyway };
    this.notice =
      below.length && below.length === wrong.length
        ? this.noticeBelow(below, others)
        : { kind: "wrong", text: sentence({ ...error.answer, findings: [] }), ...others };
    if (below.length) this.answer = { faces: [], ...this.answer, ok: false, findings };
    this.draw();
    if (below.length) this.focusFault();
    else this.body.querySelector(".edit-notice")?.focus();
  }

  /** Return the notice that counts the faults below fields, null where none is left. */
  noticeBelow(below, others = this.notice) {
    const text = counted("edit-mend-one", "edit-mend", below.length);
    return below.length ? { kind: "wrong", ...others, text, below: true } : null;
  }

  /** Lead to the first field at which something is wrong, unfolding what hides it. */
  focusFault() {
    const wanted = this.body.querySelector(".edit-field:has(.edit-finding.error)");
    for (const fold of this.body.querySelectorAll("details"))
      if (fold.contains(wanted)) fold.open = true;
    const typed = wanted?.querySelector("input:not([type=color]), select, textarea");
    (typed ?? wanted?.querySelector("button"))?.focus();
  }

  /** What others change is laid under what is edited here. */
  async refresh() {
    if (!this.thing) return this.begin();
    if (!this.draft || this.saving || this.thing.new) return;
    const { thing, draft } = this;
    try {
      const [now, all] = await this.fetch(thing);
      if (draft !== this.draft || this.saving) return;
      this.choices = { ...NONE, ...all };
      if (now.state !== draft.form.state) {
        if (draft.dirty) draft.rebase(this.named(now));
        else this.draft = new Draft(this.named(now));
        this.studio.announce(word("edit-others"));
      } else draft.form.faces = now.faces;
      this.changed();
    } catch (error) {
      if (draft === this.draft) this.refused(error);
    }
  }

  hear(event) {
    const other = event.kind === "wall" ? this.translated(this.thing) : this.thing;
    if (other !== this.thing)
      this.studio.attempt(async () => {
        await this.show(new URLSearchParams(paramsOf(other)));
        this.studio.keep();
      });
    else if (event.kind === "wall" || event.kind === "files")
      this.studio.attempt(() => this.refresh());
    if (event.kind === "settings" || (event.kind === "faces" && this.template)) this.draw();
  }

  // Drawing.

  /** Whether it is too early to say of something new that a field is empty. */
  early({ here, field, child, index }) {
    const { draft, tried } = this;
    if (!this.thing.new || tried || !here) return false;
    if (child)
      return (
        (index ?? null) === null &&
        draft.children[child]?.length === draft.was.children[child]?.length
      );
    return (draft.values[field] ?? null) === (draft.was.values[field] ?? null);
  }

  /** What the faces leave out for want of room, as findings. */
  get unprinted() {
    const names = this.own
      ? this.shown.flatMap(({ stale, unprinted }) => (stale ? [] : unprinted))
      : [];
    const { page } = partsOfId(this.thing);
    return [...new Set(names)].map((name) => ({
      here: !page || `${page}/${name}` in this.draft.values,
      field: page ? `${page}/${name}` : name,
      severity: "info",
      message: word("no-room"),
    }));
  }

  get view() {
    const { draft, answer } = this;
    return {
      ...this.state,
      readOnly: !draft.form.editable,
      languages: [draft.form.language, draft.form.kind],
      choices: this.choices,
      values: draft.values,
      clashes: draft.clashes,
      found: byPath(
        [...(answer?.findings ?? []).filter((one) => !this.early(one)), ...this.unprinted],
        draft,
      ),
      boxes: answer?.pictures ?? [],
      fields: new Map(draft.form.fields.map((one) => [one.name, one])),
      shown: this.shown,
      answered: Boolean(answer),
      stale: Boolean(answer && !answer.ok),
      styles: this.studio.wall()?.game.styles ?? [],
    };
  }

  /** Draw it all; where it is `steady`, what appears does not push away the field one types in. */
  draw(steady = false) {
    const typed = document.activeElement;
    const old = typed?.id;
    const top = steady && typed.closest(".edit-form") && typed.getBoundingClientRect().top;
    morph(
      this.body,
      [
        this.thing
          ? this.draft
            ? page(this)
            : this.waiting()
          : this.texts && this.list
            ? startTexts(this, section, link)
            : this.list
              ? startPage(this.list, this.studio.wall(), drafts(), this)
              : this.waiting(),
      ].flat(),
    );
    this.eye.hidden = !this.template;
    this.template?.draw();
    if (old && document.activeElement === document.body) document.getElementById(old)?.focus();
    if (typeof top === "number" && typed.isConnected)
      scrollBy(0, typed.getBoundingClientRect().top - top);
  }

  /** Return what stands in place of a form; a draft of what is gone can go as well. */
  waiting() {
    const lost = this.notice && this.thing && draftOf(keyOf(this.thing));
    return make("div.empty", [
      this.notice?.findings?.length
        ? general(this.notice.findings, this.studio.wall()?.game ?? {})
        : make("p", this.notice?.text ?? word("pending")),
      lost && make("button", { "data-act": "discard" }, word("edit-revert")),
    ]);
  }
}

export function start(root, studio) {
  const editor = new Editor(root, studio);
  return {
    show: (params) => editor.show(params),
    hide: () => editor.keep(),
    hear: (event) => editor.hear(event),
    params: () => editor.params(),
    home: () => editor.thing && editor.go(null),
  };
}
