"""`deckwright hand` and `odds`: sample hands, and the odds of holding certain cards."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Unpack

import click

from deckwright.api.decks import load_decks, load_game_and_stats
from deckwright.api.hands import HandSample, compute_deck_odds, draw_hand_picture, sample_hands
from deckwright.api.options import resolve_style
from deckwright.base.units import format_measure, format_number, pluralize, round_number
from deckwright.cli import common
from deckwright.cli.options import MAX_COUNT, options_of
from deckwright.cli.stats import make_cards_table
from deckwright.cli.terminal import echo
from deckwright.decks.answers import Answer, Note, Section, Table, hide, make_record
from deckwright.decks.comparison import sum_measure
from deckwright.decks.deck_answers import describe_odds
from deckwright.decks.odds import OpeningOptions
from deckwright.decks.stats import make_charts
from deckwright.game.words import label

if TYPE_CHECKING:
    from deckwright.game.model import Card

_MAX_SEED = 2**53


@common.command("hand army_HK_1 --seed 7", "hand army_HK_1 --seed 7 --redraw HK9 --out hand.png")
@click.argument("deck")
@common.game_option
@click.option("--seed", type=click.IntRange(0, _MAX_SEED),
              help="The seed of the shuffle: the same seed gives the same hand.")  # fmt: skip
@click.option("--hands", type=click.IntRange(1, 100), default=1,
              help="Draw this many hands, each with the next seed.")  # fmt: skip
@click.option(
    "--mulligan", count=True, help="Shuffle the hand back and draw another one; repeatable."
)
@click.option("--redraw", multiple=True, metavar="CARD",
              help="Replace this card by another one, by id or name; repeatable.")  # fmt: skip
@click.option("--turns", type=click.IntRange(0, MAX_COUNT), default=0,
              help="Also show the draws of this many turns.")  # fmt: skip
@options_of(OpeningOptions)
@common.format_option
@click.option("--out", "-o", help="Also draw the hands to this PNG file.")
@click.option("--layout", type=click.Choice(["fan", "rows"]), default="fan", show_default=True,
              help="The layout of cards in the picture.")  # fmt: skip
@click.option("--dpi", type=click.FloatRange(20, 1200), default=200, show_default=True,
              help="Pixels per inch.")  # fmt: skip
@common.style_option
@common.messages_option
def hand(
    deck: str,
    game: Path,
    form: str,
    out: str | None,
    layout: Literal["fan", "rows"],
    dpi: float,
    style: str | None,
    **options: Any,  # those of `sample_hands`
) -> None:
    """Draw sample hands from a deck, as text and as a picture.

    DECK is the name of a file in xml/Decks, such as army_HK_1.xml, or any path. It may break its
    limits. Without --seed, a seed is chosen and shown.
    """
    if options["hands"] > 1 and options["redraw"]:
        raise click.UsageError("--redraw is for a single hand: give its --seed, without --hands")
    if out is not None and Path(out).suffix.lower() not in {"", ".png"}:
        raise click.UsageError(f"--out takes a PNG file: end `{out}` with .png")
    folder = common.open_folder(game)
    style = resolve_style(folder, style)
    path = folder.deck_file(deck)
    with common.report_findings() as report:
        sample = sample_hands(*load_game_and_stats(folder, path, {}, report), **options)
        common.write_answer(_describe_hands(sample), None, report, form)
        broken = sum(not state.keeps for state in sample.stats.limits)
        if broken:
            limits = pluralize(broken, "limit")
            echo(f"{folder.deck_label(path)} breaks {limits}: `deckwright stats {deck}`", err=True)
        if out is not None:
            from deckwright.outputs.hands import HandsOptions, Layout  # only to draw

            target = common.output_path(f"hand_{path.stem}.png", folder, out)
            look = HandsOptions(Layout(layout), style, dpi)
            drawn = draw_hand_picture(
                folder, sample.game, sample.stats, sample.hands, target, look, report
            )
            if form == "text":
                echo(f"drawn in {drawn.path}, {drawn.size[0]} × {drawn.size[1]} pixels")


def _describe_hands(sample: HandSample) -> Answer:
    """Return hands as an answer; text groups the cards, data has them in the order of drawing."""
    stats, setup, pile = sample.stats, sample.game.setup, sample.pile
    total = sum(line.entry.copies for line in pile)
    charts = [*make_charts(setup, pile)]
    measures = {"worth": setup.worth, "cost": setup.cost}
    keeps, zone = all(state.keeps for state in stats.limits), sample.opening.zone
    facts = {"deck": stats.deck.stem, "name": stats.deck.name, "zone": zone, "cards": total}
    sections = [Section("", [make_record("deck", **facts, limits_kept=keeps)])]
    fields = {field.name for kind in setup.card_kinds for field in kind.fields}
    word = partial(label, common.words_for(stats.language, stats.words))

    def name_rules(card: Card) -> str:
        race = sample.game.factions[card.faction_id].race
        rules = (sample.game.rules.get(name) for name in card.rule_ids())
        return ", ".join(rule.any_label(race) for rule in rules if rule is not None)

    for hand in sample.hands:
        lines = sample.lines(hand.cards)
        sums = {name: sum_measure(each, lines) for name, each in measures.items() if each}
        blocks: list[Table | Note] = [
            make_record("hands", seed=hand.seed, **sums, left=hand.pile_size)
        ]
        parts = [("hand", 0, hand.cards), ("aside", 0, hand.aside)]
        parts += [("turn", number, cards) for number, cards in enumerate(hand.turns, 1)]
        for part, turn, cards in parts:
            in_order = [line for card in cards for line in sample.lines([card])]
            shared: dict[str, str | int] = {"seed": hand.seed, "part": part, "turn": turn}
            blocks.append(hide(make_cards_table("cards", in_order, charts, shared, name_rules)))
        informative = [chart for chart in make_charts(setup, lines) if chart.is_informative]
        blocks.append(make_cards_table("", lines, informative, rules=name_rules))
        totals = [f"{chart.name} {format_measure(chart.total, chart.unit, stats.language)}"
                  for chart in informative if chart.numeric]  # fmt: skip
        for measure in dict.fromkeys(each for each in measures.values() if each):
            if measure.text not in fields:  # or else it is among the charts
                number = round_number(float(sum_measure(measure, lines)))
                totals.append(f"{measure} {format_number(number, stats.language)}")
        notes = [f"{word('total')}: {', '.join(totals)}"]
        if hand.aside:
            notes.append(f"{word('laid-aside')}: {_join_cards(hand.aside)}")
        for number, cards in enumerate(hand.turns, 1):
            notes.append(f"{word('turn')} {number}: {_join_cards(cards) or word('none')}")
        notes.append(f"{word('left-in-pile')}: {hand.pile_size}")
        head = f"{word('seed')} {hand.seed}: {word('hand')} {len(hand.cards)} / {total}"
        sections.append(Section(f"{stats.deck.name}, {head}", [*blocks, *map(Note, notes)]))
    return Answer("hand", sections, stats.language)


def _join_cards(cards: Iterable[Card]) -> str:
    return ", ".join(f"{card.name} ({card.id})" for card in cards)


_MAX_TURN = 99


def _parse_turns(
    _context: click.Context, _option: click.Parameter, texts: Iterable[str]
) -> tuple[int, ...]:
    """Parse turns such as "3" or "1-6"; return them sorted, 0 if none is given."""
    turns: set[int] = set()
    for text in texts:
        match = re.fullmatch(r"([0-9]{1,2})(?:-([0-9]{1,2}))?", text)
        first, last = (int(match[1]), int(match[2] or match[1])) if match else (1, 0)
        if first > last:
            message = f"`--turn {text}` is not of the form 3 or 1-6, up to {_MAX_TURN}"
            raise click.UsageError(message)
        turns.update(range(first, last + 1))
    return tuple(sorted(turns or {0}))


@common.command("odds army_HK_1", 'odds army_HK_1 --where "rows=RANGED" --at-least 3',
         "odds army_HK_1 --card HK3 --draws 1 --turn 0-5")  # fmt: skip
@click.argument("decks", nargs=-1, metavar="DECK…", required=True)
@common.game_option
@click.option("--where", multiple=True, metavar="CONDITION",
              help="Ask for cards like these, as in limits: level=2; repeatable.")  # fmt: skip
@click.option("--card", "cards", multiple=True, metavar="CARD",
              help="Ask for this card, by id or name; repeatable.")  # fmt: skip
@click.option("--at-least", type=click.IntRange(0, 99), multiple=True, metavar="NUMBER",
              help="Ask for this many of each group, in order. The default is 1.")  # fmt: skip
@click.option("--turn", "turns", multiple=True, metavar="TURN", callback=_parse_turns,
              help="Ask for the hand after this turn's draw, or several turns': 1-6.")  # fmt: skip
@options_of(OpeningOptions)
@common.answer_options
@common.language_option
@common.messages_option
def odds(
    decks: tuple[str, ...],
    game: Path,
    where: tuple[str, ...],
    cards: tuple[str, ...],
    at_least: tuple[int, ...],
    turns: tuple[int, ...],
    form: str,
    out: Path | None,
    **opening: Unpack[OpeningOptions],
) -> None:
    """Show how likely an opening hand has which cards.

    Odds are exact, for each row, each level and each card. If the game lets players set cards aside
    or draw a new hand, they are assumed to do so as well as possible for the cards asked for. With
    --where and --card, show how likely a player has all of these cards together. Decks may break
    their limits.
    """
    folder = common.open_folder(game)
    with common.report_findings() as report:
        results = [
            compute_deck_odds(
                *deck, where=where, cards=cards, at_least=at_least, turns=turns, **opening
            )
            for deck in load_decks(folder, map(folder.deck_file, decks), {}, report)
        ]
        if results:
            stats = results[0].stats
            answer = describe_odds(results, common.words_for(stats.language, stats.words))
            common.write_answer(answer, out, report, form)
        for odds in results:
            zone, most = odds.zone, odds.opening.hand
            if zone.cards < most:
                few = f"{pluralize(zone.cards, 'card')} in `{zone.id}`"
                message = f"`{odds.stats.deck.stem}` has {few}, fewer than a hand of {most}"
                echo(f"{message}: it has them all", err=True)
