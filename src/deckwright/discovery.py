"""Import every module of a package, so that what registers itself there is known."""

from __future__ import annotations

import importlib
import pkgutil
from types import ModuleType


def import_all(package: ModuleType) -> None:
    """Import all modules of `package`, in the order of their names."""
    for module in sorted(info.name for info in pkgutil.iter_modules(package.__path__)):
        importlib.import_module(f"{package.__name__}.{module}")


def load_all() -> None:
    """Import every module of Deckwright, so that every diagnostic code is registered."""
    root = importlib.import_module("deckwright")
    for info in pkgutil.walk_packages(root.__path__, "deckwright."):
        if not info.name.endswith("__main__"):
            importlib.import_module(info.name)
