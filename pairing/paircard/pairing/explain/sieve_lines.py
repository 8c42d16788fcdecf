"""What is said about a sieve: its bracket, and the fate of each candidate."""

from paircard.pairing.explain.bracket_lines import numbers_line
from paircard.pairing.explain.lines import Candidate, Line, Numbered, Points, line
from paircard.pairing.explain.reasons import bars_field
from paircard.pairing.explain.sieve import Row, Sieve
from paircard.pairing.explain.speaking import CANONICAL
from paircard.pairing.explain.topscorers import topscorers_line


def sieve_title(one: Sieve) -> Line:
    """The bracket by its points."""
    role = one.chosen.role
    return line(f"bracket.title.{role}" if role else "bracket.title", score=Points(one.chosen.score))


def sieve_lines(one: Sieve) -> list[Line]:
    """Members, the numbers of the bracket, who may not meet, and one pairing of the rest."""
    lines = [
        line("sieve.members", players=Numbered(one.members)),
        numbers_line(one.numbers),
        line("sieve.apart", bars=bars_field(one.incompatible))
        if one.incompatible
        else line("sieve.apart.none"),
    ]
    if one.last_round is not None:
        lines.append(topscorers_line(one.last_round, here=True))
    return [*lines, line("bracket.rest", candidate=Candidate(one.rest))] if one.rest else lines


def candidate_field(row: Row) -> Candidate:
    """A candidate, whole."""
    made = row.candidate
    return Candidate((*made.mdp_pairs, *made.pairs), made.downfloaters)


def fate(row: Row) -> Line:
    """What became of a candidate."""
    if row.chosen:
        return line("sieve.chosen")
    name = row.excluded
    if not name:
        return line("sieve.later")
    if CANONICAL.get(name, name) == "C4":
        return line("sieve.C4", criterion=name)
    return line("sieve.excluded", criterion=name)
