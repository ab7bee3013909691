/** The words of calibrating a printer. */

import { teach } from "../shared/words.js";

teach({
  en: {
    "print-c-title": "Calibrate a printer",
    "print-c-first": "Before the first print",
    "print-c-step": "Step {} of {}: {}",
    "print-c-ask":
      "Printers are off by some tenths of a millimetre, always in the same direction, and leave an edge of the paper white. Measure yours once, with one sheet of paper, and backs will lie behind their faces from then on.",
    "print-c-ask-time":
      "It takes about five minutes. You find it beside the printer whenever you like.",
    "print-c-begin": "Calibrate now",
    "print-c-without": "Print without",
    "print-c-print": "Print the sheet",
    "print-c-print-how":
      "Print both pages on the two sides of one sheet, at 100 % (“actual size”, not “fit to page”), on the printer and the paper that you will use.",
    "print-c-make": "Make the sheet",
    "print-c-anew": "Make it again",
    "print-c-printed": "I have printed it",
    "print-c-ruler": "Measure the ruler",
    "print-c-ruler-how": "On side 1, lay a ruler on the printed one. How long is it?",
    "print-c-ruler-mm": "Length in mm",
    "print-c-ruler-good": "Good: the printer prints at its true size.",
    "print-c-ruler-bad":
      "It prints at {} %. Choose 100 % or “actual size” when you print, and print the sheet again: nothing else helps.",
    "print-c-edges": "The white edges",
    "print-c-edges-how":
      "At each edge of side 1 there is a stair of lines. Which is the smallest number whose line is printed in full?",
    "print-c-edge-0": "A, at the top",
    "print-c-edge-1": "B, at the right",
    "print-c-edge-2": "C, at the bottom",
    "print-c-edge-3": "D, at the left",
    "print-c-edges-mean":
      "Marks, rulers and footers keep {} mm away from the edges, and sheets that need more are told of before you print.",
    "print-c-light": "Hold it against a lamp",
    "print-c-light-how":
      "Side 2 towards you, a lamp behind. At each of the five places the thin lines of side 1 cross two scales. Read the level scale as X and the upright one as Y; the middle alone will do, five are better.",
    "print-c-place": "Place {}",
    "print-c-stair": "The stair at {}: grey is what stays white",
    "print-c-drawn": "As it looks at place {}",
    "print-c-none": "Enter what you read: the lines of the drawing move there.",
    "print-c-mean": "Backs will be moved {}.",
    "print-c-true": "Backs need not be moved: your printer is true.",
    "print-c-apart":
      "The places differ by {} mm. The printer turns or stretches the page, and moving it does not mend that: try another tray, or the straight way through the printer.",
    "print-c-name": "Name and save",
    "print-c-name-how": "The name is what you choose when you print.",
    "print-c-name-label": "Name of the printer",
    "print-c-name-wrong": "At most 40 letters, digits, - and _.",
    "print-c-name-usual": "home",
    "print-c-nothing": "Nothing was measured yet. Go back, or leave it for now.",
    "print-c-save": "Save",
    "print-c-use": "Use for now",
    "print-c-read-only":
      "At --read-only nothing is saved; the backs are moved in this window only.",
    "print-c-saved": "{} is saved and used from now on.",
    "print-c-used": "Backs are moved from now on.",
    "print-c-margins": "{} mm of the paper stay white.",
    "print-c-next": "Next",
    "print-c-skip": "Skip",
    "print-c-back": "Back",
    "print-c-fixed": "Without (left) and with these numbers, ten times as far apart.",
    "print-c-side-1": "Side 1, with what to look at",
    "print-c-side-2": "Side 2 against the light, with its five places",
  },
  de: {
    "print-c-title": "Drucker kalibrieren",
    "print-c-first": "Vor dem ersten Druck",
    "print-c-step": "Schritt {} von {}: {}",
    "print-c-ask":
      "Drucker liegen um einige Zehntelmillimeter daneben, immer in dieselbe Richtung, und lassen einen Rand des Papiers weiß. Miss deinen einmal, mit einem Blatt Papier, und die Rückseiten liegen fortan genau hinter den Vorderseiten.",
    "print-c-ask-time": "Das dauert etwa fünf Minuten. Du findest es jederzeit neben dem Drucker.",
    "print-c-begin": "Jetzt kalibrieren",
    "print-c-without": "Ohne drucken",
    "print-c-print": "Das Blatt drucken",
    "print-c-print-how":
      "Drucke beide Seiten auf Vorder- und Rückseite eines Blattes, mit 100 % („tatsächliche Größe“, nicht „an Seite anpassen“), mit dem Drucker und dem Papier, die du verwenden wirst.",
    "print-c-make": "Blatt erstellen",
    "print-c-anew": "Noch einmal erstellen",
    "print-c-printed": "Es ist gedruckt",
    "print-c-ruler": "Das Lineal messen",
    "print-c-ruler-how": "Lege auf Seite 1 ein Lineal an das gedruckte. Wie lang ist es?",
    "print-c-ruler-mm": "Länge in mm",
    "print-c-ruler-good": "Gut: Der Drucker druckt in wahrer Größe.",
    "print-c-ruler-bad":
      "Er druckt mit {} %. Wähle beim Drucken 100 % oder „tatsächliche Größe“ und drucke das Blatt noch einmal: Anderes hilft nicht.",
    "print-c-edges": "Die weißen Ränder",
    "print-c-edges-how":
      "An jedem Rand von Seite 1 ist eine Treppe aus Linien. Welches ist die kleinste Zahl, deren Linie vollständig gedruckt ist?",
    "print-c-edge-0": "A, oben",
    "print-c-edge-1": "B, rechts",
    "print-c-edge-2": "C, unten",
    "print-c-edge-3": "D, links",
    "print-c-edges-mean":
      "Marken, Lineal und Fußzeile bleiben {} mm von den Rändern weg; Bögen, die mehr brauchen, werden vor dem Druck gemeldet.",
    "print-c-light": "Gegen eine Lampe halten",
    "print-c-light-how":
      "Seite 2 nach vorn, eine Lampe dahinter. An jeder der fünf Stellen kreuzen die dünnen Linien von Seite 1 zwei Skalen. Lies die waagerechte als X und die senkrechte als Y; die Mitte allein genügt, fünf sind besser.",
    "print-c-place": "Stelle {}",
    "print-c-stair": "Die Treppe bei {}: Grau bleibt weiß",
    "print-c-drawn": "So sieht es an Stelle {} aus",
    "print-c-none": "Trag ein, was du abliest: Die Linien der Zeichnung rücken dorthin.",
    "print-c-mean": "Rückseiten rücken {}.",
    "print-c-true": "Rückseiten müssen nicht gerückt werden: Dein Drucker ist genau.",
    "print-c-apart":
      "Die Stellen weichen um {} mm voneinander ab. Der Drucker dreht oder dehnt die Seite; Rücken behebt das nicht. Versuch ein anderes Fach oder den geraden Papierweg.",
    "print-c-name": "Benennen und speichern",
    "print-c-name-how": "Unter diesem Namen wählst du ihn beim Drucken.",
    "print-c-name-label": "Name des Druckers",
    "print-c-name-wrong": "Höchstens 40 Buchstaben ohne Umlaute, Ziffern, - und _.",
    "print-c-name-usual": "daheim",
    "print-c-nothing": "Es ist noch nichts gemessen. Geh zurück, oder lass es vorerst.",
    "print-c-save": "Speichern",
    "print-c-use": "Vorerst verwenden",
    "print-c-read-only":
      "Mit --read-only wird nichts gespeichert; die Rückseiten rücken nur in diesem Fenster.",
    "print-c-saved": "{} ist gespeichert und wird ab jetzt verwendet.",
    "print-c-used": "Die Rückseiten rücken ab jetzt.",
    "print-c-margins": "{} mm vom Papier bleiben weiß.",
    "print-c-next": "Weiter",
    "print-c-skip": "Überspringen",
    "print-c-back": "Zurück",
    "print-c-fixed": "Ohne (links) und mit diesen Zahlen, zehnmal so weit auseinander.",
    "print-c-side-1": "Seite 1 mit dem, worauf zu achten ist",
    "print-c-side-2": "Seite 2 gegen das Licht mit ihren fünf Stellen",
  },
});
