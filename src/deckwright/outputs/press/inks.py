"""Convert RGB to CMYK by an ICC profile, within a total ink limit.

Colors are converted from sRGB with relative colorimetric intent and black point compensation, as is
usual for print. Above the limit, equal parts of cyan, magenta and yellow are replaced by 0.6 parts
of black, which shifts colors least; once black is full or one of the three is used up, the rest is
scaled down proportionally.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from PIL import Image, ImageCms, ImageMath

from deckwright.base.colors import rgb
from deckwright.base.findings import Code, Diagnostic, Severity
from deckwright.base.units import POINTS_PER_MM, Mm
from deckwright.faces.copies import PrintedSide
from deckwright.images.store import ImageStore
from deckwright.ops.model import DrawImage, FillPath, StrokePath, ink_of, walk

Cmyk = tuple[int, int, int, int]
"""Cyan, magenta, yellow and black, each from 0 to 255."""

FULL_INK = 255
FULL_INKS = 400
"""Four full inks, in percent: no limit."""
_MAX_DARK, _MAX_DARKER_HALF = 56, 128
_MAX_NEARLY_GRAY, _MAX_GRAY = 16, 4
"""Text is printed in pure black if it is dark, or nearly gray and in the darker half, or gray. The
limits apply to the largest 8-bit channel and to the difference between the largest and the
smallest."""
_MAX_SMALL_CHROMA = 1 / 3
"""Small text in the darker half is printed in pure black if that difference is at most this share
of the largest channel: out of register, four inks would blur it, and nobody sees its hue."""
SMALL_TEXT: Mm = 9 / POINTS_PER_MM
"""The size below which text is small, if a service does not say otherwise."""


class InkedColor(NamedTuple):
    """A color in inks, its total without the limit in percent, and its shift by that in ΔE*ab."""

    cmyk: Cmyk
    unlimited: float
    shift: float


@lru_cache(maxsize=4)  # building takes a tenth of a second, and many files share a profile
def _build_transforms(icc: bytes) -> tuple[ImageCms.ImageCmsTransform, ...]:
    """Return the transforms for an ICC profile: to inks, to Lab, to the screen, screen to Lab."""
    profile = ImageCms.ImageCmsProfile(io.BytesIO(icc))
    screen = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB"))
    lab = ImageCms.ImageCmsProfile(ImageCms.createProfile("LAB"))
    relative = ImageCms.Intent.RELATIVE_COLORIMETRIC
    black_point = ImageCms.Flags.BLACKPOINTCOMPENSATION
    return (
        ImageCms.buildTransform(screen, profile, "RGB", "CMYK", relative, black_point),
        ImageCms.buildTransform(profile, lab, "CMYK", "LAB", relative),
        ImageCms.buildTransform(profile, screen, "CMYK", "RGB", relative, black_point),
        ImageCms.buildTransform(screen, lab, "RGB", "LAB", relative),
    )


class InkConverter:
    """Converts colors and images to inks, with a cache of colors."""

    def __init__(
        self,
        icc: bytes,
        limit: int,
        black: Sequence[int] | None = None,
        small_text: Mm = SMALL_TEXT,
    ) -> None:
        """Take the ICC profile of a printing condition.

        Args:
            limit: the total ink limit, in percent.
            black: the inks of black areas in percent; None to use the profile.
            small_text: the size below which text is small.
        """
        self.small_text = small_text
        self._to_inks, self._to_lab, self._to_screen, self._screen_to_lab = _build_transforms(icc)
        self.limit = limit
        self._max_total = limit * FULL_INK // 100
        self._colors: dict[str, InkedColor] = {}
        if black is not None:
            cyan, magenta, yellow, key = (share * FULL_INK // 100 for share in black)
            deep = self._limit(Image.new("CMYK", (1, 1), (cyan, magenta, yellow, key)))
            self._colors["#000000"] = InkedColor(_read_pixel(deep), sum(black), 0)
        self._texts: dict[tuple[str, bool], Cmyk] = {}
        self._blacks: list[int] = []

    def convert_color(self, color: str) -> InkedColor:
        """Return the inks of a color `#rrggbb`."""
        if color not in self._colors:
            self._colors[color] = self._convert_color(color)
        return self._colors[color]

    def _convert_color(self, color: str) -> InkedColor:
        if color.casefold() == "#ffffff":
            return InkedColor((0, 0, 0, 0), 0, 0)
        dot = Image.new("RGB", (1, 1), rgb(color))
        wanted = _apply(dot, self._to_inks)
        total = sum(_read_pixel(wanted))
        if total <= self._max_total:
            return InkedColor(_read_pixel(wanted), total * 100 / FULL_INK, 0)
        kept = self._limit(wanted)
        return InkedColor(_read_pixel(kept), total * 100 / FULL_INK, self._shift(wanted, kept)[0])

    def convert_text(self, color: str, *, small: bool = False) -> Cmyk:
        """Return the inks of letters and thin lines.

        Dark and gray colors become pure black of the same lightness, which stays sharp when the
        inks are slightly out of register.
        """
        key = color, small
        if key not in self._texts:
            black = self._find_black(color, small=small)
            self._texts[key] = self.convert_color(color).cmyk if black is None else black
        return self._texts[key]

    def is_black(self, color: str) -> bool:
        """Return whether a color is dark, and small text of it printed in pure black."""
        if any(self.convert_text(color, small=True)[:3]):
            return False
        return max(rgb(color)) <= _MAX_DARKER_HALF

    def _find_black(self, color: str, *, small: bool) -> Cmyk | None:
        """Return the pure black of a text, None if it keeps its color."""
        channels = rgb(color)
        most, chroma = max(channels), max(channels) - min(channels)
        most_chroma = most * _MAX_SMALL_CHROMA if small else _MAX_NEARLY_GRAY
        gray = chroma <= _MAX_GRAY or (chroma <= most_chroma and most <= _MAX_DARKER_HALF)
        if not gray and most > _MAX_DARK:
            return None
        if min(channels) == FULL_INK:
            return 0, 0, 0, 0
        if not self._blacks:
            ramp = Image.new("CMYK", (FULL_INK + 1, 1))
            ramp.putdata([(0, 0, 0, black) for black in range(FULL_INK + 1)])
            self._blacks = list(_apply(ramp, self._to_lab).getchannel(0).tobytes())
        dot = _apply(Image.new("RGB", (1, 1), channels), self._screen_to_lab)
        light = dot.getchannel(0).tobytes()[0]
        lighter = (abs(own - light) for own in self._blacks)
        black = min(enumerate(lighter), key=lambda pair: (pair[1], -pair[0]))[0]
        return 0, 0, 0, black

    def convert_image(self, image: Image.Image, headroom: int = 0) -> Image.Image:
        """Convert an image to CMYK, at least `headroom` percent below the limit."""
        return self._limit(self.convert_unlimited(image), headroom)

    def keeps_limit(self, image: Image.Image) -> bool:
        """Return whether all pixels of a CMYK image are within the limit."""
        return max_ink(image) <= self._max_total

    def convert_unlimited(self, image: Image.Image) -> Image.Image:
        """Convert an image to CMYK without the limit."""
        return _apply(image.convert("RGB"), self._to_inks)

    def simulate(self, image: Image.Image) -> Image.Image:
        """Return a CMYK image as it looks in print, in sRGB with black point compensation."""
        return _apply(image, self._to_screen)

    def color_losses(self, image: Image.Image) -> list[float]:
        """Return the color loss in print for each pixel of an RGB image.

        The loss is the distance in a*b*, that is in hue and saturation. Lightness is ignored: it
        changes everywhere, since no ink is as dark as a screen.
        """
        plain = image.convert("RGB")
        there = _lab(_apply(plain, self._screen_to_lab))
        printed = _lab(_apply(self.convert_image(plain), self._to_lab))
        return [
            ((a - c) ** 2 + (b - d) ** 2) ** 0.5
            for (_, a, b), (_, c, d) in zip(there, printed, strict=True)
        ]

    def shifted_share(self, image: Image.Image, shift: float) -> float:
        """Return the share of an image's pixels shifted by the limit by more than `shift` ΔE*ab."""
        small = image.convert("RGB")
        small.thumbnail((_THUMBNAIL, _THUMBNAIL))
        wanted = self.convert_unlimited(small)
        shifts = self._shift(wanted, self._limit(wanted))
        return sum(one > shift for one in shifts) / len(shifts)

    def _shift(self, one: Image.Image, other: Image.Image) -> list[float]:
        """Return the distances ΔE*ab between the pixels of two CMYK images."""
        labs = [_lab(_apply(image, self._to_lab)) for image in (one, other)]
        return [
            sum((a - b) ** 2 for a, b in zip(first, second, strict=True)) ** 0.5
            for first, second in zip(*labs, strict=True)
        ]

    def _limit(self, image: Image.Image, headroom: int = 0) -> Image.Image:
        """Reduce the ink of a CMYK image to the limit less `headroom`."""
        most = (self.limit - headroom) * FULL_INK // 100
        if max_ink(image) <= most:
            return image
        cyan, magenta, yellow, black = image.split()

        def less(args: dict[str, Any]) -> list[Any]:
            smaller, larger, as_bytes = args["min"], args["max"], args["convert"]
            c, m, y, k = (args[ink] for ink in "cmyk")
            excess = larger(c + m + y + k - most, 0)
            gray = smaller(smaller(c, m), y)
            swapped = smaller(smaller((excess * 5 + 11) / 12, gray), (k * -1 + FULL_INK) * 5 / 3)
            c, m, y, k = c - swapped, m - swapped, y - swapped, k + swapped * 3 / 5
            colored = larger(c + m + y, 1)
            room = smaller(colored, k * -1 + most)
            return [as_bytes(ink, "L") for ink in (*(i * room / colored for i in (c, m, y)), k)]

        bands = ImageMath.lambda_eval(less, c=cyan, m=magenta, y=yellow, k=black)
        return Image.merge("CMYK", [band.im for band in bands])


_THUMBNAIL = 96
"""The longer side in pixels at which images are inspected."""


def max_ink(image: Image.Image) -> int:
    """Return the maximum total ink of a pixel of a CMYK image, 255 per full ink."""
    cyan, magenta, yellow, black = image.split()
    total = ImageMath.lambda_eval(
        lambda args: args["c"] + args["m"] + args["y"] + args["k"],
        c=cyan, m=magenta, y=yellow, k=black,
    )  # fmt: skip
    return int(total.getextrema()[1])


def _apply(image: Image.Image, transform: ImageCms.ImageCmsTransform) -> Image.Image:
    turned = ImageCms.applyTransform(image, transform)
    assert turned is not None
    return turned


def _read_pixel(image: Image.Image) -> Cmyk:
    cyan, magenta, yellow, black = image.tobytes()
    return cyan, magenta, yellow, black


def _lab(image: Image.Image) -> list[tuple[float, float, float]]:
    """Return the pixels of a CIE L*a*b* image, whose a and b are signed bytes."""
    data = image.tobytes()
    signed = [value - 256 if value > 127 else value for value in data]
    return [
        (data[at] * 100 / FULL_INK, float(signed[at + 1]), float(signed[at + 2]))
        for at in range(0, len(data), 3)
    ]


E081 = Code("E081", Severity.WARNING, "colors that a press cannot print")

_MIN_LOSS = 12.0
"""The minimum color loss that is reported, as a distance in a*b*."""
_MIN_LOSS_SHARE = 0.1
"""The minimum share of an image's pixels with such a loss."""
_MAX_NAMED = 3
"""The number of colors that a finding names."""


class _LostColor(NamedTuple):
    """A color that looks duller in print."""

    loss: float
    color: str
    side: PrintedSide


def check_gamut(
    sides: Sequence[PrintedSide],
    images: ImageStore,
    inks: InkConverter,
    press: str,
    *,
    at_once: bool = False,
) -> Iterator[Diagnostic]:
    """Yield the colors and images that look duller in print.

    Args:
        press: the name of the printing condition.
        at_once: whether to report all colors in one finding, instead of one for each side.
    """
    known, everything = set[object](), list[_LostColor]()
    for side in sides:
        for op in walk(side.face.ops):
            if not isinstance(op, DrawImage) or op.ink or (path := images.get(op).path) in known:
                continue
            known.add(path)
            with Image.open(path) as opened:
                small = opened.convert("RGB")
            small.thumbnail((_THUMBNAIL, _THUMBNAIL))
            losses = inks.color_losses(small)
            share = sum(loss > _MIN_LOSS for loss in losses) / len(losses)
            if share > _MIN_LOSS_SHARE:
                yield E081.at(
                    side.place,
                    f"{side.subject}: {press} prints {share:.0%} of the image `{op.path.name}` "
                    "duller",
                    "preview it with `proof --icc`",
                )
        lost = _find_lost_colors(side, known, inks)
        if at_once:
            everything += lost
        elif lost:
            yield _report_lost(lost, inks, f"{side.subject}: {press}")
    if everything:
        everything.sort(key=lambda one: -one.loss)
        others = len({one.side.subject for one in everything}) - 1
        more = f" and {others} more" if others else ""
        yield _report_lost(everything, inks, f"{everything[0].side.subject}{more}: {press}")


def _find_lost_colors(
    side: PrintedSide, known: set[object], inks: InkConverter
) -> list[_LostColor]:
    """Return the colors of a side that lose too much, worst first, except for known ones."""
    colors = dict[str, None]()
    for op in walk(side.face.ops):
        if isinstance(op, FillPath) and not ink_of(op):
            colors |= dict.fromkeys(op.colors)
        elif isinstance(op, StrokePath) and not ink_of(op):
            colors[op.color] = None
    new = [color for color in colors if color not in known]
    known.update(new)
    if not new:
        return []
    dots = Image.new("RGB", (len(new), 1))
    dots.putdata([rgb(color) for color in new])
    losses = sorted(zip(inks.color_losses(dots), new, strict=True), reverse=True)
    return [_LostColor(loss, color, side) for loss, color in losses if loss > _MIN_LOSS]


def _report_lost(lost: Sequence[_LostColor], inks: InkConverter, subject: str) -> Diagnostic:
    """Return a finding for lost colors, located at the first one."""
    named = []
    for _, color, _ in lost[:_MAX_NAMED]:
        dot = inks.simulate(inks.convert_image(Image.new("RGB", (1, 1), rgb(color))))
        named.append(f"{color} as #{dot.tobytes().hex()}")
    more = f" and {len(lost) - _MAX_NAMED} more" if len(lost) > _MAX_NAMED else ""
    return E081.at(
        lost[0].side.place,
        f"{subject} prints these colors duller: {', '.join(named)}{more}",
        "use less vivid colors, or preview them with `proof --icc`",
    )
