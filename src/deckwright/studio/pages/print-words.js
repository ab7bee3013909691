/** The words of the view Print, and how its options and sheets are called. */

import { language, teach, word, WORDS } from "./words.js";

const EN = {
  "print-paper-tab": "Print it yourself", "print-files-tab": "Services and exports", "print-tabs": "Ways to print",
  "print-choose": "What and how", "print-what": "What", "print-decks": "Decks", "print-factions": "Factions", "print-markers": "Markers",
  "print-all-decks": "All decks", "print-all-markers": "All markers", "print-all-factions": "All factions", "print-all-cards": "All cards",
  "print-all": "All", "print-none": "None", "print-find": "Find a deck", "print-cards": "{} cards", "print-card": "1 card",
  "print-nothing-chosen": "Choose at least one.", "print-no-decks": "This game has no decks yet.",
  "print-how": "How", "print-more": "More options", "print-as-game": "As the game says", "print-as-game-is": "Usual: {}",
  "print-no-printer": "Any, not calibrated", "print-calibrate": "Calibrate a printer…", "print-calibrate-again": "Calibrate anew…",
  "print-right": "{} mm to the right", "print-left": "{} mm to the left", "print-down": "{} mm down", "print-up": "{} mm up", "print-and": "{} and {}",
  "print-moves": "Backs move {}.", "print-white": "White edges: {} mm.", "print-scaled": "The cards are scaled to the slots of this sheet.",
  "print-backs-no": "No backs", "print-backs-behind": "Behind each sheet (duplex)", "print-backs-apart": "In a file of their own",
  "print-since": "Since the last print, {}", "print-since-never": "Not printed yet: this print will be what later ones are compared with.",
  "print-since-same": "Nothing has changed since.", "print-new": "new", "print-changed": "changed", "print-new-count": "{} new", "print-changed-count": "{} changed",
  "print-only-these": "Print only these", "print-what-changed": "What has changed", "print-gone": "gone", "print-copies-change": "{} instead of {}",
  "print-make": "Make the PDF", "print-make-n": "Make the PDF: {} pages", "print-make-one": "Make the PDF: 1 page", "print-make-many": "Make {} PDFs: {} pages", "print-make-files": "Make the files",
  "print-where": "Files go to {} of the game.", "print-where-temporary": "The game is only looked at: files are kept until the studio ends. Save what you need.",
  "print-sheets": "Sheets", "print-one-sheet": "1 sheet of paper", "print-many-sheets": "{} sheets of paper", "print-one-page": "1 page", "print-many-pages": "{} pages",
  "print-one-empty": "1 slot stays empty", "print-many-empty": "{} slots stay empty", "print-spare": "spare tokens: {}",
  "print-zoom": "Zoom", "print-zoom-all": "Overview", "print-zoom-page": "Whole page", "print-zoom-width": "Fit width", "print-zoom-life": "Life-size",
  "print-light": "Against the light", "print-light-how": "Shows the back of each sheet through its front, as a lamp does.", "print-cuts": "Cuts", "print-cuts-how": "Draws where to cut.",
  "print-page": "Page {}", "print-page-of": "Page {} of {}", "print-before": "Page before", "print-next": "Next page", "print-front": "front", "print-back": "back",
  "print-turned-long": "turned over its long edge", "print-turned-short": "turned over its short edge", "print-title": "{}, page {}",
  "print-laying": "Laying out the sheets …", "print-broken": "It cannot be laid out like this.", "print-last-good": "Below is what could be laid out last.",
  "print-slot": "{}, open the card", "print-slot-state": "{}, {}: open the card", "print-apart": "These pages go to {}.",
  "print-too-large": "These are more than {} pages. Look at less at a time; printing has no such limit.", "print-not-yet": "{} was not printed yet: print the whole deck first.",
  "print-too-many": "Too many jobs wait. Wait until some are done, or cancel some.", "print-no-process": "It cannot be made: {}", "print-ended": "The work has ended before it was done. The terminal may say why.",
  "print-since-elsewhere": "Nothing of what lies here; {} elsewhere in the deck.",
  "print-notes-one": "1 note", "print-notes": "{} notes",
  "print-services": "Print services", "print-exports": "Exports", "print-services-how": "Order your cards from a printer: the files are what each service asks for, checked before they are written.",
  "print-exports-how": "Take your cards elsewhere: to a table on the screen, a spreadsheet, a web page.", "print-options": "Options", "print-own-service": "A print service that your game describes.",
  "print-jobs": "Jobs", "print-earlier": "Earlier: {}", "print-waiting": "waiting", "print-running": "at work", "print-done": "done", "print-failed": "failed", "print-cancelled": "cancelled",
  "print-cancel": "Cancel", "print-forget": "Take off the list", "print-open-file": "Open", "print-save-file": "Save", "print-job-of": "{}: {}", "print-step": "{} ({} of {})",
  "print-job-started": "{}: begun", "print-job-done": "{}: done, {} to save", "print-job-failed": "{}: failed. {}", "print-job-cancelled": "{}: cancelled",
  "print-file-one": "1 file", "print-files": "{} files", "print-job-folder": "in {}", "print-and-more": "and {} more", "print-all-files": "Show all {} files", "print-job-findings": "What was found",
  "print-sheet-paper": "{} paper", "print-sheet-cards": "One card a page", "print-sheet-own": "Of this game", "print-sheet-scaled": "Made for other cards: scaled",
  "print-sheet-bleed": "bleed {} mm", "print-sheet-fold": "fold and glue", "print-sheet-any": "as many as fit", "print-sheet-card": "one card a page",

  "print-thing-decks": "Decks", "print-about-decks": "Cards and tokens on sheets, with the deck list and the rules.",
  "print-thing-tokens": "Tokens", "print-about-tokens": "The tokens that cards create.",
  "print-thing-boxes": "Boxes", "print-about-boxes": "A box to cut, fold and glue for each deck.",
  "print-thing-markers": "Markers", "print-about-markers": "Counters on sheets of their own.",
  "print-thing-overview": "Overview", "print-about-overview": "A book of all cards, to look things up.",
  "print-thing-rulebook": "Rulebook", "print-about-rulebook": "The rules of the game as a book.",
  "print-thing-everything": "Everything", "print-about-everything": "All decks, tokens, markers and books in one go.",
  "print-thing-calibration": "Calibration", "print-about-calibration": "A sheet that shows how true your printer is.",
  "print-thing-service-mpc": "MakePlayingCards", "print-about-service-mpc": "Pictures of all faces and backs, and an order that MPC Autofill uploads by itself. Good for decks in small numbers.",
  "print-thing-service-tgc": "The Game Crafter", "print-about-service-tgc": "Pictures and a list of copies. Good for a whole game with a box, sold one by one.",
  "print-thing-service-dtc": "DriveThruCards", "print-about-service-dtc": "One PDF in printing inks for each deck. Good for selling decks on demand.",
  "print-thing-service-mbprint": "MB Print", "print-about-service-mbprint": "One PDF for each deck, cards of any size, no fonts. Good for small runs in Europe.",
  "print-thing-service-meinspiel": "MeinSpiel", "print-about-service-meinspiel": "One PDF in printing inks for each deck, no fonts. Good for cards of 59 × 91 or 62 × 100 mm from Germany.",
  "print-thing-pictures": "Pictures", "print-about-pictures": "Every face as a picture: PNG for anything that shows pictures, WebP for web pages that load fast, SVG to stay sharp at any size.",
  "print-thing-proofs": "Proofs", "print-about-proofs": "One card a page with trim and safe zone, to look at closely before you order.",
  "print-thing-cockatrice": "Cockatrice", "print-about-cockatrice": "Cards, decks and pictures to play over the net, with an opponent far away.",
  "print-thing-tts": "Tabletop Simulator", "print-about-tts": "A saved object for each deck, to play at a table on the screen.",
  "print-thing-tables": "Tables", "print-about-tables": "All cards and decks as a workbook for Excel or LibreOffice, or as CSV. `deckwright import` brings your changes back.",

  "print-option-sheet": "Sheet", "print-option-paper": "Paper", "print-option-style": "Style", "print-option-marks": "Cutting marks", "print-option-printer": "Printer",
  "print-option-backs": "Backs", "print-option-backs_apart": "Backs in a file of their own", "print-option-flip": "Turned over its",
  "print-option-scale": "Cards of other sizes", "print-option-turn": "Turn cards where more fit", "print-option-cut": "For a cutting machine", "print-option-kiss_cut": "Cut stickers only, not the paper below", "print-option-back_offset": "Move backs right, down (mm)", "print-option-footer": "Ruler and footer on each sheet",
  "print-option-fill": "Fill the last sheet with spare tokens; decks share sheets", "print-option-watermark": "Word across all faces", "print-option-reference": "Rules at the end",
  "print-option-odds": "Odds of the opening hand", "print-option-only": "Only these cards (ids or names, with commas)", "print-option-copies": "Copies of each card",
  "print-option-draft": "As a draft, in spite of errors", "print-option-ignore_limits": "Leave deck limits aside",
  "print-option-limits": "Deck limits of", "print-option-date": "Restrictions of the day", "print-option-bleed": "Bleed (mm)", "print-option-dpi": "Pixels per inch",
  "print-option-size": "Size", "print-option-quality": "Quality", "print-option-lossless": "Without loss",
  "print-option-tokens": "With the tokens", "print-option-icc": "Colour profile", "print-option-anyway": "Write the files even if they would not print well",
  "print-option-check": "Only check, write nothing", "print-option-state_pdfx": "Claim to be PDF/X", "print-option-pdfx": "Kind of PDF/X", "print-option-inks": "Foil, varnish and other inks",
  "print-value-x-1a": "X-1a", "print-value-x-4": "X-4", "print-value-separations": "as separations", "print-value-pages": "as masks", "print-option-url": "Address of the pictures on the web", "print-option-picture_url": "Address of the pictures on the web",
  "print-option-form": "Format", "print-option-sides": "Sides", "print-option-pictures": "With pictures", "print-option-cost": "Field shown as the cost", "print-option-power": "Field shown in the corner",
  "print-option-delimiter": "Between columns", "print-option-bom": "With a mark for Excel", "print-option-cards": "Room for so many cards",
  "print-option-thickness": "Thickness of a card (mm)", "print-option-clearance": "Clearance (mm)", "print-option-sleeved": "In sleeves",
  "print-value-long": "long edge", "print-value-short": "short edge", "print-value-none": "none", "print-value-fit": "scaled to fit", "print-value-crop": "short lines outside",
  "print-value-lines": "lines along every cut", "print-value-corners": "ticks at the corners", "print-value-a4": "A4", "print-value-a3": "A3", "print-value-letter": "Letter",
  "print-value-faces": "faces", "print-value-backs": "backs", "print-value-both": "both", "print-value-auto": "what suits best", "print-value-xlsx": "workbook (XLSX)", "print-value-csv": "CSV", "print-value-png": "PNG", "print-value-jpg": "JPEG", "print-value-webp": "WebP", "print-value-svg": "SVG", "print-value-comma": "comma", "print-value-semicolon": "semicolon", "print-value-tab": "tab", "print-value-en": "English", "print-value-de": "German",
  "print-scale-none": "not allowed", "print-yes": "yes", "print-no": "no", "print-usual": "as usual",
  "print-doing-drawing": "drawing", "print-doing-looking at pages": "looking at pages", "print-doing-drawing cards": "drawing cards", "print-doing-preparing pages": "preparing pages",
  "print-doing-painting pages": "painting pages", "print-doing-composing cards": "composing cards", "print-doing-composing faces": "composing faces",
  "print-doing-drawing plates": "drawing plates", "print-doing-placing pages": "placing pages",
  "print-doing-making a font ready, once for all": "making a font ready, once for all",
};

const DE = {
  "print-paper-tab": "Selbst drucken", "print-files-tab": "Dienste und Exporte", "print-tabs": "Wege zum Druck",
  "print-choose": "Was und wie", "print-what": "Was", "print-decks": "Decks", "print-factions": "Fraktionen", "print-markers": "Marker",
  "print-all-decks": "Alle Decks", "print-all-markers": "Alle Marker", "print-all-factions": "Alle Fraktionen", "print-all-cards": "Alle Karten",
  "print-all": "Alle", "print-none": "Keine", "print-find": "Deck suchen", "print-cards": "{} Karten", "print-card": "1 Karte",
  "print-nothing-chosen": "Wähle mindestens eins.", "print-no-decks": "Dieses Spiel hat noch keine Decks.",
  "print-how": "Wie", "print-more": "Weitere Optionen", "print-as-game": "Wie im Spiel", "print-as-game-is": "Üblich: {}",
  "print-no-printer": "Beliebig, nicht kalibriert", "print-calibrate": "Drucker kalibrieren …", "print-calibrate-again": "Neu kalibrieren …",
  "print-right": "{} mm nach rechts", "print-left": "{} mm nach links", "print-down": "{} mm nach unten", "print-up": "{} mm nach oben", "print-and": "{} und {}",
  "print-moves": "Rückseiten rücken {}.", "print-white": "Weiße Ränder: {} mm.", "print-scaled": "Die Karten werden an die Plätze dieses Bogens angepasst.",
  "print-backs-no": "Keine Rückseiten", "print-backs-behind": "Hinter jedem Bogen (Duplex)", "print-backs-apart": "In einer eigenen Datei",
  "print-since": "Seit dem letzten Druck, {}", "print-since-never": "Noch nicht gedruckt: Mit diesem Druck werden spätere verglichen.",
  "print-since-same": "Seither hat sich nichts geändert.", "print-new": "neu", "print-changed": "geändert", "print-new-count": "{} neu", "print-changed-count": "{} geändert",
  "print-only-these": "Nur diese drucken", "print-what-changed": "Was sich geändert hat", "print-gone": "entfallen", "print-copies-change": "{} statt {}",
  "print-make": "PDF erstellen", "print-make-n": "PDF erstellen: {} Seiten", "print-make-one": "PDF erstellen: 1 Seite", "print-make-many": "{} PDFs erstellen: {} Seiten", "print-make-files": "Dateien erstellen",
  "print-where": "Die Dateien kommen nach {} im Spiel.", "print-where-temporary": "Das Spiel wird nur angesehen: Dateien bleiben, bis das Studio endet. Speichere, was du brauchst.",
  "print-sheets": "Bögen", "print-one-sheet": "1 Blatt Papier", "print-many-sheets": "{} Blatt Papier", "print-one-page": "1 Seite", "print-many-pages": "{} Seiten",
  "print-one-empty": "1 Platz bleibt frei", "print-many-empty": "{} Plätze bleiben frei", "print-spare": "überzählige Tokens: {}",
  "print-zoom": "Ansicht", "print-zoom-all": "Überblick", "print-zoom-page": "Ganze Seite", "print-zoom-width": "Seitenbreite", "print-zoom-life": "Lebensgröße",
  "print-light": "Gegen das Licht", "print-light-how": "Zeigt die Rückseite jedes Blattes durch die Vorderseite, wie eine Lampe es täte.", "print-cuts": "Schnitte", "print-cuts-how": "Zeichnet ein, wo geschnitten wird.",
  "print-page": "Seite {}", "print-page-of": "Seite {} von {}", "print-before": "Vorige Seite", "print-next": "Nächste Seite", "print-front": "Vorderseite", "print-back": "Rückseite",
  "print-turned-long": "über die lange Kante gewendet", "print-turned-short": "über die kurze Kante gewendet", "print-title": "{}, Seite {}",
  "print-laying": "Die Bögen werden ausgelegt …", "print-broken": "So lässt es sich nicht auslegen.", "print-last-good": "Darunter steht, was sich zuletzt auslegen ließ.",
  "print-slot": "{}, Karte öffnen", "print-slot-state": "{}, {}: Karte öffnen", "print-apart": "Diese Seiten kommen nach {}.",
  "print-too-large": "Das sind mehr als {} Seiten. Sieh dir weniger auf einmal an; beim Drucken gibt es diese Grenze nicht.", "print-not-yet": "{} wurde noch nicht gedruckt: Druck erst das ganze Deck.",
  "print-too-many": "Zu viele Aufträge warten. Warte, bis einige fertig sind, oder brich welche ab.", "print-no-process": "Es lässt sich nicht erstellen: {}", "print-ended": "Die Arbeit hat geendet, bevor sie fertig war. Warum, sagt vielleicht das Terminal.",
  "print-since-elsewhere": "An dem, was hier liegt, nichts; sonst im Deck: {}.",
  "print-notes-one": "1 Hinweis", "print-notes": "{} Hinweise",
  "print-services": "Druckdienste", "print-exports": "Exporte", "print-services-how": "Karten drucken lassen: Die Dateien sind so, wie jeder Dienst sie verlangt, und werden vorher geprüft.",
  "print-exports-how": "Karten anderswo verwenden: am Tisch auf dem Bildschirm, in einer Tabelle, auf einer Webseite.", "print-options": "Optionen", "print-own-service": "Ein Druckdienst, den dein Spiel beschreibt.",
  "print-jobs": "Aufträge", "print-earlier": "Frühere: {}", "print-waiting": "wartet", "print-running": "in Arbeit", "print-done": "fertig", "print-failed": "fehlgeschlagen", "print-cancelled": "abgebrochen",
  "print-cancel": "Abbrechen", "print-forget": "Von der Liste nehmen", "print-open-file": "Öffnen", "print-save-file": "Speichern", "print-job-of": "{}: {}", "print-step": "{} ({} von {})",
  "print-job-started": "{}: begonnen", "print-job-done": "{}: fertig, {} zum Speichern", "print-job-failed": "{}: fehlgeschlagen. {}", "print-job-cancelled": "{}: abgebrochen",
  "print-file-one": "1 Datei", "print-files": "{} Dateien", "print-job-folder": "in {}", "print-and-more": "und {} weitere", "print-all-files": "Alle {} Dateien zeigen", "print-job-findings": "Befunde",
  "print-sheet-paper": "Papier {}", "print-sheet-cards": "Eine Karte je Seite", "print-sheet-own": "Aus diesem Spiel", "print-sheet-scaled": "Für andere Karten: angepasst",
  "print-sheet-bleed": "Beschnitt {} mm", "print-sheet-fold": "falzen und kleben", "print-sheet-any": "so viele, wie passen", "print-sheet-card": "eine Karte je Seite",

  "print-thing-decks": "Decks", "print-about-decks": "Karten und Tokens auf Bögen, mit Deckliste und Regeln.",
  "print-thing-tokens": "Tokens", "print-about-tokens": "Die Tokens, die Karten erzeugen.",
  "print-thing-boxes": "Schachteln", "print-about-boxes": "Für jedes Deck eine Schachtel zum Schneiden, Falzen und Kleben.",
  "print-thing-markers": "Marker", "print-about-markers": "Marker auf eigenen Bögen.",
  "print-thing-overview": "Übersicht", "print-about-overview": "Ein Buch aller Karten zum Nachschlagen.",
  "print-thing-rulebook": "Regelheft", "print-about-rulebook": "Die Regeln des Spiels als Heft.",
  "print-thing-everything": "Alles", "print-about-everything": "Alle Decks, Tokens, Marker und Hefte auf einmal.",
  "print-thing-calibration": "Kalibrierung", "print-about-calibration": "Ein Blatt, das zeigt, wie genau dein Drucker ist.",
  "print-thing-service-mpc": "MakePlayingCards", "print-about-service-mpc": "Bilder aller Vorder- und Rückseiten und eine Bestellung, die MPC Autofill selbst hochlädt. Gut für Decks in kleiner Zahl.",
  "print-thing-service-tgc": "The Game Crafter", "print-about-service-tgc": "Bilder und eine Liste der Exemplare. Gut für ein ganzes Spiel mit Schachtel, einzeln verkauft.",
  "print-thing-service-dtc": "DriveThruCards", "print-about-service-dtc": "Ein PDF in Druckfarben je Deck. Gut, um Decks auf Bestellung zu verkaufen.",
  "print-thing-service-mbprint": "MB Print", "print-about-service-mbprint": "Ein PDF je Deck, Karten jeder Größe, ohne Schriften. Gut für kleine Auflagen in Europa.",
  "print-thing-service-meinspiel": "MeinSpiel", "print-about-service-meinspiel": "Ein PDF in Druckfarben je Deck, ohne Schriften. Gut für Karten mit 59 × 91 oder 62 × 100 mm aus Deutschland.",
  "print-thing-pictures": "Bilder", "print-about-pictures": "Jede Seite als Bild: PNG für alles, was Bilder zeigt, WebP für Webseiten, die schnell laden, SVG für jede Größe scharf.",
  "print-thing-proofs": "Andrucke", "print-about-proofs": "Eine Karte je Seite mit Schnitt und Sicherheitszone, zum genauen Hinsehen vor der Bestellung.",
  "print-thing-cockatrice": "Cockatrice", "print-about-cockatrice": "Karten, Decks und Bilder, um über das Netz zu spielen.",
  "print-thing-tts": "Tabletop Simulator", "print-about-tts": "Ein gespeichertes Objekt je Deck, um an einem Tisch auf dem Bildschirm zu spielen.",
  "print-thing-tables": "Tabellen", "print-about-tables": "Alle Karten und Decks als Arbeitsmappe für Excel oder LibreOffice oder als CSV. `deckwright import` holt deine Änderungen zurück.",

  "print-option-sheet": "Bogen", "print-option-paper": "Papier", "print-option-style": "Stil", "print-option-marks": "Schnittmarken", "print-option-printer": "Drucker",
  "print-option-backs": "Rückseiten", "print-option-backs_apart": "Rückseiten in einer eigenen Datei", "print-option-flip": "Gewendet über die",
  "print-option-scale": "Karten anderer Größe", "print-option-turn": "Karten drehen, wo dann mehr passen", "print-option-cut": "Für eine Schneidemaschine", "print-option-kiss_cut": "Nur Aufkleber schneiden, nicht das Papier darunter", "print-option-back_offset": "Rückseiten nach rechts, unten (mm)", "print-option-footer": "Lineal und Fußzeile auf jedem Bogen",
  "print-option-fill": "Letzten Bogen mit Tokens füllen; Decks teilen sich Bögen", "print-option-watermark": "Wort über allen Seiten", "print-option-reference": "Regeln am Ende",
  "print-option-odds": "Aussichten der Starthand", "print-option-only": "Nur diese Karten (Kennungen oder Namen, mit Komma)", "print-option-copies": "Exemplare je Karte",
  "print-option-draft": "Als Entwurf, trotz Fehlern", "print-option-ignore_limits": "Deckgrenzen nicht beachten",
  "print-option-limits": "Deckgrenzen von", "print-option-date": "Einschränkungen des Tages", "print-option-bleed": "Beschnitt (mm)", "print-option-dpi": "Pixel je Zoll",
  "print-option-size": "Größe", "print-option-quality": "Qualität", "print-option-lossless": "Ohne Verlust",
  "print-option-tokens": "Mit den Tokens", "print-option-icc": "Farbprofil", "print-option-anyway": "Dateien auch schreiben, wenn sie nicht gut druckten",
  "print-option-check": "Nur prüfen, nichts schreiben", "print-option-state_pdfx": "Als PDF/X ausweisen", "print-option-pdfx": "Art von PDF/X", "print-option-inks": "Folie, Lack und andere Druckfarben",
  "print-value-x-1a": "X-1a", "print-value-x-4": "X-4", "print-value-separations": "als Sonderfarben", "print-value-pages": "als Masken", "print-option-url": "Adresse der Bilder im Netz", "print-option-picture_url": "Adresse der Bilder im Netz",
  "print-option-form": "Format", "print-option-sides": "Seiten", "print-option-pictures": "Mit Bildern", "print-option-cost": "Feld für die Kosten", "print-option-power": "Feld für die Ecke",
  "print-option-delimiter": "Zwischen Spalten", "print-option-bom": "Mit Kennung für Excel", "print-option-cards": "Platz für so viele Karten",
  "print-option-thickness": "Dicke einer Karte (mm)", "print-option-clearance": "Spiel (mm)", "print-option-sleeved": "In Hüllen",
  "print-value-long": "lange Kante", "print-value-short": "kurze Kante", "print-value-none": "keine", "print-value-fit": "angepasst", "print-value-crop": "kurze Linien außerhalb",
  "print-value-lines": "Linien entlang jedem Schnitt", "print-value-corners": "Winkel an den Ecken", "print-value-a4": "A4", "print-value-a3": "A3", "print-value-letter": "Letter",
  "print-value-faces": "Vorderseiten", "print-value-backs": "Rückseiten", "print-value-both": "beide", "print-value-auto": "was am besten passt", "print-value-xlsx": "Arbeitsmappe (XLSX)", "print-value-csv": "CSV", "print-value-png": "PNG", "print-value-jpg": "JPEG", "print-value-webp": "WebP", "print-value-svg": "SVG", "print-value-comma": "Komma", "print-value-semicolon": "Strichpunkt", "print-value-tab": "Tabulator", "print-value-en": "Englisch", "print-value-de": "Deutsch",
  "print-scale-none": "nicht erlaubt", "print-yes": "ja", "print-no": "nein", "print-usual": "wie üblich",
  "print-doing-drawing": "zeichnet", "print-doing-looking at pages": "sieht Seiten an", "print-doing-drawing cards": "zeichnet Karten", "print-doing-preparing pages": "bereitet Seiten vor",
  "print-doing-painting pages": "malt Seiten", "print-doing-composing cards": "setzt Karten", "print-doing-composing faces": "setzt Kartenseiten",
  "print-doing-drawing plates": "zeichnet Druckplatten", "print-doing-placing pages": "ordnet Seiten an",
  "print-doing-making a font ready, once for all": "richtet eine Schrift ein, ein für alle Mal",
};

teach({ en: EN, de: DE });

const PAPERS = { a4: "A4", a3: "A3", letter: "Letter" };

/** Return a word that may be lacking, or what is said instead. */
export const known = (id, otherwise) => (id in WORDS[language] ? word(id) : otherwise);

export const thingName = (thing) => known(`print-thing-${thing.id}`, thing.name);
export const thingAbout = (thing) => known(`print-about-${thing.id}`, thing.id.startsWith("service-") ? word("print-own-service") : thing.about);
export const optionName = (option) => known(`print-option-${option.name}`, option.name.replaceAll("_", " "));
export const optionValue = (option, { value, name }) =>
  option.name === "scale" && value === "none" ? word("print-scale-none") : known(`print-value-${value}`, name ?? String(value));

/** Return a number as people of the page's language write it. */
export const number = (value, digits = 2) => new Intl.NumberFormat(language, { maximumFractionDigits: digits }).format(value);

/** Return where backs are moved, "" if they are not. */
export function towards([x, y]) {
  const said = [];
  if (x) said.push(word(x > 0 ? "print-right" : "print-left", number(Math.abs(x), 1)));
  if (y) said.push(word(y > 0 ? "print-down" : "print-up", number(Math.abs(y), 1)));
  return said.length > 1 ? word("print-and", ...said) : said.join("");
}

/** Return the margins that a printer leaves white, from the top clockwise. */
export const edges = (all) => (new Set(all).size > 1 ? all : all.slice(0, 1)).map((one) => number(one)).join(" / ");

/** Return a moment as a date with its time. */
export const moment = (text) => new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" }).format(new Date(text));

/** Return how large a file is. */
export function bytes(count) {
  const [value, unit] = count < 1e6 ? [Math.max(1, Math.round(count / 1e3)), "kB"] : [count / 1e6, "MB"];
  return `${number(value, 1)} ${unit}`;
}

/** Return how a sheet is called: its cards and its bleed; its paper is that of the group. */
export function sheetName(sheet) {
  const parts = sheet.id.split("-");
  const paper = PAPERS[parts[0]];
  const rest = parts.filter((part, at) => !(at === 0 && paper) && part !== "bleed" && part !== "gutterfold").join("-");
  const said = [paper];
  if (!paper && !sheet.width) said.push(word("print-sheet-card"));
  else if (!rest) said.push(word("print-sheet-any"));
  else said.push(rest.replace(/^(\d+)x(\d+)$/, "$1 × $2 mm").replaceAll("-", " "));
  if (sheet.fold && sheet.fold !== "none") said.push(word("print-sheet-fold"));
  if (sheet.bleed) said.push(word("print-sheet-bleed", number(sheet.bleed)));
  return said.filter(Boolean).join(" · ");
}
