/** Begin a game with a table: a file is chosen, what it is taken for is shown, then it is made. */

import { encodeFile, finding } from "../shared/page.js";
import { Refused } from "../shared/session.js";
import { counted, make, makeOptions, says, serverText, tableHead, word } from "../shared/words.js";

const LARGEST = 20_000_000; // bytes, as the server has it
const TAKEN = ".csv,.tsv,.xlsx,.ods,.json";

/** What the server asks, and the words for it; it speaks English. */
const QUESTIONS = {
  "Which tab has the cards?": "begin-which-tab",
  "Which column has the names of the cards?": "begin-which-name",
  "Which column has the numbers of copies?": "begin-which-copies",
};

function becomes({ role, reason, type, field, printed }, factions) {
  if (role === "note")
    return make("td.soft", [
      word("begin-note"),
      " ",
      says({ word: `begin-${reason}`, message: reason }),
    ]);
  if (role !== "field") return make("td", word(`begin-${role}`, factions.join(", ")));
  return make("td", [
    word(`begin-${type}`),
    " ",
    make("code", field),
    !printed && make("span.unprinted", word("begin-hidden")),
  ]);
}

function questionPart({ question, answers, chosen }, answer) {
  const id = QUESTIONS[question];
  const all = answers.map((text) => [text, text]);
  if (id === "begin-which-copies") all.push(["", word("begin-none")]);
  return make("label.begin-question", [
    id ? word(id) : serverText(question),
    make("select", { onchange: (event) => answer(question, event.target.value) }, [
      ...makeOptions(all, chosen ?? ""),
    ]),
  ]);
}

function understoodPart(said, game, answer) {
  const { columns, factions, remarks, questions, findings, cards, copies } = said;
  return [
    ...questions.map((one) => questionPart(one, answer)),
    make("table", [
      make("caption.hidden", word("begin-columns")),
      tableHead(word("begin-column"), word("begin-as")),
      make("tbody", [
        ...columns.map((one) =>
          make("tr", make("th", { scope: "row" }, one.title), becomes(one, factions)),
        ),
      ]),
    ]),
    make("p.begin-total", [
      word(
        "begin-total",
        counted("begin-card-one", "begin-cards", cards),
        counted("begin-copy-one", "begin-copies", copies),
      ),
    ]),
    ...remarks.map((text) => make("p.soft", serverText(text))),
    findings.length && make("ul", ...findings.map((one) => finding(one, game))),
  ].filter(Boolean);
}

/**
 * Let a game begin with a table.
 *
 * @param studio what the views share.
 * @param {File} [dropped] the file, where it is known already.
 */
export function beginWithTable(studio, dropped) {
  const body = make("div.begin-body", { role: "status" });
  const input = make("input", { type: "file", accept: TAKEN, hidden: true });
  const button = (text, onclick, className = "") => make("button", { className, onclick }, text);
  const choose = button(word("begin-choose"), () => ((input.value = ""), input.click()), "main"); // the same file may be another by now
  const create = button(word("begin-make"), () => read(true), "main");
  const node = make("dialog.begin", { "aria-labelledby": "begin-title" }, [
    make("h2", { id: "begin-title" }, word("begin")),
    body,
    input,
    make("div.begin-ends", [button(word("begin-cancel"), () => node.close()), choose, create]),
  ]);
  let table = null; // the name and content of the file that is read
  let answers = {};

  /** Show this in the dialog; whether it can be made, or another file has to be chosen. */
  function show(parts, ready = false) {
    body.replaceChildren(...parts);
    create.hidden = !ready;
    choose.textContent = word(table ? "begin-other" : "begin-choose");
    choose.classList.toggle("main", !ready);
  }

  async function read(write) {
    const said = { ...table, answers, write };
    create.disabled = choose.disabled = true;
    try {
      const answer = await studio.post("/api/begin", said);
      if (write) {
        node.close();
        return studio.announce(word("begin-made"));
      }
      show(
        understoodPart(answer, studio.wall().game, (question, text) => {
          answers = { ...answers, [question]: text };
          read(false);
        }),
        true,
      );
      create.disabled = choose.disabled = false;
      return create.focus();
    } catch (error) {
      if (error instanceof Refused && error.status < 500)
        show([make("p.wrong", says(error.answer)), dropPart()]);
      else studio.failed(error, () => read(write));
    }
    create.disabled = choose.disabled = false;
    return choose.focus();
  }

  async function take(file) {
    if (!file) return undefined;
    if (file.size > LARGEST)
      return show([make("p.wrong", word("begin-large", file.name, LARGEST / 1e6)), dropPart()]);
    answers = {};
    show([make("p.soft", word("begin-reading", file.name))]);
    table = { name: file.name, content: await encodeFile(file) };
    return read(false);
  }

  const dropPart = () => make("p.begin-drop", word("begin-how"));
  input.addEventListener("change", () => take(input.files[0]));
  listenForTable(node, take);
  node.addEventListener("close", () => node.remove());
  document.body.append(node);
  show([dropPart()]);
  node.showModal();
  take(dropped);
}

/** Take a file that is dropped on a part of the page, where that `may` be. */
export function listenForTable(root, take, may = () => true) {
  const wanted = (event) => [...event.dataTransfer.types].includes("Files") && may();
  root.addEventListener("dragover", (event) => {
    if (!wanted(event)) return;
    event.preventDefault();
    root.classList.add("over");
  });
  for (const end of ["dragleave", "drop"])
    root.addEventListener(end, () => root.classList.remove("over"));
  root.addEventListener("drop", (event) => {
    if (!wanted(event)) return;
    event.preventDefault();
    take(event.dataTransfer.files[0]);
  });
}
