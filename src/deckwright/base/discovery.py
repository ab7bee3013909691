"""Import every module of a package, so that what registers itself there is known."""

from __future__ import annotations

import importlib
from functools import cache
from pathlib import Path
from types import ModuleType


def module_names(package: ModuleType) -> list[str]:
    """Return the names of the modules in `package`, sorted, without those of packages below it."""
    names = {path.stem for folder in package.__path__ for path in Path(folder).glob("*.py")}
    return sorted(names - {"__init__", "__main__"})


@cache
def import_all(package: ModuleType) -> None:
    """Import all modules of `package`, in the order of their names, once."""
    for name in module_names(package):
        importlib.import_module(f"{package.__name__}.{name}")


def load_all() -> None:
    """Import every module of Deckwright, so that every diagnostic code is registered."""
    root = Path(__file__).parent.parent
    for path in sorted(root.rglob("*.py")):
        parts = path.relative_to(root).with_suffix("").parts
        if parts[-1] not in {"__init__", "__main__"}:
            importlib.import_module(".".join(["deckwright", *parts]))
