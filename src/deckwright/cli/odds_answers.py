"""How likely a hand has what is asked for, as text for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from deckwright.cli.odds_style import BAR, GAP, Grid, OddsText
from deckwright.decks.asked_odds import AskedOdds


class AnswerText(OddsText):
    """Writes how likely a player has what is asked for."""

    def lines(self) -> Iterator[str]:
        """Yield all lines."""
        yield from self.head()
        yield from self._answers(self.found.answers)

    def _answers(self, answers: Sequence[AskedOdds]) -> Iterator[str]:
        """Yield how likely all groups are together, each alone, and the numbers of their cards."""
        asked = self.found.asked
        titles = [f"{self.least}{each.at_least} {each.name}" for each in asked]
        yield ""
        for title, cards in zip(titles, answers[0].played.groups, strict=True):
            yield f"  {title}: {cards} / {self.found.zone.cards}"
        yield ""
        several = len(asked) > 1
        heads = [self.label("at-once")] if self.redrawn else []
        heads.append(self.label("redrawn" if self.redrawn else "chance"))
        rows = [self._answer(answer) for answer in answers]
        title = self.label("together") if several else ""
        names = [self._turn(answer.turn) for answer in answers]
        grid = Grid([title, *names], heads, rows)
        yield grid.line(title, heads)
        for name, answer, row in zip(names, answers, rows, strict=True):
            bar = self.bar(answer.at_once.chance, answer.played.chance, Fraction(1), BAR[1])
            yield f"{grid.line(name, row)}{GAP}{bar}".rstrip()
        if several:
            yield from self._alone(answers, titles)
        if len(answers) == 1:
            for number, title in enumerate(titles):
                yield from self._numbers(answers[0], number, title)

    def _turn(self, turn: int) -> str:
        return f"{self.label('turn')} {turn}" if turn else self.label("hand")

    def _answer(self, answer: AskedOdds) -> list[str]:
        at_once = [self.percent(answer.at_once.chance)] if self.redrawn else []
        return [*at_once, self.percent(answer.played.chance)]

    def _alone(self, answers: Sequence[AskedOdds], titles: Sequence[str]) -> Iterator[str]:
        """Yield how likely each group is if players want nothing else."""
        heads = [str(answer.turn) for answer in answers]
        rows = [
            [self.percent(answer.alone[number].chance) for answer in answers]
            for number in range(len(titles))
        ]
        grid = Grid([self.label("alone"), *titles], heads, rows)
        yield ""
        yield grid.line(self.label("alone"), heads if len(heads) > 1 else [""]).rstrip()
        for title, row in zip(titles, rows, strict=True):
            yield grid.line(title, row)

    def _numbers(self, answer: AskedOdds, group: int, title: str) -> Iterator[str]:
        """Yield how likely there are 0, 1, 2 … cards of a group."""
        shares = answer.played.numbers[group]
        average = self.average(answer.played.expected[group])
        yield ""
        yield f"  {title}: {self.label('average')} {average}"
        width = len(str(len(shares) - 1))
        for number, share in enumerate(shares):
            bar = self.bar(share, share, max(shares), BAR[1])
            yield f"  {number:>{width}} {self.percent(share):>8}{GAP}{bar}".rstrip()
