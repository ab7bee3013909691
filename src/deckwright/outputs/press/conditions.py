"""Printing conditions as the registry of the ICC names them, and which one a profile is for.

The names are those of https://registry.color.org/cmyk-registry/ as of September 2026. Which of them
well-known profiles are made from is told by their makers: the ECI, Idealliance, Adobe and JPMA.
"""

from __future__ import annotations

import re

REGISTERED = frozenset(
    (
        *(f"FOGRA{number}" for number in range(27, 55)),
        *(f"CGATS21-2-CRPC{number}" for number in range(1, 8)),
        *(f"CGATS TR 00{number}" for number in (1, 2, 3, 5, 6)),
        *(f"APTEC_CTV_{number}" for number in range(3, 9)),
        *("APTEC Coated CardBoard", "APTEC CCNB"),
        *("JC200103", "JC200104", "JCN2002", "JCW2003", "JCS2011"),
        *("EUROSB104", "EUROSB204", "IFRA26"),
    )
)
"""All names that the registry has."""

_SAID = (
    (re.compile(r"fogra ?(\d\d)(?!\d)"), "FOGRA{}"),
    (re.compile(r"crpc[-_ ]?([1-7])(?!\d)"), "CGATS21-2-CRPC{}"),
    (re.compile(r"cgats[-_ ]?tr[-_ ]?00([1-9])(?!\d)"), "CGATS TR 00{}"),
)
"""How profiles say in their names what they are made from."""
_KNOWN = {
    "iso coated v2": "FOGRA39",
    "pso coated v3": "FOGRA51",
    "pso uncoated v3": "FOGRA52",
    "pso uncoated iso12647": "FOGRA47",
    "pso lwc improved": "FOGRA45",
    "pso lwc standard": "FOGRA46",
    "pso mfc paper": "FOGRA41",
    "gracol2006 coated1": "CGATS TR 006",
    "swop2006 coated3": "CGATS TR 003",
    "swop2006 coated5": "CGATS TR 005",
    "u.s. web coated (swop) v2": "CGATS TR 001",
    "japan color 2001 coated": "JC200103",
    "japan color 2001 uncoated": "JC200104",
    "japan color 2002 newspaper": "JCN2002",
    "japan color 2003 web coated": "JCW2003",
    "japan color 2011 coated": "JCS2011",
}
"""How the names of those begin that do not say it, in small letters, with spaces for `_`."""
_TARGET = re.compile(r"\s*ICCHDAT\s+(.+?)\s*\0*")


def condition_of(name: str, target: str = "") -> str | None:
    """Return the registered printing condition that an ICC profile is for, None if it is not known.

    Args:
        name: what it says it is.
        target: its tag `targ`, in which the registry asks for `ICCHDAT` and the condition's name.
    """
    told = _TARGET.fullmatch(target)
    if told is not None and told[1] in REGISTERED:
        return told[1]
    small = name.casefold()
    for pattern, form in _SAID:
        found = pattern.search(small)
        if found is not None:
            condition = form.format(found[1])
            return condition if condition in REGISTERED else None
    plain = small.replace("_", " ")
    return next((known for start, known in _KNOWN.items() if plain.startswith(start)), None)
