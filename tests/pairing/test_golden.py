"""One tiny round for every rule: paired as agreed, and noticed when the rule is switched off."""

from pathlib import Path

import pytest

from paircard.pairing import NoLegalRound
from paircard.pairing.dutch.editions import EDITIONS, Edition
from paircard.projections.round.crosstable import Crosstable
from paircard.projections.round.snapshot import Snapshot, snapshot
from paircard.projections.trf import crosstable, parse
from tests.pairing.literal.rounds import literal_pair
from tests.pairing.mutants import SWITCHES
from tests.pairing.ways import WAYS, pair_by

GOLDEN = Path(__file__).parent.parent / "golden"
CASES = sorted(GOLDEN.glob("*/*.trf"))
Boards = frozenset[tuple[int, int]]


def file_of(edition: str, rule: str) -> Path:
    return GOLDEN / edition / f"{rule.lower().replace(' ', '_').replace('.', '-')}.trf"


def table_of(path: Path) -> tuple[Crosstable, int]:
    """The crosstable of a case, and the round to be paired."""
    table = crosstable(parse(path.read_text(encoding="utf-8")))
    return table, table.paired + 1


def answer_of(path: Path) -> Boards | None:
    first, *lines = path.with_suffix(".pairs").read_text(encoding="utf-8").splitlines()
    if first == "none":
        return None
    return frozenset((int(white), int(black)) for white, black in map(str.split, lines))


def by_engine(state: Snapshot, way: str = WAYS[0], rules: Edition | None = None) -> Boards | None:
    try:
        paired = pair_by(state, way, rules)
    except NoLegalRound:
        return None
    bye = [(paired.pab, 0)] if paired.pab else []
    return frozenset([(board.white, board.black) for board in paired.boards] + bye)


def by_letter(state: Snapshot) -> Boards | None:
    try:
        boards, pab = literal_pair(state)
    except NoLegalRound:
        return None
    return frozenset([(board.white, board.black) for board in boards] + ([(pab, 0)] if pab else []))


def test_every_rule_with_a_switch_has_a_case_in_its_edition() -> None:
    wanted = {file_of(edition, rule) for edition, rules in SWITCHES.items() for rule in rules}

    assert set(CASES) == wanted


@pytest.mark.parametrize("path", CASES, ids=lambda p: f"{p.parent.name}-{p.stem}")
def test_the_round_is_the_agreed_one_and_so_says_the_literal_generator(path: Path) -> None:
    table, round = table_of(path)
    state = snapshot(table, round, path.parent.name)

    for way in WAYS:
        assert by_engine(state, way) == answer_of(path), way
    assert by_letter(state) == answer_of(path)


@pytest.mark.parametrize("way", [way for way in WAYS if way != "whole"])  # meant for what no bracket settles
@pytest.mark.parametrize(("edition", "rule"), [(e, rule) for e, rules in SWITCHES.items() for rule in rules])
def test_a_rule_switched_off_is_noticed(
    edition: str, rule: str, way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = file_of(edition, rule)
    table, round = table_of(path)

    rules = SWITCHES[edition][rule](monkeypatch, EDITIONS[edition])

    assert by_engine(snapshot(table, round, edition), way, rules) != answer_of(path)


@pytest.mark.parametrize("path", CASES, ids=lambda p: f"{p.parent.name}-{p.stem}")
def test_the_first_line_cites_edition_and_article(path: Path) -> None:
    first = path.read_text(encoding="utf-8").splitlines()[0]

    assert first.startswith(f"012 C.04.3 {path.parent.name[6:10]} [")
