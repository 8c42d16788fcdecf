"""What a pairing says about each bracket: S1 and S2, the exchange, and every criterion's value."""

from paircard.pairing.dutch.completion import Completion
from paircard.pairing.dutch.criteria import Criteria, Value
from paircard.pairing.dutch.field import Field
from paircard.pairing.dutch.paired import HOMOGENEOUS, JOINED, Paired
from paircard.pairing.outcome import BracketTrace


def trace(field: Field, bracket: Paired, completion: Completion) -> BracketTrace:
    """A bracket in ids."""
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
        score=residents_score(field, bracket),
        role=bracket.role,
        moved_down=tuple(ids[i] for i in moved),
        residents=tuple(ids[i] for i in members[bracket.moved_down :]),
        added=tuple(ids[i] for i in members[bracket.moved_down :][: bracket.added]),
        limbo=tuple(ids[i] for i in bracket.floaters if i in above),
        mdp_pairs=tuple((ids[i], ids[j]) for i, j in sorted(mdp_pairs)),
        s1=tuple(ids[i] for i in s1),
        s2=tuple(ids[i] for i in s2),
        moved_to_s2=tuple(ids[i] for i in s1 if i not in upper),
        moved_to_s1=tuple(ids[i] for i in s2 if i in upper),
        pairs=tuple((ids[i], ids[j]) for i, j in sorted(pairs)),
        downfloaters=tuple(ids[i] for i in bracket.floaters),
        values=criteria_values(field, bracket, completion),
        route=bracket.route,
    )


def residents_score(field: Field, bracket: Paired) -> int:
    """Score of the residents; of the best of them in a collapsed or joined bracket."""
    residents = bracket.members[max(bracket.moved_down, bracket.came_down) :]
    return field.score[residents[0]] if residents else 0


def criteria_values(field: Field, bracket: Paired, completion: Completion) -> dict[str, Value]:
    """Each criterion's value, by the names of the edition; C8 is not a value of one bracket."""
    scores = [field.score[i] for i in bracket.members]
    counts_c9 = (
        completion.pab_score is not None
        and completion.pab_score >= min(scores)
        and len(bracket.floaters) == 1
    )
    criteria = Criteria(
        field,
        scores,
        [],
        len(scores) + 1,
        counts_c9,
        collapsed=bracket.role == "CLB",
        joined_from=bracket.members[bracket.moved_down] if bracket.role == JOINED else None,
        homogeneous=bracket.role == HOMOGENEOUS,
        added=bracket.added,
        upfloats=bracket.upfloats,
    )
    penalty = sum(criteria.pair(i, j) for i, j in bracket.pairs)
    penalty += sum(criteria.leaving(i) for i in bracket.floaters)
    found = criteria.values(penalty)
    if not counts_c9:
        found.pop("C9", None)
    return field.edition.named(found)
