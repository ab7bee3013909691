"""`deckwright hand`: sample hands of a deck."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from deckwright.api.asked import style_of
from deckwright.api.decks import counted_deck
from deckwright.api.hands import Sampled, pictured, sampled
from deckwright.base.findings import Report
from deckwright.base.numbers import exact, measured, written
from deckwright.base.visible import visible_json
from deckwright.cli import common
from deckwright.cli.group import command
from deckwright.cli.listing import card_lines
from deckwright.cli.openings import MOST, opening_options
from deckwright.cli.speech import label, language_option, words_in
from deckwright.cli.terminal import echo, echo_data
from deckwright.decks.hands import Hand
from deckwright.decks.stats import Chart, charts_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from deckwright.game.measures import Measure
    from deckwright.game.model import Card

_LARGEST = 2**53


@command("hand army_HK_1 --seed 7", "hand army_HK_1 --seed 7 --redraw HK9 --out hand.png")
@click.argument("deck")
@common.game_option
@click.option("--seed", type=click.IntRange(0, _LARGEST),
              help="Shuffle by this number: the same number gives the same hand.")  # fmt: skip
@click.option("--hands", type=click.IntRange(1, 100), default=1,
              help="Draw this many hands, each by the next seed.")  # fmt: skip
@click.option("--mulligan", count=True, help="Shuffle the hand back and draw another; repeatable.")
@click.option("--redraw", multiple=True, metavar="CARD",
              help="Lay this card aside for another one, by id or name; repeatable.")  # fmt: skip
@click.option("--turns", type=click.IntRange(0, MOST), default=0,
              help="Show what is drawn in this many turns, too.")  # fmt: skip
@opening_options
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text",
              help="How to tell of the hands.")  # fmt: skip
@click.option("--out", "-o", help="Draw the hands to this PNG file, too.")
@click.option("--layout", type=click.Choice(["fan", "rows"]), default="fan", show_default=True,
              help="How cards lie in the picture.")  # fmt: skip
@common.dpi_option(200)
@common.style_option
@language_option
def hand(
    deck: str,
    game: Path,
    form: Literal["text", "json"],
    out: str | None,
    layout: Literal["fan", "rows"],
    dpi: float,
    style: str | None,
    **asked: Any,  # noqa: ANN401 - those of `sampled`
) -> None:
    """Draw sample hands from a deck, as text and as a picture.

    DECK is the name of a file in xml/Decks, such as army_HK_1.xml, or any path. It need not keep
    its limits. Without --seed, one is chosen and shown.
    """
    if asked["hands"] > 1 and asked["redraw"]:
        raise click.UsageError("--redraw is for one hand: give its --seed, and no --hands")
    if out is not None and Path(out).suffix.lower() not in {"", ".png"}:
        raise click.UsageError(f"--out names a PNG file, and `{out}` is none: end it with .png")
    folder = common.open_folder(game)
    style = style_of(folder, style)
    report: Report = []
    path = folder.deck_file(deck)
    counted = counted_deck(folder, path, {}, report)
    found = None if counted is None else sampled(*counted, **asked)
    if found is not None:
        if form == "json":
            echo_data(visible_json(_as_json(found)))
        else:
            for number, each in enumerate(found.hands):
                echo(*[""] * (number > 0), *_lines(found, each))
        broken = sum(not state.keeps for state in found.stats.limits)
        if broken:
            limits = common.counted(broken, "limit")
            echo(f"{folder.called(path)} breaks {limits}: `deckwright stats {deck}`", err=True)
    if found is not None and out is not None:
        from deckwright.outputs.hands import Layout, Look  # noqa: PLC0415 - only to draw

        target = common.target(f"hand_{path.stem}.png", folder, out)
        look = Look(Layout(layout), style, dpi)
        drawn = pictured(folder, found.game, found.stats, found.hands, target, look, report)
        if drawn is not None and form == "text":
            echo(f"drawn in {drawn.path}, {drawn.size[0]} × {drawn.size[1]} pixels")
    common.show(report)
    common.leave(report)


def _lines(found: Sampled, hand: Hand) -> Iterator[str]:
    """Yield what a hand has, and what came before and after it."""
    stats = found.stats
    words, language = words_in(stats.language, stats.words), stats.language
    lines = found.lines(hand.cards)
    charts = [c for c in charts_of(found.game.setup, lines) if c.telling]
    total = sum(line.entry.copies for line in found.pile)
    head = f"{label(words, 'seed')} {hand.seed}: {label(words, 'hand')}"
    yield f"{stats.deck.name}, {head} {len(hand.cards)} / {total}"
    yield from card_lines(lines, charts, language, lambda card: ", ".join(_rules(found, card)))
    yield f"  {label(words, 'total')}: {', '.join(_totals(found, hand.cards, charts))}"
    if hand.aside:
        yield f"  {label(words, 'laid-aside')}: {_named(hand.aside)}"
    for number, cards in enumerate(hand.turns, 1):
        yield f"  {label(words, 'turn')} {number}: {_named(cards) or label(words, 'none')}"
    yield f"  {label(words, 'left-in-pile')}: {hand.left}"


def _named(cards: Iterable[Card]) -> str:
    return ", ".join(f"{card.name} ({card.id})" for card in cards)


def _totals(found: Sampled, cards: Iterable[Card], charts: Iterable[Chart]) -> Iterator[str]:
    """Yield the sums over a hand: of each number, and of worth and cost if they are no field."""
    language, setup = found.stats.language, found.game.setup
    for chart in charts:
        if chart.numeric:
            yield f"{chart.name} {measured(chart.total, chart.unit, language)}"
    fields = {field.name for kind in setup.card_kinds for field in kind.fields}
    for measure in dict.fromkeys(each for each in (setup.worth, setup.cost) if each):
        if measure.text not in fields:
            yield f"{measure} {written(_sum(measure, cards, found), language)}"


def _sum(measure: Measure, cards: Iterable[Card], found: Sampled) -> float:
    """Return what cards add to a measure."""
    return exact(float(sum(measure.of(card.fields, found.opening.zone) for card in cards)))


def _rules(found: Sampled, card: Card) -> list[str]:
    """Return the names of a card's rules."""
    race = found.game.factions[card.faction_id].race
    rules = (found.game.rules.get(name) for name in card.rule_ids())
    return [rule.any_label(race) for rule in rules if rule is not None]


def _as_json(found: Sampled) -> dict[str, object]:
    """Return hands for programs, cards in the order in which they were drawn."""

    def cards(drawn: Iterable[Card]) -> list[dict[str, object]]:
        return [
            {
                "faction_id": card.faction_id,
                "id": card.id,
                "name": card.name,
                "fields": {
                    field.name: card.fields.get(field.name)
                    for field in card.kind.fields
                    if field.numeric and not field.picture and not field.ignored
                },
                "rules": _rules(found, card),
            }
            for card in drawn
        ]

    stats = found.stats
    measures = {"worth": found.game.setup.worth, "cost": found.game.setup.cost}
    return {
        "deck": stats.deck.stem,
        "name": stats.deck.name,
        "zone": found.opening.zone,
        "cards": sum(line.entry.copies for line in found.pile),
        "limits_kept": all(state.keeps for state in stats.limits),
        "hands": [
            {
                "seed": hand.seed,
                "cards": cards(hand.cards),
                "aside": cards(hand.aside),
                "turns": [cards(turn) for turn in hand.turns],
                "left": hand.left,
                **{
                    name: exact(
                        float(sum(measure.of(c.fields, found.opening.zone) for c in hand.cards))
                    )
                    for name, measure in measures.items()
                    if measure
                },
            }
            for hand in found.hands
        ],
    }
