"""Crosstables cut from a history: after a round, for a pairing, for the rating report.

What each of them may see of later corrections is C.04.2:4.3, see ``paircard.projections.history``.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from paircard.domain.errors import Unknown
from paircard.domain.events import GameAdjourned, Recorded, RoundCompleted
from paircard.domain.state import Player, absences
from paircard.domain.values.text import counted
from paircard.projections.history import RATING_REPORT, History, Round, history
from paircard.projections.round.acceleration import groups_by_round, virtual_by_round
from paircard.projections.round.crosstable import Crosstable, Entry, Prohibition, Row
from paircard.projections.round.numbers import numbering, numbers_for_pairing
from paircard.projections.round.snapshot import Snapshot, snapshot


def table_after(history: History, round: int | None = None) -> Crosstable:
    """The crosstable that the standings after a round see; the last paired round unless told."""
    after = history.paired if round is None else round
    return cut(history, after, view=after, numbers=numbering(history).by_id)


def table_for_rating(history: History) -> Crosstable:
    """The crosstable of the rating report: with the corrections that touch nothing else."""
    return cut(history, history.paired, view=RATING_REPORT, numbers=numbering(history).by_id)


def table_for_pairing(history: History) -> Crosstable:
    """The crosstable that the next pairing may see: the rounds so far, and who will be absent.

    A game without a result is taken as adjourned, a draw for pairing (C.04.2:3.1, VCL 159).
    """
    past = history.paired
    numbers = numbers_for_pairing(history)
    absent = absences(history.state, past + 1)
    table = cut(history, past, view=past, numbers=numbers, next_numbers=numbers, open_game="?")
    rows = [
        replace(row, entries=(*row.entries, Entry(letter=absent[row.id]))) if row.id in absent else row
        for row in table.rows
    ]
    return replace(table, rows=tuple(rows))


def crosstable_from_log(log: Sequence[Recorded], round: int | None = None) -> Crosstable:
    """The crosstable after a round, from a log or any beginning of it."""
    return table_after(history(log), round)


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
    return snapshot_now(history(log[: seen_by(whole.rounds[round - 1])]))


def seen_by(round: Round) -> int:
    """The version of the log a paired round was made from."""
    return round.fact.based_on or round.version - 1


def end_of(history: History, log: Sequence[Recorded], round: int) -> int:
    """The version of the log at which a round had ended: all that the next pairing saw, and its own word
    that the round is over, with the games it took for adjourned. The whole log for the last round."""
    if round >= history.paired:
        return len(log)
    version = seen_by(history.rounds[round])
    for recorded in log[version:]:
        fact = recorded.fact
        if not (isinstance(fact, GameAdjourned | RoundCompleted) and fact.round == round):
            break
        version = recorded.version
    return version


def cut(
    history: History,
    rounds: int,
    *,
    view: int,
    numbers: dict[int, int],
    next_numbers: dict[int, int] | None = None,
    open_game: str = "",
) -> Crosstable:
    """The first rounds of the history as a view sees them; a game without a result has this letter."""
    by_round = [entries(past, view, open_game) for past in history.rounds[:rounds]]
    virtual = virtual_points(history, rounds, next_numbers or numbers)
    ratings = {} if view == RATING_REPORT else history.closed_with
    rows = [
        Row(
            id=player.id,
            number=numbers.get(player.id, 0),
            entries=tuple(
                [now.get(player.id) or missed(player, at) for at, now in enumerate(by_round, start=1)]
            ),
            virtual=virtual.get(player.id, ()),
            name=player.details.name,
            title=player.details.title,
            rating=ratings.get(player.id, player.details.rating),
            ratings=player.ratings if history.regulations.tiebreak_ratings == "round" else (),
            federation=player.details.federation,
            status=status(history, player),
        )
        for player in history.state.players
    ]
    return Crosstable(
        rows=tuple(sorted(rows, key=lambda row: (row.number == 0, row.number, row.id))),
        rounds=history.regulations.rounds,
        paired=rounds,
        scoring=history.regulations.scoring,
        initial_colour=history.state.initial_colour,
        prohibitions=tuple(Prohibition(p.players, p.first, p.last) for p in history.state.prohibitions),
    )


def status(history: History, player: Player) -> str:
    """As standings need it: one who was expelled and yet stays ranked is like one who withdrew."""
    if player.status == "expelled" and player.id in history.ranked_though_expelled:
        return "withdrawn"
    return player.status


def entries(round: Round, view: int, open_game: str) -> dict[int, Entry]:
    """Everyone's entry of a paired round."""
    made = {id: Entry(letter=letter) for id, letter in round.absent}
    for game in round.games(view):
        made[game.white] = Entry(game.black, "w", game.white_letter or open_game)
        made[game.black] = Entry(game.white, "b", game.black_letter or open_game)
    if round.pab:
        made[round.pab] = Entry(letter="U")
    return made


def missed(player: Player, round: int) -> Entry:
    """The entry of a round paired before the player came (C.04.2:2.4)."""
    return Entry(letter=player.missed[round - 1 : round] or "Z")


def virtual_points(history: History, rounds: int, coming: dict[int, int]) -> dict[int, tuple[int, ...]]:
    """Virtual points by player and round under Baku acceleration (C.04.7), by each round's own numbers.

    All accelerated rounds are there, those to come by the numbers as they are now.
    """
    if history.regulations.acceleration != "baku":
        return {}
    points = virtual_by_round(history.regulations.rounds, history.regulations.scoring)
    numberings = [dict(past.numbers) for past in history.rounds[:rounds]]
    numberings += [coming] * (len(points) - len(numberings))
    groups = groups_by_round(numberings[: len(points)])
    everyone: frozenset[int] = frozenset().union(*groups)
    return {
        id: tuple(worth if id in group else 0 for worth, group in zip(points, groups, strict=False))
        for id in everyone
    }
