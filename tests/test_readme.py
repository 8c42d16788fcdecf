"""The README and the guides: sessions are typed and compared, programs run, names and links exist."""

import os
import re
import shutil
from pathlib import Path

import click
import pytest

from paircard.cli.main import cli
from paircard.service import Moment, Office, Tournament
from tests.documents import blocks, document, programs, run_program, section, type_in, typed
from tests.roots import ROOT

README = document("README.md")
ARBITERS = document("docs/arbiters.md")
GUIDES = [
    "README.md",
    "CONTRIBUTING.md",
    *sorted(f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md")),
]
ROOMS = ("domain", "projections", "pairing", "service", "cli", "web")


def test_the_session_prints_what_the_readme_says(tmp_path: Path) -> None:
    [session] = blocks(README, "console")

    type_in(tmp_path, session, by_shell=True)


def test_the_session_ends_in_a_corrected_result_that_changes_the_next_pairing() -> None:
    [session] = blocks(README, "console")
    second_rounds = [shown for line, shown in typed(session) if line == "paircard pair"][1:]

    assert len(second_rounds) == 2
    assert second_rounds[0] != second_rounds[1]


def test_the_guide_is_one_event_and_prints_what_it_says(tmp_path: Path) -> None:
    sessions = blocks(ARBITERS, "console")

    type_in(tmp_path, *sessions)


def test_the_club_championship_prints_what_the_guide_says(tmp_path: Path) -> None:
    [session] = blocks(section(ARBITERS, "A club championship"), "text")

    type_in(tmp_path, session)


def test_categories_and_prizes_print_what_the_guide_says(tmp_path: Path) -> None:
    chapter = section(ARBITERS, "Categories and prizes")
    for name, kind in (("prizes.toml", "toml"), ("players.csv", "csv")):
        [text] = blocks(chapter, kind)
        (tmp_path / name).write_text(text, encoding="utf-8")
    [session] = blocks(chapter, "text")

    type_in(tmp_path, session)


def test_ratings_and_norms_print_what_the_guide_says(tmp_path: Path) -> None:
    [session] = blocks(section(ARBITERS, "Ratings and title norms"), "text")
    shutil.copy(ROOT / "tests/cli/masters.trf", tmp_path)

    type_in(tmp_path, session)


def test_the_proof_goes_on_where_the_session_ends(tmp_path: Path) -> None:
    [session] = blocks(README, "console")
    [proof] = blocks(section(ARBITERS, "Proof"), "text")

    type_in(tmp_path, session, proof)


@pytest.mark.parametrize("name", ["README.md", "docs/programmers.md"])
def test_every_program_prints_what_the_document_says(name: str, tmp_path: Path) -> None:
    text = document(name)

    assert len(programs(text)) == len(blocks(text, "python")) > 0
    for at, (program, shown) in enumerate(programs(text)):
        folder = tmp_path / str(at)
        folder.mkdir()
        assert run_program(program, folder) == shown


def test_a_whole_tournament_takes_thirty_lines_of_python() -> None:
    [program] = blocks(README, "python")

    assert len([line for line in program.splitlines() if line.strip()]) <= 30


def test_the_readme_fits_on_two_screens_and_a_bit() -> None:
    assert README.count("\n") <= 160


def test_the_two_commands_stand_on_one_line_each_and_ci_runs_the_second() -> None:
    first, second = blocks(README, "sh")[:2]

    assert (first.count("\n"), second.count("\n")) == (1, 1)
    assert first.startswith("python3 -m venv .venv && .venv/bin/pip install -q ")
    assert second.rstrip().endswith("pytest -q")
    assert "README.md" in (ROOT / ".ci/run").read_text(encoding="utf-8")
    assert os.access(ROOT / ".ci/run", os.X_OK)


def test_the_guide_names_every_command_and_no_other() -> None:
    ctx = click.Context(cli)
    rows = re.findall(r"^\| [a-z ]+ \| (`.*) \|$", section(ARBITERS, "The commands"), re.MULTILINE)
    named = set()
    for cluster in (cluster for row in rows for cluster in row.split(" · ")):
        [first, *more] = re.findall(r"`([a-z][a-z-]*(?: [a-z]+)?)[^`]*`", cluster)
        for name in (first, *more):
            words = name.split() if " " in name or " " not in first else [first.split()[0], name]
            named.add(words[0])
            command: click.Command | None = cli
            for word in words:
                assert isinstance(command, click.Group)
                command = command.get_command(ctx, word)
            assert command is not None, f"the guide names {name!r}"
    assert named == set(cli.list_commands(ctx))


def test_the_map_of_the_house_names_folders_that_exist() -> None:
    folders = re.findall(r"^    (\S+/)  ", README, flags=re.MULTILINE)

    assert len(folders) == 7
    for folder in folders:
        assert (ROOT / folder).is_dir(), folder


@pytest.mark.parametrize("name", [*GUIDES, "CHANGELOG.md", "domain/README.md", "pairing/README.md"])
def test_every_link_to_a_file_of_ours_leads_somewhere(name: str) -> None:
    for target in re.findall(r"\]\((?!https?:)([^)#]+)", document(name)):
        assert (ROOT / name).parent.joinpath(target).exists(), target


def test_the_guide_for_programmers_names_every_call_of_the_front_door() -> None:
    front = section(document("docs/programmers.md"), "The front door")
    calls = {
        name for kind in (Office, Tournament, Moment) for name in dir(kind) if callable(getattr(kind, name))
    }
    kept = {"of", "followed_by", "once", "keep", "need_board", "facts", "ids", "close"}

    assert {name for name in calls if name[0] != "_"} - set(re.findall(r"`[\w.]*?(\w+)`", front)) <= kept


def test_the_plan_of_the_house_shows_every_room_and_no_other() -> None:
    plan = section(document("docs/programmers.md"), "The house")
    drawn = set()
    for line in plan.splitlines():
        place = re.match(r" {4}(\w+/paircard/\w+/)|^ {6}((?:[\w/]+/ +)+)", line)
        if place and place[1]:
            layer = place[1]
            drawn.add(layer)
        elif place:
            drawn |= {layer + room for room in place[2].split()}

    there = {
        f"{path.parent.relative_to(ROOT)}/"
        for room in ROOMS
        for path in (ROOT / room / "paircard" / room).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    inside = re.compile(r"(?:templates|programs|pages/languages|(?<=languages/)(?:en|it))/$")
    assert drawn == {inside.sub("", room) for room in there}
