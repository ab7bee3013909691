"""Document type declarations of drawings, which many drawing programs write at their beginning.

Nothing is fetched, and a declaration says nothing about what is seen, so it is taken for space.
Some programs define namespaces in it, `<!ENTITY ns_svg "http://www.w3.org/2000/svg">`, and use them
once each: plain texts like that are put in.
"""

from __future__ import annotations

import re

_BEFORE = r"\s*(?:<\?[^>]{0,500}\?>\s*|<!--(?:(?!-->)[\s\S]){0,5000}-->\s*){0,20}"
_DOCTYPE = re.compile(
    rf"({_BEFORE})(<!DOCTYPE\s+svg(?:\s+[^\[\]<>]{{0,300}})?(?:\[([^\[\]]{{0,10000}})\]\s*)?>)"
)
_ENTITY = re.compile(r"""<!ENTITY\s+([A-Za-z_][\w.-]{0,50})\s+(["'])([^"'&%<>]{0,200})\2\s*>""")
_MOST = 100
"""How many entities are put in, however many times one is used."""


def without_doctype(text: str) -> str:
    """Return the text of a drawing with space instead of its declaration, each line in its place.

    A declaration that defines anything but plain texts stays, and so it is refused.
    """
    found = _DOCTYPE.match(text) if "<!DOCTYPE" in text else None
    if found is None:
        return text
    inside = found[3] or ""
    if re.sub(r"\s|<!--(?:(?!-->)[\s\S])*-->", "", _ENTITY.sub("", inside)):
        return text
    known = {entity[1]: entity[3] for entity in _ENTITY.finditer(inside)}
    left = [_MOST]

    def value(use: re.Match[str]) -> str:
        if use[1] not in known or not left[0]:
            return use[0]
        left[0] -= 1
        return known[use[1]]

    rest = text[found.end() :]
    if known:
        rest = re.sub(r"&([A-Za-z_][\w.-]{0,50});", value, rest)
    return found[1] + re.sub(r"[^\n]", " ", found[2]) + rest
