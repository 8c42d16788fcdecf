"""Views of a tournament as data: what ``--json``, the HTTP API and the pages show.

Points are in tenths. Everything here is a frozen value, cut from a history.
"""

from collections.abc import Mapping, Sequence

import msgspec
from msgspec.structs import replace

from paircard.domain.deciding.decision import round_of
from paircard.domain.log.catalogue import Entry
from paircard.domain.messages import Message, say
from paircard.domain.speaking import Speaker
from paircard.domain.state import Tournament, entered
from paircard.domain.values.players import Details
from paircard.domain.values.regulations import Regulations
from paircard.projections.categories import members, places
from paircard.projections.round.crosstable import Crosstable, Row
from paircard.projections.standings.codes import TieBreak
from paircard.projections.standings.standings import (
    Standing,
    announced_tiebreaks,
    open_games,
    ranking,
)
from paircard.projections.views import last_finished, numbering


class Remains(msgspec.Struct, frozen=True, kw_only=True):
    """What an erasure did not remove."""

    unfinished: str
    """What is left to do on this machine, empty if nothing."""
    searched: bool
    """Whether the name could be looked for: after the first erasure nobody here knows it any more."""
    mentions: tuple[int, ...]
    """Facts with personal parts of others that hold the family name: this person's, or another's?"""
    recorded: tuple[int, ...]
    """Facts that hold the family name in the chain itself, where it stays."""
    elsewhere: tuple[str, ...]
    """Ids of other tournaments of the store in which somebody has the same name."""
    out_of_reach: tuple[str, ...] = ()
    """What no command here can reach; results and opponents still tell who it was to those who know."""
    messages: tuple[Message, ...] = ()
    """What is left to do, and what cannot be reached, with code and fields."""


class Standings(msgspec.Struct, frozen=True, kw_only=True):
    """The standings after a round. In a line, ``tiebreaks`` are whole numbers, of which the last ``decimals``
    digits stand behind the point; ``score`` and ``values`` are for people."""

    after: int
    open_games: int
    final: bool
    """The tournament is closed and this is its last round; of a report, no game of any round is to come."""
    tiebreaks: tuple[str, ...]
    """Codes, in their order, points left out."""
    decimals: tuple[int, ...]
    standings: tuple[Standing, ...]


class Bye(msgspec.Struct, frozen=True):
    """A bye on record."""

    round: int
    letter: str


class LaterRating(msgspec.Struct, frozen=True, rename={"first": "from"}):
    """A rating that a player has from a round on."""

    first: int
    rating: int


class Entrant(Details, frozen=True, kw_only=True, omit_defaults=False):
    """A registered player."""

    id: int
    number: int | None
    """Pairing number, if the player has one now."""
    status: str
    """Empty, ``withdrawn`` or ``expelled``."""
    groups: tuple[str, ...]
    """Announced categories the player is in."""
    missed: str
    """Letters of the rounds paired before a late entry."""
    byes: tuple[Bye, ...]
    ratings: tuple[LaterRating, ...]


class Players(msgspec.Struct, frozen=True, kw_only=True):
    """Everyone registered, by pairing number, those without one last."""

    numbers: str
    """``provisional``, ``drawn``, ``assigned`` or ``frozen``."""
    players: tuple[Entrant, ...]


class Summary(msgspec.Struct, frozen=True, kw_only=True):
    """A tournament in a few words."""

    id: str
    name: str
    version: int
    players: int
    rounds: int
    paired: int
    """The round people are in: the last one paired; of a table the first with an open game."""
    state: str
    """How far it has come, in English."""
    fide_mode: bool
    place: str = ""
    starts: str = ""
    ends: str = ""
    """Place, first and last day, as far as they were announced."""
    unreadable: str = ""
    """Which fact cannot be read, and why; empty for all that can."""
    stage: str = ""
    """How far it has come: ``registration``; of the last paired round ``paired``, ``play`` or ``completed``;
    ``closed``; or ``unreadable``."""


class Overview(Summary, frozen=True, kw_only=True):
    """A tournament and its regulations."""

    regulations: Regulations


def round_meant(history: Tournament, round: int | None) -> int:
    """The round after which standings are shown, the last finished one by default; 0 is before round 1."""
    if round is None:
        return last_finished(history)
    if round != 0:
        round_of(history, round)
    return round


def view_standings(history: Tournament, table: Crosstable) -> Standings:
    """The standings of a crosstable of the tournament."""
    final = history.closed and table.paired == history.paired
    listed, lines = announced_tiebreaks(history), described_lines(history, table)
    return standings_of(table, listed, lines, final=final)


class PlacedRow(Row, frozen=True, kw_only=True):
    """A row with the places within the announced categories."""

    groups: Mapping[str, int]


class PlacedCrosstable(Crosstable, frozen=True, kw_only=True):
    """A crosstable with the places within the announced categories."""

    rows: tuple[PlacedRow, ...]


def described_lines(state: Tournament, table: Crosstable) -> tuple[Standing, ...]:
    """The standings of a crosstable, line by line, with the places within the announced categories."""
    lines = ranking(state, table).lines()
    within = places(state, lines) if state.regulations.categories else {}
    return tuple(replace(line, groups=within[line.id]) if line.id in within else line for line in lines)


def placed(table: Crosstable, lines: Sequence[Standing]) -> PlacedCrosstable:
    """The crosstable for programs, from it and its standings."""
    groups = {line.id: line.groups for line in lines}
    rows = tuple(PlacedRow(**msgspec.structs.asdict(row), groups=groups[row.id]) for row in table.rows)
    return PlacedCrosstable(**{**msgspec.structs.asdict(table), "rows": rows})


def standings_of(
    table: Crosstable, listed: Sequence[TieBreak], lines: Sequence[Standing], *, final: bool = False
) -> Standings:
    """The standings after the last round of a crosstable, with the tie-breaks that were applied."""
    rest = [each for each in listed if each.kind != "points"]
    return Standings(
        after=table.paired,
        open_games=len(open_games(table)),
        final=final,
        tiebreaks=tuple(each.code for each in rest),
        decimals=tuple(each.rule.decimals for each in rest),
        standings=tuple(lines),
    )


def view_players(history: Tournament) -> Players:
    """Everyone registered, with their pairing numbers."""
    numbers = numbering(history)
    groups = members(history) if history.regulations.categories else {}
    order = sorted(entered(history), key=lambda p: (p.id not in numbers.by_id, numbers.by_id.get(p.id, p.id)))
    return Players(
        numbers=numbers.state,
        players=tuple(
            Entrant(
                id=player.id,
                number=numbers.by_id.get(player.id),
                status=player.status,
                **msgspec.structs.asdict(player.details),
                groups=tuple(name for name, inside in groups.items() if inside.get(player.id)),
                missed=player.missed,
                byes=tuple(Bye(*bye) for bye in player.byes),
                ratings=tuple(LaterRating(*later) for later in player.ratings),
            )
            for player in order
        ),
    )


def summary_of(one: Entry) -> Summary:
    """A tournament as its entry in the catalogue tells."""
    about = {name: getattr(one, name) for name in Summary.__struct_fields__ if hasattr(one, name)}
    stage = stage_of(one)
    state = Speaker().say(say("stage", stage=stage, round=one.paired))  # in English
    return Summary(**about, state=state, stage=stage)


def stage_of(one: Entry) -> str:
    """How far a tournament has come."""
    if one.unreadable:
        return "unreadable"
    if one.closed:
        return "closed"
    if not one.paired:
        return "registration"
    if not one.published:
        return "paired"
    return "completed" if one.completed else "play"
