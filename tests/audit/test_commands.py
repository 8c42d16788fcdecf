"""Replay, what-if, preview, diff, moments, keys and bundles as an arbiter types them."""

import json
import os
import re
import shutil
import stat
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from paircard.domain.commands import Meta, OpenTournament
from paircard.domain.events import TAGS, TournamentImported
from paircard.domain.log.store import Tournaments
from paircard.domain.log.stored import StoredFact
from paircard.domain.messages import Message
from paircard.domain.values.regulations import Regulations
from paircard.domain.values.results import parse_outcome
from tests.audit.command_line import grow, ok, refused, refuses, say, signed
from tests.audit.lives import life, rows
from tests.cautions import codes_up_to
from tests.refusals import sentence
from tests.roots import PYTHONPATH

ROOT = Path(__file__).parent.parent.parent
PLAYERS = "name,rating,fide_id,birth,club\n" + "".join(
    f"{name},{2100 - 100 * n},{4000 + n},19{60 + n},Scacchi\n"
    for n, name in enumerate(("Ada", "Ben", "Cleo", "Dag", "Eve", "Fay"))
)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Six players, two rounds played, a correction of round 1 in between, round 3 paired and published."""
    path = tmp_path_factory.mktemp("played") / "paircard.db"
    path.with_name("players.csv").write_text(PLAYERS, encoding="utf-8")
    ok(path, "new", "Club Open", "--rounds", "4", "--tiebreaks", "BH,SB", "--place", "Torino", "--as", "Anna")
    ok(path, "player", "import", str(path.with_name("players.csv")), "--as", "Anna")
    for line in (
        "draw --colour white",
        "pair",
        "publish",
        "result 1 1 1-0 2 1-0 3 ½-½",
        "pair",
        "publish",
        "result 2 1 1-0 2 1-0 3 ½-½",
        "correct 1 2 0-1 --why wrong-card --ack correction",
        "pair",
        "publish",
    ):
        ok(path, *line.split(), "--as", "Anna")
    return path


@pytest.fixture
def path(played: Path, tmp_path: Path) -> Path:
    shutil.copytree(played.parent, tmp_path, dirs_exist_ok=True)
    return tmp_path / "paircard.db"


THREE = tuple(word for code in codes_up_to(3) for word in ("--ack", code))
"""Every warning up to level 3."""


def replayed(round: int, verdict: str, version: int, *known: str, boards: int, lawful: bool = False) -> str:
    """What the replay of a round says."""
    cause = Message("cli.replay.verdict", {"verdict": verdict, "yes": lawful})
    return sentence(
        "cli.replay.round", round=round, causes=(cause,), version=version, known=known, count=boards
    )


def test_every_round_replays_and_one_can_be_asked_for(path: Path) -> None:
    told = ok(path, "replay").splitlines()
    assert told == [
        replayed(n, "identical", version, "dutch-2026", "paircard-dutch/2", boards=3)
        for n, version in ((1, 10), (2, 16), (3, 23))
    ]
    assert ok(path, "replay", "--round", "2").splitlines() == told[1:2]

    data = json.loads(ok(path, "replay", "--json"))
    assert data["accounted_for"]
    assert [each["verdict"] for each in data["rounds"]] == ["identical"] * 3
    refuses(path, "round-not-paired", "replay", "--round", "7", round=7, last=3)
    refuses(path, "cli.all-or-a-round", "replay", "--all", "--round", "1", exit=2)


def test_an_altered_round_shows_both_boards_and_is_accounted_for(path: Path) -> None:
    ok(path, "alter", "begin", "3", "--as", "Anna")
    boards = path.with_name("boards.txt")
    before = json.loads(ok(path, "boards", "3", "--json"))["boards"]
    (one, two, three) = [(b["white"]["number"], b["black"]["number"]) for b in before]
    boards.write_text(f"{one[0]} {two[1]}\n{two[0]} {one[1]}\n{three[0]} {three[1]}\n")
    words = ("alter", "end", "3", "--boards", str(boards), "--why", "agreed", "--as", "Anna", *THREE)
    ok(path, *words, "--ack", "manual-pairing", "--ack", "published-pairing")

    told = ok(path, "replay", "--round", "3").splitlines()

    assert told[0] == replayed(3, "altered", 23, "dutch-2026", "paircard-dutch/2", boards=3)
    names = {b["white"]["number"]: b["white"]["name"] for b in before}
    names |= {b["black"]["number"]: b["black"]["name"] for b in before}
    crossed = f"{names[one[0]]} – {names[two[1]]}; {names[two[0]]} – {names[one[1]]}"
    straight = f"{names[one[0]]} – {names[one[1]]}; {names[two[0]]} – {names[two[1]]}"
    assert told[1:3] == [
        sentence("cli.replay.recorded", value=crossed),
        sentence("cli.replay.replayed", value=straight),
    ]


def test_boards_from_a_file_are_a_manual_pairing_and_compared(path: Path) -> None:
    ok(path, *["result", "3", "1", "1-0", "2", "1-0", "3", "1-0", "--as", "Anna"])
    path.with_name("boards.txt").write_text("6 1\n2 4\n3 5\n")
    words = ("--as", "Anna", "--why", "cards", "--ack", "manual-pairing", *THREE)
    said = say(path, "pair", "--boards", str(path.with_name("boards.txt")), *words)
    assert said.code == 0, said

    told = ok(path, "replay", "--round", "4").splitlines()

    assert told[0] == replayed(4, "by-hand", 31, "dutch-2026", "paircard-dutch/2", boards=3)
    assert told[1:] == [
        sentence("cli.replay.recorded", value="Fay – Ada"),
        sentence("cli.replay.replayed", value="Ada – Fay"),
    ]


def test_the_rounds_of_a_report_are_replayed_with_those_whom_the_report_has_absent(tmp_path: Path) -> None:
    path = tmp_path / "paircard.db"
    ok(path, "trf", "import", str(ROOT / "tests/corpus/six-rounds-baku-2016.trf"), "--edition", "dutch-2017")

    told = ok(path, "replay").splitlines()

    rounds = json.loads(ok(path, "replay", "--json"))["rounds"]
    assert [each["round"] for each in rounds] == [1, 2, 3, 4, 5, 6]
    assert told == [
        replayed(
            each["round"],
            "imported",
            each["version"],
            "dutch-2017",
            boards=len(each["recorded"]["boards"]),
            lawful=True,
        )
        for each in rounds
    ]


def turned_into_a_loss(round: int, board: int, people: dict[int, str], scope: str) -> str:
    """The line of a win that was corrected to a loss; White is named first."""
    white, black = people
    outcomes = {"was": parse_outcome("1-0"), "result": parse_outcome("0-1")}
    seats = {"round": round, "board": board, "white": white, "black": black}
    return sentence("log.result-corrected", people, **seats, **outcomes, scope=scope)


def test_a_correction_is_previewed_with_what_changes_and_what_stands(path: Path) -> None:
    before = ok(path, "log")
    told = ok(path, "correct", "2", "2", "0-1", "--preview", "--as", "Anna").splitlines()

    corrected = turned_into_a_loss(2, 2, {2: "Ben", 3: "Cleo"}, "pairing-after-next")
    assert told[0] == sentence("cli.what-if.would-record", value=corrected)
    assert sentence("cli.title.standings", round=3) in told
    assert sentence("cli.title.standings", round=2) not in told
    over = sentence("round-not-over", round=3)
    assert sentence("cli.what-if.next-pairing", value=over) in told
    assert sentence("cli.what-if.stands", round=3, article="C.04.2:4.3") in told
    assert any(line.startswith("report: ### Correction @ Round 2: ") for line in told)
    assert told[-1] == sentence("cli.what-if.to-do-it", value="--why TEXT --ack correction")
    assert ok(path, "log") == before

    late = ok(path, "correct", "1", "1", "0-1", "--preview", "--as", "Anna").splitlines()
    corrected = turned_into_a_loss(1, 1, {1: "Ada", 4: "Dag"}, "rating-report-only")
    assert sentence("cli.what-if.would-record", value=corrected) in late
    assert sentence("cli.what-if.nothing-changes", what=Message("cli.title.all-standings")) in late
    assert sentence("cli.title.in-time") in late
    data = json.loads(ok(path, "correct", "1", "1", "--colours", "--preview", "--json", "--as", "Anna"))
    assert data["scope"] == "rating-report-only"
    same = parse_outcome("1-0")
    refuses(path, "result-same", "correct", "1", "1", "1-0", "--preview", round=1, board=1, result=same)
    refuses(path, "cli.json-of-preview", "correct", "1", "1", "0-1", "--json", exit=2)


def test_the_next_pairing_is_shown_without_and_with_the_correction(path: Path) -> None:
    ok(path, *["result", "3", "1", "1-0", "2", "1-0", "3", "1-0", "--as", "Anna"])

    told = ok(path, "correct", "3", "1", "0-1", "--preview", "--as", "Anna")
    recorded = ok(path, *["correct", "3", "1", "0-1", "--why", "card", "--as", "Anna"])

    assert sentence("cli.what-if.round-different", round=4, yes=True) in told.splitlines()
    assert recorded.strip() in told
    data = json.loads(ok(path, "correct", "3", "1", "1-0", "--preview", "--json", "--as", "Anna"))
    sheet = [tuple(board) for board in data["next_round"]["recorded"]["boards"]]
    ok(path, "pair", "--as", "Anna")
    boards = json.loads(ok(path, "boards", "--json"))["boards"]
    assert sheet == [(b["white"]["id"], b["black"]["id"]) for b in boards]


def test_what_if_names_the_first_round_that_would_have_differed(path: Path) -> None:
    before = ok(path, "log")
    told = ok(path, "what-if", "--result", "1", "1", "0-1").splitlines()

    assert told[0] == sentence("cli.what-if.round-different", round=2, yes=False)
    assert told[1].startswith("  was:      ")
    assert told[2].startswith("  would be: ")
    assert told[3] == sentence("cli.what-if.unknown", round=3, last=2)
    assert told[4] == sentence("cli.title.as-played", round=3)
    assert ok(path, "log") == before
    data = json.loads(ok(path, "what-if", "--result", "1", "1", "0-1", "--json"))
    assert (data["differs"], data["unknown"], data["after"]) == (2, 3, 3)

    then = ok(path, "what-if", "--result", "1", "2", "0-1", "--at", "r1").splitlines()
    assert then[0] == sentence("cli.what-if.round-different", round=2, yes=True)
    refuses(path, "cli.suppose-what", "what-if", exit=2)
    suppose = ("what-if", "--result")
    refuses(path, "nothing-to-suppose", *suppose, "1", "1", "1-0", round=1, board=1)
    refuses(path, "round-not-paired", *suppose, "9", "1", "1-0", round=9, last=3)
    refuses(path, "no-such-board", *suppose, "1", "9", "1-0", round=1, board=9, last=3)
    refuses(path, "result-unreadable", *suppose, "1", "1", "2-0", text="2-0")
    refuses(path, "cli.not-a-game", *suppose, "one", "1", "1-0", exit=2, text="one 1 1-0")


def test_what_the_correction_of_a_result_would_have_changed_is_what_supposing_it_says(path: Path) -> None:
    """Round 2 was paired with 1-0 on board 2, which turned out to be 0-1: supposing 0-1 pairs it anew."""
    then = json.loads(ok(path, "what-if", "--result", "1", "2", "0-1", "--at", "r1", "--json"))
    other = path.with_name("other.db")
    stored = rows_of(path)
    with_right_result = ["result 1 1 1-0 2 0-1 3 ½-½", "pair"]
    grow(other, stored[0], stored[1][:11])
    for line in with_right_result:
        ok(other, *line.split(), "--as", "Anna")
    boards = json.loads(ok(other, "boards", "--json"))["boards"]

    assert [tuple(b) for b in then["rounds"][0]["branch"]["boards"]] == [
        (b["white"]["id"], b["black"]["id"]) for b in boards
    ]


def rows_of(path: Path) -> tuple[str, list[StoredFact]]:
    from paircard.domain.log.store import Tournaments

    with Tournaments(path) as store:
        [one] = store.tournaments()
        return one.id, store.raw_log(one.id)


def test_diff_tells_facts_boards_results_and_standings_between_two_moments(path: Path) -> None:
    told = ok(path, "diff", "r1", "r2").splitlines()

    assert told[0].startswith("from fact 15 to fact ")
    assert any("corrected from 1-0 to 0-1" in line for line in told)
    assert any(line.startswith("round 2, new: ") for line in told)
    assert any(line.startswith("round 1 board 2: ") and " -> " in line for line in told)
    assert "standings" in told
    said, *back = ok(path, "diff", "r2", "r1").splitlines()
    assert (said, back) == (sentence("cli.what-if.turned", value="r1", kind="r2"), told)
    assert ok(path, "diff", "now").splitlines()[0] == sentence(
        "cli.what-if.facts", first=24, last=24, count=0
    )
    data = json.loads(ok(path, "diff", "before r1", "--json"))
    assert {change["round"] for change in data["rounds"]} == {1, 2, 3}
    refuses(path, "moment-unclear", "diff", "yesterday", text="yesterday")


def test_a_moment_is_a_round_a_fact_or_a_time(path: Path) -> None:
    facts = json.loads(ok(path, "log", "--json"))
    end = next(f["version"] for f in facts if f["text"].startswith("round 1 completed"))
    assert ok(path, "log", "--at", "before r2") == ok(path, "log", "--at", str(end))
    assert ok(path, "log", "--at", "r1") == ok(path, "log", "--at", str(end))
    assert ok(path, "log", "--at", "round 3") == ok(path, "log")
    assert ok(path, "log", "--at", facts[-1]["when"]) == ok(path, "log")
    assert ok(path, "log", "--at", facts[-1]["when"][:10]) == ok(path, "log")
    assert ok(path, "log", "--at", "before r1").count("\n") == 9
    assert ok(path, "boards", "--at", "r1").startswith("Round 1 of 4")
    assert "standings after round 2" in ok(path, "standings", "--at", "r2")
    refuses(path, "round-not-paired", "log", "--at", "r9", round=9, last=3)
    refuses(path, "round-not-paired", "log", "--at", "before r9", round=8, last=3)
    refuses(path, "round-below-one", "log", "--at", "r0", round=0)
    refuses(path, "fact-unknown", "log", "--at", "999", version=999, last=24)
    first = facts[0]["when"]
    refuses(path, "nothing-on-record", "log", "--at", "1999-01-01", day="1999-01-01", when=first)
    refuses(path, "time-unclear", "log", "--at", "2026-99-01", text="2026-99-01")
    refuses(path, "moment-unclear", "log", "--at", "soon", text="soon")
    refuses(path, "moment-unclear", "log", "--at", "", text="")


def test_the_log_is_filtered_by_player_board_and_kind(path: Path) -> None:
    def texts(*words: str) -> list[str]:
        return [line["text"] for line in json.loads(ok(path, "log", *words, "--json"))]

    assert len(texts("--kind", "result-corrected")) == 1
    assert len(texts("--kind", "result")) == 7
    assert len(texts("--kind", "published", "--kind", "completed")) == 5
    assert all(text.startswith(("round 1 board 2", "round 1 ")) for text in texts("--board", "1.2"))
    assert [text for text in texts("--board", "1.2") if "board 1" in text] == []
    assert len(texts("--board", "2")) == 6
    assert len(texts("--player", "Eve", "--kind", "corrected", "--board", "1.2")) == 1
    known = tuple(sorted(TAGS.values()))
    refuses(path, "no-such-fact", "log", "--kind", "nonsense", text="nonsense", known=known)
    refuses(path, "cli.not-a-place", "log", "--board", "x", exit=2, text="x")
    refuses(path, "cli.filters-for-reading", "log", "--last", "1", "export", "x.bundle", exit=2)


def test_keys_are_private_and_never_overwritten(path: Path, tmp_path: Path) -> None:
    key = tmp_path / "arbiter.key"

    line = ok(path, "key", "new", "fsi.it-arbiter7", "-o", str(key))

    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    assert line.startswith("fsi.it-arbiter7+")
    assert ok(path, "key", "show", str(key)) == line
    content = key.read_bytes()
    refuses(path, "cli.key-there", "key", "new", "fsi.it-arbiter7", "-o", str(key), path=str(key))
    assert key.read_bytes() == content
    refuses(path, "proof.key-name", "key", "new", "two words", "-o", str(tmp_path / "x"), text="two words")
    assert not (tmp_path / "x").exists()
    players = path.with_name("players.csv")
    players.chmod(0o600)
    refuses(path, "proof.not-a-private-key", "key", "show", str(players))
    assert "no such file" in refused(path, "key", "show", str(tmp_path / "none"))


def test_a_publication_is_signed_and_others_can_hold_it_against_the_log(path: Path, tmp_path: Path) -> None:
    key, held, public = tmp_path / "arbiter.key", tmp_path / "r3.checkpoint", tmp_path / "arbiter.pub"
    public.write_text(ok(path, "key", "new", "arbiter7", "-o", str(key)))
    refuses(path, "cli.no-key", "checkpoint", exit=2)
    last = ok(path, "checkpoint", "--key", str(key), "-o", str(held)).splitlines()[-1]
    assert last == sentence("cli.said.checkpoint-written", file=str(held), facts=24, name="arbiter7")
    refuses(path, "cli.checkpoint-there", "checkpoint", "--key", str(key), "-o", str(held), file=str(held))
    assert ok(path, "checkpoint", "--key", str(key)) == held.read_text(encoding="utf-8")
    assert json.loads(ok(path, "checkpoint", "--key", str(key), "--json"))["checkpoint"]["size"] == 24

    ok(path, *["result", "3", "1", "1-0", "2", "1-0", "3", "1-0", "--as", "Anna"])
    ok(path, "pair", "--as", "Anna")
    assert "no such file" in refused(path, "publish", "--key", str(tmp_path / "none"), "--as", "Anna")
    told = ok(path, "publish", "--key", str(key), "--as", "Anna")
    assert sentence("cli.said.checkpoint-signed", facts=31, name="arbiter7") in told
    paper = told.splitlines()[-1].removeprefix("for the pairing sheet: ")

    held_against = ("--checkpoint", str(held), "--trust", str(public), "--head", paper)
    lines = ok(path, "verify", *held_against).splitlines()
    assert lines[0].endswith("31 facts, chain whole")
    assert signed(24, "arbiter7") in lines
    assert sentence("cli.verify.printed-head", facts=31) in lines
    alone = sentence("cli.verify.not-compared", yes=True)
    assert alone not in lines
    assert alone in ok(path, "verify").splitlines()
    data = json.loads(ok(path, "verify", "--json"))
    assert data["whole"]
    assert [one["size"] for one in data["held"]] == [24, 31], "kept in the file"
    strange = ok(path, "key", "new", "arbiter7", "-o", str(tmp_path / "other.key")).strip()
    said = say(path, "verify", "--checkpoint", str(held), "--trust", strange)
    assert said.code == 1
    untrusted = Message("verify.not-trusted", {"names": ["arbiter7"]})
    convicted = sentence("proof.checkpoint-convicts", facts=24, what=untrusted)
    assert sentence("cli.verify.note", version=0, value=convicted) in said.out.splitlines()
    refuses(path, "proof.not-a-public-key", "verify", "--trust", str(path.with_name("players.csv")))
    refuses(path, "cli.one-or-all", "verify", "--all", "--head", paper, exit=2)


def test_a_bundle_carries_a_tournament_and_grows_there_but_is_never_joined_with_another_story(
    path: Path, tmp_path: Path
) -> None:
    key, early, bundle = tmp_path / "a.key", tmp_path / "early.bundle", tmp_path / "open.bundle"
    ok(path, "key", "new", "arbiter7", "-o", str(key))
    ok(path, "checkpoint", "--key", str(key))
    assert "15 facts, 0 checkpoints" in ok(path, "log", "export", str(early), "--at", "r1")
    assert "24 facts, 1 checkpoint," in ok(path, "log", "export", str(bundle))
    refuses(path, "cli.file-there", "log", "export", str(bundle), file=str(bundle))
    there = tmp_path / "there.db"

    assert "Club Open: 15 facts imported, 1 round replayed" in ok(there, "log", "import", str(early))
    assert "Club Open: 9 facts imported, 3 rounds replayed" in ok(there, "log", "import", str(bundle))
    known = sentence("cli.said.bundle-known", name="Club Open", facts=24)
    assert known in ok(there, "log", "import", str(early)).splitlines()
    assert ok(there, "log") == ok(path, "log")
    assert ok(there, "verify") == ok(path, "verify")
    assert "24 facts, chain whole" in ok(path, "verify", "--bundle", str(bundle))

    ok(there, *["result", "3", "1", "1-0", "--as", "Bo"])
    ok(path, *["result", "3", "1", "0-1", "--as", "Anna"])
    other = tmp_path / "other.bundle"
    ok(path, "log", "export", str(other))
    before = ok(there, "log")
    id, _ = rows_of(path)
    refuses(there, "proof.another-fact-here", "log", "import", str(other), version=25, tournament=id)
    assert ok(there, "log") == before
    broken = tmp_path / "broken.bundle"
    broken.write_bytes(bundle.read_bytes().replace(b'"Ada"', b'"Adi"'))
    refuses(there, "proof.bundle-stray-parts", "log", "import", str(broken))
    broken.write_bytes(bundle.read_bytes().replace(b'"rating":2', b'"rating":1'))
    refuses(there, "store.fact-changed", "log", "import", str(broken), version=2, tournament=id)
    refuses(there, "proof.not-a-bundle", "log", "import", str(path.with_name("players.csv")))


@pytest.mark.slow
def test_a_log_of_more_than_twenty_megabytes_is_carried_away_whole(tmp_path: Path) -> None:
    bundle = tmp_path / "huge.bundle"
    regulations = Regulations(name="Huge", rounds=1)
    meta = Meta(who="Anna", when="2026-11-16T09:00:00Z", command_id="huge")
    told = tuple(f"{'x' * 199_000} {number}" for number in range(120))
    with Tournaments(tmp_path / "a.db", create=True) as store:
        store.ask(
            "ab" * 16,
            OpenTournament(
                regulations=regulations,
                filed=TournamentImported(source="h.trf", format="TRF26", adjustments=told),
                meta=meta,
            ),
        )
    ok(tmp_path / "a.db", "log", "export", str(bundle))
    assert bundle.stat().st_size > 21 * 2**20

    assert "2 facts, chain whole" in ok(tmp_path / "a.db", "verify", "--bundle", str(bundle))
    assert "2 facts" in ok(tmp_path / "b.db", "log", "import", str(bundle))


def test_a_file_that_cannot_be_a_report_is_refused_unread(path: Path, tmp_path: Path) -> None:
    huge = tmp_path / "huge.trf"
    with huge.open("wb") as file:
        file.truncate(65 * 2**20)
    with zipfile.ZipFile(tmp_path / "huge.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.write(huge, "huge.trf")

    for words in (("check", huge), ("trf", "import", huge), ("tiebreaks", huge)):
        refuses(path, "cli.file-too-large", *map(str, words), path=str(huge), most=64)
    packed = str(tmp_path / "huge.zip")
    refuses(path, "cli.file-too-large", "check", packed, path=f"{packed}:huge.trf", most=64)


def test_the_stand_alone_verifier_runs_without_paircard(path: Path, tmp_path: Path) -> None:
    key, bundle, held = tmp_path / "a.key", tmp_path / "open.bundle", tmp_path / "held"
    line = ok(path, "key", "new", "arbiter7", "-o", str(key)).strip()
    ok(path, "checkpoint", "--key", str(key), "-o", str(held))
    ok(path, "log", "export", str(bundle))
    script = shutil.copy(ROOT / "cli/paircard/cli/verify.py", tmp_path / "verify.py")
    bare = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}

    def run(*words: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            [sys.executable, "-I", str(script), *words],
            env=bare,
            capture_output=True,
            text=True,
            timeout=6000,
        )

    done = run(str(bundle), str(held), "--key", line)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("signed by arbiter7") == 2
    for name in ("verify_bundle.py", "verify_proof.py"):  # as older copies of the documents call it
        older = shutil.copy(ROOT / "cli/paircard/cli" / name, tmp_path / name)
        words = [sys.executable, "-I", str(older), str(bundle), str(held), "--key", line]
        assert subprocess.run(words, env=bare, capture_output=True, text=True).stdout == done.stdout
    bundle.write_bytes(bundle.read_bytes().replace(b'"Ada"', b'"Adi"'))
    done = run(str(bundle))
    assert done.returncode == 1
    assert done.stdout == "BROKEN: fact 2 names no such personal part: it was changed or put there\n"
    assert run().returncode == 2
    assert run(str(tmp_path / "none")).returncode == 2
    assert run(str(bundle), "--key", "no+key").returncode == 2

    source = Path(script).read_text(encoding="utf-8")
    assert len(source.splitlines()) <= 440
    assert "paircard." not in source.replace("paircard.cli", "")


@pytest.mark.parametrize("seed", [3, 8, 21])
def test_a_pseudonymous_copy_has_the_same_pairings_and_nobody_in_it(seed: int, tmp_path: Path) -> None:
    log = life(seed)
    path, bundle = tmp_path / "events.db", tmp_path / "copy.bundle"
    grow(path, log[0].tournament, rows(log))
    ok(path, "log", "export", str(bundle), "--pseudonymous")
    there = tmp_path / "there.db"
    assert ok(there, "log", "import", str(bundle)).startswith("Pseudonymous copy: ")
    state = json.loads(ok(path, "player", "list", "--json"))["players"]

    content = bundle.read_text(encoding="utf-8")
    for player in state:
        assert player["name"] not in content
        for field in ("birth", "fide_id"):
            if player.get(field) and len(str(player[field])) > 4:
                assert not re.search(rf"(?<![0-9a-f]){player[field]}(?![0-9a-f])", content), "but for digests"
    for word in (
        "Anna",
        "Bo Deputy",
        "Trento",
        "Scacchi",
        "ITA",
        "2026-11",
        log[0].tournament,
        "score sheet",
    ):
        assert word not in content, word
    assert '"pseudonymous":true' in content.splitlines()[0]
    assert "pseudonymous copy: personal data replaced" in content

    def pairings(file: Path) -> list[object]:
        found = json.loads(ok(file, "replay", "--json"))["rounds"]
        return [(r["verdict"], r["recorded"], r["replayed"]) for r in found]

    def places(file: Path) -> list[tuple[int, int, int]]:
        lines = json.loads(ok(file, "standings", "--json"))["standings"]
        return [(line["rank"], line["id"], line["points"]) for line in lines]

    assert pairings(there) == pairings(path)
    assert places(there) == places(path)
    numbers = [(p["number"], p["id"]) for p in json.loads(ok(there, "player", "list", "--json"))["players"]]
    assert numbers == [(p["number"], p["id"]) for p in state]


def test_a_whole_archive_is_replayed_and_verified(tmp_path: Path) -> None:
    path = tmp_path / "archive.db"
    for seed in range(6):
        log = life(seed, players=6, rounds=3)
        grow(path, log[0].tournament, rows(log))

    told = ok(path, "replay", "--all", "--jobs", "2")
    verdicts = ["3 altered", "1 by-hand", "18 identical"]
    assert told.splitlines()[-1] == sentence(
        "cli.replay.all", there=6, facts=242, rounds=22, known=verdicts, count=0
    )
    assert json.loads(ok(path, "replay", "--all", "--json"))["not_accounted_for"] == []
    sound = sentence("cli.verify.all", there=6, facts=242, number=0, count=0)
    assert ok(path, "verify", "--all").splitlines()[-1] == sound
    assert json.loads(ok(path, "verify", "--all", "--json"))["tournaments"] == 6


def test_whichever_database_keeps_the_log_it_is_replayed_verified_and_carried_away(
    location: str, tmp_path: Path
) -> None:
    log = life(5, players=6, rounds=3)
    grow(location, log[0].tournament, rows(log))
    key, held, bundle = tmp_path / "a.key", tmp_path / "held", tmp_path / "open.bundle"
    line = ok(location, "key", "new", "arbiter7", "-o", str(key)).strip()
    ok(location, "checkpoint", "--key", str(key), "-o", str(held))

    verdicts, facts = ["1 altered", "2 identical"], len(log)
    accounted = sentence("cli.replay.all", there=1, facts=facts, rounds=3, known=verdicts, count=0)
    assert accounted in ok(location, "replay", "--all").splitlines()
    sound = sentence("cli.verify.all", there=1, facts=facts, number=0, count=0)
    assert sound in ok(location, "verify", "--all").splitlines()
    told = ok(location, "verify", "--checkpoint", str(held), "--trust", line).splitlines()
    assert signed(facts, "arbiter7") in told
    ok(location, "log", "export", str(bundle), "--checkpoint", str(held))
    there = tmp_path / "there.db"
    ok(there, "log", "import", str(bundle))
    assert ok(there, "log") == ok(location, "log")
    known = sentence("cli.said.bundle-known", name="Open 0005", facts=facts)
    assert known in ok(location, "log", "import", str(bundle)).splitlines()
    assert signed(facts, "arbiter7") in ok(there, "verify", "--trust", line)


def test_signatures_without_the_library_say_how_to_get_it(path: Path, tmp_path: Path) -> None:
    script = "import sys; sys.modules['cryptography'] = None; from paircard.cli.main import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", script, "key", "new", "x", "-o", str(tmp_path / "x.key")],
        env=os.environ | {"PYTHONPATH": PYTHONPATH},
        capture_output=True,
        text=True,
        timeout=600,
    )

    assert done.returncode == 1
    assert done.stderr == f"paircard: {sentence('proof.library-missing')}\n"
    assert not (tmp_path / "x.key").exists()
