"""Crosstables cut from a history: after a round, for a pairing, for the rating report.

What each of them may see of later corrections is C.04.2:4.3, see ``paircard.domain.rounds``.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from paircard.domain.errors import Unknown
from paircard.domain.events import GameAdjourned, Recorded, RoundCompleted
from paircard.domain.rounds import CURRENT, RATING_REPORT, Round
from paircard.domain.state import Player, absences
from paircard.domain.values.results import FORFEITS
from paircard.domain.values.text import counted
from paircard.projections.history import History, history, numbering, numbers_for_pairing
from paircard.projections.round.crosstable import (
    Crosstable,
    Entry,
    Prohibition,
    Row,
    groups_by_round,
    virtual_by_round,
)
from paircard.projections.round.snapshot import Snapshot, snapshot


def table_after(history: History, round: int | None = None) -> Crosstable:
    """The crosstable that the standings after a round see; by default the last paired round."""
    after = history.paired if round is None else round
    coming = numbers_for_pairing(history) if after == history.paired else None
    return crosstable_at(history, after, view=after, numbers=numbering(history).by_id, next_numbers=coming)


def table_as_paired(history: History, round: int) -> Crosstable:
    """The crosstable that the pairing of a round saw: what became known later is left out."""
    paired = history.rounds[round - 1]
    return crosstable_at(
        history,
        round - 1,
        view=round - 1,
        numbers=dict(paired.numbers),
        open_game="?",
        known_at=paired.version,
    )


def last_finished(history: History) -> int:
    """The last published round that is completed or has every result, which standings show; 0 for none."""
    return next(
        (
            round.number
            for round in reversed(history.rounds)
            if round.published and (round.completed or not round.open_boards())
        ),
        0,
    )


def last_published(history: History) -> int:
    """The last round that everybody may have seen; 0 for none."""
    return next((round.number for round in reversed(history.rounds) if round.published), 0)


def table_for_rating(history: History) -> Crosstable:
    """The crosstable of the rating report: with the corrections that touch nothing else."""
    return crosstable_at(history, history.paired, view=RATING_REPORT, numbers=numbering(history).by_id)


def table_for_pairing(history: History, recorded_numbers: dict[int, int] | None = None) -> Crosstable:
    """The crosstable that the next pairing may see: the rounds so far, and who will be absent.

    A replay gives the numbers that the round recorded; otherwise they are counted now.

    A game without a result is taken as adjourned, a draw for pairing (C.04.2:3.1, VCL 159).
    """
    past = history.paired
    numbers = numbers_for_pairing(history) if recorded_numbers is None else recorded_numbers
    absent = absences(history.state, past + 1)
    table = crosstable_at(history, past, view=past, numbers=numbers, next_numbers=numbers, open_game="?")
    rows = [
        replace(row, entries=(*row.entries, Entry(letter=absent[row.id]))) if row.id in absent else row
        for row in table.rows
    ]
    return replace(table, rows=tuple(rows))


def snapshot_now(history: History) -> Snapshot:
    """What the pairing of the next round sees."""
    return snapshot(table_for_pairing(history), history.paired + 1, history.regulations.edition)


def snapshot_of(log: Sequence[Recorded], round: int) -> Snapshot:
    """What the pairing of a round sees, or saw: a paired round is cut from the log as it stood then."""
    whole = history(log)
    if not 1 <= round <= whole.paired + 1:
        paired = f"{counted(whole.paired, 'round')} {'is' if whole.paired == 1 else 'are'} paired"
        raise Unknown(f"round {round} has no snapshot yet: {paired}")
    if round > whole.paired:
        return snapshot_now(whole)
    return snapshot_now(history(log[: version_paired_from(whole.rounds[round - 1])]))


def version_paired_from(round: Round) -> int:
    """The version of the log a paired round was made from."""
    return round.fact.based_on or round.version - 1


def version_at_end(history: History, log: Sequence[Recorded], round: int) -> int:
    """The version of the log at which a round had ended; the whole log for the last round.

    That is all the next pairing saw, and what that pairing recorded itself: that the round is over, and
    which games it counted as adjourned.
    """
    if round >= history.paired:
        return len(log)
    version = version_paired_from(history.rounds[round])
    for recorded in log[version:]:
        fact = recorded.fact
        if not (isinstance(fact, GameAdjourned | RoundCompleted) and fact.round == round):
            break
        version = recorded.version
    return version


def crosstable_at(
    history: History,
    rounds: int,
    *,
    view: int,
    numbers: dict[int, int],
    next_numbers: dict[int, int] | None = None,
    open_game: str = "",
    known_at: int = CURRENT,
) -> Crosstable:
    """The first rounds of the history as a view sees them; a game without a result has this letter.

    What became known after a version of the log is left out.
    """
    unknown = boards_without_colours(history)
    by_round = [
        entries(past, view, open_game, unknown.get(at, frozenset()), known_at)
        for at, past in enumerate(history.rounds[:rounds], start=1)
    ]
    virtual = virtual_points(history, rounds, next_numbers or numbers)
    extra = extra_points(history, rounds)
    regulations = history.regulations
    by_round_ratings = regulations.tiebreak_ratings == "round"
    rows = [
        Row(
            id=player.id,
            number=numbers.get(player.id, 0),
            entries=tuple(
                [now.get(player.id) or missed_entry(player, at) for at, now in enumerate(by_round, start=1)]
            ),
            virtual=virtual.get(player.id, ()),
            extra=extra.get(player.id, ()),
            name=player.details.name,
            title=player.details.title,
            rating=rating_seen_by(player, view),
            ratings=player.ratings if by_round_ratings else (),
            federation=player.details.federation,
            status=status(player),
        )
        for player in history.state.players
    ]
    return Crosstable(
        rows=tuple(sorted(rows, key=lambda row: (row.number == 0, row.number, row.id))),
        rounds=regulations.rounds,
        paired=rounds,
        scoring=regulations.scoring,
        initial_colour=history.state.initial_colour,
        prohibitions=tuple(Prohibition(p.players, p.first, p.last) for p in history.state.prohibitions),
    )


def rating_seen_by(player: Player, view: int) -> int:
    """The rating; final standings keep the one of the closing, whatever is corrected for the report."""
    if player.final_rating is None or view == RATING_REPORT:
        return player.details.rating
    return player.final_rating


def status(player: Player) -> str:
    """As standings need it: an expelled player who stays ranked is like one who withdrew."""
    return "withdrawn" if player.status == "expelled" and player.ranked else player.status


def extra_points(history: History, rounds: int) -> dict[int, tuple[int, ...]]:
    """Bonus and penalty points of an imported file, by player and round."""
    filed = history.state.filed
    found: dict[int, list[int]] = {}
    for id, round, tenths in (filed.extra_points or ()) if filed else ():
        if round <= rounds:
            found.setdefault(id, [0] * rounds)[round - 1] += tenths
    return {id: tuple(points) for id, points in found.items()}


def boards_without_colours(history: History) -> dict[int, frozenset[int]]:
    """By round, the boards of forfeits for which an imported file had no colours."""
    filed = history.state.filed
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


def missed_entry(player: Player, round: int) -> Entry:
    """The entry of a round paired before the player came (C.04.2:2.4)."""
    return Entry(letter=player.missed[round - 1 : round] or "Z")


def paired_in_round_1(history: History) -> frozenset[int]:
    """Who is paired in round 1, or would be if it were paired now.

    The numbers of an imported file are those of everyone in it; round-1 absentees are not in the N of
    C.04.7:1.2 all the same (C.04.2:2.4).
    """
    away = dict(history.rounds[0].absent) if history.rounds else absences(history.state, 1)
    late = {player.id for player in history.state.players if player.missed}
    return frozenset(player.id for player in history.state.players) - away.keys() - late


def virtual_points(history: History, rounds: int, coming: dict[int, int]) -> dict[int, tuple[int, ...]]:
    """Virtual points by player and round under Baku acceleration (C.04.7), by each round's own numbers.

    All accelerated rounds are there, those to come by the numbers as they are now.
    """
    if history.regulations.acceleration != "baku":
        return {}
    points = virtual_by_round(history.regulations.rounds, history.regulations.scoring)
    numberings = [dict(past.numbers) for past in history.rounds[:rounds]]
    numberings += [coming] * (len(points) - len(numberings))
    filed = history.state.filed
    last = (filed.group_a_ends if filed else 0) or 0
    groups = groups_by_round(numberings[: len(points)], paired_in_round_1(history), last)
    everyone: frozenset[int] = frozenset().union(*groups)
    return {
        id: tuple(worth if id in group else 0 for worth, group in zip(points, groups, strict=False))
        for id in everyone
    }
