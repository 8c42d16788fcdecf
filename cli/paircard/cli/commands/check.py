"""``paircard check``: pair published rounds again and say where they differ."""

import sys
from functools import partial
from itertools import chain
from pathlib import Path

import click
import msgspec

from paircard.cli.options import ENCODING
from paircard.cli.processes import in_turn
from paircard.cli.refusals import Misused
from paircard.cli.report_sources import Verdict, cases, count, judge
from paircard.domain.values.editions import EDITIONS, NEWEST
from paircard.domain.values.text import counted
from paircard.pairing import pair


@click.command()
@click.argument(
    "paths", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path), metavar="PATH..."
)
@click.option(
    "--edition", type=click.Choice(EDITIONS), help="Rules to check against; else record 192, else dutch-2026."
)
@click.option("--jobs", type=click.IntRange(1, 64), default=1, help="Processes to share the work.")
@ENCODING
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of lines.")
def check(paths: tuple[Path, ...], edition: str | None, jobs: int, encoding: str, as_json: bool) -> int:
    """Pair every round of published tournaments again.

    PATH is a TRF file, a folder of them or a zip. If NAME.pairs lies beside NAME.trf, it is the
    answer for the round after the report. Where the report announces tie-breaks (202, 212), places
    are checked as well. Prints what differs, the ### lines of the file that may explain it, and a
    closing line; what was repaired, upgraded or inferred while reading goes to standard error. Exit
    code 0 if nothing differs, 1 if something does or a file cannot be read. Points that fit only a
    scoring the file does not announce are a difference.

    \b
    Example:
      paircard check rounds/ --edition dutch-2017 --jobs 2
    """
    if edition is None:
        for path in paths:
            ask_for_edition(path)
    work = partial(judge, edition=edition or "", encoding=encoding, pair=pair)
    listed = chain.from_iterable(map(cases, paths))
    total = sum(map(count, paths))
    tournaments = rounds = discrepancies = remarked = errors = assumed = 0
    found: list[Verdict] = []
    with click.progressbar(
        in_turn(work, listed, jobs),
        length=total,
        label="checking",
        file=sys.stderr,
        hidden=not sys.stderr.isatty(),
    ) as verdicts:
        for verdict in verdicts:
            tournaments += 1
            rounds += verdict.rounds
            discrepancies += len(verdict.discrepancies) + len(verdict.misplaced) + bool(verdict.undeclared)
            remarked += sum(bool(one.remarks) for one in verdict.discrepancies)
            remarked += len(verdict.misplaced) if verdict.kept_places else 0
            errors += bool(verdict.error)
            assumed += verdict.assumed
            if as_json:
                if verdict != Verdict(verdict.name, verdict.rounds, assumed=verdict.assumed):
                    found.append(verdict)
            else:
                show(verdict)
    if as_json:
        summary = {
            "tournaments": tournaments,
            "rounds": rounds,
            "discrepancies": discrepancies,
            "remarked": remarked,
            "unreadable": errors,
            "edition_assumed": assumed,
            "cases": found,
        }
        click.echo(msgspec.json.encode(summary).decode())
    else:
        if assumed:
            click.echo(
                f"paircard: {NEWEST} assumed for {assumed} that name no edition of the rules", err=True
            )
        differing = f"{discrepancies} {'discrepancy' if discrepancies == 1 else 'discrepancies'}"
        differing += f" ({remarked} with ### lines that may explain them)" if remarked else ""
        unread = f", {errors} unreadable" if errors else ""
        click.echo(f"{counted(tournaments, 'tournament')}, {counted(rounds, 'round')}, {differing}{unread}")
    return 1 if discrepancies or errors else 0


def ask_for_edition(path: Path) -> None:
    """A folder named after an older edition must not be judged by the newest one unasked."""
    for part in path.resolve().parts:
        stem, _, year = part.removesuffix(".zip").rpartition("-")
        if stem in ("dutch", "histories") and year in ("2012", "2017"):
            raise Misused("cli.older-edition", path=str(path), value=year)


def show(verdict: Verdict) -> None:
    """Lines for people: discrepancies on standard output, files that cannot be read on standard error."""
    for line in (*verdict.error.splitlines(), *verdict.adjustments, *verdict.note.splitlines()):
        click.echo(f"paircard: {verdict.name}: {line}", err=True)
    if verdict.undeclared:
        words = f"the points fit only {verdict.undeclared}, which the file does not announce"
        click.echo(f"{verdict.name}: {words} (162, XXS or BB*)")
    for discrepancy in verdict.discrepancies:
        click.echo(f"{verdict.name}: {discrepancy}")
        for remark in discrepancy.remarks:
            click.echo(f"{verdict.name}:   the file says: {remark}")
    for place in verdict.misplaced:
        click.echo(f"{verdict.name}: {place}")
    for remark in verdict.kept_places:
        click.echo(f"{verdict.name}:   the file says: {remark}")
