"""Names that have changed: the former ones work until the next major version, with a warning."""

from __future__ import annotations

import warnings
from collections.abc import Mapping

REMOVAL = "2.0"
"""The version that no longer knows the former names of today."""


def describe_renaming(former: str, name: str) -> str:
    """Return the message that something has another name now.

    Args:
        former: its former name, in backticks, with what it belongs to before it.
    """
    return f"{former} is now `{name}`; Deckwright {REMOVAL} will not know the former name"


def replace_former_name(name: str, names: Mapping[str, str]) -> str:
    """Return the present name of something in a module, after a warning if it is another one.

    To be called by the module's `__getattr__`, so that the warning names the line that uses it.

    Args:
        names: present names by former ones.
    """
    if name in names:
        message = describe_renaming(f"`{name}`", names[name])
        warnings.warn(message, DeprecationWarning, stacklevel=3)
    return names.get(name, name)
