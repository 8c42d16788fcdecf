"""Mangled files of every kind through every command that reads one: read, or refused with a reason.

No traceback, no internal error, nothing above three seconds of CPU time, and a refusal changes nothing.
"""

import contextlib
import io
import random
import shutil
import time
import zipfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from paircard.cli.engine.main import run as engine
from tests.cli.session import BY_HAND, Done, Terminal, logged
from tests.mangling import mangled
from tests.refusals import sentence
from tests.service.test_rating_lists import STANDARD, XML
from tests.service.test_sheets import xlsx

REPORTS = [
    path.read_bytes() for path in sorted((Path(__file__).parents[1] / "corpus" / "programs").glob("*.trf"))
]
NAMES = (
    "Albrecht, Ida", "Bérnard, Luc", "Costa, Rui", "Dahl, Øve", "Esposito, Pia", "Łuk, Żan", "O'Neil, Sam",
    "Rao, V",
)  # fmt: skip
PLAYERS = [
    ["No.", "Name", "Title", "FideID", "Rtg", "Fed", "Sex", "Birth", "Club"],
    *(
        [
            str(k),
            name,
            "GM" if k == 1 else "",
            str(4000000 + k),
            str(2300 - 20 * k),
            "AUT",
            "m",
            f"19{70 + k}/01/02",
            f"Club {k}",
        ]
        for k, name in enumerate(NAMES, 1)
    ),
]
GAMES = [["Bo.", "White", "Result", "Black"], *([str(k), "", "1 - 0", ""] for k in range(1, 5))]
LIST_OF_A_FEDERATION = (
    "PKZ;Spielername;DWZ;Geburt;FideID\n"
    "10101;Albrecht, Ida;2280;1980;4000001\n"
    "10102;Müller, Jörg;1850;1975;\n"
)


def csv(rows: list[list[str]]) -> bytes:
    return "".join(
        ";".join(f'"{cell}"' if "," in cell else cell for cell in row) + "\n" for row in rows
    ).encode()


def workbook(rows: list[list[str]]) -> bytes:
    lines = []
    for number, row in enumerate(rows, 1):
        cells = "".join(
            f'<c r="{chr(65 + at)}{number}"><v>{cell}</v></c>'
            if cell.isdecimal()
            else f'<c r="{chr(65 + at)}{number}" t="inlineStr"><is><t>{cell}</t></is></c>'
            for at, cell in enumerate(row)
        )
        lines.append(f'<row r="{number}">{cells}</row>')
    return xlsx("".join(lines))


def zipped(name: str, content: str) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, content)
    return file.getvalue()


class Kind(msgspec.Struct):
    """A kind of file: sound ones, the name they get, and the commands that read one."""

    sound: list[bytes]
    name: str
    readers: list[str]
    run: Callable[[Terminal, list[str]], Done] = lambda terminal, words: terminal.run(*words)
    round_is_open: bool = False


def by_the_engine(terminal: Terminal, words: list[str]) -> Done:
    out, err = io.StringIO(), io.StringIO()
    with (
        contextlib.chdir(terminal.folder),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        code = engine(words)
    return Done(1 if code == 3 else code, out.getvalue(), err.getvalue())


RESULTS = ["result 1 --file {}"]
KINDS = {
    "report": Kind(
        REPORTS,
        "in.trf",
        [
            "trf import {} --ack irregular-import --ack edition-not-in-force",
            "trf import {} --encoding latin-1",
            "check {}",
            "tiebreaks {} --list BH/C1,SB,DE,ARO,TPR",
            "explain {} --round 2",
        ],
    ),
    "engine": Kind(
        REPORTS,
        "in.trf",
        [
            "{} -p",
            "--dutch {} -p",
            "{} -c",
            "{} -p out.txt -l list.txt",
            "{} -p -b",
            "{} -g -o made.trf -s 1",
        ],
        run=by_the_engine,
    ),
    "players-csv": Kind(
        [csv(PLAYERS)],
        "in.csv",
        ["player import {}", "player import {} --preview", "player import {} --ack same-person"],
    ),
    "players-xlsx": Kind([workbook(PLAYERS)], "in.xlsx", ["player import {}", "player import {} --preview"]),
    "results-lines": Kind(["1 1-0\n2 0-1\n3 ½-½\n4 +-\n".encode()], "in.txt", RESULTS, round_is_open=True),
    "results-csv": Kind([csv(GAMES)], "in.csv", RESULTS, round_is_open=True),
    "results-xlsx": Kind([workbook(GAMES)], "in.xlsx", RESULTS, round_is_open=True),
    "boards": Kind(
        [b"1 5\n6 2\n3 7\n8 4\n"],
        "in.txt",
        [
            "pair --boards {} --why cards",
            f"pair --boards {{}} {' '.join(BY_HAND).replace('paired with ', '')}",
        ],
    ),
    "numbers": Kind(
        ["".join(f"{name}\n" for name in NAMES[::-1]).encode(), b"#2\n#1\n#3\n#4\n#5\n#6\n#7\n#8\n"],
        "in.txt",
        ["number --file {} --why order"],
    ),
    "list-txt": Kind([STANDARD.encode()], "in_nov26.txt", ["lists import {}"]),
    "list-xml": Kind([XML.encode()], "in_nov26.xml", ["lists import {}"]),
    "list-zip": Kind([zipped("players_list_xml_foa.xml", XML)], "in_nov26.zip", ["lists import {}"]),
    "list-csv": Kind(
        [LIST_OF_A_FEDERATION.encode("cp1252")], "in.csv", ["lists import {} --name GER --valid 2026-11-01"]
    ),
    "bundle": Kind([], "in.bundle", ["--db other.db log import {}"], round_is_open=True),
}


def at_the_desk(folder: Path, kind: Kind) -> Terminal:
    """Eight players, and a round to enter results into if the kind needs one."""
    terminal = Terminal(folder)
    order = "rating,title,name,declared"
    terminal.ok("new", "Club", "--rounds", "5", "--starts", "2026-11-20", "--order", order)
    terminal.ok("player", "import", terminal.write("players.csv", csv(PLAYERS)))
    terminal.ok("draw", "--colour", "white")
    if kind.round_is_open:
        terminal.ok("pair")
        terminal.ok("publish")
    shutil.copy(folder / "paircard.db", folder / "before")
    return terminal


def through_every_reader(kind: Kind, folder: Path, count: int) -> tuple[Counter[int], list[str]]:
    """Read mangled files with the commands of the kind: how often each exit code came, and the faults."""
    terminal = at_the_desk(folder, kind)
    if not kind.sound:
        terminal.ok("log", "export", "whole.bundle")
        kind.sound.append((folder / "whole.bundle").read_bytes())
    sound = kind.readers[-1].format(terminal.write(kind.name, kind.sound[0])).split()
    assert kind.run(terminal, sound).code == 0
    as_before(folder)
    before = logged(folder / "paircard.db")
    codes: Counter[int] = Counter()
    faults = []
    for seed in range(count):
        chance = random.Random(seed)
        terminal.write(kind.name, mangled(chance.choice(kind.sound), chance))
        words = chance.choice(kind.readers).format(kind.name).split()
        start = time.process_time()
        done = kind.run(terminal, words)
        spent = time.process_time() - start
        codes[done.code] += 1
        if done.code and logged(folder / "paircard.db") != before:
            faults.append(f"{seed} {words}: refused, and yet something was written")
        faults += [f"{seed} {words}: {fault}" for fault in faults_of(done, spent)]
        if done.code == 0 or faults:
            as_before(folder)
    return codes, faults


def faults_of(done: Done, spent: float) -> list[str]:
    """What no user may see, whatever the file is."""
    return [
        fault
        for wrong, fault in (
            (done.code not in (0, 1), f"exit code {done.code}: {done.err}"),
            ("Traceback" in done.err or "internal error" in done.err, done.err),
            (spent > 3, f"{spent:.1f} s of CPU time"),
            ("\x1b" in done.out + done.err, "a control sequence of the file reaches the terminal"),
            (len(done.err) > 20_000, f"an error message of {len(done.err)} characters"),
            (done.code and not (done.out or done.err), "refused without a word"),
        )
        if wrong
    ]


def as_before(folder: Path) -> None:
    """The tournament and the lists as they were before the file was read."""
    for path in (*folder.glob("*.db-*"), *folder.glob("paircard-lists.db"), *folder.glob("other.db")):
        path.unlink()
    shutil.copy(folder / "before", folder / "paircard.db")


@pytest.mark.parametrize("kind", KINDS)
def test_a_mangled_file_is_read_or_refused_with_a_reason(kind: str, tmp_path: Path) -> None:
    codes, faults = through_every_reader(KINDS[kind], tmp_path, 40)

    assert faults == []
    assert codes[1] > 2


def test_a_bye_alone_is_no_round(tmp_path: Path) -> None:
    terminal = at_the_desk(tmp_path, KINDS["boards"])
    terminal.write("in.txt", "8 0\n")

    terminal.refuses("no-boards-given", "pair", "--boards", "in.txt", *BY_HAND, round=1)


def test_control_characters_of_a_file_do_not_reach_the_terminal(tmp_path: Path) -> None:
    terminal = at_the_desk(tmp_path, KINDS["results-lines"])
    terminal.write("in.txt", "1 \x1b[2J\n1 1-0\n")
    terminal.write("in.csv", "Id;Name;Rating;\x1b[2J\n1;Ada;2000;x\n")

    twice = sentence("cli.board-twice", board=1, value="\ufffd[2J", kind="1-0")
    assert twice in terminal.refused("result", "1", "--file", "in.txt")
    noted = terminal.run("lists", "import", "in.csv", "--valid", "2026-11-01").err
    assert sentence("lists.columns-left-out", value="[2J") + "\n" in noted


def test_a_sheet_with_many_wrong_lines_names_twenty_and_counts_the_others(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path)
    terminal.ok("new", "Club", "--rounds", "5")
    terminal.write("in.csv", "Name;Rtg\n" + "Ada;much\n" * 1000)

    lines = terminal.run("player", "import", "in.csv").err.splitlines()

    assert len(lines) == 20
    wrong = sentence("import.not-a-number", label="fide_rating", text="much")
    assert lines[-1].endswith(
        sentence("cli.sheet-wrong", file="in.csv", value=f"line 21: {wrong}", count=980)
    )


@pytest.mark.soak
@pytest.mark.parametrize("kind", KINDS)
def test_ten_thousand_mangled_files_are_read_or_refused_with_a_reason(kind: str, tmp_path: Path) -> None:
    codes, faults = through_every_reader(KINDS[kind], tmp_path, 10_000)

    print(f"{kind}: {codes[0]} read, {codes[1]} refused")
    assert faults == []
