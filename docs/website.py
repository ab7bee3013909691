"""What is in the documentation's site: the README and whatever can be reached from it by links.

MkDocs runs this as a hook (see mkdocs.yml). Pages and pictures stay where they are and keep their
paths, so a link that works in the repository works on the site, and one that does not fails the
build.
"""

from __future__ import annotations

import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files, InclusionLevel

ROOT = Path(__file__).parent.parent
LINK = re.compile(r"\]\(([^)#\s]+)")


def reachable(start: Path) -> list[Path]:
    """Return a Markdown file and the files that it links to, directly or through others."""
    found = [start]
    for path in found:
        if path.suffix == ".md":
            links = LINK.findall(path.read_text(encoding="utf-8"))
            targets = [(path.parent / link).resolve() for link in links if "://" not in link]
            found += [t for t in dict.fromkeys(targets) if t.is_file() and t not in found]
    return found


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Let the site have what can be reached instead of what lies in docs/."""
    for file in [file for file in files if file.src_dir == config.docs_dir]:
        files.remove(file)
    for path in [*reachable(ROOT / "README.md"), *(ROOT / css for css in config.extra_css)]:
        name = path.relative_to(ROOT).as_posix()
        files.append(
            File.generated(config, name, abs_src_path=str(path), inclusion=InclusionLevel.INCLUDED)
        )
    return files
