"""Turn texts with HTML tags, as card databases have them, into Deckwright's own markup."""

from __future__ import annotations

import re
from html.parser import HTMLParser

HTML = re.compile(
    r"</?(?:b|strong|i|em|u|s|del|strike|br|p|div|ul|ol|li|sup|sub)\b[^<>]*>|&#?\w{2,8};",
    re.IGNORECASE,
)
"""What shows that a text is in HTML."""

_SIGNS = {"b": "**", "strong": "**", "i": "__", "em": "__", "cite": "__", "u": "++", "s": "~~",
          "del": "~~", "strike": "~~"}  # fmt: skip
_BLOCKS = frozenset(("p", "div", "ul", "ol", "br"))
_RAISED = str.maketrans("0123456789+-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻")
_LOWERED = str.maketrans("0123456789+-", "₀₁₂₃₄₅₆₇₈₉₊₋")
_MARKUP = re.compile(r"[\\*_]")
_GAPS = re.compile(r" *\n\s*")


def html_to_markup(text: str) -> str:
    """Return a text in HTML with the markup of texts in data; unknown tags stay as they are."""
    parser = _Parser()
    parser.feed(text)
    parser.close()
    return _GAPS.sub("\n", "".join(parser.parts)).strip()


class _Parser(HTMLParser):
    """Collects the parts of the result."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self._opened: list[str] = []
        self._table: dict[int, int] = {}
        self._items: int | None = None
        """The number of the next item, None in a list without numbers."""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        del attrs
        if tag in _SIGNS:
            self._opened.append(_SIGNS[tag])
        elif tag == "li":
            self.parts.append("\n• " if self._items is None else f"\n{self._items}. ")
            self._items = None if self._items is None else self._items + 1
        elif tag in {"sup", "sub"}:
            self._table = _RAISED if tag == "sup" else _LOWERED
        elif tag in _BLOCKS:
            self.parts.append("\n")
            self._items = 1 if tag == "ol" else None
        else:
            self.parts.append(self.get_starttag_text() or "")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in _SIGNS:
            self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        if tag in _SIGNS:
            if _SIGNS[tag] in self._opened:
                self._opened.remove(_SIGNS[tag])
        elif tag in {"sup", "sub"}:
            self._table = {}
        elif tag in _BLOCKS:
            self.parts.append("\n")
        elif tag != "li":
            self.parts.append(f"</{tag}>")

    def handle_data(self, data: str) -> None:
        """Handle text: signs enclose each line of it, without the spaces around."""
        text = _MARKUP.sub(r"\\\g<0>", data.translate(self._table))
        signs = "".join(self._opened)
        for line in re.split(r"(\s*\n\s*)", text) if signs else [text]:
            inner = line.strip()
            if signs and inner:
                start = line[: len(line) - len(line.lstrip())]
                end = line[len(line.rstrip()) :]
                line = f"{start}{signs}{inner}{signs[::-1]}{end}"  # noqa: PLW2901 - the same line
            self.parts.append(line)
