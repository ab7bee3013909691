"""Word lists of a game: text files in `xml/Words`, a word a line."""

from __future__ import annotations

from deckwright.base.files import belongs, is_file
from deckwright.base.findings import Code, Report, Severity
from deckwright.base.names import found
from deckwright.game.folder import GameFolder
from deckwright.game.generator import WordFile

R034 = Code("R034", Severity.ERROR, "a word list that cannot be used")

_LARGEST = 1_000_000
"""How many bytes a list may have."""


def read_words(folder: GameFolder, listed: WordFile, report: Report) -> tuple[str, ...]:
    """Return the words of a list, each once; none after reporting what is wrong with it.

    Empty lines and those that begin with `#` are left out.
    """
    path, place = found(folder.words_folder / listed.file), listed.source.at("file")
    name = f"xml/{folder.words_folder.name}/{listed.file}"
    problem, hint = "", "write it: a text file with a word in each line"
    data = b""
    if not is_file(path):
        problem = "is not there"
    elif not belongs(path, folder.xml):
        problem, hint = "is a link that leads out of the game", "put the file itself there"
    else:
        with path.open("rb") as stream:
            data = stream.read(_LARGEST + 1)
        if len(data) > _LARGEST:
            problem, hint = f"has more than {_LARGEST:,} bytes", "make several lists of it"
    words: dict[str, None] = {}
    if not problem:
        try:
            lines = data.decode("utf-8-sig").splitlines()
        except UnicodeDecodeError:
            problem, hint = "is not in UTF-8", "save it in that encoding"
        else:
            words = dict.fromkeys(line.strip() for line in lines if not line.startswith("#"))
            words.pop("", None)
            if not words:
                problem = "has no words"
    if problem:
        report.append(R034.at(place, f"the word list `{name}` {problem}", hint))
    return tuple(words)
