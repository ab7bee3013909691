/** The words of the page. `{}` stands for what is given. */

const EN = {
  skip: "To the content",
  views: "Views",
  "nav-cards": "Cards",
  "nav-decks": "Decks",
  "nav-edit": "Edit",
  "nav-print": "Print",
  "read-only": "Read-only",
  unsaved: "Unsaved: {}",
  "unsaved-many": "{} unsaved changes",
  wall: "All cards",
  search: "Search cards",
  "search-hint": "Name, text, or {}",
  "search-words": "Name or text",
  sides: "Sides",
  fronts: "Fronts",
  backs: "Backs",
  style: "Style",
  usual: "Default style",
  sort: "Sort by",
  size: "Size",
  settings: "Settings",
  findings: "Findings",
  notes: "Messages",
  filters: "Filters",
  "seen-all": "Mark all as seen",
  clear: "Clear search and filters",
  card: "Opened card",
  theme: "Appearance",
  "theme-auto": "System",
  "theme-light": "Light",
  "theme-dark": "Dark",
  language: "Language",
  "language-auto": "Browser",
  keys: "Keyboard shortcuts",
  editor: "Open files in",
  "editor-none": "No editor (copy the path)",
  done: "Done",
  calibrate: "Life-size",
  "calibrate-how":
    "Hold a card to the screen. Drag the corner of the frame, or the slider, until both have the same size.",
  "calibrate-size": "{} × {} mm",
  "sort-order": "By file",
  "sort-name": "By name",
  "sort-id": "By ID",
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
  none: "No matching cards.",
  "no-cards": "No cards yet.",
  "finding-count": "{} findings",
  "new-card": "New card",
  edge: "Width",
  previous: "Previous card",
  next: "Next card",
  "finding-one": "1 finding",
  gone: "The studio is not responding. Your work is kept; the page reconnects by itself.",
  stale: "The studio was restarted. Open the address shown in the terminal.",
  "changes-one": "1 face changed.",
  changes: "{} faces changed.",
  "changes-show": "Show",
  "changes-all": "Show all cards",
  close: "Close",
  fit: "Fit",
  life: "Life-size",
  guides: "Bleed, trim, safe zone",
  view: "View as",
  "view-normal": "As printed",
  "view-grey": "Grayscale",
  "view-protan": "Red-blind (protanopia)",
  "view-deutan": "Green-blind (deuteranopia)",
  "view-tritan": "Blue-blind (tritanopia)",
  "view-draft": "Draft print, half the ink",
  before: "Before",
  now: "Now",
  seen: "Seen",
  data: "Data",
  source: "Card",
  template: "Template",
  open: "Open in editor",
  copy: "Copy path",
  copied: "Copied",
  hint: "Hint",
  "mistake-one": "1 error",
  mistakes: "{} errors",
  pending: "drawing …",
  never: "cannot be drawn",
  "last-good": "last valid state",
  field: "Field",
  value: "Value",
  more: "and {} more: run deckwright check to see them all",
  "guide-bleed": "Bleed, {} mm",
  "guide-trim": "Trim, {} × {} mm",
  "guide-safe": "Safe zone, {} mm",
  "looks-only": "The studio is read-only. Start it without --read-only to save.",
  edit: "Edit",
  form: "Form",
  "not-saved": "unsaved",
  "editor-own": "Another editor",
  pattern: "Its URL",
  failures: "Errors",
  retry: "Try again",
  "failed-missing": "This no longer exists.",
  "failed-inside": "Something went wrong in the studio. The terminal shows the details.",
  "disk-full": "The disk is full: {} was not saved.",
  "not-allowed": "No permission to read or write {}.",
  "disk-failed": "{} could not be read or written.",
  "file-changed": "{} has been changed in the meantime.",
  "search-unknown": "No card has “{}”. Available: {}",
  "no-room": "Not printed: no room",
  kept: "Saved searches",
  "kept-begin": "Save search …",
  "kept-name": "Name",
  "kept-do": "Save",
  "kept-forget": "Delete “{}”",
  "key-search": "Search",
  "key-escape": "Clear the search, close the card",
  "key-down": "From the search to the cards",
  "key-arrows": "From card to card",
  "key-enter": "Open the card, or close it",
  "key-tab": "To the opened card",
  "key-edit": "Edit the opened card",
  "key-copies": "In a deck: add or remove a copy",
  "key-digits": "In a deck: set the number of copies",
  "key-undo": "Undo, redo",
  "key-save": "Save",
  "key-keys": "Show this list",
};

const DE = {
  skip: "Zum Inhalt",
  views: "Ansichten",
  "nav-cards": "Karten",
  "nav-decks": "Decks",
  "nav-edit": "Bearbeiten",
  "nav-print": "Drucken",
  "read-only": "Schreibgeschützt",
  unsaved: "Nicht gespeichert: {}",
  "unsaved-many": "{} ungespeicherte Änderungen",
  wall: "Alle Karten",
  search: "Karten suchen",
  "search-hint": "Name, Text oder {}",
  "search-words": "Name oder Text",
  sides: "Seiten",
  fronts: "Vorderseiten",
  backs: "Rückseiten",
  style: "Stil",
  usual: "Standardstil",
  sort: "Sortierung",
  size: "Größe",
  settings: "Einstellungen",
  findings: "Probleme",
  notes: "Meldungen",
  filters: "Filter",
  "seen-all": "Alle als gesehen markieren",
  clear: "Suche und Filter zurücksetzen",
  card: "Geöffnete Karte",
  theme: "Darstellung",
  "theme-auto": "System",
  "theme-light": "Hell",
  "theme-dark": "Dunkel",
  language: "Sprache",
  "language-auto": "Wie der Browser",
  keys: "Tastenkürzel",
  editor: "Dateien öffnen mit",
  "editor-none": "Keinem Editor (Pfad kopieren)",
  done: "Fertig",
  calibrate: "Originalgröße",
  "calibrate-how":
    "Halte eine Karte an den Bildschirm. Zieh an der Ecke des Rahmens oder am Regler, bis beide gleich groß sind.",
  "calibrate-size": "{} × {} mm",
  "sort-order": "Nach Datei",
  "sort-name": "Nach Name",
  "sort-id": "Nach ID",
  "sort-field": "Nach {}",
  "with-findings": "Mit Problemen",
  changed: "Geändert",
  kind: "Art",
  faction: "Fraktion",
  back: "Rückseite",
  front: "Vorderseite",
  hits: "{} von {} Karten",
  "hits-one": "{} von 1 Karte",
  all: "{} Karten",
  "all-one": "1 Karte",
  none: "Keine Karte gefunden.",
  "no-cards": "Noch keine Karten.",
  "finding-count": "{} Probleme",
  "new-card": "Neue Karte",
  edge: "Breite",
  previous: "Vorherige Karte",
  next: "Nächste Karte",
  "finding-one": "1 Problem",
  gone: "Das Studio antwortet nicht. Deine Arbeit bleibt erhalten; die Seite verbindet sich von selbst wieder.",
  stale: "Das Studio wurde neu gestartet. Öffne die Adresse aus dem Terminal.",
  "changes-one": "1 Kartenseite geändert.",
  changes: "{} Kartenseiten geändert.",
  "changes-show": "Anzeigen",
  "changes-all": "Alle Karten anzeigen",
  close: "Schließen",
  fit: "Einpassen",
  life: "Originalgröße",
  guides: "Schnittlinien",
  view: "Ansicht",
  "view-normal": "Wie gedruckt",
  "view-grey": "Graustufen",
  "view-protan": "Rotblind (Protanopie)",
  "view-deutan": "Grünblind (Deuteranopie)",
  "view-tritan": "Blaublind (Tritanopie)",
  "view-draft": "Entwurfsdruck, halbe Tinte",
  before: "Vorher",
  now: "Jetzt",
  seen: "Gesehen",
  data: "Daten",
  source: "Karte",
  template: "Vorlage",
  open: "Im Editor öffnen",
  copy: "Pfad kopieren",
  copied: "Kopiert",
  hint: "Tipp",
  "mistake-one": "1 Fehler",
  mistakes: "{} Fehler",
  pending: "wird gezeichnet …",
  never: "nicht darstellbar",
  "last-good": "letzter gültiger Stand",
  field: "Feld",
  value: "Wert",
  more: "und {} weitere: deckwright check zeigt alle",
  "guide-bleed": "Beschnitt, {} mm",
  "guide-trim": "Endformat, {} × {} mm",
  "guide-safe": "Sicherheitszone, {} mm",
  "looks-only": "Das Studio ist schreibgeschützt. Starte es ohne --read-only, um zu speichern.",
  edit: "Bearbeiten",
  form: "Formular",
  "not-saved": "ungespeichert",
  "editor-own": "Anderer Editor",
  pattern: "Adresse",
  failures: "Fehler",
  retry: "Erneut versuchen",
  "failed-missing": "Das gibt es nicht mehr.",
  "failed-inside": "Im Studio ist ein Fehler aufgetreten. Einzelheiten stehen im Terminal.",
  "disk-full": "Der Datenträger ist voll: {} wurde nicht gespeichert.",
  "not-allowed": "Keine Berechtigung, {} zu lesen oder zu schreiben.",
  "disk-failed": "{} konnte nicht gelesen oder geschrieben werden.",
  "file-changed": "{} wurde inzwischen geändert.",
  "search-unknown": "Keine Karte hat „{}“. Möglich sind: {}",
  "no-room": "Nicht gedruckt: kein Platz",
  kept: "Gespeicherte Suchen",
  "kept-begin": "Suche speichern …",
  "kept-name": "Name",
  "kept-do": "Speichern",
  "kept-forget": "„{}“ löschen",
  "key-search": "Suchen",
  "key-escape": "Suche leeren, Karte schließen",
  "key-down": "Von der Suche zu den Karten",
  "key-arrows": "Von Karte zu Karte",
  "key-enter": "Karte öffnen oder schließen",
  "key-tab": "Zur geöffneten Karte",
  "key-edit": "Geöffnete Karte bearbeiten",
  "key-copies": "Im Deck: ein Exemplar mehr oder weniger",
  "key-digits": "Im Deck: Zahl der Exemplare",
  "key-undo": "Rückgängig, wiederherstellen",
  "key-save": "Speichern",
  "key-keys": "Diese Liste zeigen",
};

/** Return the language that the settings name; words are needed before all else. */
function chosenLanguage() {
  try {
    return JSON.parse(localStorage.getItem("deckwright:settings"))?.language ?? "auto";
  } catch {
    return "auto";
  }
}

const chosen = chosenLanguage() === "auto" ? navigator.language.toLowerCase() : chosenLanguage();
export const language = chosen.startsWith("de") ? "de" : "en";

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
