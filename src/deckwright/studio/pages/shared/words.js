/** The words of the page. `{}` stands for what is given. */

const EN = {
  skip: "To the content",
  views: "Views",
  "nav-cards": "Cards",
  "nav-decks": "Decks",
  "nav-edit": "Edit",
  "nav-print": "Print",
  "read-only": "Only looks",
  unsaved: "Not saved: {}",
  "unsaved-many": "{} works are not saved",
  wall: "All cards",
  search: "Search cards",
  "search-hint": "Name, text, or {}",
  "search-words": "Name or text",
  sides: "Sides",
  fronts: "Fronts",
  backs: "Backs",
  style: "Style",
  usual: "Usual style",
  sort: "Sort",
  size: "Size",
  settings: "Settings",
  findings: "Findings",
  notes: "Messages",
  filters: "Filters",
  "seen-all": "Mark all as seen",
  clear: "Clear search and filters",
  card: "Opened card",
  theme: "Appearance",
  "theme-auto": "As the system",
  "theme-light": "Light",
  "theme-dark": "Dark",
  editor: "Open files in",
  "editor-none": "No editor: copy the place",
  done: "Done",
  calibrate: "Life-size",
  "calibrate-how":
    "Hold a card to the screen. Drag the corner of the frame, or the slider, until both are as large.",
  "calibrate-size": "{} × {} mm",
  "sort-order": "As in the files",
  "sort-name": "By name",
  "sort-id": "By id",
  "sort-field": "By {}",
  "with-findings": "With findings",
  changed: "Changed",
  kind: "Kind",
  faction: "Faction",
  back: "Back",
  front: "Front",
  hits: "{} of {} cards",
  "hits-one": "{} of 1 card",
  all: "{} cards",
  "all-one": "1 card",
  none: "No card is like that.",
  "no-cards": "There are no cards yet.",
  "finding-count": "{} findings",
  "finding-one": "1 finding",
  gone: "The studio does not answer. What you see stays; it connects again by itself.",
  stale: "The studio was started anew. Open the address that the terminal shows.",
  "changes-one": "1 face has changed.",
  changes: "{} faces have changed.",
  "changes-show": "Show",
  "changes-all": "Show all cards",
  close: "Close",
  fit: "Fit",
  life: "Life-size",
  guides: "Bleed, trim, safe zone",
  view: "Seen as",
  "view-normal": "As printed",
  "view-grey": "Grey",
  "view-protan": "Without red cones",
  "view-deutan": "Without green cones",
  "view-tritan": "Without blue cones",
  "view-draft": "Draft print, half the ink",
  before: "Before",
  now: "Now",
  seen: "Seen",
  data: "Data",
  source: "Card",
  template: "Template",
  open: "Open in the editor",
  copy: "Copy the place",
  copied: "Copied",
  hint: "Hint",
  "mistake-one": "1 mistake: what is still good stays.",
  mistakes: "{} mistakes: what is still good stays.",
  pending: "being drawn",
  never: "cannot be shown",
  "last-good": "last good state",
  field: "Field",
  value: "Value",
  more: "and {} more: deckwright check tells all",
  "guide-bleed": "Bleed, {} mm",
  "guide-trim": "Trim, {} × {} mm",
  "guide-safe": "Safe zone, {} mm",
  "looks-only": "This studio only looks: start it without --read-only to save.",
  edit: "Edit",
  form: "Form",
  "not-saved": "not saved",
  "editor-own": "Another editor",
  pattern: "Its address",
  failures: "Failures",
  retry: "Try again",
  "failed-missing": "It is not there any more.",
  "failed-inside": "Something has gone wrong in the studio; its terminal says what.",
  "disk-full": "The disk is full: {} could not be saved.",
  "not-allowed": "{} may not be read or written: its permissions forbid it.",
  "disk-failed": "{} could not be read or written.",
  "file-changed": "Somebody has changed {} since it was read.",
  "search-unknown": "No card has “{}”. Cards have: {}",
  "no-room": "Not printed: no room",
  kept: "Kept",
  "kept-begin": "Keep this as …",
  "kept-name": "Name",
  "kept-do": "Keep",
  "kept-forget": "Forget “{}”",
};

const DE = {
  skip: "Zum Inhalt",
  views: "Ansichten",
  "nav-cards": "Karten",
  "nav-decks": "Decks",
  "nav-edit": "Bearbeiten",
  "nav-print": "Drucken",
  "read-only": "Nur ansehen",
  unsaved: "Nicht gespeichert: {}",
  "unsaved-many": "{} Arbeiten sind nicht gespeichert",
  wall: "Alle Karten",
  search: "Karten suchen",
  "search-hint": "Name, Text oder {}",
  "search-words": "Name oder Text",
  sides: "Seiten",
  fronts: "Vorn",
  backs: "Hinten",
  style: "Stil",
  usual: "Üblicher Stil",
  sort: "Ordnung",
  size: "Größe",
  settings: "Einstellungen",
  findings: "Befunde",
  notes: "Meldungen",
  filters: "Filter",
  "seen-all": "Alle gesehen",
  clear: "Suche und Filter leeren",
  card: "Geöffnete Karte",
  theme: "Aussehen",
  "theme-auto": "Wie das System",
  "theme-light": "Hell",
  "theme-dark": "Dunkel",
  editor: "Dateien öffnen mit",
  "editor-none": "Kein Editor: Stelle kopieren",
  done: "Fertig",
  calibrate: "Lebensgröße",
  "calibrate-how":
    "Halte eine Karte an den Bildschirm. Zieh an der Ecke des Rahmens oder am Regler, bis beide gleich groß sind.",
  "calibrate-size": "{} × {} mm",
  "sort-order": "Wie in den Dateien",
  "sort-name": "Nach Name",
  "sort-id": "Nach Kennung",
  "sort-field": "Nach {}",
  "with-findings": "Mit Befunden",
  changed: "Geändert",
  kind: "Art",
  faction: "Fraktion",
  back: "Rückseite",
  front: "Vorderseite",
  hits: "{} von {} Karten",
  "hits-one": "{} von 1 Karte",
  all: "{} Karten",
  "all-one": "1 Karte",
  none: "So ist keine Karte.",
  "no-cards": "Es gibt noch keine Karten.",
  "finding-count": "{} Befunde",
  "finding-one": "1 Befund",
  gone: "Das Studio antwortet nicht. Was du siehst, bleibt; es verbindet sich von selbst wieder.",
  stale: "Das Studio wurde neu gestartet. Öffne die Adresse, die im Terminal steht.",
  "changes-one": "1 Kartenseite hat sich geändert.",
  changes: "{} Kartenseiten haben sich geändert.",
  "changes-show": "Zeigen",
  "changes-all": "Alle Karten zeigen",
  close: "Schließen",
  fit: "Einpassen",
  life: "Lebensgröße",
  guides: "Beschnitt, Schnitt, Sicherheitszone",
  view: "Gesehen",
  "view-normal": "Wie gedruckt",
  "view-grey": "In Grau",
  "view-protan": "Ohne Rotzapfen",
  "view-deutan": "Ohne Grünzapfen",
  "view-tritan": "Ohne Blauzapfen",
  "view-draft": "Entwurfsdruck, halbe Tinte",
  before: "Vorher",
  now: "Jetzt",
  seen: "Gesehen",
  data: "Daten",
  source: "Karte",
  template: "Vorlage",
  open: "Im Editor öffnen",
  copy: "Stelle kopieren",
  copied: "Kopiert",
  hint: "Tipp",
  "mistake-one": "1 Fehler: Was noch gut ist, bleibt.",
  mistakes: "{} Fehler: Was noch gut ist, bleibt.",
  pending: "wird gezeichnet",
  never: "nicht darstellbar",
  "last-good": "letzter guter Stand",
  field: "Feld",
  value: "Wert",
  more: "und {} weitere: deckwright check nennt alle",
  "guide-bleed": "Beschnitt, {} mm",
  "guide-trim": "Schnitt, {} × {} mm",
  "guide-safe": "Sicherheitszone, {} mm",
  "looks-only": "Dieses Studio zeigt nur: Starte es ohne --read-only, um zu speichern.",
  edit: "Bearbeiten",
  form: "Formular",
  "not-saved": "nicht gespeichert",
  "editor-own": "Anderer Editor",
  pattern: "Seine Adresse",
  failures: "Fehlschläge",
  retry: "Noch einmal versuchen",
  "failed-missing": "Das gibt es nicht mehr.",
  "failed-inside": "Im Studio ist etwas schiefgegangen; im Terminal steht, was.",
  "disk-full": "Der Datenträger ist voll: {} konnte nicht gespeichert werden.",
  "not-allowed": "{} darf nicht gelesen oder geschrieben werden: Die Zugriffsrechte verbieten es.",
  "disk-failed": "{} konnte nicht gelesen oder geschrieben werden.",
  "file-changed": "Jemand hat {} geändert, seit es gelesen wurde.",
  "search-unknown": "Keine Karte hat „{}“. Karten haben: {}",
  "no-room": "Nicht gedruckt: kein Platz",
  kept: "Gemerkt",
  "kept-begin": "Merken als …",
  "kept-name": "Name",
  "kept-do": "Merken",
  "kept-forget": "„{}“ vergessen",
};

export const language = navigator.language.toLowerCase().startsWith("de") ? "de" : "en";

/** All words by language; in each, by id. */
export const WORDS = { en: {}, de: {} };

/** Learn the words of a module, in all languages. */
export function teach(words) {
  for (const [name, taught] of Object.entries(words)) Object.assign(WORDS[name], taught);
}

teach({ en: EN, de: DE });

/** Return a word of the page, with what is given in place of each `{}`. */
export function word(id, ...given) {
  let next = 0;
  return WORDS[language][id].replace(/\{\}/g, () => given[next++]);
}

/** Return the word for one or for many. */
export const counted = (one, many, count) => (count === 1 ? word(one) : word(many, count));

/** Return whether the page has words for what the server says. */
const hasWords = ({ word: id }) => id in WORDS[language];

/**
 * Return what the server says, in the language of the page where it has words for it; findings say
 * more than their list.
 */
export function sentence({ word: id, given = [], message, hint, findings = [] }) {
  if (hasWords({ word: id })) return word(id, ...given);
  return (findings.length ? findings.map((one) => one.message) : [message, hint])
    .filter(Boolean)
    .join("; ");
}

/** Return a text of the tool, which speaks English, for an element of the page. */
export const english = (text, given = {}) =>
  make("span", { ...given, ...(language === "en" ? {} : { lang: "en" }) }, text);

/** Return what the server says, for an element of the page. */
export const says = (answer) =>
  hasWords(answer) ? make("span", {}, sentence(answer)) : english(sentence(answer));

/**
 * Return the element of the page that has an id.
 *
 * @returns {any} nothing is known of its kind: the page says what it is.
 */
export const $ = (id) => document.getElementById(id);

/** Write the words of all elements that ask for one. */
export function speak(root) {
  for (const node of root.querySelectorAll("[data-word]"))
    node.textContent = word(node.dataset.word);
  for (const node of root.querySelectorAll("[data-label]"))
    node.setAttribute("aria-label", word(node.dataset.label));
}

/** Make an element: its class, its text or children, and other properties. */
export function make(tag, given = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(given)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "selected" || (name === "value" && tag === "input"))
      node.toggleAttribute(name, value !== false) &&
        value !== true &&
        node.setAttribute(name, value);
    else if (name in node && !name.includes("-")) node[name] = value;
    else node.setAttribute(name, value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}
