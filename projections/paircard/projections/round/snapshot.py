"""The snapshot of a round: all that its pairing may depend on, as one frozen value.

It is a pure function of the crosstable (itself a pure function of a prefix of the log) and a round
number. Its canonical bytes are hashed into the fact of the round, so that years later anyone can
see that a replay starts from the same state.
"""

from collections.abc import Iterable, Mapping, Sequence

import msgspec
from msgspec import UNSET, UnsetType

from paircard.domain.values.results import PLAYED, REQUESTED
from paircard.domain.values.rules import ISTANBUL, RULES
from paircard.projections.round.crosstable import (
    ABSENT,
    Crosstable,
    Entry,
    Row,
    cycles_in,
    records,
    virtual_points,
)

# --- the order in which boards are published (C.04.2:3.6)


Rank = tuple[int, int]
"""A player's score in tenths and pairing number."""


def board_order(one: Rank, other: Rank) -> tuple[int, int, int]:
    """Sorting key of a board, given the ranks of its two players.

    [C.04.2:3.6] Score of the higher-ranked player, sum of both scores, rank of the higher-ranked player.
    """
    score, number = one if (-one[0], one[1]) < (-other[0], other[1]) else other
    return -score, -one[0] - other[0], number


def in_board_order(
    boards: Iterable[tuple[int, int]], ranks: Mapping[int, Rank] | Sequence[Rank]
) -> list[tuple[int, int]]:
    """Boards as they are published, given the rank of every player (C.04.2:3.6)."""
    return sorted(boards, key=lambda board: board_order(ranks[board[0]], ranks[board[1]]))


# --- colour histories: only games that were played count (C.04.2:3.4, C.04.3:1.6)


def colours_by_round(entries: Iterable[Entry]) -> str:
    """``w`` or ``b`` for each game played, ``-`` for a round without one."""
    return "".join([e.colour if e.letter in PLAYED else "-" for e in entries])


def aligned(by_round: str) -> str:
    """Unplayed rounds moved to the front: BWWuBuW is uuBWWBW (C.04.2:3.4)."""
    played = by_round.replace("-", "")
    return "-" * (len(by_round) - len(played)) + played


def signed_difference(by_round: str) -> str:
    """The difference as arbiters write it: ``+2``, ``-1``; ``+0`` after White, ``-0`` after Black."""
    played = by_round.replace("-", "")
    if not played:
        return "0"
    return f"{difference(played):+d}" if difference(played) else ("+0" if played[-1] == "w" else "-0")


def difference(by_round: str) -> int:
    """Games with White less games with Black (C.04.3:1.6)."""
    return by_round.count("w") - by_round.count("b")


# --- float records by round: ``d`` downfloat, ``u`` upfloat, ``-`` none


def float_records(table: Crosstable, edition: str, round: int) -> dict[int, str]:
    """Each player's floats of the rounds before this one (2026 1.4, 2017 A.4)."""
    scores, worth = scores_by_round(table, round - 1), table.scoring.table()
    return {row.id: float_record(row, scores, worth, edition) for row in table.rows}


def scores_by_round(table: Crosstable, rounds: int) -> list[dict[int, int]]:
    """By round, everybody's score before it, with the virtual points of that round (C.04.7:1.5)."""
    worth = table.scoring.table()
    scores: list[dict[int, int]] = [{} for _ in range(rounds)]
    for row, entries in zip(table.rows, records(table, rounds), strict=True):
        points, none = 0, (0,) * rounds
        columns = zip(scores, entries, row.virtual + none, row.extra + none, strict=False)
        for before, now, virtual, extra in columns:
            before[row.id] = points + virtual
            points += worth[now.letter] + extra
    return scores


def float_record(row: Row, scores: Sequence[dict[int, int]], worth: dict[str, int], edition: str) -> str:
    """A player's floats, given the scores of all before each round, under rules that have floats."""
    downfloats = RULES[edition].downfloats
    if not downfloats:
        return "-" * len(scores)
    any_unplayed, points_alone = downfloats == "unplayed", downfloats == "points"
    marks = []
    for now, before in zip(row.entries + (ABSENT,) * len(scores), scores, strict=False):
        if now.letter in PLAYED:
            mine, theirs = before[row.id], before[now.opponent]
            marks.append("d" if mine > theirs else "u" if mine < theirs else "-")
        else:
            marks.append("d" if any_unplayed or gains(now.letter, worth, points_alone) else "-")
    return "".join(marks)


def gains(letter: str, worth: dict[str, int], points_alone: bool) -> bool:
    """Whether a round without a game is a downfloat for what it brought.

    [2026 1.4.3] The PAB, or more than a loss; [2012 B.1.b] any point or half point.
    """
    if points_alone:
        return worth[letter] > 0
    return letter == "U" or worth[letter] > worth["0"]


# --- colour preferences: what a player's colours so far ask for (C.04.3:1.7, 2017 A.6)


class Due(msgspec.Struct, frozen=True, gc=False):
    """The colour a player should have next."""

    colour: str
    """``w``, ``b``, or empty for a player without a game."""
    strength: str
    """``absolute``, ``strong``, ``mild`` or ``none``."""


def colour_due(by_round: str) -> Due:
    """[2026 1.7, 2017 A.6] What the colours of all rounds, ``-`` for one without a game, ask for.

    Where the difference and two games in a row ask for opposite colours, the difference counts; the text does
    not rank them, all engines do.
    """
    played = by_round.replace("-", "")
    if not played:
        return Due("", "none")
    more = difference(played)
    other = "b" if (more > 0 if more else played[-1] == "w") else "w"
    if abs(more) > 1:  # [1.7.1]
        return Due(other, "absolute")
    if played[-2:] in ("ww", "bb"):
        return Due("b" if played[-1] == "w" else "w", "absolute")
    return Due(other, "strong" if more else "mild")  # [1.7.2, 1.7.3]


def sign(due: Due) -> str:
    """As on a pairing card: ``W`` absolute, ``Ww`` strong, ``w`` mild, ``A`` for either colour."""
    if not due.colour:
        return "A"
    return {"absolute": due.colour.upper(), "strong": due.colour.upper() + due.colour}.get(
        due.strength, due.colour
    )


class Player(msgspec.Struct, frozen=True, kw_only=True):
    """One player as the pairing of the round sees them. Strings and tuples go by round, round 1 first."""

    id: int
    """The player's id for life."""
    number: int
    """Tournament pairing number in force (C.04.2:2.3)."""
    score: int
    """Pairing score in tenths: points plus any virtual points of this round (C.04.7:1.5)."""
    points: int
    """Points in tenths, without virtual ones."""
    opponents: tuple[int, ...] = ()
    """Scheduled opponents' ids; 0 for none."""
    colours: str = ""
    """``w`` or ``b`` where a game was played, else ``-``."""
    letters: str = ""
    """What each round brought, see ``paircard.domain.values.results``."""
    floats: str = ""
    """``d``, ``u`` or ``-``."""
    absent: str = ""
    """Empty for a player to be paired, else the letter the round will hold: H, F or Z."""


class Snapshot(msgspec.Struct, frozen=True, kw_only=True):
    """The whole input of one round's pairing."""

    edition: str
    """The rules: one of ``paircard.domain.values.rules.RULES``."""
    round: int
    """The round to be paired."""
    rounds: int
    """Announced number of rounds; topscorers exist only when this is the last (C.04.3:1.8)."""
    win: int = 10
    """Most points a game can bring, in tenths; half of the maximum makes a topscorer."""
    initial_colour: str = "w"
    """Colour drawn by lot for odd numbers (C.04.3:5.1)."""
    players: tuple[Player, ...] = ()
    """Everyone registered, by pairing number; the absent are here for the numbering of 5.2.5."""
    bars_the_bye: str | UnsetType = UNSET
    """Letters of rounds that bar from the bye, where the scoring makes them others than usual (C.04.3:C2)."""
    prohibited: tuple[tuple[int, int], ...] = ()
    """Pairs of ids that may not meet in this round, smaller id first, sorted."""
    cycles: int | UnsetType = UNSET
    """How often everybody meets everybody in a round robin; once if not given."""
    exchange: bool | UnsetType = UNSET
    """Whether the last two rounds of the first of two cycles are exchanged."""
    by_hand: bool | UnsetType = UNSET
    """Whether the rounds of a round robin are made by the arbiter: no table says who meets."""

    @property
    def is_last(self) -> bool:
        """Whether this is the final round."""
        return self.round >= self.rounds

    @property
    def most(self) -> int:
        """The most points, in tenths, that the rounds before this one could bring."""
        return (self.round - 1) * self.win

    @property
    def bars(self) -> frozenset[str]:
        """[2026 C2, 2017 C.2, 2012 B.1.b] Letters of a round that bar from the bye of a later one."""
        usual = RULES[self.edition].bars_the_bye
        return usual if self.bars_the_bye is UNSET else frozenset(self.bars_the_bye)

    def topscorers(self, players: Sequence[Player]) -> list[bool]:
        """[2026 1.8, 2017 A.7, 2012 A.10] Who of these has over half of the maximum before the last round."""
        if not self.is_last:
            return [False] * len(players)
        most = self.most
        return [2 * player.points > most for player in players]

    def without(self, absent: dict[int, str]) -> "Snapshot":
        """This snapshot with just these players absent, by letter."""
        players = (msgspec.structs.replace(one, absent=absent.get(one.id, "")) for one in self.players)
        return msgspec.structs.replace(self, players=tuple(players))

    def canonical(self) -> bytes:
        """Bytes that are equal for equal states, on every machine."""
        return msgspec.json.encode(self)

    def digest(self) -> str:
        """SHA-256 of the canonical bytes, in hexadecimal."""
        import hashlib  # OpenSSL: who pairs a report records no digest

        return hashlib.sha256(self.canonical()).hexdigest()


def snapshot(table: Crosstable, round: int, edition: str) -> Snapshot:
    """What the pairing of the round sees of the crosstable: earlier rounds, and byes already known.

    Where all rounds are known at once it sees nothing but the numbers.
    """
    if RULES[edition].known_at_once:
        cycles = cycles_in(len(table.rows), table.rounds)
        numbers = {row.id: row.number for row in table.rows}
        return snapshot_of_numbers(edition, round, table.rounds, numbers, cycles, table.exchange)
    before, worth = round - 1, table.scoring.table()
    *past, scores = scores_by_round(table, round)
    players = []
    virtual = virtual_points(table, round)
    for row, history, more in zip(table.rows, records(table, before), virtual, strict=True):
        now = row.entries[before] if before < len(row.entries) else None
        players.append(
            Player(
                id=row.id,
                number=row.number,
                score=scores[row.id],
                points=scores[row.id] - more,
                opponents=tuple([e.opponent for e in history]),
                colours=colours_by_round(history),
                letters="".join([e.letter for e in history]),
                floats=float_record(row, past, worth, edition),
                absent=now.letter if now is not None and now.letter in REQUESTED else "",
            )
        )
    return Snapshot(
        edition=edition,
        round=round,
        rounds=table.rounds,
        win=max(table.scoring.win, table.scoring.draw),
        initial_colour=table.initial_colour,
        bars_the_bye=unusual_bars(table, edition),
        players=tuple(sorted(players, key=lambda p: (p.number, p.id))),
        prohibited=prohibited_pairs(table, round),
    )


def snapshot_of_numbers(
    edition: str, round: int, rounds: int, numbers: dict[int, int], cycles: int, exchange: bool
) -> Snapshot:
    """What the pairing of a round sees that depends on numbers, and on no result."""
    players = tuple(
        Player(id=id, number=at, score=0, points=0)
        for id, at in sorted(numbers.items(), key=lambda one: one[1])
    )
    return Snapshot(
        edition=edition, round=round, rounds=rounds, players=players, cycles=cycles, exchange=exchange
    )


def unusual_bars(table: Crosstable, edition: str) -> str | UnsetType:
    """Letters that bar from the bye, if the tournament makes them others than the edition's usual ones.

    [2026 C2] as many points as a win without playing; [2012 B.1.b] a point or half point without playing.
    [2017 C.2] a PAB, and for programs that have one code for it and the full-point bye, that one too.
    """
    usual = RULES[edition].bars_the_bye
    if edition == "dutch-2017":
        return "+FU" if table.one_code_for_byes else UNSET
    least = 1 if edition in ISTANBUL else table.scoring.win
    worth = table.scoring.table()
    bars = {letter for letter in "FHZ+-" if worth[letter] >= least} | {"U"}
    return UNSET if bars == usual else "".join(sorted(bars))


def prohibited_pairs(table: Crosstable, round: int) -> tuple[tuple[int, int], ...]:
    """Pairs that announced prohibitions keep apart in this round (TRF26 260)."""
    pairs = {
        (min(a, b), max(a, b))
        for ban in table.prohibitions
        if ban.first <= round <= ban.last
        for a in ban.ids
        for b in ban.ids
        if a != b
    }
    return tuple(sorted(pairs))
