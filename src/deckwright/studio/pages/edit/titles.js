/** What the fields of a form are called, where the game itself has no name for them. */

import { word, WORDS } from "../shared/words.js";

const BY_THING = {
  rule: {
    type: "edit-rule-type",
    cost: "edit-rule-cost",
    effect: "edit-rule-effect",
    brief: "edit-rule-brief",
    refills: "edit-rule-refills",
    adds: "edit-rule-adds",
    label: "edit-rule-labels",
    GEN: "edit-rule-others",
    active: "edit-rule-active",
    passive: "edit-rule-passive",
  },
  faction: {
    race_name: "edit-faction-race",
    faction_name: "edit-name",
    color: "edit-faction-color",
    cards: "edit-faction-cards",
    format: "edit-faction-format",
    description: "edit-faction-description",
  },
};
const SELDOM = new Set(["refills", "adds"]);
const ANYWHERE = { name: "edit-name", id: "edit-id", rules: "edit-rules" };

const wordOr = (name) => {
  const text = name.replaceAll("_", " ").trim();
  return text.charAt(0).toUpperCase() + text.slice(1);
};

/** Return what a page of texts is called that are on no card. */
const titleOfPage = ([, of, ...rest]) =>
  word(`translate-of-${of}` in WORDS ? `translate-of-${of}` : `edit-names-${of}`, rest.join("/"));

export const titleOf = ({ of, id }, title) =>
  of === "translation"
    ? title || titleOfPage(id.split("/"))
    : of === "texts" && ["words", "names", "game"].includes(id)
      ? word(`edit-texts-${id}`, title)
      : title;

/** Return a name of `game.xml` with its group: those of kinds, of fields, of limits. */
function titleWithGroup(one) {
  const [tag, own] = one.name.split(/:(.*)/s);
  return { ...one, label: own, group: word(`edit-names-${tag}`) };
}

export function withTitles(form, filters = []) {
  const own = BY_THING[form.thing.of] ?? {};
  const title = (name) => filters.find((one) => one.name === name)?.title;
  const label = (name, given, other) =>
    own[name]
      ? word(own[name])
      : given ||
        title(other ?? name) ||
        (ANYWHERE[other ?? name] ? word(ANYWHERE[other ?? name]) : wordOr(other ?? name));
  const named = ({ name, label: given }) => {
    if (form.thing.of !== "translation") return label(name, given);
    const [context] = name.split("#");
    const page = form.thing.id.replace(/^[^/]+\//, "");
    const tail = context.startsWith(`${page}/`) ? context.slice(page.length + 1) : context;
    const last = tail.startsWith("rule/") ? tail.split("/").slice(2).join("/") : tail;
    const [of, race] = last.split("/");
    if (of === "label") return page.startsWith("rule/") ? race : word("edit-name");
    const known = (context.startsWith("rule/") && BY_THING.rule[of]) || ANYWHERE[last];
    return known ? word(known) : given || last;
  };
  const field = (one) => ({
    ...one,
    label: named(one),
    look: one.look || (form.thing.of === "rule" && SELDOM.has(one.name)),
    options: one.options.map((term) =>
      own[term.value] && form.thing.of === "rule" ? { ...term, name: word(own[term.value]) } : term,
    ),
  });
  return {
    ...form,
    title: titleOf(form.thing, form.title),
    fields:
      form.thing.of === "texts" && form.thing.id === "names"
        ? form.fields.map(titleWithGroup)
        : form.fields.map(field),
    children: form.children.map((spec) => ({
      ...spec,
      label: label(spec.tag, spec.label, spec.plural),
      fields: spec.fields.map(field),
    })),
  };
}
