"""Texts written as XML. The standard library's own way to quote loads what opens URLs, too."""

from __future__ import annotations

from html import escape

_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", "\t": "&#9;", "\n": "&#10;", "\r": "&#13;"})


def escaped(text: str) -> str:
    """Return a text as it stands between tags."""
    return escape(text, quote=False)


def quoted(value: str, quote: str = "") -> str:
    """Return the value of an attribute with quotes around it: these, or those that it lacks."""
    quote = quote or ("'" if '"' in value and "'" not in value else '"')
    escaped = value.translate(_ESCAPES)
    return quote + escaped.replace(quote, "&quot;" if quote == '"' else "&apos;") + quote
