"""Crosstables cut from a state: after a round, for a pairing, for the rating report; and numbers.

What each of them may see of later corrections is C.04.2:4.3, see ``paircard.domain.rounds``.
"""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Final

import msgspec
from msgspec.structs import replace

from paircard.domain.deciding.decision import round_of
from paircard.domain.deciding.numbering import numbers_drawn, numbers_in_force
from paircard.domain.errors import Invalid, Unknown
from paircard.domain.events import GameAdjourned, Recorded, ResultRecorded, RoundCompleted
from paircard.domain.rounds import CURRENT, RATING_REPORT, Round
from paircard.domain.state import Player, Tournament, absences, state_after
from paircard.domain.values.players import Details
from paircard.domain.values.regulations import cycles_of, exchanges, rounds_for
from paircard.domain.values.results import FORFEITS, PLAYED
from paircard.domain.values.rules import RULES
from paircard.projections.round.crosstable import (
    LEFT,
    LISTED,
    Crosstable,
    Entry,
    Prohibition,
    Row,
    games_of_each,
    groups_by_round,
    virtual_by_round,
)
from paircard.projections.round.snapshot import Snapshot, snapshot, snapshot_of_numbers


def table_after(state: Tournament, round: int | None = None) -> Crosstable:
    """The crosstable that the standings after a round see; by default the last paired round."""
    after = state.paired if round is None else round
    coming = numbers_for_pairing(state) if after == state.paired else None
    return crosstable_at(state, after, view=after, numbers=numbering(state).by_id, next_numbers=coming)


def table_as_paired(state: Tournament, round: int) -> Crosstable:
    return sight_of(state).as_paired(state, round)


def last_finished(state: Tournament) -> int:
    """The round whose standings are shown by default; 0 for none."""
    return sight_of(state).shown(state)


def last_published(state: Tournament) -> int:
    return next((round.number for round in reversed(state.rounds) if round.published), 0)


def table_for_rating(state: Tournament) -> Crosstable:
    """The crosstable of the rating report: with the corrections that touch nothing else."""
    return crosstable_at(state, state.paired, view=RATING_REPORT, numbers=numbering(state).by_id)


def table_for_pairing(state: Tournament, recorded_numbers: dict[int, int] | None = None) -> Crosstable:
    """The crosstable that the next pairing may see: the rounds so far, and who will be absent.

    A replay gives the numbers that the round recorded; otherwise they are counted now.

    A game without a result is taken as adjourned, a draw for pairing (C.04.2:3.1, VCL 159).
    """
    past = state.paired
    numbers = numbers_for_pairing(state) if recorded_numbers is None else recorded_numbers
    absent = absences(state, past + 1)
    table = crosstable_at(state, past, view=past, numbers=numbers, next_numbers=numbers, open_game="?")
    rows = [
        replace(row, entries=(*row.entries, Entry(letter=absent[row.id]))) if row.id in absent else row
        for row in table.rows
    ]
    return replace(table, rows=tuple(rows))


def snapshot_now(
    state: Tournament, round: int = 0, recorded_numbers: dict[int, int] | None = None
) -> Snapshot:
    """What the pairing of the next round sees, or of a round of the table; a replay gives its numbers."""
    return sight_of(state).snapshot(state, round or len(state.rounds) + 1, recorded_numbers)


def snapshot_of(log: Sequence[Recorded], round: int) -> Snapshot:
    """What the pairing of a round sees, or saw: a paired round is cut from the log as it stood then."""
    whole = state_after(log)
    if not 1 <= round <= whole.paired + 1:
        raise Unknown("no-snapshot-yet", round=round, rounds=whole.paired)
    if round > whole.paired:
        return snapshot_now(whole)
    return snapshot_now(state_after(log[: version_paired_from(whole.rounds[round - 1])]), round)


def version_paired_from(round: Round) -> int:
    return round.fact.based_on or round.version - 1


def version_at_end(state: Tournament, log: Sequence[Recorded], round: int) -> int:
    """The version of the log at which a round had ended; the whole log for one that has not."""
    return sight_of(state).ended(state, log, round)


# --- how rounds are looked at: a Swiss goes from one to the next, a table is there from the beginning


class Sight(msgspec.Struct, frozen=True, kw_only=True):
    """What a view of a round means under a family of rules."""

    as_paired: Callable[[Tournament, int], Crosstable]
    """What the sheet of a round shows of earlier ones."""
    shown: Callable[[Tournament], int]
    """The round whose standings are shown by default."""
    snapshot: Callable[[Tournament, int, dict[int, int] | None], Snapshot]
    """What the pairing of a round sees."""
    ended: Callable[[Tournament, Sequence[Recorded], int], int]
    """The version of the log at which a round had ended."""


def sight_of(state: Tournament) -> Sight:
    """How rounds of a tournament are looked at."""
    return SIGHTS[RULES[state.regulations.edition].family]


def _seen_by_pairing(state: Tournament, round: int) -> Crosstable:
    """What the pairing of a round saw: what became known later is left out."""
    paired = state.rounds[round - 1]
    return crosstable_at(
        state,
        round - 1,
        view=round - 1,
        numbers=dict(paired.numbers),
        open_game="?",
        known_at=paired.version,
    )


def _last_with_all_results(state: Tournament) -> int:
    """The last published round that is completed or has every result; 0 for none."""
    return next(
        (
            round.number
            for round in reversed(state.rounds)
            if round.published and (round.completed or not round.open_boards())
        ),
        0,
    )


def _numbers_alone(state: Tournament, round: int, recorded_numbers: dict[int, int] | None) -> Snapshot:
    """A table depends on the numbers, and on no result."""
    regulations = state.regulations
    numbers = numbers_for_pairing(state) if recorded_numbers is None else recorded_numbers
    rounds, cycles = rounds_for(regulations, len(numbers)), cycles_of(regulations)
    made = snapshot_of_numbers(regulations.edition, round, rounds, numbers, cycles, exchanges(regulations))
    return replace(made, by_hand=True) if regulations.table == "hand" else made


def _until_the_next_pairing(state: Tournament, log: Sequence[Recorded], round: int) -> int:
    """All the next pairing saw, and what that pairing recorded itself: that the round is over, and which
    games it counted as adjourned."""
    if round >= len(state.rounds):
        return len(log)
    version = version_paired_from(state.rounds[round])
    for recorded in log[version:]:
        fact = recorded.fact
        if not (isinstance(fact, GameAdjourned | RoundCompleted) and fact.round == round):
            break
        version = recorded.version
    return version


def _until_its_last_game(state: Tournament, log: Sequence[Recorded], round: int) -> int:
    """No round of a table ends another: its last result does, unless the arbiter completed it before."""
    past = state.rounds[round - 1]
    if past.completed_at or past.open_boards():
        return past.completed_at or len(log)
    results = (
        one.version
        for one in reversed(log)
        if isinstance(one.fact, ResultRecorded) and one.fact.round == round
    )
    return next(results, len(log))


SIGHTS: Final = {
    "dutch": Sight(
        as_paired=_seen_by_pairing,
        shown=_last_with_all_results,
        snapshot=lambda state, round, numbers: snapshot(
            table_for_pairing(state, numbers), round, state.regulations.edition
        ),
        ended=_until_the_next_pairing,
    ),
    "round-robin": Sight(
        as_paired=lambda state, round: crosstable_at(  # made before any game: its sheets show them all
            state, round - 1, view=CURRENT, numbers=dict(state.rounds[round - 1].numbers)
        ),
        shown=last_published,
        snapshot=_numbers_alone,
        ended=_until_its_last_game,
    ),
}
"""By the family of the rules."""


OF_A_PERSON: Final = tuple(name for name in LISTED if name in Details.__struct_fields__ and name != "rating")
"""What lists have of a person, whatever the moment."""


def crosstable_at(
    state: Tournament,
    rounds: int,
    *,
    view: int,
    numbers: dict[int, int],
    next_numbers: dict[int, int] | None = None,
    open_game: str = "",
    known_at: int = CURRENT,
) -> Crosstable:
    """The first rounds as a view sees them; a game without a result has this letter.

    What became known after a version of the log is left out.
    """
    unknown = boards_without_colours(state)
    by_round = [
        entries(past, view, open_game, unknown.get(at, frozenset()), known_at)
        for at, past in enumerate(state.rounds[:rounds], start=1)
    ]
    virtual = virtual_points(state, rounds, next_numbers or numbers)
    extra = extra_points(state, rounds)
    regulations = state.regulations
    by_round_ratings = regulations.tiebreak_ratings == "round"
    rules = RULES[regulations.edition]
    gone = early_leavers(state) if rules.leavers_keep_seats else frozenset()
    rows = [
        Row(
            id=player.id,
            number=numbers.get(player.id, 0),
            entries=tuple(
                [
                    now.get(player.id) or Entry(letter=player.missed[at - 1 : at] or "Z")
                    for at, now in enumerate(by_round, start=1)
                ]
            ),
            virtual=virtual.get(player.id, ()),
            extra=extra.get(player.id, ()),
            **{name: getattr(player.details, name) for name in OF_A_PERSON},
            rating=rating_seen_by(player, view),
            ratings=player.ratings if by_round_ratings else (),
            status=LEFT if player.id in gone else status(player),
        )
        for player in state.players
    ]
    return Crosstable(
        rows=tuple(sorted(rows, key=lambda row: (row.number == 0, row.number, row.id))),
        rounds=regulations.rounds,
        paired=rounds,
        scoring=regulations.scoring,
        initial_colour=state.initial_colour,
        prohibitions=tuple(Prohibition(p.players, p.first, p.last) for p in state.prohibitions),
        predetermined=rules.predetermined,
        leavers_known=rules.leavers_keep_seats,
    )


def early_leavers(state: Tournament) -> frozenset[int]:
    """Ids of those who left a round robin with less than half of their games completed (C.05:6.6).

    Completed is what was played: a game won by forfeit is not, nor can it be rated. At once, since points
    that cannot stay would mislead; and of the whole event, whatever round is asked about.
    """
    left = {player.id for player in state.players if player.status in ("withdrawn", "expelled")}
    if not left:
        return frozenset()
    completed = Counter(
        id
        for round in state.rounds
        for game in round.games(CURRENT)
        for id, letter in ((game.white, game.white_letter), (game.black, game.black_letter))
        if letter and letter in PLAYED and letter != "?"
    )
    games = games_of_each(len(state.order), state.regulations.rounds)
    return frozenset(id for id in left if 2 * completed[id] < games)


def rating_seen_by(player: Player, view: int) -> int:
    """The rating; final standings keep the one of the closing, whatever is corrected for the report."""
    if player.final_rating is None or view == RATING_REPORT:
        return player.details.rating
    return player.final_rating


def status(player: Player) -> str:
    """As standings need it: an expelled player who stays ranked is like one who withdrew."""
    return "withdrawn" if player.status == "expelled" and player.ranked else player.status


def extra_points(state: Tournament, rounds: int) -> dict[int, tuple[int, ...]]:
    """Bonus and penalty points of an imported file, by player and round."""
    filed = state.filed
    found: dict[int, list[int]] = {}
    for id, round, tenths in (filed.extra_points or ()) if filed else ():
        if round <= rounds:
            found.setdefault(id, [0] * rounds)[round - 1] += tenths
    return {id: tuple(points) for id, points in found.items()}


def boards_without_colours(state: Tournament) -> dict[int, frozenset[int]]:
    """By round, the boards of forfeits for which an imported file had no colours."""
    filed = state.filed
    found: dict[int, frozenset[int]] = {}
    for round, board in (filed.uncoloured or ()) if filed else ():
        found[round] = found.get(round, frozenset()) | {board}
    return found


def entries(
    round: Round,
    view: int,
    open_game: str,
    uncoloured: frozenset[int] = frozenset(),
    known_at: int = CURRENT,
) -> dict[int, Entry]:
    """Everyone's entry of a paired round; a forfeit on an ``uncoloured`` board has no colours."""
    made = {id: Entry(letter=letter) for id, letter in round.absent}
    for at, game in enumerate(round.games(view, known_at), start=1):
        white, black = game.white_letter or open_game, game.black_letter or open_game
        known = at not in uncoloured or white not in FORFEITS or black not in FORFEITS
        made[game.white] = Entry(game.black, "w" if known else "-", white)
        made[game.black] = Entry(game.white, "b" if known else "-", black)
    if pab := round.bye.as_seen_by(view, known_at).white:
        made[pab] = Entry(letter="U")
    return made


def paired_in_round_1(state: Tournament) -> frozenset[int]:
    """Who is paired in round 1, or would be if it were paired now.

    The numbers of an imported file are those of everyone in it; round-1 absentees are not in the N of
    C.04.7:1.2 all the same (C.04.2:2.4).
    """
    away = dict(state.rounds[0].absent) if state.rounds else absences(state, 1)
    late = {player.id for player in state.players if player.missed}
    return frozenset(player.id for player in state.players) - away.keys() - late


def virtual_points(state: Tournament, rounds: int, coming: dict[int, int]) -> dict[int, tuple[int, ...]]:
    """Virtual points by player and round under Baku acceleration (C.04.7), by each round's own numbers.

    All accelerated rounds are there, those to come by the numbers as they are now.
    """
    if state.regulations.acceleration != "baku":
        return {}
    points = virtual_by_round(state.regulations.rounds, state.regulations.scoring)
    numberings = [dict(past.numbers) for past in state.rounds[:rounds]]
    numberings += [coming] * (len(points) - len(numberings))
    filed = state.filed
    last = (filed.group_a_ends if filed else 0) or 0
    groups = groups_by_round(numberings[: len(points)], paired_in_round_1(state), last)
    everyone: frozenset[int] = frozenset().union(*groups)
    return {
        id: tuple(worth if id in group else 0 for worth, group in zip(points, groups, strict=False))
        for id in everyone
    }


# --- tournament pairing numbers (TPN) as people meet them: who has which, provisional or frozen


class Numbering(msgspec.Struct, frozen=True, kw_only=True):
    """Numbers at one moment."""

    by_id: dict[int, int]
    """Number by id, of those who have one, 1 first."""
    state: str
    """``provisional`` before round 1 is paired, ``assigned`` until round 4 is, then ``frozen``; those
    of a round robin are ``drawn`` until round 1 is paired; those of
    an imported file are assigned from the start."""


def numbering(state: Tournament) -> Numbering:
    if not state.rounds:
        drawn = "numbers" in RULES[state.regulations.edition].draws and numbers_drawn(state)
        of_file = state.imported and state.order
        known = "drawn" if drawn else "assigned" if of_file else "provisional"
        return Numbering(by_id=numbers_for_pairing(state), state=known)
    by_id = dict(numbers_in_force(state, state.paired + 1, playing=()))
    return Numbering(by_id=by_id, state="frozen" if state.frozen else "assigned")


def numbers_for_pairing(state: Tournament) -> dict[int, int]:
    """Number by id when the next round is paired: with those who are paired for the first time."""
    return dict(numbers_in_force(state, state.paired + 1))


# --- moments of a log: a round, a fact, a time


def moment(log: Sequence[Recorded], text: str) -> int:
    """The length of the log at a moment; refuses what is not one, and a moment with nothing on record."""
    word = " ".join(text.split()).lower()
    if match := re.fullmatch(r"(before )?r(?:ound)? ?(\d{1,3})", word):
        return at_round(log, int(match[2]), before=bool(match[1]))
    if re.fullmatch(r"#?\d{1,9}", word):
        version = int(word.removeprefix("#"))
        if not 1 <= version <= len(log):
            raise Unknown("fact-unknown", version=version, last=len(log))
        return version
    if re.match(r"\d{4}-\d{2}-\d{2}", word):
        return at_time(log, text.strip())
    if word == "now":
        return len(log)
    raise Invalid("moment-unclear", text=text)


def at_round(log: Sequence[Recorded], round: int, *, before: bool) -> int:
    """The end of a round, completed as far as it was; or all that the round's own pairing saw.

    That includes what the pairing recorded before its boards: games it counted as adjourned, the end of the
    round before it, numbers.
    """
    whole = state_after(log)
    if round < 1:
        raise Invalid("round-below-one", round=round)
    last = round - 1 if before else round
    if last:
        round_of(whole, last)
    if not before:
        return version_at_end(whole, log, round)
    return whole.rounds[last].version - 1 if last < whole.paired else len(log)


def is_time(text: str) -> bool:
    """Whether a moment is named by a time, which means the same in every tournament."""
    return bool(re.match(r"\s*\d{4}-\d{2}-\d{2}", text))


def at_time(log: Sequence[Recorded], text: str) -> int:
    """What was on record at a time: all before the first fact that is later. A bare day is its end."""
    wanted = read_time(text)
    length = next((at for at, fact in enumerate(log) if read_time(fact.when) > wanted), len(log))
    if not length:
        raise Unknown("nothing-on-record", day=text, when=log[0].when)
    return length


def read_time(text: str) -> datetime:
    """A time in UTC unless it says otherwise."""
    try:
        time = datetime.fromisoformat(text)
    except ValueError:
        raise Invalid("time-unclear", text=text) from None
    if len(text) == 10:
        time += timedelta(days=1, microseconds=-1)
    return time if time.tzinfo else time.replace(tzinfo=UTC)
