"""What libxml2 says about a syntax error, in words that a game designer understands."""

from __future__ import annotations

import re

_SYNTAX = (
    (
        r"Opening and ending tag mismatch: (\S+) line (\d+) and (\S+)",
        r"`</\3>` comes where `\1` of line \2 should be closed",
    ),
    (
        r"Premature end of data in tag (\S+) line (\d+)",
        r"the file ends, but `\1` of line \2 is not closed",
    ),
    (r"Attribute (\S+) redefined", r"the attribute `\1` is given twice"),
    (r"AttValue: \" or ' expected", "the value of an attribute needs quotes"),
    (
        r"Specification mandates value for attribute (\S+)",
        r"the attribute `\1` has no value",
    ),
    (
        r"(?:xmlParseEntityRef: no name|EntityRef: expecting ';')",
        "a lone `&` is not allowed, write `&amp;`",
    ),
    (
        r"Entity '(\S+)' not defined",
        r"`&\1;` is not known, write the character itself",
    ),
    (
        r"Unescaped '<' not allowed in attributes values",
        "a `<` inside a value is not allowed, write `&lt;`, or close the quotes before it",
    ),
    (r"StartTag: invalid element name", "a `<` is not followed by a name"),
    (
        r"Couldn't find end of Start Tag (\S+)(?: line \d+)?",
        r"the tag `<\1` is not closed with `>`",
    ),
    (r"attributes construct error", "there is no space before an attribute"),
    (
        r"Extra content at the end of the document",
        "there is more after the end of the root element",
    ),
    (
        r"Start tag expected, '<' not found",
        "the file does not start with an element, so it is not XML",
    ),
    (r"Document is empty", "the file holds no XML"),
    (
        r"(?:PCDATA|Input is not proper|xmlParseCharRef|CharRef|Char 0x).*",
        "the text holds a character that XML does not allow",
    ),
)


def plain_words(message: str) -> str:
    """Say libxml2's `message` in words that a designer understands."""
    for pattern, plain in _SYNTAX:
        if match := re.search(pattern, message):
            return match.expand(plain)
    return "not well-formed XML: " + message.strip().rstrip(".")
