"""Any Python value in any field of any command, and in any argument: refused as ours, or readable for ever.

Programs without a type checker hand over what a spreadsheet, a database or JSON gave them. What is recorded
is read again by a fresh office; what is refused is a ``PaircardError``, and nothing was written.
"""

import contextlib
import shutil
from collections.abc import Iterator
from datetime import UTC, date, datetime
from decimal import Decimal
from fractions import Fraction
from itertools import count
from pathlib import Path
from typing import Any, cast, get_args

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from paircard.domain import commands
from paircard.domain.commands import Command, Meta, OpenTournament, RegisterPlayer
from paircard.domain.deciding.decision import CAUTIONS
from paircard.domain.errors import Invalid, PaircardError, Unknown
from paircard.domain.events import TournamentImported
from paircard.domain.values.players import Changes, Details
from paircard.domain.values.regulations import RegulationChanges, Regulations
from paircard.domain.values.results import Outcome
from paircard.projections.runner import Projection
from paircard.service import Office, Supposed, Tournament, players_of, read_table
from tests.examples import examples
from tests.refusals import refuses
from tests.service.given import ANNA, club_open

PLAIN: st.SearchStrategy[Any] = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 12),
    st.integers(),
    st.sampled_from([2**63, -(2**64), 10**30, 10**400]),
    st.floats(),
    st.sampled_from([2100.0, 2.5, 1.0, float("nan"), float("inf")]),
    st.text(max_size=8),
    st.sampled_from(["", "1", "1-0", "w", "H", "\ud800", "a\ud83d", "\x00", "x" * 5000, "2026-11-16"]),
    st.binary(max_size=4),
    st.sampled_from(
        [
            datetime(2026, 11, 16, tzinfo=UTC), date(2026, 11, 16), Decimal("2100"), Fraction(1, 2), 1j,
            object(), type, len, ..., Details(name="Zoe"), Outcome("1", "0"),
            Meta(who="Z", when="", command_id=""), msgspec.UNSET, NotImplemented, range(3), ANNA,
        ]
    ),
)  # fmt: skip
ANYTHING = st.recursive(
    PLAIN,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.lists(inner, max_size=3).map(tuple),
        st.dictionaries(st.one_of(st.text(max_size=3), st.integers(0, 3)), inner, max_size=3),
        st.frozensets(st.integers(0, 5), max_size=3),
    ),
    max_leaves=6,
)

WHITE_WON = Outcome("1", "0")
BOARDS = ((1, 3), (4, 2))
USUAL: dict[str, Any] = {
    "regulations": Regulations(name="Other Open", rounds=5), "changes": Changes(rating=1900), "player": 1,
    "details": Details(name="Zoe", rating=1500), "rating": 1900, "first": 2, "round": 1, "letter": "Z",
    "players": (1, 2), "colour": "w", "one": 1, "other": 2, "boards": BOARDS, "based_on": 8, "board": 1,
    "outcome": WHITE_WON, "name": "EXT", "value": 100,
}  # fmt: skip
"""A value for each field that has no default."""


def usual(kind: type[msgspec.Struct]) -> Any:
    """A command of a kind as somebody would ask it."""
    if kind is commands.ChangeRegulations:
        return commands.ChangeRegulations(changes=RegulationChanges(rounds=4))
    wanted = [one for one in msgspec.structs.fields(kind) if one.required]
    return kind(**{one.name: USUAL.get(one.name, 2 if one.type is int else "") for one in wanted})


KINDS: tuple[type[Command], ...] = get_args(Command)
EXAMPLES = [usual(kind) for kind in KINDS] + [
    OpenTournament(
        regulations=USUAL["regulations"],
        filed=TournamentImported(source="x", format="y", kept=(("x", (1,)),)),
    )
]


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every field and element of a value, and theirs; and the value itself."""
    yield path
    if isinstance(value, msgspec.Struct):
        for name in value.__struct_fields__:
            yield from places(getattr(value, name), (*path, name))
    elif isinstance(value, tuple):
        for at, one in enumerate(value):
            yield from places(one, (*path, at))


def put(value: Any, path: tuple[Any, ...], new: Any) -> Any:
    """The value with something else in one place."""
    if not path:
        return new
    first, *rest = path
    if isinstance(first, int):
        return (*value[:first], put(value[first], tuple(rest), new), *value[first + 1 :])
    changed = put(getattr(value, first), tuple(rest), new)
    return msgspec.structs.replace(value, **{first: changed})


PLACES = [(command, path) for command in EXAMPLES for path in places(command)]
STATES = ("registered", "paired", "in play", "over")
ACCEPTING = ANNA.because("seen").accepting(*CAUTIONS)
_copies = count()


@pytest.fixture(scope="module")
def stores(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """One file for each state of a tournament, to be copied."""
    made: dict[str, Path] = {}
    folder = tmp_path_factory.mktemp("states")
    office, tournament = club_open(folder, rounds=2)
    with office:
        for state in STATES:
            if state == "paired":
                tournament.pair(by=ANNA)
            elif state == "in play":
                tournament.publish(by=ANNA)
            elif state == "over":
                tournament.record(1, {1: "1-0", 2: "0-1"}, by=ANNA)
                tournament.pair(by=ANNA)
                tournament.publish(by=ANNA)
                tournament.record(2, {1: "1-0"}, by=ANNA)
            office.store().backend.settle()
            made[state] = folder / f"{state}.db"
            shutil.copy(folder / "open.db", made[state])
    return made


def check(path: Path, act: Any) -> bool:
    """Do something on a copy of a file: whether it was recorded; refused or not, all can be read."""
    copy = path.with_name(f"copy{next(_copies)}.db")
    shutil.copy(path, copy)
    try:
        with Office.open(copy) as office:
            [tournament] = [office.tournament(one.id) for one in office.tournaments()]
            before = office.store().last_position()
            try:
                act(office, tournament)
                refused = False
            except PaircardError:
                refused = True
            after = office.store().last_position()
        assert not (refused and after > before), "refused, and recorded"
        with Office.open(copy) as fresh:
            facts = list(fresh.follow(quiet=0))
            assert [one.position for one in facts] == list(range(1, after + 1))
            for one in fresh.tournaments():
                assert not one.unreadable
                assert fresh.tournament(one.id).now().version == one.version
                fresh.tournament(one.id).now().players()
        return after > before
    finally:
        for end in ("", "-wal", "-shm"):
            Path(f"{copy}{end}").unlink(missing_ok=True)


@given(st.sampled_from(STATES), st.sampled_from(PLACES), ANYTHING)
@examples(300, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_value_in_any_field_of_any_command(
    stores: dict[str, Path], state: str, place: tuple[Any, tuple[Any, ...]], value: Any
) -> None:
    command, path = place

    def act(office: Office, tournament: Tournament) -> None:
        tournament.ask(put(command, path, value), by=ACCEPTING)

    check(stores[state], act)


@pytest.mark.soak
@given(st.sampled_from(STATES), st.sampled_from(PLACES), ANYTHING)
@settings(max_examples=5000, derandomize=False, suppress_health_check=list(HealthCheck))
def test_thousands_of_values_in_any_field_of_any_command(
    stores: dict[str, Path], state: str, place: tuple[Any, tuple[Any, ...]], value: Any
) -> None:
    command, path = place
    check(stores[state], lambda _, tournament: tournament.ask(put(command, path, value), by=ACCEPTING))


CALLS: list[tuple[str, tuple[Any, ...]]] = [
    ("pair", (2,)), ("publish", (1,)), ("unpair", (1,)), ("complete", (1,)), ("close", ()),
    ("begin_alteration", (1,)), ("end_alteration", (1, ((1, 2), (3, 4)), 0)),
    ("enter_boards", (((1, 2), (3, 4)), 0)),
    ("record", (1, {1: "1-0"})), ("correct", (1, 1, "0-1")), ("correct_colours", (1, 1)),
    ("correct_boards", (1, {1: (1, 2, "1-0")}, 0)), ("swap_players", (1, 2)), ("pair_players", (1, "Ada")),
    ("undo", ()), ("take_back", (1, 2)), ("draw_colour", ("w",)), ("draw_lots", ((1, 2),)), ("ask", ()),
    ("number", ((1, "Ben"),)), ("schedule", ()), ("award", ()),
]  # fmt: skip
"""Every call that records, with arguments somebody would give."""
PERSON = ("name", "why", "accepts", "id", "expects", "through")
WHERE = [
    (name, given, at)
    for name, given in CALLS
    for at in (*range(len(given)), "by", *PERSON, "round", "by_hand")
]


def test_every_call_that_records_is_tried() -> None:
    recording = {
        name
        for name, call in vars(Tournament).items()
        if not name.startswith("_") and callable(call) and "by" in call.__annotations__
    }
    assert recording - {name for name, _ in CALLS} == {"propose", "plan_import", "import_players"}


@given(st.sampled_from(STATES), st.sampled_from(WHERE), ANYTHING)
@examples(300, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_value_in_any_argument_of_any_call(
    stores: dict[str, Path], state: str, where: tuple[str, tuple[Any, ...], Any], value: Any
) -> None:
    name, arguments, at = where

    def act(office: Office, tournament: Tournament) -> None:
        given, by, more = list(arguments), ACCEPTING, {}
        if isinstance(at, int):
            given[at] = value
        elif at == "by":
            by = value
        elif at in PERSON:
            by = msgspec.structs.replace(by, **{at: value})
        elif at in getattr(Tournament, name).__annotations__ and at not in ("round",):
            more[at] = value
        getattr(tournament, name)(*given, by=by, **more)

    check(stores[state], act)


@given(st.sampled_from([*places(USUAL["regulations"]), "by", *PERSON]), ANYTHING)
@examples(150, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_value_in_the_regulations_of_a_new_tournament(
    stores: dict[str, Path], at: Any, value: Any
) -> None:
    def act(office: Office, tournament: Tournament) -> None:
        by: Any = value if at == "by" else ANNA
        if at in PERSON:
            by = msgspec.structs.replace(ANNA, **{at: value})
        office.new(
            put(USUAL["regulations"], at, value) if isinstance(at, tuple) else USUAL["regulations"], by=by
        )

    check(stores["registered"], act)


def test_usual_values_are_recorded(stores: dict[str, Path]) -> None:
    """Else the tests above would try nothing but refusals."""

    def asked(command: Any) -> Any:
        return lambda office, tournament: tournament.ask(command, by=ACCEPTING)

    def called(name: str, given: tuple[Any, ...]) -> Any:
        return lambda office, tournament: getattr(tournament, name)(*given, by=ACCEPTING)

    acts = {type(one).__name__: asked(one) for one in EXAMPLES} | {
        name: called(name, given) for name, given in CALLS
    }
    recorded = {name for name, act in acts.items() if any(check(stores[state], act) for state in STATES)}
    assert len(recorded) > len(acts) // 2, acts.keys() - recorded


VIEWS: list[tuple[str, tuple[Any, ...]]] = [
    ("boards", (1,)), ("standings", (1,)), ("seats", (1,)), ("places", (1,)), ("crosstable", (1,)),
    ("explain_standing", (1, 1)), ("compare_standings", (1, 2, 1)), ("card", (1,)), ("report", (1,)),
    ("player", ("Ada",)), ("player_prizes", (1,)), ("group", ("U18", 1)), ("about", (1,)),
    ("why", ("Ada", 1)), ("why_not", (1, "Ben", 1)), ("explain", (1,)), ("what_if", ([],)),
]  # fmt: skip
"""Views of a moment that are asked with a round, a player or a name."""
SLIPS: tuple[Any, ...] = (
    None,
    0,
    -1,
    99,
    10**30,
    1.5,
    True,
    "",
    "2",
    "nobody",
    "a\nb",
    "\ud800",
    b"x",
    [],
    {},
    (),
    object(),
)


@pytest.mark.parametrize(("name", "given"), VIEWS, ids=[name for name, _ in VIEWS])
def test_any_value_in_any_argument_of_a_view(
    stores: dict[str, Path], name: str, given: tuple[Any, ...]
) -> None:
    with Office.open(stores["over"]) as office:
        now, said = office.tournament().now(), []
        for at in range(len(given)):
            for value in SLIPS:
                try:
                    getattr(now, name)(*given[:at], value, *given[at + 1 :])
                except PaircardError as refusal:
                    said.append(str(refusal))
    assert [line for line in said if "\n" in line] == []


@pytest.mark.parametrize("round", [-1, 3, 99])
def test_a_round_that_is_not_there_has_no_seats_and_no_places(stores: dict[str, Path], round: int) -> None:
    with Office.open(stores["over"]) as office:
        now = office.tournament().now()
        for view in (now.seats, now.places):
            with refuses(Unknown, "round-not-paired", round=round, last=2):
                view(round)


@pytest.mark.parametrize("field", ["at", "name", "place", "year", "player", "after", "limit"])
def test_any_value_in_any_argument_of_a_search(stores: dict[str, Path], field: str) -> None:
    with Office.open(stores["registered"]) as office:
        for value in SLIPS:
            with contextlib.suppress(PaircardError):
                office.tournaments(**{field: value})


@pytest.mark.parametrize("text", ["\ud800", "abcdefgh\udcff", "a\x00"])
def test_a_name_that_no_text_can_hold_means_no_tournament(stores: dict[str, Path], text: str) -> None:
    with Office.open(stores["registered"]) as office, refuses(Invalid, "text-unprintable"):
        office.tournament(text)


@pytest.mark.parametrize("supposed", [["1-0"], [Supposed(round=1, board=1, outcome=cast(Any, "1-0"))]])
def test_what_if_takes_results_as_values(stores: dict[str, Path], supposed: list[Any]) -> None:
    with Office.open(stores["over"]) as office, refuses(Invalid, "wrong-type"):
        office.tournament().now().what_if(supposed)


def test_a_limit_is_a_number_from_zero(stores: dict[str, Path]) -> None:
    with Office.open(stores["registered"]) as office:
        assert len(office.tournaments(limit=1)) == 1
        assert office.tournaments(limit=0) == []
        wrong: tuple[Any, ...] = (-1, 2**63, "1 OFFSET 1")
        for limit in wrong:
            with refuses(Invalid, "wrong-type", path="limit"):
                office.tournaments(limit=limit)


def test_a_position_beyond_every_database_is_refused(stores: dict[str, Path]) -> None:
    with Office.open(stores["registered"]) as office, refuses(Invalid, "wrong-type", path="after"):
        next(office.follow(2**63, quiet=0))


def test_a_player_is_meant_by_id_wherever_by_name(stores: dict[str, Path]) -> None:
    with Office.open(stores["over"]) as office:
        now = office.tournament().now()
        assert now.player(2) == now.player("Ben") == 2
        assert now.why(2, 1) == now.why("Ben", 1)
        assert now.why_not(2, "bye", 1) == now.why_not("Ben", "bye", 1)


class Rows(Projection):
    """Rows of a program."""

    def apply(self, db: Any, facts: Any, log: Any) -> None:
        """None."""


WRONG: list[tuple[str, Any]] = [
    ("location", lambda _: Office(cast(Any, None))),
    ("location", lambda _: Office.create(cast(Any, b"open.db"))),
    ("location", lambda office: office.runner(Rows(), None)),
    ("projection", lambda office: office.runner(Rows, "rows.db")),
    ("quiet", lambda office: next(office.follow(quiet=float("nan")))),
    ("tournament", lambda office: office.tournament(None)),
    ("data", lambda office: office.import_report("001", source="x.trf", by=ANNA)),
    ("encoding", lambda office: office.import_report(b"001", source="x.trf", encoding=8, by=ANNA)),
    ("incoming", lambda office: office.record_report(b"001", by=ANNA)),
    ("data", lambda _: read_table(cast(Any, "name"))),
    ("table", lambda _: players_of(cast(Any, b"name"))),
    ("sheet", lambda office: office.tournament().plan_import(b"name", by=ANNA)),
    ("sheet", lambda office: office.tournament().import_players(b"name", by=ANNA)),
    ("conditions", lambda office: office.tournament().now().group_where(None)),
]


@pytest.mark.parametrize(("path", "call"), WRONG)
def test_what_a_call_does_not_take_is_refused_by_its_name(
    stores: dict[str, Path], path: str, call: Any
) -> None:
    with Office.open(stores["registered"]) as office, refuses(Invalid, "wrong-type", path=path):
        call(office)


@pytest.mark.parametrize("round", [0, -1])
def test_boards_of_a_round_that_is_none_are_refused(stores: dict[str, Path], round: int) -> None:
    with Office.open(stores["in play"]) as office, refuses(Unknown, "round-not-paired", round=round):
        office.tournament().end_alteration(round, BOARDS, by=ANNA)


@pytest.mark.parametrize("plan", ["plan_import", "preview", "preview_alteration"])
def test_a_plan_needs_somebody_who_asks(stores: dict[str, Path], plan: str) -> None:
    with Office.open(stores["registered"]) as office, refuses(Invalid, "wrong-type", path="by"):
        tournament = office.tournament()
        nobody: Any = None
        if plan == "plan_import":
            tournament.plan_import(players_of(read_table(b"name\nEve\n")), by=nobody)
        elif plan == "preview":
            tournament.now().preview(commands.CorrectColours(round=1, board=1), by=nobody)
        else:
            tournament.now().preview_alteration("swap", 1, 2, by=nobody)


def test_a_name_with_a_line_break_is_not_repeated_where_the_table_is_full(tmp_path: Path) -> None:
    with Office.create(tmp_path / "table.db") as office:
        table = office.new(Regulations(name="Table", rounds=0, edition="round-robin"), by=ANNA)
        table.ask(*(RegisterPlayer(details=Details(name=name)) for name in ("Ada", "Ben", "Cleo")), by=ANNA)
        table.number(("Ada", "Ben", "Cleo"), by=ANNA)
        table.schedule(by=ANNA)
        with refuses(Invalid, "text-unprintable"):
            table.ask(RegisterPlayer(details=Details(name="a\nb")), by=ANNA)
