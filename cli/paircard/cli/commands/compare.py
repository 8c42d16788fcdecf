"""``paircard compare``: our engine against another one, over many tournaments."""

import shlex
import subprocess
import tempfile
from collections import Counter
from functools import partial
from pathlib import Path
from typing import Any

import click
import msgspec
from msgspec.structs import replace

from paircard.cli.commands.check import parse_answer
from paircard.cli.options import JOBS
from paircard.cli.output import print_line, show_table
from paircard.cli.processes import progressing
from paircard.cli.refusals import BadValue, Misused, spoken
from paircard.domain.errors import Duplicate, Invalid, Unknown
from paircard.domain.messages import Message, say
from paircard.domain.values.regulations import Regulations
from paircard.domain.values.rules import NEWEST, RULES
from paircard.domain.values.text import is_number
from paircard.pairing import pair
from paircard.pairing.lab import compare as lab
from paircard.pairing.lab.tiebreaks import CODES, CODES_OF_TABLE, Unreadable, compare_values
from paircard.projections.round.crosstable import Boards, Crosstable, cycles_in
from paircard.projections.trf import Report, render
from paircard.projections.trf.export import code_of
from paircard.projections.trf.writing import report_of, trfx

PATIENCE = 120
"""Seconds the other engine has for one round."""


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """What a comparison plays; a folder belongs to one plan."""

    engine: str
    edition: str
    seed: int
    kinds: tuple[str, ...]
    players: tuple[int, int] | None
    rounds: tuple[int, int] | None
    checker: str = ""
    """Command that computes tie-breaks; empty to compare pairings only."""
    third: str = ""
    """Command of a third engine that votes; empty for none."""


class Done(msgspec.Struct, frozen=True, kw_only=True):
    """One finished tournament, as a line of ``results.jsonl``."""

    index: int
    seed: int
    leader: str
    kind: str
    rounds: int
    verdicts: tuple[tuple[int, str], ...] = ()
    """Round and verdict of each difference."""
    broken: str = ""
    values: int = 0
    """Tie-break values compared."""
    differing: tuple[tuple[str, int], ...] = ()
    """Tie-break values that differ: code and cause, and how many."""
    unchecked: str = ""
    """Why no tie-breaks were compared."""


def span(text: str) -> tuple[int, int]:
    """``40`` or ``10-60``."""
    low, _, high = text.partition("-")
    if not is_number(low) or (high and not is_number(high)) or int(high or low) < int(low) or int(low) < 1:
        raise BadValue("cli.not-a-range", text=text)
    return int(low), int(high or low)


@click.command()
@click.option("--engine", required=True, help="Command that takes IN -p OUT, e.g. 'bbpPairings --dutch'.")
@click.option("--third", default="", help="Command of a third engine, which votes in every round.")
@click.option(
    "--tiebreaks",
    "checker",
    default="",
    help="Checker of tie-breaks that takes -i FILE -t CODE... and prints a table, "
    "e.g. 'python tiebreakchecker.py -s -d T'.",
)
@click.option("--count", type=click.IntRange(1), required=True, help="Tournaments, half led by each engine.")
@click.option("--seed", type=click.IntRange(0), default=1, help="First seed.")
@click.option(
    "--folder", type=click.Path(path_type=Path, file_okay=False), default="compare", show_default=True
)
@click.option("--edition", "--system", "edition", type=click.Choice(tuple(RULES)), default=NEWEST)
@click.option("--players", type=span, metavar="A-B", help="Size of the fields.")
@click.option("--rounds", type=span, metavar="A-B")
@click.option(
    "--kind", "kinds", type=click.Choice(lab.KINDS), multiple=True, help="Only these kinds; repeatable."
)
@JOBS
def compare(count: int, folder: Path, jobs: int, kinds: tuple[str, ...], **about: Any) -> int:
    """Play tournaments against another engine and judge every difference.

    Half of them follow our engine, half the other; each round is paired by both. The folder
    keeps one line per tournament and the files of every difference (.trf before the round, .ours,
    .theirs and .third). A third engine votes: it is told which of the three stands alone. With
    --tiebreaks the values of the finished tournament are compared as well. Started again with the same
    settings it goes on where it stopped. Exit code 1 if there is a difference that no open reading of
    the rules explains. Round robins are compared with the Berger tables, and have no kinds.

    Example: paircard compare --engine 'bbpPairings --dutch' --count 5000 --seed 1 --jobs 2
    """
    table = RULES[about["edition"]].known_at_once
    if table and (kinds or about["rounds"]):
        raise Misused("cli.table-not-compared")
    plan = Plan(**about, kinds=(lab.TABLE,) if table else kinds or lab.KINDS)
    done = resume(folder, plan)
    missing = [index for index in range(count) if index not in done]
    work = partial(play, plan=plan, folder=folder)
    with (
        (folder / "results.jsonl").open("a", encoding="utf-8") as results,
        progressing("comparing", work, missing, jobs, len(missing)) as finished,
    ):
        for one in finished:
            results.write(msgspec.json.encode(one).decode() + "\n")
            results.flush()
            done[one.index] = one
    shown = [one for index, one in sorted(done.items()) if index < count]
    show(shown)
    unexplained = any("unexplained" in cause for one in shown for cause, _ in one.differing)
    return 1 if unexplained or any(one.verdicts or one.broken for one in shown) else 0


def resume(folder: Path, plan: Plan) -> dict[int, Done]:
    """What the folder has already; it must be of the same plan."""
    folder.mkdir(parents=True, exist_ok=True)
    stated = folder / "plan.json"
    if stated.exists():
        before = msgspec.json.decode(stated.read_bytes(), type=Plan)
        changed = [name for name in Plan.__struct_fields__ if getattr(before, name) != getattr(plan, name)]
        if changed:
            raise Duplicate("cli.other-comparison", path=str(folder), known=changed)
    stated.write_bytes(msgspec.json.encode(plan))
    path = folder / "results.jsonl"
    whole = path.read_bytes() if path.exists() else b""
    complete = whole[: whole.rfind(b"\n") + 1]
    if len(complete) < len(whole):  # a run that was cut off in the middle of a line
        path.write_bytes(complete)
    return {one.index: one for one in msgspec.json.Decoder(Done).decode_lines(complete)}


def play(index: int, plan: Plan, folder: Path) -> Done:
    """One tournament; keeps the files of its differences."""
    seed = plan.seed + index  # never one seed for both directions: engines that agree would play it twice
    leader = (lab.OURS, lab.THEIRS)[index % 2]
    kind = plan.kinds[(index // 2) % len(plan.kinds)]
    settings = lab.settings_for(kind, seed, plan.edition, plan.players, plan.rounds)
    with tempfile.TemporaryDirectory(prefix="paircard-") as scratch:
        asked = partial(call, edition=plan.edition, scratch=Path(scratch))
        other = partial(asked, command=shlex.split(plan.engine))
        third = partial(asked, command=shlex.split(plan.third)) if plan.third else None
        played = lab.duel(settings, seed, leader, kind, pair, other, third)
        keep(played, plan.edition, folder / "differences", bool(plan.third))
        values, unchecked = 0, ""
        differing: tuple[tuple[str, int], ...] = ()
        if plan.checker and played.table is not None and played.table.paired:
            try:
                final = replace(played.table, rounds=played.table.paired)  # it may have ended early
                values, differing = compare_values(final, ask_checker(final, plan, Path(scratch)))
            except (Unreadable, lab.Broken) as reason:
                unchecked = str(reason)
    return Done(
        index=index,
        seed=seed,
        leader=leader,
        kind=kind,
        rounds=played.rounds,
        verdicts=tuple((difference.round, difference.verdict) for difference in played.differences),
        broken=played.broken,
        values=values,
        differing=differing,
        unchecked=unchecked,
    )


def ask_checker(table: Crosstable, plan: Plan, scratch: Path) -> str:
    """The table of tie-breaks that the checker prints for a tournament."""
    source = scratch / "final.trf"
    source.write_text(render(trf26(table, "final", plan.edition)), encoding="utf-8")
    codes = CODES_OF_TABLE if RULES[plan.edition].known_at_once else CODES
    command = [*shlex.split(plan.checker), "-i", str(source), "-t", *codes]
    silent = say("cli.checker-silent", seconds=PATIENCE)
    return answer_of(command, Unknown("cli.no-such-checker", value=command[0]), silent).stdout


def answer_of(command: list[str], missing: Unknown, silent: Message) -> subprocess.CompletedProcess[str]:
    """What another program came to; refused if it is not there, or does not end."""
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    except FileNotFoundError:
        raise missing from None
    except subprocess.TimeoutExpired:
        raise lab.Broken(spoken(silent)) from None


def report_before(table: Crosstable, name: str, edition: str) -> Report:
    """The report that another engine pairs from: what a table is stands in record 192, which is TRF26."""
    return (trf26 if RULES[edition].known_at_once else trfx)(table, name, edition)


def trf26(table: Crosstable, name: str, edition: str) -> Report:
    """The report with its name and the code of its system."""
    rules = Regulations(name=name, rounds=table.rounds, edition=edition)
    if RULES[edition].known_at_once:
        cycles = cycles_in(len(table.rows), table.rounds)
        rules = replace(rules, cycles=cycles, exchange=table.exchange)
    return report_of(table, texts=[("012", name)], system=code_of(rules))


def call(table: Crosstable, round: int, command: list[str], edition: str, scratch: Path) -> Boards:
    """Ask the other engine for a round."""
    source, target = scratch / "in.trf", scratch / "out.txt"
    source.write_text(render(report_before(table, f"round {round}", edition)), encoding="utf-8")
    target.unlink(missing_ok=True)
    silent = say("cli.engine-silent", round=round, seconds=PATIENCE)
    missing = Unknown("cli.no-such-engine", value=command[0])
    run = answer_of([*command, str(source), "-p", str(target)], missing, silent)
    if run.returncode == 1:
        raise lab.Unpaired
    if run.returncode or not target.exists():
        said = " ".join((run.stderr or run.stdout).split())[:300]
        raise lab.Broken(spoken(say("cli.engine-failed", round=round, number=run.returncode, value=said)))
    try:
        boards = parse_answer(target.read_text(encoding="utf-8", errors="replace"))
    except Invalid:
        raise lab.Broken(spoken(say("cli.engine-talks", round=round))) from None
    if boards is None:
        raise lab.Unpaired
    return boards


def keep(played: lab.Duel, edition: str, folder: Path, voted: bool) -> None:
    """Write the state before each difference, and every answer."""
    for difference in played.differences:
        folder.mkdir(parents=True, exist_ok=True)
        stem = f"{played.kind}-{played.seed}-{played.leader}-round-{difference.round}"
        name = f"{stem}: {difference.verdict}"
        before = render(report_before(difference.state, name, edition))
        (folder / f"{stem}.trf").write_text(before, encoding="utf-8")
        said = [(lab.OURS, difference.ours), (lab.THEIRS, difference.theirs)]
        if voted:
            said.append((lab.THIRD, difference.third))
        for side, boards in said:
            (folder / f"{stem}.{side}").write_text(pairs_text(boards), encoding="utf-8")


def pairs_text(boards: Boards | None) -> str:
    """A pairing file; ``none`` where no legal round exists."""
    if boards is None:
        return "none\n"
    return "".join([f"{len(boards)}\n", *(f"{white} {black}\n" for white, black in boards)])


def show_tiebreaks(done: list[Done]) -> None:
    """Tie-break values compared, and each kind of difference with its count."""
    compared = [one.values for one in done if one.values]
    if not compared:
        return
    click.echo()
    print_line("cli.compare.values", count=sum(compared), there=len(compared))
    causes: Counter[str] = Counter()
    for one in done:
        causes.update(dict(one.differing))
    show_table("cli.table.differences", causes.most_common() or [("none", 0)])


def show(done: list[Done]) -> None:
    """The table: tournaments and rounds by kind and leader, then each verdict with its count."""
    rows = []
    for kind in dict.fromkeys(one.kind for one in done):
        for leader in (lab.OURS, lab.THEIRS):
            some = [one for one in done if (one.kind, one.leader) == (kind, leader)]
            rounds = sum(one.rounds for one in some)
            differing = sum(len(one.verdicts) for one in some)
            rows.append((kind, leader, len(some), rounds, differing, sum(bool(one.broken) for one in some)))
    total = [sum(int(row[at]) for row in rows) for at in range(2, 6)]
    show_table("cli.table.compared", [*rows, ("all", "", *total)])
    verdicts = Counter(verdict for one in done for _, verdict in one.verdicts)
    if verdicts:
        click.echo()
        show_table("cli.table.verdicts", verdicts.most_common())
    show_tiebreaks(done)
    for one in done:
        if one.unchecked:
            click.echo(spoken(say("cli.compare.unchecked", number=one.seed, reason=one.unchecked)), err=True)
        if one.broken:
            told = say("cli.compare.broken", number=one.seed, kind=one.leader, reason=one.broken)
            click.echo(spoken(told), err=True)
