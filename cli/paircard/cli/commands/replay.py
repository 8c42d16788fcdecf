"""``replay``: make recorded rounds again and compare, one tournament or a whole archive."""

import sys
from collections.abc import Sequence
from functools import partial

import click
import msgspec

from paircard.cli.options import reads
from paircard.cli.output import show_json
from paircard.cli.processes import in_turn
from paircard.cli.refusals import Misused
from paircard.cli.session import Session
from paircard.domain.deciding.decision import round_of
from paircard.domain.errors import Refused
from paircard.domain.log.store import Tournaments
from paircard.domain.speaking import Speaker
from paircard.domain.values.text import counted
from paircard.projections.log_lines import Names
from paircard.service.review.replay import Replayed
from paircard.service.review.replay import replay as replayed


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """What the replay of one tournament came to."""

    tournament: str
    name: str
    facts: int = 0
    rounds: tuple[Replayed, ...] = ()
    error: str = ""
    """Why the log could not be read."""

    @property
    def accounted_for(self) -> bool:
        return not self.error and all(each.accounted_for for each in self.rounds)


@click.command()
@click.option("--round", "round", type=click.IntRange(1), help="Only this round.")
@click.option("--all", "whole", is_flag=True, help="Every tournament of the file.")
@click.option(
    "--jobs", type=click.IntRange(1, 64), default=1, help="Processes to share the work of --all.", metavar="N"
)
@reads
def replay(session: Session, round: int | None, whole: bool, jobs: int) -> int:
    """Pair every recorded round again from the log alone, and compare.

    The snapshot of each round is rebuilt as it was known then, its digest checked, the round paired by
    the edition on record. Each is identical, or differs for a named reason (altered by hand, from a file,
    another engine version), with both boards shown. Exit code 1 if a round is not accounted for.

    \b
    Example:
      paircard replay --round 1
    """
    if whole:
        if round is not None:
            raise Misused("cli.all-or-a-round")
        if session.at is not None:
            raise Misused("cli.all-to-the-end")
        return replay_all(session, jobs)

    view = session.view()
    if round is not None:
        round_of(view.state, round)
    made = tuple(view.replay(round))
    outcome = Outcome(
        tournament=session.tournament.id, name=view.regulations.name, facts=view.version, rounds=made
    )
    if session.json:
        show_json(as_data(outcome))
    elif not made:
        click.echo("no round is paired: there is nothing to replay")
    else:
        for each in made:
            tell(each, Names(view.state))
    return 0 if outcome.accounted_for else 1


def as_data(outcome: Outcome) -> dict[str, object]:
    """For programs, with the judgement said."""
    return {"accounted_for": outcome.accounted_for, **msgspec.to_builtins(outcome)}


def tell(each: Replayed, names: Names) -> None:
    """One round for people: a line, and both boards where they differ."""
    back = ", taken back later" if each.taken_back else ""
    engine = f", {each.engine}" if each.engine else ""
    same = " and as the rules prescribe" if each.verdict in ("imported", "by-hand") and each.same else ""
    click.echo(
        f"round {each.round}: {Speaker().word('verdict', each.verdict)}{same}{back} "
        f"(fact {each.version}, {each.edition}{engine}, {counted(len(each.recorded.boards), 'board')})"
    )
    if each.note:
        click.echo(f"  replayed: {each.note}")
    if each.replayed is None or each.recorded == each.replayed or same:
        return
    for label, mine, theirs in (
        ("recorded", each.recorded, each.replayed),
        ("replayed", each.replayed, each.recorded),
    ):
        seats = [f"{pair}" for pair in seats_of(names, [b for b in mine.boards if b not in theirs.boards])]
        if mine.pab != theirs.pab:
            seats += [f"{bye} bye" for bye in seats_of(names, [(mine.pab, 0)])] if mine.pab else ["no bye"]
        click.echo(f"  {label}: {'; '.join(seats) or 'the same boards in another order'}")


def seats_of(names: Names, boards: Sequence[tuple[int, int]]) -> list[str]:
    """Boards by the names of those who sit there."""
    return [names.pair(board) if board[1] else names.of(board[0]) for board in boards]


def replay_all(session: Session, jobs: int) -> int:
    """Every tournament of the file, with progress; only what is not accounted for is shown one by one."""
    there = session.office.store().names()
    totals: dict[str, int] = {}
    facts = rounds = 0
    alarms: list[Outcome] = []
    work = partial(replay_stored, session.path)
    with click.progressbar(
        in_turn(work, there, jobs),
        length=len(there),
        label="replaying",
        file=sys.stderr,
        hidden=not sys.stderr.isatty(),
    ) as outcomes:
        for outcome in outcomes:
            facts += outcome.facts
            rounds += len(outcome.rounds)
            for each in outcome.rounds:
                totals[each.verdict] = totals.get(each.verdict, 0) + 1
            if not outcome.accounted_for:
                alarms.append(outcome)
    if session.json:
        show_json(
            {
                "tournaments": len(there),
                "facts": facts,
                "rounds": rounds,
                "verdicts": totals,
                "not_accounted_for": [as_data(outcome) for outcome in alarms],
            }
        )
        return 1 if alarms else 0
    for outcome in alarms:
        where = f"{outcome.name} ({outcome.tournament[:8]})"
        if outcome.error:
            click.echo(f"{where}: {outcome.error}")
        for each in outcome.rounds:
            if not each.accounted_for:
                click.echo(
                    f"{where}: round {each.round} {each.verdict}, see paircard replay -t {outcome.tournament}"
                )
    verdicts = ", ".join(f"{number:,} {verdict}" for verdict, number in sorted(totals.items()))
    click.echo(
        f"{counted(len(there), 'tournament')}, {counted(facts, 'fact')}, {counted(rounds, 'round')}"
        f"{': ' if verdicts else ''}{verdicts}; {counted(len(alarms), 'tournament')} not accounted for"
    )
    return 1 if alarms else 0


def replay_stored(path: str, which: tuple[str, str]) -> Outcome:
    """Replay one tournament of a file, in whatever process does the work."""
    id, name = which
    try:
        with Tournaments(path) as store:
            store.verify_chain(id)
            log = store.log(id)
        return Outcome(tournament=id, name=name, facts=len(log), rounds=tuple(replayed(log)))
    except Refused as refusal:
        return Outcome(tournament=id, name=name, error=str(refusal))
