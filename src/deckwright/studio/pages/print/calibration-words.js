/** The words of calibrating a printer. */

import { teach } from "../shared/words.js";

teach({
  en: {
    "print-c-title": "Calibrate printer",
    "print-c-first": "Before the first print",
    "print-c-step": "Step {} of {}: {}",
    "print-c-ask":
      "Printers are off by some tenths of a millimeter, always in the same direction, and leave a white margin. Measure yours once, with one sheet of paper, and backs will line up with their faces.",
    "print-c-ask-time":
      "This takes about five minutes. You can also do it later, beside the printer option.",
    "print-c-begin": "Calibrate now",
    "print-c-without": "Not now",
    "print-c-print": "Print the sheet",
    "print-c-print-how":
      "Print both pages on one sheet of paper, at 100 % (“actual size”, not “fit to page”), with the printer and the paper that you will use.",
    "print-c-make": "Make the sheet",
    "print-c-anew": "Make it again",
    "print-c-printed": "I have printed it",
    "print-c-ruler": "Measure the ruler",
    "print-c-ruler-how": "On side 1, measure the printed ruler. How long is it?",
    "print-c-ruler-mm": "Length in mm",
    "print-c-ruler-good": "Good: your printer prints true to size.",
    "print-c-ruler-bad":
      "It prints at {} %. Choose 100 % or “actual size” and print the sheet again.",
    "print-c-edges": "White margins",
    "print-c-edges-how":
      "At each edge of side 1 there are steps of lines. What is the smallest number whose line is completely printed?",
    "print-c-edge-0": "A, top",
    "print-c-edge-1": "B, right",
    "print-c-edge-2": "C, bottom",
    "print-c-edge-3": "D, left",
    "print-c-edges-mean":
      "Marks, rulers and footers stay {} mm away from the edges. You get a warning for sheets that need more.",
    "print-c-light": "Hold it up to a light",
    "print-c-light-how":
      "Hold the sheet against a lamp with side 2 towards you. At each of the five places, the thin lines of side 1 cross two scales. Read the horizontal one as X and the vertical one as Y; the center alone is enough, five are better.",
    "print-c-place": "Place {}",
    "print-c-stair": "The steps at {}: gray stays white",
    "print-c-drawn": "What you see at place {}",
    "print-c-none": "Enter what you read: the drawing follows.",
    "print-c-mean": "Backs will be shifted {}.",
    "print-c-true": "Backs need no shift: your printer is accurate.",
    "print-c-apart":
      "The places differ by {} mm. The printer rotates or stretches the page, which a shift cannot fix: try another tray or the straight paper path.",
    "print-c-name": "Name and save",
    "print-c-name-how": "Choose this name when you print.",
    "print-c-name-label": "Printer name",
    "print-c-name-wrong": "At most 40 letters, digits, - and _.",
    "print-c-name-usual": "home",
    "print-c-nothing": "Nothing has been measured yet.",
    "print-c-save": "Save",
    "print-c-use": "Use for now",
    "print-c-read-only": "The studio is read-only: the shift applies to this window only.",
    "print-c-saved": "{} is saved and in use.",
    "print-c-used": "Backs are now shifted.",
    "print-c-margins": "{} mm of the paper stay white.",
    "print-c-next": "Next",
    "print-c-skip": "Skip",
    "print-c-back": "Back",
    "print-c-fixed": "Before (left) and after, magnified ten times.",
    "print-c-side-1": "Side 1, with the places to check",
    "print-c-side-2": "Side 2 against the light, with its five places",
  },
  de: {
    "print-c-title": "Drucker kalibrieren",
    "print-c-first": "Vor dem ersten Druck",
    "print-c-step": "Schritt {} von {}: {}",
    "print-c-ask":
      "Drucker liegen um einige Zehntelmillimeter daneben, immer in dieselbe Richtung, und lassen einen weißen Rand. Miss deinen einmal mit einem Blatt Papier aus, und die Rückseiten liegen genau hinter den Vorderseiten.",
    "print-c-ask-time":
      "Das dauert etwa fünf Minuten. Du kannst es auch später tun, neben der Option „Drucker“.",
    "print-c-begin": "Jetzt kalibrieren",
    "print-c-without": "Jetzt nicht",
    "print-c-print": "Blatt drucken",
    "print-c-print-how":
      "Druck beide Seiten auf ein Blatt, mit 100 % („tatsächliche Größe“, nicht „an Seite anpassen“), mit dem Drucker und dem Papier, die du verwenden wirst.",
    "print-c-make": "Blatt erstellen",
    "print-c-anew": "Neu erstellen",
    "print-c-printed": "Gedruckt",
    "print-c-ruler": "Lineal messen",
    "print-c-ruler-how": "Miss auf Seite 1 das gedruckte Lineal. Wie lang ist es?",
    "print-c-ruler-mm": "Länge in mm",
    "print-c-ruler-good": "Gut: Dein Drucker druckt maßstabsgetreu.",
    "print-c-ruler-bad":
      "Er druckt mit {} %. Wähle 100 % oder „tatsächliche Größe“ und druck das Blatt noch einmal.",
    "print-c-edges": "Weiße Ränder",
    "print-c-edges-how":
      "An jedem Rand von Seite 1 ist eine Treppe aus Linien. Welches ist die kleinste Zahl, deren Linie vollständig gedruckt ist?",
    "print-c-edge-0": "A, oben",
    "print-c-edge-1": "B, rechts",
    "print-c-edge-2": "C, unten",
    "print-c-edge-3": "D, links",
    "print-c-edges-mean":
      "Marken, Lineal und Fußzeile halten {} mm Abstand vom Rand. Bei Bögen, die mehr brauchen, wirst du gewarnt.",
    "print-c-light": "Gegen das Licht halten",
    "print-c-light-how":
      "Halt das Blatt mit Seite 2 nach vorn gegen eine Lampe. An jeder der fünf Stellen kreuzen die dünnen Linien von Seite 1 zwei Skalen. Lies die waagerechte als X und die senkrechte als Y ab; die Mitte allein genügt, fünf sind besser.",
    "print-c-place": "Stelle {}",
    "print-c-stair": "Die Treppe bei {}: Grau bleibt weiß",
    "print-c-drawn": "So sieht Stelle {} aus",
    "print-c-none": "Trag ein, was du abliest: Die Zeichnung folgt.",
    "print-c-mean": "Rückseiten werden verschoben: {}.",
    "print-c-true": "Die Rückseiten sitzen: Dein Drucker ist genau.",
    "print-c-apart":
      "Die Stellen weichen um {} mm voneinander ab. Der Drucker dreht oder dehnt die Seite; Verschieben hilft dagegen nicht. Versuch ein anderes Fach oder den geraden Papierweg.",
    "print-c-name": "Benennen und speichern",
    "print-c-name-how": "Unter diesem Namen wählst du den Drucker aus.",
    "print-c-name-label": "Name des Druckers",
    "print-c-name-wrong": "Höchstens 40 Zeichen: Buchstaben ohne Umlaute, Ziffern, - und _.",
    "print-c-name-usual": "zuhause",
    "print-c-nothing": "Noch nichts gemessen.",
    "print-c-save": "Speichern",
    "print-c-use": "Vorerst verwenden",
    "print-c-read-only":
      "Das Studio ist schreibgeschützt: Die Verschiebung gilt nur in diesem Fenster.",
    "print-c-saved": "{} ist gespeichert und wird verwendet.",
    "print-c-used": "Rückseiten werden jetzt verschoben.",
    "print-c-margins": "{} mm des Papiers bleiben weiß.",
    "print-c-next": "Weiter",
    "print-c-skip": "Überspringen",
    "print-c-back": "Zurück",
    "print-c-fixed": "Vorher (links) und nachher, zehnfach vergrößert.",
    "print-c-side-1": "Seite 1 mit den Stellen zum Prüfen",
    "print-c-side-2": "Seite 2 gegen das Licht mit ihren fünf Stellen",
  },
});
