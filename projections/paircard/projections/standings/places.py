"""What a report file says about tie-breaks and places (TRF26 202, 212, and the rank in 001)."""

import msgspec

from paircard.domain.messages import Message, say
from paircard.domain.speaking import Speaker
from paircard.projections.round.crosstable import Crosstable
from paircard.projections.standings.standings import Ranking, Standing
from paircard.projections.standings.tiebreaks import parse_list
from paircard.projections.trf import Report


class Misplaced(msgspec.Struct, frozen=True, kw_only=True):
    """A place in the file that the announced tie-breaks do not give."""

    number: int
    found: int
    first: int
    """The best place that is right, several if the player shares it; 0 for none."""
    last: int

    @property
    def said(self) -> Message:
        """The fault as a message."""
        if not self.first:
            return say("standings.misplaced-outside", number=self.number, place=self.found)
        code = "standings.misplaced" if self.first == self.last else "standings.misplaced-of-several"
        return say(code, number=self.number, place=self.found, first=self.first, last=self.last)

    def __str__(self) -> str:
        return Speaker().say(self.said)


def announced_list(report: Report) -> str:
    """The list of tie-breaks that the file announces; empty if it announces none."""
    return report.text("212") or report.text("202")


def misplaced_players(report: Report, table: Crosstable) -> tuple[Misplaced, ...]:
    """Players whose place in the file is not theirs by the list it announces.

    Without a list there is nothing to compare places with. Players still tied may
    share a place or stand in any order: lots are not in the file.
    """
    announced = announced_list(report)
    if not announced:
        return ()
    listed = parse_list(announced, predetermined=table.predetermined)
    lines = Ranking(table, table.paired, listed).lines()
    given = {player.number: player.place for player in report.players()}
    sharing: dict[int, list[Standing]] = {}
    for line in lines:
        sharing.setdefault(line.rank, []).append(line)
    return tuple(
        Misplaced(number=line.id, found=given[line.id], first=rank, last=rank + len(group) - 1)
        for rank, group in sharing.items()
        for line in group
        if given[line.id] and not rank <= given[line.id] < rank + len(group)
    )
