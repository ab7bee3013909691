"""Print runs: thousands of different decks, each printed exactly once despite interruptions."""

from importlib import import_module
from typing import TYPE_CHECKING

from deckwright.base.renames import replace_former_name

if TYPE_CHECKING:
    from deckwright.runs.manifest import RunStatus
    from deckwright.runs.reprinting import MergeResult, ReprintResult
    from deckwright.runs.run import Run, SignedRun, open_run, plan_run, sign_run
    from deckwright.runs.scheduler import RunResult

__all__ = [
    "MergeResult",
    "ReprintResult",
    "Run",
    "RunResult",
    "RunStatus",
    "SignedRun",
    "open_run",
    "plan_run",
    "sign_run",
]  # fmt: skip
_MODULES = {
    "MergeResult": "reprinting",
    "RunResult": "scheduler",
    "ReprintResult": "reprinting",
    "RunStatus": "manifest",
}
_FORMER_NAMES = {
    "Merged": "MergeResult",
    "Ran": "RunResult",
    "Reprinted": "ReprintResult",
    "Status": "RunStatus",
}


def __getattr__(name: str) -> object:
    """Import a public name on first access, so that workers start fast."""
    name = replace_former_name(name, _FORMER_NAMES)
    if name not in __all__:
        raise AttributeError(f"module `deckwright.runs` has no attribute `{name}`")
    return getattr(import_module(f"deckwright.runs.{_MODULES.get(name, 'run')}"), name)
