"""Cards have a picture each, and those of a faction do not look alike."""

from __future__ import annotations

from collections.abc import Iterator

from deckwright.base.findings import Code, Diagnostic, Severity, listed
from deckwright.checks import design_check, game_check
from deckwright.game.kinds import FieldValue
from deckwright.game.model import Card, Game
from deckwright.game.pictures import missing

R033 = Code("R033", Severity.WARNING, "cards that have no picture yet")
R020 = Code("R020", Severity.WARNING, "two cards of a faction with the same picture")


@game_check
def pictures(game: Game) -> Iterator[Diagnostic]:
    """Two cards of one faction have different pictures, unless they have none."""
    first: dict[tuple[str, str, tuple[FieldValue, ...]], Card] = {}
    shown = {kind.tag: [f for f in kind.fields if f.picture] for kind in game.setup.kinds.values()}
    for card in game.cards.values():
        fields = shown[card.kind.tag]
        picture = tuple(card.fields[field.name] for field in fields)
        if all(value == card.fallback(field) for field, value in zip(fields, picture, strict=True)):
            continue
        known = first.setdefault((card.kind.tag, card.faction_id, picture), card)
        if known is not card:
            alike = ", ".join(
                f"{field.name} `{value}`"
                for field, value in zip(fields, picture, strict=True)
                if value is not None
            )
            yield R020.at(
                card.source.at(),
                f"card `{card.id}` has the same picture as card `{known.id}`: {alike}",
                "give one of them another",
            )


@design_check
def art(game: Game) -> Iterator[Diagnostic]:
    """All pictures that are looked for are there; one finding names all cards that lack one."""
    cards = [*game.cards.values(), *game.tokens()]
    lacking = [(card, field) for card in cards for field in missing(card)]
    for kind in game.setup.kinds.values():
        for field in kind.fields:
            names = [c.id for c, lacks in lacking if c.kind is kind and lacks is field]
            if names and field.source is not None:
                everyone = sum(card.kind is kind for card in cards)
                have = "has" if len(names) == 1 else "have"
                yield R033.at(
                    field.source.at("find"),
                    f"{len(names)} of {everyone} `{kind.tag}` {have} no {field.name} yet: "
                    f"{listed(names, at_most=_MOST_NAMED)}",
                    f"put it into `img`, as `{field.find}` says",
                )


_MOST_NAMED = 60
