"""Every kind of error as the command line says it: one line, what is so and the way out."""

import json
import os
import sqlite3
import threading
from collections.abc import Callable
from contextlib import closing

import pytest
from msgspec.structs import replace

from paircard.cli import main
from paircard.cli.refusals import Stopped, as_data, in_a_line
from paircard.domain import errors
from paircard.domain.deciding.decision import caution
from paircard.domain.errors import PaircardError
from paircard.domain.messages import Message, say
from paircard.domain.speaking import Speaker
from paircard.pairing import NoLegalRound, PairingError
from paircard.pairing.lab.simulate import ImpossibleSettings
from paircard.projections.standings.codes import BadTieBreak, NotFinal, NotRanked
from paircard.projections.trf import TrfError
from paircard.service.reports import RulesUnknown
from paircard.web.client import ProblemAnswered
from tests.cli.session import EIGHT, Terminal, play
from tests.refusals import among, sentence
from tests.roots import PYTHONPATH
from tests.web.running import running

Scene = Callable[[Terminal], str]


def club(terminal: Terminal, rounds: int = 3, players: int = 4) -> Terminal:
    """A tournament with players, White drawn for number 1."""
    terminal.ok("new", "Open", "--rounds", str(rounds))
    terminal.write("players.csv", "".join(EIGHT.splitlines(keepends=True)[: players + 1]))
    terminal.ok("player", "import", "players.csv")
    terminal.ok("draw", "--colour", "white")
    return terminal


def playing(terminal: Terminal, rounds: int = 3) -> Terminal:
    """Round 1 published."""
    club(terminal, rounds)
    terminal.ok("pair")
    terminal.ok("publish")
    return terminal


def closed(terminal: Terminal) -> Terminal:
    club(terminal, rounds=1)
    play(terminal, 1, "1-0", "1-0")
    terminal.ok("close")
    return terminal


def stopped(t: Terminal) -> str:
    return playing(t).refused("result", "1", "--file", "nowhere.txt")


def invalid(t: Terminal) -> str:
    return t.refused("new", "Open", "--rounds", "0")


def unknown(t: Terminal) -> str:
    return playing(t).refused("result", "2", "1", "1-0")


def no_such_player(t: Terminal) -> str:
    return club(t).refused("player", "withdraw", "Zoe")


def no_such_tournament(t: Terminal) -> str:
    return club(t).refused("show", "-t", "Blitz")


def duplicate(t: Terminal) -> str:
    return club(t).refused("draw")


def id_taken(t: Terminal) -> str:
    club(t).ok("player", "add", "Eva", "--id", "a")
    return t.refused("player", "add", "Finn", "--id", "a")


def not_now(t: Terminal) -> str:
    t.ok("new", "Open", "--rounds", "3")
    return t.refused("pair")


def regulations_locked(t: Terminal) -> str:
    return playing(t).refused("change", "--rounds", "5")


def numbers_frozen(t: Terminal) -> str:
    club(t, rounds=5, players=8)
    for round in (1, 2, 3):
        play(t, round, "1-0", "1-0", "1-0", "1-0")
    t.ok("player", "correct", "P8", "--rating", "2500", "--why", "list of November")
    t.ok("pair", "--ack", "numbers-out-of-date")
    return t.refused("number")


def not_numbered(t: Terminal) -> str:
    return club(t).refused("player", "withdraw", "2")


def round_incomplete(t: Terminal) -> str:
    return playing(t, rounds=1).refused("close")


def manual_session_open(t: Terminal) -> str:
    club(t).ok("alter", "begin", "1")
    return t.refused("pair")


def tournament_over(t: Terminal) -> str:
    return closed(t).refused("player", "add", "Eva")


def illegal_pairing(t: Terminal) -> str:
    club(t).write("boards.txt", "1 2\n1 3\n")
    return t.refused("pair", "--boards", "boards.txt", "--why", "drawn on paper")


def reason_missing(t: Terminal) -> str:
    playing(t).ok("result", "1", "1", "1-0")
    return t.refused("correct", "1", "1", "0-1")


def prohibited(t: Terminal) -> str:
    return playing(t).refused("prohibit", "1", "2")


def needs_acknowledgement(t: Terminal) -> str:
    return club(t).refused("player", "add", "P1")


def foreign_file(t: Terminal) -> str:
    t.write("paircard.db", "dear diary, " * 100)
    return t.refused("show")


def corrupt_file(t: Terminal) -> str:
    club(t)
    with closing(sqlite3.connect(t.folder / "paircard.db")) as db, db:
        db.execute(
            """UPDATE stored_events SET state = CAST(replace(state, '"when":"2', '"when":"1') AS BLOB) """
            "WHERE originator_version = 2"
        )
    return t.refused("show")


def newer_file(t: Terminal) -> str:
    club(t)
    with closing(sqlite3.connect(t.folder / "paircard.db")) as db, db:
        db.execute("PRAGMA user_version = 99")
    return t.refused("show")


def busy(t: Terminal) -> str:
    club(t)
    with closing(sqlite3.connect(t.folder / "paircard.db", isolation_level=None)) as db:
        db.execute("BEGIN IMMEDIATE")
        return t.refused("player", "add", "Eva")


def unreachable(t: Terminal) -> str:
    return t.refused("show", "--db", "nowhere.db")


def bad_tie_break(t: Terminal) -> str:
    return t.refused("new", "Open", "--rounds", "3", "--tiebreaks", "XYZ")


def not_final(t: Terminal) -> str:
    return playing(t).refused("standings", "--final")


def not_ranked(t: Terminal) -> str:
    club(t).ok("player", "withdraw", "P4")
    t.ok("pair")
    return t.refused("standings", "--explain", "P4")


def trf_error(t: Terminal) -> str:
    t.write("x.trf", "012 Open\n")
    return t.refused("trf", "import", "x.trf")


def rules_unknown(t: Terminal) -> str:
    lines = [f"001 {n:>4}      {f'P{n}':<33} 2000 XXX             0.0 {n:>4}" for n in (1, 2)]
    t.write("x.trf", "012 Open\nXXR 3\n192 FIDE_BURSTEIN\n" + "\n".join(lines) + "\n")
    return t.refused("trf", "import", "x.trf")


def pairing_error(t: Terminal) -> str:
    return playing(t).refused("candidates", "1", "9")


def no_legal_round(t: Terminal) -> str:
    club(t, rounds=3, players=2)
    t.ok("pair", "--ack", "too-many-rounds")
    t.ok("publish")
    t.ok("result", "1", "1", "1-0")
    return t.refused("pair")


def impossible_settings(t: Terminal) -> str:
    return t.refused("generate", "x.trf", "--players", "4", "--rounds", "1", "--late", "3", code=2)


def stale_decision(t: Terminal) -> str:
    """Somebody who looked at version 3 asks ``paircard serve`` to publish what has moved on since."""
    club(t).ok("pair")
    [tournament] = json.loads(t.ok("list", "--json"))
    with running(str(t.folder / "paircard.db"), t.folder / "serve.log") as server:
        publish = {"do": "publish-round", "round": 1}
        with pytest.raises(ProblemAnswered) as refusal:
            server.client().send(tournament["id"], publish, expected=3)
    return refusal.value.problem.detail


def library_missing(t: Terminal) -> str:
    """The package that signs is not installed."""
    (t.folder / "without").mkdir()
    t.write("without/cryptography.py", "raise ImportError('not installed')")
    path = os.pathsep.join((str(t.folder / "without"), PYTHONPATH))
    done = t.process("key", "new", "arbiter", PYTHONPATH=path)
    assert (done.code, done.out, list(t.folder.glob("*.key"))) == (1, "", [])
    return done.err.removeprefix("paircard: ").rstrip("\n")


def set_back(t: Terminal) -> str:
    """A backup is put in place while the command waits for the key it signs with."""

    def restore() -> None:
        with closing(sqlite3.connect(t.folder / "paircard.db")) as db, db:
            db.execute("DELETE FROM stored_events WHERE originator_version > 6")

    return refused_in_the_middle(t, restore)


def replaced(t: Terminal) -> str:
    """The file is moved away at that moment."""
    file = t.folder / "paircard.db"
    return refused_in_the_middle(t, lambda: file.replace(t.folder / "old.db"))


def refused_in_the_middle(t: Terminal, meanwhile: Callable[[], object]) -> str:
    """What a command says when something happens after it has read the log, before it writes."""
    playing(t).write("results.csv", "White,Black,Result\nP1,P3,1-0\n")
    t.ok("key", "new", "anna", "-o", "anna.key")
    key, pipe = (t.folder / "anna.key").read_text(), t.folder / "pipe"
    os.mkfifo(pipe, 0o600)

    def hand_over_the_key() -> None:
        with pipe.open("w") as hand:  # opens once the command, which has read the log, opens it too
            meanwhile()
            hand.write(key)

    colleague = threading.Thread(target=hand_over_the_key)
    colleague.start()
    done = t.run("result", "1", "--file", "results.csv", "--sign-with", str(pipe))
    colleague.join()
    assert (done.code, done.out) == (1, "")
    return done.err.removeprefix("paircard: ").rstrip("\n")


AWAY = "the server went away"


def outcome_unknown(t: Terminal) -> str:
    """The wording alone: ``test_postgres`` provokes it, between a real command and a real server."""
    return in_a_line(errors.OutcomeUnknown("outcome-unknown", reason=AWAY, id="a1"))


def reason_asked(deed: Message) -> str:
    return sentence("cli.reason-missing", value=sentence("reason-missing", deed=deed))


SCENES: dict[type[PaircardError], tuple[Scene, str | Message]] = {
    errors.Invalid: (invalid, "rounds"),
    errors.Unknown: (unknown, say("round-not-paired", round=2, last=1)),
    errors.NoSuchPlayer: (
        no_such_player,
        sentence("cli.no-such-player", value=sentence("no-player-called", text="Zoe", candidates=0)),
    ),
    errors.NoSuchTournament: (
        no_such_tournament,
        sentence(
            "cli.which-tournament",
            value=sentence("no-tournament-called", file="paircard.db", text="Blitz", there=1),
        ),
    ),
    errors.Duplicate: (duplicate, say("colour-drawn", colour="w")),
    errors.IdTaken: (id_taken, say("id-taken", id="a")),
    errors.NotNow: (not_now, say("nobody-registered")),
    errors.RegulationsLocked: (regulations_locked, say("regulations-locked", labels=("rounds",))),
    errors.NumbersFrozen: (numbers_frozen, say("numbers-frozen-not-published", article="C.04.2:2.3")),
    errors.NotNumbered: (not_numbered, say("not-numbered-yet", number=2, name="P2")),
    errors.RoundIncomplete: (round_incomplete, say("results-missing-at-close", round=1, boards=(1, 2))),
    errors.ManualSessionOpen: (
        manual_session_open,
        sentence("cli.manual-session-open", value=sentence("manual-session-open", round=1)),
    ),
    errors.TournamentOver: (tournament_over, say("tournament-closed", name="Open")),
    errors.StaleDecision: (stale_decision, sentence("decision-stale", based_on=3, version=8)),
    errors.IllegalPairing: (illegal_pairing, "round 1"),
    errors.ReasonMissing: (reason_missing, reason_asked(say("deed.correction", round=1))),
    errors.Prohibited: (prohibited, say("not-in-fide-mode", what=say("late-prohibition"))),
    errors.NeedsAcknowledgement: (
        needs_acknowledgement,
        sentence("cli.acknowledge", value="paircard player add P1 --ack same-person"),
    ),
    errors.LibraryMissing: (library_missing, sentence("proof.library-missing")),
    errors.ForeignFile: (foreign_file, say("store.not-ours", file="paircard.db")),
    errors.CorruptFile: (corrupt_file, say("store.fact-changed", version=2)),
    errors.SetBack: (set_back, say("store.fact-gone-look", version=9)),
    errors.NewerFile: (newer_file, say("store.newer-read", file="paircard.db", version=99)),
    errors.Busy: (busy, say("store.busy", file="paircard.db")),
    errors.Unreachable: (unreachable, say("store.no-file", file="nowhere.db")),
    errors.Replaced: (replaced, say("store.changed-while-open", file="paircard.db", cause="replaced")),
    errors.OutcomeUnknown: (
        outcome_unknown,
        sentence("cli.outcome-unknown", id="a1", value=sentence("outcome-unknown", reason=AWAY, id="a1")),
    ),
    BadTieBreak: (bad_tie_break, "XYZ"),
    NotFinal: (not_final, say("standings.rounds-to-play", round=1, rounds=3)),
    NotRanked: (not_ranked, "P4"),
    TrfError: (trf_error, sentence("cli.nothing-recorded")),
    RulesUnknown: (rules_unknown, "--edition"),
    PairingError: (pairing_error, "bracket"),
    NoLegalRound: (no_legal_round, say("pairing.no-legal-pairing", round=2)),
    ImpossibleSettings: (impossible_settings, "late"),
    Stopped: (stopped, "nowhere.txt: no such file or directory"),
}
"""How each is provoked, and what is said: a part of the line, or its message, for these fields."""


def leaves(kind: type[PaircardError]) -> set[type[PaircardError]]:
    """Every class that is raised: those without subclasses, and parents that are raised themselves."""
    raised = set() if kind in ABSTRACT else {kind}
    return raised.union(*(leaves(below) for below in kind.__subclasses__()))


ABSTRACT = {PaircardError, errors.Refused, errors.StoreRefused}
for kind in PaircardError.__subclasses__():
    if kind.__name__ == "StandingsError":
        ABSTRACT.add(kind)


def test_every_kind_of_error_has_a_scene() -> None:
    ours = {kind for kind in leaves(PaircardError) if not kind.__module__.startswith("paircard.web")}

    assert {kind.__name__ for kind in ours} == {kind.__name__ for kind in SCENES}


@pytest.mark.parametrize("kind", SCENES, ids=lambda kind: kind.__name__)
def test_the_command_line_says_it_in_one_line(
    kind: type[PaircardError], terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    scene, told = SCENES[kind]
    heard: list[PaircardError] = []

    def listen(error: PaircardError, *asked: str) -> str:
        heard.append(error)
        return in_a_line(error, *asked)

    monkeypatch.setattr(main, "in_a_line", listen)

    line = scene(terminal)

    if isinstance(told, Message):
        said = heard[0].said
        assert (said.code, among(said, told.fields)) == (told.code, told.fields)
        assert Speaker(names=heard[0].names).say(said) in line
    else:
        assert told in line
    assert line.count("\n") == (kind is errors.NeedsAcknowledgement)
    assert [type(error) for error in heard] in ([], [kind])  # wrong usage does not pass through there


def test_a_refusal_with_json_has_code_fields_and_people_on_standard_output(terminal: Terminal) -> None:
    playing(terminal).ok("result", "1", "1", "1-0")

    done = terminal.run("result", "1", "1", "0-1", "--json")

    told = json.loads(done.out)
    assert done.err == f"paircard: {told['detail']}\n"
    assert (told["type"], told["code"]) == ("/problems/duplicate", "result-there")
    assert told["fields"] == {"round": 1, "board": 1, "result": ["1", "0"]}


def test_a_warning_for_programs_has_what_accepts_it_and_the_names_it_speaks_of() -> None:
    warning = replace(caution("no-show", players=[1], round=1), names={1: "Ada"})

    [told] = as_data(errors.NeedsAcknowledgement((warning,)), "")["warnings"]

    assert (told["code"], told["level"], told["people"]) == ("no-show", 2, {1: "Ada"})
    assert told["fields"] == {"players": [1], "round": 1}


def test_wrong_usage_with_json_has_a_code_too(terminal: Terminal) -> None:
    told = json.loads(terminal.run("standings", "--jsn", "--json").out)

    assert (told["code"], told["fields"]) == (
        "cli.no-such-option.near",
        {"text": "--jsn", "known": ["--json"]},
    )


@pytest.mark.parametrize(
    ("typed", "kind", "code", "fields"),
    [
        ("boards x", "bad-value", "cli.bad-value", {"id": "ROUND"}),
        ("tiebreaks nowhere.trf", "bad-value", "cli.bad-value", {"id": "FILE"}),
        ("tree publish", "bad-value", "cli.missing", {"id": "--to"}),
        ("result", "bad-value", "cli.missing", {"id": "ROUND"}),
        ("boards --json --at", "misused", "cli.misused", {}),
        ("result 1 --file nowhere.csv", "stopped", "cli.ended.system", {}),
        ("verify --bundle nowhere", "stopped", "cli.ended.system", {}),
    ],
)
def test_what_click_and_the_system_refuse_has_a_code_with_json_too(
    typed: str, kind: str, code: str, fields: dict[str, str], terminal: Terminal
) -> None:
    done = playing(terminal).run(*typed.split(), *([] if "--json" in typed else ["--json"]))

    told = json.loads(done.out)
    assert (told["type"], told["code"]) == (f"/problems/{kind}", code)
    assert told["fields"].items() >= fields.items()
    assert done.err == f"paircard: {told['detail']}\n"
