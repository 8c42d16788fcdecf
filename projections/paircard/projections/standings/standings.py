"""Standings: by points, then tie-break after tie-break inside whatever is still tied (C.07:4.2).

How a tie-break is computed is the matter of ``paircard.projections.standings.tiebreaks``; here they are
applied in sequence, then the orders that lots or the arbiter's hand gave, and places are numbered.
"""

from collections.abc import Iterable, Mapping, Sequence, Set
from typing import Final, NamedTuple

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from paircard.domain.events import LotsDrawn
from paircard.domain.messages import Message, say
from paircard.domain.speaking import Speaker
from paircard.domain.state import Tournament, entered
from paircard.domain.values.results import PLAYED, points
from paircard.domain.values.rules import RULES
from paircard.projections.round.crosstable import (
    ABSENT,
    LEFT,
    LISTED,
    Crosstable,
    Listed,
    Row,
    games_of_each,
    who_came,
)
from paircard.projections.standings.codes import NotFinal, NotRanked, TieBreak, Values
from paircard.projections.standings.ledger import OPEN, Ledger
from paircard.projections.standings.measures import places
from paircard.projections.standings.tiebreaks import POINTS, Explanation, advice, explain, name_in, parse_list
from paircard.projections.views import table_after

FILE = "file"
"""Says that the places of an imported file parted two players."""


class Standing(Listed, frozen=True, kw_only=True, gc=False):
    """One line of the standings."""

    rank: int
    """Place, shared by players still tied after all tie-breaks; 0 for the expelled, who have none."""
    points: int
    """Tenths, without virtual points (C.04.7:1.5)."""
    score: str = ""
    """The points as people write them: 6½."""
    tiebreaks: tuple[int | None, ...] = ()
    """In the order of the list, points left out; None where the tie-break gives nothing."""
    values: tuple[str, ...] = ()
    """The tie-breaks as people read them: 41.5, or ``-`` for nothing."""
    parted_by: str = ""
    """What put this player below the one above: a code, ``lots``, ``hand`` or ``file``; empty for a
    shared place."""
    groups: Mapping[str, int] = {}
    """Places within the announced categories the player is in."""


class Stage(NamedTuple):
    """One element of the list as it was applied."""

    tiebreak: TieBreak
    column: Values
    """Values by position in the crosstable."""
    tied: list[list[int]]
    """Groups of positions that were tied before, singles among them, best first."""


class Level(msgspec.Struct, frozen=True, kw_only=True):
    """One element of the list, with the values of two players as people read them."""

    code: str
    first: str
    second: str


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    """Why one player is placed above another."""

    first: int
    """Id of the one above; of two who share a place, the one asked about first."""
    second: int
    place: int
    """Of the first; 0 where there is none."""
    below: int
    """Place of the second; 0 where there is none."""
    level: tuple[Level, ...] = ()
    """What was applied while the two were level."""
    decided: Level | None = None
    """The element that separated them."""
    method: str = ""
    """``lots``, ``hand`` or ``file``, if that separated them; ``status`` if one of them has no place."""


class Ranking:
    """A crosstable ranked by a list: what every element of it gave, who shares a place, what parted the rest.

    Those still tied at the end go by recorded ``orders``, then by the ``places`` of an imported file.
    """

    def __init__(
        self,
        table: Crosstable,
        after: int,
        tiebreaks: Sequence[TieBreak] = (),
        *,
        outside: Mapping[str, Mapping[int, int]] = {},
        orders: Sequence[LotsDrawn] = (),
        places: Mapping[int, int] = {},
    ) -> None:
        self.table = table
        """As it was given, with everybody who entered."""
        self.entered = {row.id: row for row in table.rows}
        table = who_came(table)
        self.ledger = ledger = Ledger(without_leavers(table, after), after, table)
        rows = ledger.table.rows
        self.order = sorted(ledger.everyone, key=lambda at: (rows[at].number or len(rows) + 1, rows[at].id))
        """Positions by pairing number, those without one last."""
        self.parted: dict[int, str] = {}
        """What put a player below the one above."""
        self.stages: list[Stage] = []
        groups = [[at for at in self.order if rows[at].status not in OUTSIDE]]
        for each in tiebreaks if POINTS in tiebreaks else (POINTS, *tiebreaks):
            column = column_of(ledger, each, groups, outside)
            self.stages.append(Stage(each, column, groups))
            groups = refine(groups, column, each.ascending or each.kind == "A", each.code, self.parted)
        groups = apply_orders(ledger, groups, orders, self.parted)
        if places:
            groups = refine(groups, [places.get(row.id) for row in rows], True, FILE, self.parted)
        self.place: dict[int, int] = {}
        """By position, best first."""
        for group in groups:
            self.place |= dict.fromkeys(group, len(self.place) + 1)

    def lines(self) -> tuple[Standing, ...]:
        """The standings. Those still tied share a place and stand in order of pairing number.

        The expelled come last without a place: their results still count for their opponents (VCL 197–198).
        Who withdrew before ever taking part is not among them, nor has a place who left a round robin before
        half of the games (C.05:6.6).
        """
        rows, scores = self.ledger.table.rows, self.ledger.scores
        applied = [stage for stage in self.stages if stage.tiebreak != POINTS]
        written = {score: points(score) for score in {*scores}}
        outside = [at for at in self.order if at not in self.place]
        return tuple(
            Standing(
                **{name: getattr(rows[at], name) for name in LISTED},
                rank=self.place.get(at, 0),
                points=scores[at],
                score=written[scores[at]],
                tiebreaks=tuple(stage.column[at] for stage in applied),
                values=tuple(stage.tiebreak.shown(stage.column[at]) for stage in applied),
                parted_by=self.parted.get(at, ""),
            )
            for at in (*self.place, *outside)
        )

    def explanations(self, player: int) -> tuple[Explanation, ...]:
        """The arithmetic of every value of one player, in the order of the list."""
        who = self._position(player)
        made = []
        for stage in self.stages:
            tied = next((group for group in stage.tied if who in group), [])
            made.append(explain(self.ledger, stage.tiebreak, who, stage.column[who], tied))
        return tuple(made)

    def compare(self, one: int, other: int) -> Comparison:
        """Why one of two players is placed above the other, tie-break by tie-break."""
        if one == other:
            raise NotRanked("standings.with-themself")
        pair, last = [self._position(one), self._position(other)], len(self.place) + 1
        a, b = sorted(pair, key=lambda at: self.place.get(at, last))
        rows, place = self.ledger.table.rows, self.place
        found = Comparison(first=rows[a].id, second=rows[b].id, place=place.get(a, 0), below=place.get(b, 0))
        if a not in place or b not in place:
            return replace(found, method="status")
        level = []
        for stage in self.stages:
            if not any(a in group and b in group for group in stage.tied):
                break
            first, second = (in_words(stage.tiebreak, stage.column[at]) for at in (a, b))
            level.append(Level(code=stage.tiebreak.code, first=first, second=second))
        last_applied = self.stages[len(level) - 1].column
        if last_applied[a] != last_applied[b]:
            return replace(found, level=tuple(level[:-1]), decided=level[-1])
        method = self.parted[b] if place[a] != place[b] else ""
        return replace(found, level=tuple(level), method=method)

    def _position(self, player: int) -> int:
        """Where the player is in the ledger; refuses those who are not in the standings."""
        if player in self.ledger.position:
            return self.ledger.position[player]
        if player not in self.entered:
            raise NotRanked("standings.not-in-the-tournament", player=player)
        refusal = NotRanked("standings.never-took-part", player=player)
        refusal.names = {player: name_in(self.entered[player])}
        raise refusal


def need_all_played(table: Crosstable) -> None:
    """Refuse final standings while a round is missing or a game is open, an adjourned one included."""
    if not table.paired:
        raise NotFinal("standings.no-round-yet")
    if table.paired < table.rounds:
        raise NotFinal("standings.rounds-to-play", round=table.paired, rounds=table.rounds)
    if games := open_games(table):
        round, white, black = games[0]
        refusal = NotFinal(
            "standings.game-open", round=round, white=white.id, black=black.id, count=len(games) - 1
        )
        refusal.names = {row.id: name_in(row) for row in (white, black)}
        raise refusal


def open_games(table: Crosstable) -> list[tuple[int, Row, Row]]:
    """Round, white and black of every game that is adjourned or not over."""
    by_id = {row.id: row for row in table.rows}
    games = []
    for row in table.rows:
        for round, entry in enumerate(row.entries[: table.paired], 1):
            if entry.opponent and entry.letter in OPEN and entry.colour == "w":
                games.append((round, row, by_id[entry.opponent]))
    return sorted(games, key=lambda game: (game[0], game[1].number))


def column_of(
    ledger: Ledger,
    each: TieBreak,
    groups: Sequence[Sequence[int]],
    outside: Mapping[str, Mapping[int, int]],
) -> Values:
    """The values of one tie-break, by position; those of direct encounter depend on who is tied now.

    Those from outside are hundredths by name, with or without ``OTHER_``, and player id.
    """
    if each.kind == "A":
        among = places(ledger, groups, forfeits=each.forfeits)
        return [among.get(at, 0) for at in ledger.everyone]
    if each.kind == "external":
        given = outside.get(each.name) or outside.get(each.name.removeprefix("OTHER_")) or {}
        return [given.get(row.id) for row in ledger.table.rows]
    return each.rule.values(ledger, each)


def refine(
    groups: Sequence[list[int]], column: Values, ascending: bool, by: str, parted: dict[int, str]
) -> list[list[int]]:
    """Every group parted by the values, best first; who has none comes last."""
    refined = []
    for group in groups:
        if len(group) == 1:
            refined.append(group)
            continue
        parts: dict[int | None, list[int]] = {}
        for at in group:
            parts.setdefault(column[at], []).append(at)
        known = sorted((value for value in parts if value is not None), reverse=not ascending)
        best_first = [parts[value] for value in known] + ([parts[None]] if None in parts else [])
        for lower in best_first[1:]:
            parted.update(dict.fromkeys(lower, by))
        refined += best_first
    return [group for group in refined if group]


def apply_orders(
    ledger: Ledger, groups: Sequence[list[int]], orders: Sequence[LotsDrawn], parted: dict[int, str]
) -> list[list[int]]:
    """Ties that are left, parted where recorded orders say of every two who is ahead; the latest counts.

    Orders that no longer fit, because a correction made another tie, part nobody.
    """
    rows = ledger.table.rows
    ordered_groups: list[list[int]] = []
    for group in groups:
        by_id = {rows[at].id: at for at in group}
        ahead, method = decided_pairs(by_id.keys(), orders)
        ranked = sorted(by_id, key=lambda id: -len(ahead[id]))
        if any(len(ahead[id]) != below for below, id in enumerate(reversed(ranked))):
            ordered_groups.append(group)
            continue
        parted.update(dict.fromkeys([by_id[id] for id in ranked[1:]], method))
        ordered_groups += [[by_id[id]] for id in ranked]
    return ordered_groups


def decided_pairs(tied: Set[int], orders: Sequence[LotsDrawn]) -> tuple[dict[int, set[int]], str]:
    """Players each of the tied is ahead of by the recorded orders, and the method of the last one."""
    ahead: dict[int, set[int]] = {id: set() for id in tied}
    method = ""
    for order in orders:
        named = [id for id in order.players if id in tied]
        if len(named) > 1:
            method = order.method
        for at, better in enumerate(named):
            for worse in named[at + 1 :]:
                ahead[better].add(worse)
                ahead[worse].discard(better)
    return ahead, method


def in_words(each: TieBreak, value: int | None) -> str:
    """A value as people read it: points in halves, others with their decimals."""
    if each == POINTS and value is not None:
        return points(value)
    return each.shown(value)


def value_texts(line: Standing, listed: Sequence[TieBreak], none: str = "-") -> list[str]:
    """Points and tie-breaks of a line as people read them, in the order of the list."""
    values = iter(line.tiebreaks)
    texts = []
    for each in listed:
        value = line.points if each.rule.kind == "points" else next(values)
        texts.append(none if value is None else each.shown(value))
    return texts


# --- who left a round robin before half of the games (C.05:6.6, VCL 103)


# They stay in the table, for the ratings; points by and against them count for nobody in the final
# standings, and they have no place. Who completed exactly half of the games counts like anybody. A Swiss
# tournament has no such rule.


OUTSIDE: Final = frozenset({"expelled", LEFT})
"""Statuses of players without a place."""


def has_left(row: Row, rounds: int, free: int) -> bool:
    """Whether the player was expelled or withdrew, or at the end was only absent (C.05:6.5).

    ``free`` is 1 where the last round may be a free one.
    """
    if row.status:
        return True
    entries = row.entries[:rounds]
    last = max((round for round, entry in enumerate(entries, 1) if entry.opponent), default=0)
    return rounds - last > free or (last > 0 and entries[last - 1].letter == "-")


def completed_games(letters: Iterable[str]) -> int:
    """Games that took place: a forfeit is none, on either side, nor is an adjourned game."""
    return sum(letter in PLAYED and letter not in OPEN for letter in letters)


def early_leavers(table: Crosstable, after: int) -> dict[int, int]:
    """Completed games of everyone who left before half of them, by id.

    A log says who left, and they are left out at once; of a file only the end of the event tells.
    """
    if not table.predetermined or (after < table.rounds and not table.leavers_known):
        return {}
    games = games_of_each(len(table.rows), table.rounds)
    found = {}
    for row in table.rows:
        completed = completed_games(entry.letter for entry in row.entries[:after])
        left = has_left(row, after, len(table.rows) % 2) and 2 * completed < games
        if row.status == LEFT if table.leavers_known else left:
            found[row.id] = completed
    return found


def without_leavers(table: Crosstable, after: int) -> Crosstable:
    """The table with every game of an early leaver as if it had never been scheduled."""
    gone = early_leavers(table, after)
    if not gone:
        return table
    rows = []
    for row in table.rows:
        mine = row.id in gone
        entries = tuple(ABSENT if mine or entry.opponent in gone else entry for entry in row.entries)
        rows.append(replace(row, entries=entries, status=LEFT if mine else row.status))
    return replace(table, rows=tuple(rows))


def remarks_on_leavers(table: Crosstable, after: int) -> list[Message]:
    """Who is taken for one who left, by the games of a file, and so is left out of the standings."""
    games = games_of_each(len(table.rows), table.rounds)
    return [
        say("standings.left-early-inferred", number=id, count=completed, most=games)
        for id, completed in early_leavers(table, after).items()
    ]


# --- the crosstable of a round robin: a row and a column for each player, in the order of the standings


class Game(msgspec.Struct, frozen=True, kw_only=True):
    """One meeting, seen from the player in the row."""

    round: int
    colour: str
    """Scheduled colour: ``w`` or ``b``; ``-`` where a file does not tell."""
    letter: str
    """What it brought, see ``paircard.domain.values.results``; empty while it is open."""


class GridLine(msgspec.Struct, frozen=True, kw_only=True):
    """One player and the games with everybody."""

    standing: Standing
    games: tuple[tuple[Game, ...], ...]
    """By opponent, in the order of the lines: one game for each cycle; none in the player's own column."""


def grid(table: Crosstable, lines: Sequence[Standing]) -> tuple[GridLine, ...]:
    """Everybody against everybody; games that do not count (C.05:6.6) are in it, since they were played."""
    rows = {row.id: row for row in table.rows}
    made = []
    for line in lines:
        met: dict[int, list[Game]] = {}
        for round, now in enumerate(rows[line.id].entries[: table.paired], 1):
            if now.opponent:
                met.setdefault(now.opponent, []).append(
                    Game(round=round, colour=now.colour, letter=now.letter)
                )
        made.append(GridLine(standing=line, games=tuple(tuple(met.get(other.id, ())) for other in lines)))
    return tuple(made)


# --- of a tournament: ranked by what was announced, drawn and brought from outside


def announced_tiebreaks(state: Tournament) -> tuple[TieBreak, ...]:
    codes = state.regulations.tiebreaks
    predetermined = RULES[state.regulations.edition].predetermined
    return parse_list(",".join(codes), predetermined=predetermined) if codes else (POINTS,)


def standings_after(state: Tournament, round: int | None = None) -> tuple[Standing, ...]:
    """The standings after a round as C.04.2:4.3 lets them be; by default the last paired round."""
    return ranking(state, table_after(state, round)).lines()


def ranking(state: Tournament, table: Crosstable) -> Ranking:
    """A crosstable of the tournament ranked by what was announced, drawn and brought from outside."""
    filed = state.filed
    places = filed.places if filed is not None and filed.paired == table.paired else UNSET
    return Ranking(
        table,
        table.paired,
        announced_tiebreaks(state),
        outside=outside_values(state),
        orders=state.lots,
        places={} if places is UNSET else dict(places),
    )


def final_table(state: Tournament) -> Crosstable:
    """The crosstable of the final standings; refused while a round or a result is missing."""
    table = table_after(state)
    if state.closed:  # the rounds that were not played will not be
        table = replace(table, rounds=table.paired)
    need_all_played(table)
    return table


def ties_left(state: Tournament) -> list[tuple[Standing, ...]]:
    """Players who share a place after the last paired round, one group for each place."""
    groups = by_rank(standings_after(state))
    return [tuple(group) for rank, group in groups.items() if rank and len(group) > 1]


def by_rank(lines: Iterable[Standing]) -> dict[int, list[Standing]]:
    """Lines by the place they share, 0 for those without one."""
    groups: dict[int, list[Standing]] = {}
    for line in lines:
        groups.setdefault(line.rank, []).append(line)
    return groups


def outside_values(state: Tournament) -> dict[str, dict[int, int]]:
    """Tie-break values from outside: name -> player -> hundredths. OTHER_PLAYOFF and playoff are one name."""
    values: dict[str, dict[int, int]] = {}
    for fact in state.external:
        values.setdefault(fact.name.upper().removeprefix("OTHER_"), {})[fact.player] = fact.value
    return values


def remarks_on_list(state: Tournament) -> tuple[Message, ...]:
    """What an arbiter should know about the announced list before it is used."""
    rules = state.regulations
    return advice(
        announced_tiebreaks(state),
        days=rules.days,
        unrated=any(not player.details.rating for player in entered(state)),
        by_round=rules.tiebreak_ratings == "round",
        predetermined=RULES[rules.edition].predetermined,
    )


# --- the places of a report file (TRF26 001)


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


def misplaced_players(table: Crosstable, announced: str, given: Mapping[int, int]) -> tuple[Misplaced, ...]:
    """Players whose place in the file, ``given`` by id, is not theirs by the list it announces.

    Without a list there is nothing to compare places with. Players still tied may
    share a place or stand in any order: lots are not in the file.
    """
    if not announced:
        return ()
    listed = parse_list(announced, predetermined=table.predetermined)
    sharing = by_rank(Ranking(table, table.paired, listed).lines())
    return tuple(
        Misplaced(number=line.id, found=given[line.id], first=rank, last=rank + len(group) - 1)
        for rank, group in sharing.items()
        for line in group
        if given[line.id] and not rank <= given[line.id] < rank + len(group)
    )
