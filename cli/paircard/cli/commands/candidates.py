"""``candidates``: the sieve of a bracket, as the documents do it by hand. Nothing here writes."""

import click

from paircard.cli.commands.why import show_text
from paircard.cli.options import reads
from paircard.cli.output import LEFT, RIGHT, show_json, show_table
from paircard.cli.round_question import about_a_round, round_or_next
from paircard.cli.session import Session
from paircard.pairing.explain.bracket_lines import candidate_field, fate, met, sieve_lines, title_of
from paircard.pairing.explain.sieve import ROWS, Row, Sieve, sieve, sieves
from paircard.pairing.explain.speaking import RoundSpeaker, Values, say
from paircard.service.explaining import people_of


@click.command()
@click.argument("what", metavar="ROUND")
@click.argument("bracket", type=int, required=False)
@about_a_round
@click.option(
    "--rows", type=click.IntRange(1, 1000), default=ROWS, show_default=True, help="Candidates to list."
)
@reads
def candidates(
    session: Session,
    what: str,
    bracket: int | None,
    round: int | None,
    edition: str | None,
    encoding: str,
    rows: int,
) -> None:
    """List the candidates of a bracket in order, with their values (the sieve).

    BRACKET counts from the top; default: all brackets. Candidates with pairs that may not meet are left out.
    Each of the others shows the values above the least possible, and the first in which it is worse than the
    chosen one; * marks the best so far. ROUND is a round of the tournament, paired or next; or a report
    file, with --round.

    \b
    Example:
      paircard candidates 1 1
    """
    meant = round_or_next(session, what, round, edition, encoding)
    state = meant.round.snapshot
    found = sieves(state, rows) if bracket is None else (sieve(state, bracket, rows),)
    speaker = RoundSpeaker(meant.round.people)
    if session.json:
        people = people_of(meant.round)
        show_json({"round": state.round, "edition": state.edition, "brackets": found, "people": people})
        return
    for at, one in enumerate(found):
        if at:
            click.echo()
        print_sieve(one, speaker)


def print_sieve(one: Sieve, speaker: RoundSpeaker) -> None:
    """Numbers, incompatible pairs, and the candidates as a table."""
    show_text([f"{one.bracket}. {speaker.say(title_of(one.chosen))}"])
    show_text(f"  {text}" for text in speaker.say_all(sieve_lines(one)))
    show_table(
        (("No", RIGHT), ("", LEFT), ("Candidate", LEFT), ("Values", LEFT), ("", LEFT)),
        [
            (
                row.place or "…",
                "*" if row.champion else "",
                speaker.candidate(candidate_field(row)),
                values(row, one, speaker),
                speaker.say(fate(row)),
            )
            for row in one.rows
        ],
    )
    if not one.whole:
        show_text([speaker.say(say("explain.sieve.more"))])


def values(row: Row, one: Sieve, speaker: RoundSpeaker) -> str:
    """Values above the least possible, as the documents list failures."""
    least = one.numbers.least
    above = tuple(
        (name, value, None)
        for name, value in row.candidate.values.items()
        if not met(value) and value != least.get(name)
    )
    return speaker.made(Values(above)) if above else speaker.say(say("explain.sieve.none"))
