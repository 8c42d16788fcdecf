"""``paircard check``: pair the rounds of published tournaments again, from files, folders and zips."""

import zipfile
from collections import Counter
from collections.abc import Iterator
from functools import partial
from itertools import chain
from pathlib import Path, PurePath

import click
import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from paircard.cli.options import ENCODING, JOBS
from paircard.cli.output import print_line, remark
from paircard.cli.processes import progressing
from paircard.cli.refusals import Misused, spoken
from paircard.cli.text_files import LARGEST_REPORT, read_bytes, within
from paircard.domain.errors import Invalid
from paircard.domain.messages import Message, say
from paircard.domain.values.rules import NEWEST, RULES
from paircard.domain.values.text import is_number
from paircard.pairing import pair
from paircard.pairing.lab import check as lab
from paircard.projections.round.crosstable import Crosstable
from paircard.projections.standings.codes import StandingsError
from paircard.projections.standings.standings import Misplaced, misplaced_players, remarks_on_leavers
from paircard.projections.trf import TrfError, decode, parse, read
from paircard.projections.trf.notes import Problem, faults_said
from paircard.projections.trf.reading import format_of
from paircard.projections.trf.remarks import explaining, rating_corrections
from paircard.service.sheets.table import reading_zip

ANNOUNCING = frozenset(["TRF26", "TRF(x)", "TRF(bx)"])
"""Formats that can say what results are worth: 162, XXS and BB*."""

STOPPED = "STOPPED at round "
"""In the name (012) of a corpus tournament: no legal pairing exists for that round."""


class Case(msgspec.Struct, frozen=True):
    """One tournament: its report, and the expected next round where there is a file of it."""

    name: str
    report: bytes
    answer: bytes | None = None


class Verdict(msgspec.Struct, frozen=True):
    """What the check of one tournament found."""

    name: str
    rounds: int = 0
    discrepancies: tuple[lab.Discrepancy, ...] = ()
    error: str = ""
    """Why the tournament could not be checked."""
    message: Message | UnsetType = UNSET
    """That reason, for programs."""
    misplaced: tuple[Misplaced, ...] = ()
    """Places in the file that the tie-breaks it announces do not give."""
    kept_places: tuple[str, ...] = ()
    """The ``###`` lines that may explain such places: corrections that count for the rating report alone."""
    note: str = ""
    """Why places could not be checked."""
    undeclared: str = ""
    """A scoring that explains the points, though the file announces it nowhere and could have."""
    adjustments: tuple[str, ...] = ()
    """Every repair, upgrade and inference made while reading."""
    assumed: bool = False
    """The file names no edition of the rules, nor did the caller."""

    def counts(self) -> dict[str, int]:
        """What it adds to the figures of a whole check."""
        explained = sum(bool(one.remarks) for one in self.discrepancies)
        explained += len(self.misplaced) if self.kept_places else 0
        wrong = len(self.discrepancies) + len(self.misplaced) + bool(self.undeclared)
        figures = (1, self.rounds, wrong, explained, int(bool(self.error)), int(self.assumed))
        return dict(zip(COUNTED, figures, strict=True))


COUNTED = ("tournaments", "rounds", "discrepancies", "remarked", "unreadable", "edition_assumed")
"""The figures of a check, in the order in which programs get them."""


def cases(path: Path) -> Iterator[Case]:
    """The tournaments of a path: a report file, a folder of them (at any depth) or a zip."""
    if path.is_dir():
        inside = [p for p in sorted(path.rglob("*")) if p.suffix in (".trf", ".trfx", ".zip") and p.is_file()]
        if not inside:
            raise Invalid("cli.no-report-inside", path=str(path))
        for found in inside:
            yield from cases(found)
    elif path.suffix == ".zip":
        yield from cases_in_zip(path)
    else:
        report, beside = read_bytes(path, LARGEST_REPORT), path.with_suffix(".pairs")
        answer = read_bytes(beside, LARGEST_REPORT) if beside.is_file() else None
        yield Case(in_one_line(str(path)), report, answer)


LARGEST_ARCHIVE = 256 * 2**20
"""Bytes that the reports of one zip may unpack to, all together."""


def in_one_line(name: str) -> str:
    """A name as it may be printed: one with a line feed in it could forge a verdict."""
    return "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in name)


def damaged(path: Path) -> Invalid:
    return Invalid("import.zip-damaged", path=str(path))


def cases_in_zip(path: Path) -> Iterator[Case]:
    """The tournaments of a zip."""
    with reading_zip(damaged(path)), zipfile.ZipFile(path) as archive:
        names, left = sorted(archive.namelist()), LARGEST_ARCHIVE
        known = set(names)

        def inside(name: str) -> bytes:
            nonlocal left
            with archive.open(name) as file:
                content = within(LARGEST_REPORT, f"{path}:{name}", file.read(LARGEST_REPORT + 1))
            left -= len(content)
            if left < 0:
                raise Invalid("cli.archive-too-large", path=str(path), most=LARGEST_ARCHIVE >> 20)
            return content

        reports = [name for name in names if PurePath(name).suffix in (".trf", ".trfx")]
        if not reports:
            raise Invalid("cli.no-report-inside", path=str(path))
        for name in reports:
            beside = str(PurePath(name).with_suffix(".pairs"))
            answer = inside(beside) if beside in known else None
            yield Case(in_one_line(f"{path}:{name}"), inside(name), answer)


def count(path: Path) -> int:
    """How many tournaments a path holds, without reading them."""
    if path.is_dir():
        return sum(count(p) for p in path.rglob("*") if p.suffix in (".trf", ".trfx", ".zip") and p.is_file())
    if path.suffix == ".zip" and zipfile.is_zipfile(path):
        with reading_zip(damaged(path)), zipfile.ZipFile(path) as archive:
            return sum(PurePath(name).suffix in (".trf", ".trfx") for name in archive.namelist())
    return 1


def judge(case: Case, edition: str, encoding: str, pair: lab.Pair) -> Verdict:
    """Pair every round of a tournament again; or, where an answer is given, the round after its last."""
    passed: list[Problem] = []
    try:
        report = parse(decode(case.report, encoding), strict=False, passed=passed)
        reading = read(report)
        answer = None if case.answer is None else parse_answer(case.answer.decode("ascii", "replace"))
    except (TrfError, Invalid) as refusal:
        return Verdict(case.name, error=str(refusal), message=refusal.said)
    if reading.system and not reading.edition and not edition:
        system = say("cli.system-not-checked", value=reading.system, known=tuple(RULES))
        return Verdict(case.name, error=spoken(system), message=system)
    notes = [spoken(say("cli.check.passed-over", what=fault)) for fault in faults_said(passed)]
    table = reading.table
    chosen = edition or reading.edition or NEWEST
    assumed = not edition and not reading.edition
    stopped = 0
    undeclared = reading.undeclared if format_of(report) in ANNOUNCING else ""
    if case.answer is not None:
        results = [lab.check_round(table, table.paired + 1, chosen, pair, answer)]
    elif RULES[chosen].known_at_once:
        by_hand = reading.by_hand
        if not reading.system and not by_hand:
            followed = lab.follows_the_table(table, chosen, pair)
            by_hand, table = followed is None, followed or table
            notes += [spoken(say("cli.check.by-hand"))] if by_hand else []
        results = lab.check_table(table, chosen, pair, by_hand=by_hand)
    else:
        results = list(lab.check_rounds(table, chosen, pair))
        stopped = stopped_at(report.text("012"), table)
        if stopped:
            results.append(lab.check_stopped(table, stopped, chosen, pair))
    verdict = Verdict(
        case.name,
        len(results) if case.answer is not None else table.paired + bool(stopped),
        tuple(
            replace(result, remarks=explaining(report, result.round))
            for result in results
            if result is not None
        ),
        undeclared=undeclared,
        adjustments=(*notes, *reading.adjustments),
        assumed=assumed,
    )
    if case.answer is not None:
        return verdict
    try:
        given = {line.number: line.place for line in report.players()}
        misplaced = misplaced_players(table, report.tiebreak_list, given)
        kept = rating_corrections(report) if misplaced else ()
        left = tuple(map(spoken, remarks_on_leavers(table, table.paired)))
        verdict = replace(verdict, adjustments=(*verdict.adjustments, *left))
        return replace(verdict, misplaced=misplaced, kept_places=kept)
    except StandingsError as refusal:
        return replace(verdict, note=spoken(say("cli.places-not-checked", value=str(refusal))))


def stopped_at(name: str, table: Crosstable) -> int:
    """The round after the last paired one, if the name says that no legal pairing exists for it."""
    return table.paired + 1 if f"{STOPPED}{table.paired + 1} " in f"{name} " else 0


def parse_answer(text: str) -> tuple[tuple[int, int], ...] | None:
    """Boards of a pairing file: a count, then ``white black`` lines, the bye as ``id 0``; or ``none``."""
    words = text.split()
    if words == ["none"]:
        return None
    if not words or not all(is_number(word) for word in words) or len(words) != 2 * int(words[0]) + 1:
        raise Invalid("cli.not-a-pairing")
    numbers = list(map(int, words[1:]))
    return tuple(zip(numbers[::2], numbers[1::2], strict=True))


@click.command()
@click.argument(
    "paths", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path), metavar="PATH..."
)
@click.option(
    "--edition",
    type=click.Choice(tuple(RULES)),
    help="Rules to check against; else record 192, else dutch-2026.",
)
@JOBS
@ENCODING
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of lines.")
def check(paths: tuple[Path, ...], edition: str | None, jobs: int, encoding: str, as_json: bool) -> int:
    """Pair every round of published tournaments again.

    PATH is a TRF file, a folder of them or a zip. If there is a NAME.pairs next to NAME.trf, it is
    the answer for the round after the report. Where the report announces tie-breaks (202, 212), places
    are checked as well. Prints what differs, the ### lines of the file that may explain it, and a
    closing line; what was repaired, upgraded or inferred while reading goes to standard error. Exit
    code 0 if nothing differs, 1 if something does or a file cannot be read. Points that fit only a
    scoring the file does not announce are a difference. A round robin is compared with its Berger
    table, and everybody must have met everybody as often as announced; one whose rounds were made by
    hand (CUSTOM_ROUNDROBIN) is checked for meetings and colours only.

    Example: paircard check rounds/ --edition dutch-2017 --jobs 2
    """
    if edition is None:
        for path in paths:
            ask_for_edition(path)
    work = partial(judge, edition=edition or "", encoding=encoding, pair=pair)
    listed = chain.from_iterable(map(cases, paths))
    total = sum(map(count, paths))
    counts: Counter[str] = Counter(dict.fromkeys(COUNTED, 0))
    found: list[Verdict] = []
    with progressing("checking", work, listed, jobs, total) as verdicts:
        for verdict in verdicts:
            counts.update(verdict.counts())
            if not as_json:
                show(verdict)
            elif verdict != Verdict(verdict.name, verdict.rounds, assumed=verdict.assumed):
                found.append(verdict)
    wrong, remarked, errors = counts["discrepancies"], counts["remarked"], counts["unreadable"]
    if as_json:
        click.echo(msgspec.json.encode({**counts, "cases": found}).decode())
        return 1 if wrong or errors else 0
    if assumed := counts["edition_assumed"]:
        remark(say("cli.check.edition-assumed", edition=NEWEST, count=assumed))
    explained = say("cli.check.discrepancies", count=wrong, most=remarked)
    summary = [
        say("cli.check.tournaments", count=counts["tournaments"]),
        say("cli.check.rounds", rounds=counts["rounds"]),
        explained if remarked else say("cli.check.unexplained", count=wrong),
        *([say("cli.check.unreadable", count=errors)] if errors else []),
    ]
    print_line("cli.check.summary", causes=summary)
    return 1 if wrong or errors else 0


def ask_for_edition(path: Path) -> None:
    """A folder named after an older edition must not be judged by the newest one unasked."""
    for part in path.resolve().parts:
        stem, _, year = part.removesuffix(".zip").rpartition("-")
        if stem in ("dutch", "histories") and year in ("2012", "2017"):
            raise Misused("cli.older-edition", path=str(path), value=year)


def show(verdict: Verdict) -> None:
    """Lines for people: discrepancies on standard output, files that cannot be read on standard error."""
    for line in (*verdict.error.splitlines(), *verdict.adjustments, *verdict.note.splitlines()):
        remark(line, verdict.name)
    if verdict.undeclared:
        print_line("cli.check.undeclared", file=verdict.name, value=verdict.undeclared)
    for discrepancy in verdict.discrepancies:
        click.echo(f"{verdict.name}: {discrepancy}")
        for told in discrepancy.remarks:
            print_line("cli.check.file-says", file=verdict.name, value=told)
    for place in verdict.misplaced:
        click.echo(f"{verdict.name}: {place}")
    for told in verdict.kept_places:
        print_line("cli.check.file-says", file=verdict.name, value=told)
