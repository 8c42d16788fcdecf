"""The round: from a snapshot to boards in the order of publication, with the trace of every bracket."""

from collections.abc import Sequence
from typing import Final

from paircard.pairing.dutch.brackets import Paired, Round
from paircard.pairing.dutch.colours import RULES, numbering, white_of
from paircard.pairing.dutch.completion import Completion
from paircard.pairing.dutch.criteria import NAMES_2017, Criteria
from paircard.pairing.dutch.field import Field, check
from paircard.pairing.dutch.preferences import BLACK, WHITE
from paircard.pairing.outcome import Board, BracketTrace, Pairing
from paircard.projections.round.snapshot import Snapshot

ENGINE: Final = "paircard-dutch/2"
"""Stored with every round. It changes whenever any snapshot could be paired differently than before."""


def pair(snapshot: Snapshot) -> Pairing:
    """The round that the regulations prescribe for this state.

    Raises ``PairingError`` for a snapshot that contradicts itself, ``NoLegalRound`` where no round exists.
    """
    check(snapshot)
    field = Field(snapshot)
    completion = Completion(field)
    if not completion.possible:
        from paircard.pairing.dutch.obstacle import explain_obstacle  # seldom

        raise explain_obstacle(field, completion)
    done = Round(field, completion)
    last = done.brackets[-1].floaters if done.brackets else []
    return Pairing(
        boards=seated(snapshot, field, done.brackets),
        pab=field.players[last[0]].id if last else 0,
        pab_score=completion.pab_score,
        trace=lambda: tuple(trace(field, bracket, completion) for bracket in done.brackets),
    )


def seated(snapshot: Snapshot, field: Field, brackets: Sequence[Paired]) -> tuple[Board, ...]:
    """[C.04.2:3.6] Score of the higher-ranked player, sum of both scores, rank of the higher one."""
    numbers = numbering(snapshot)
    players, score = field.players, field.score
    odd = [numbers[player.id] % 2 == 1 for player in players]
    initial = WHITE if snapshot.initial_colour == "w" else BLACK
    rules = RULES[snapshot.edition]
    boards = []
    for i, j in sorted(
        (p for b in brackets for p in b.pairs), key=lambda p: (-score[p[0]], -score[p[1]], p[0])
    ):
        white, rule = white_of(field, i, j, odd, initial)
        a, b = players[i].id, players[j].id
        boards.append(Board(a, b, rules[rule]) if white else Board(b, a, rules[rule]))
    return tuple(boards)


def trace(field: Field, bracket: Paired, completion: Completion) -> BracketTrace:
    """A bracket in ids, with S1 and S2, the exchange, and every criterion's value."""
    ids = [player.id for player in field.players]
    members, moved = bracket.members, bracket.members[: bracket.moved_down]
    above = set(moved)
    mdp_pairs = [(i, j) for i, j in bracket.pairs if i in above]
    pairs = [(i, j) for i, j in bracket.pairs if i not in above]
    met = {j for _, j in mdp_pairs}
    rest = [i for i in members[bracket.moved_down :] if i not in met]
    s1, s2 = rest[: len(pairs)], rest[len(pairs) :]
    upper = {i for i, _ in pairs}
    return BracketTrace(
        score=field.score[members[bracket.moved_down]] if bracket.moved_down < len(members) else 0,
        role=bracket.role,
        moved_down=tuple(ids[i] for i in moved),
        residents=tuple(ids[i] for i in members[bracket.moved_down :]),
        limbo=tuple(ids[i] for i in bracket.floaters if i in above),
        mdp_pairs=tuple((ids[i], ids[j]) for i, j in sorted(mdp_pairs)),
        s1=tuple(ids[i] for i in s1),
        s2=tuple(ids[i] for i in s2),
        moved_to_s2=tuple(ids[i] for i in s1 if i not in upper),
        moved_to_s1=tuple(ids[i] for i in s2 if i in upper),
        pairs=tuple((ids[i], ids[j]) for i, j in sorted(pairs)),
        downfloaters=tuple(ids[i] for i in bracket.floaters),
        values=values(field, bracket, completion),
        route=bracket.route,
    )


def values(field: Field, bracket: Paired, completion: Completion) -> dict[str, int | tuple[int, ...]]:
    """Each criterion's value, by the names of the edition; C8 is not a value of one bracket."""
    scores = [field.score[i] for i in bracket.members]
    nines = (
        completion.pab_score is not None
        and completion.pab_score >= min(scores)
        and len(bracket.floaters) == 1
    )
    criteria = Criteria(field, scores, [], len(scores) + 1, nines, collapsed=bracket.role == "CLB")
    total = sum(criteria.pair(i, j) for i, j in bracket.pairs)
    total += sum(criteria.leaving(i) for i in bracket.floaters)
    found = criteria.values(total)
    if field.old:
        return {NAMES_2017[name]: value for name, value in found.items() if name in NAMES_2017}
    if not nines:
        found.pop("C9")
    return found
