"""Print runs: very many decks, each its own, printed exactly once whatever happens meanwhile."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from deckwright.runs.manifest import Status
    from deckwright.runs.reprinting import Merged, Reprinted
    from deckwright.runs.run import Run, SignedRun, open_run, plan_run, sign_run
    from deckwright.runs.running import Ran

__all__ = [
    "Merged", "Ran", "Reprinted", "Run", "SignedRun", "Status", "open_run", "plan_run", "sign_run",
]  # fmt: skip
_ELSEWHERE = {
    "Merged": "reprinting",
    "Ran": "running",
    "Reprinted": "reprinting",
    "Status": "manifest",
}


def __getattr__(name: str) -> object:
    """Return what programs use; workers, which begin often, do without it."""
    if name not in __all__:
        raise AttributeError(f"module `deckwright.runs` has no attribute `{name}`")
    return getattr(import_module(f"deckwright.runs.{_ELSEWHERE.get(name, 'run')}"), name)
