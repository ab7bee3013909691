"""Prepare the images of faces for print."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from deckwright.base.findings import Report, has_errors
from deckwright.ops.model import DrawImage, Face, walk

if TYPE_CHECKING:
    from deckwright.images.store import ImageStore


def prepare_images(faces: Iterable[Face], images: ImageStore, report: Report) -> bool:
    """Prepare the images of faces; return whether there are no errors.

    A finding of an image names the first card that shows it.
    """
    drawings, users = [], dict[Path, str]()
    for face in faces:
        for op in walk(face.ops):
            if isinstance(op, DrawImage):
                drawings.append(op)
                users.setdefault(op.path, face.subject)
    findings: Report = []
    images.prepare(drawings, findings)
    for finding in findings:
        user = users.get(finding.location.path) if finding.location else None
        message = f"{finding.message} (for {user})" if user else finding.message
        report.append(finding._replace(message=message))
    return not has_errors(report)
