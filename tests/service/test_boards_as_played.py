"""Who really met, from the request to every view of it: preview, report, public log, proof, undo."""

from pathlib import Path

import pytest

from paircard.domain.commands import ClearResult
from paircard.domain.errors import Invalid, NoSuchPlayer, PaircardError
from paircard.domain.messages import Message, say
from paircard.domain.proof.note import Signer
from paircard.domain.state import state_after
from paircard.domain.values.results import parse_outcome
from paircard.projections.views import table_after
from paircard.service import Office, Person, Supposed, Tournament
from paircard.service.pairing import PlayedBoard
from paircard.service.transparency import prove_result, publish_tree
from tests.public_logs import public_log
from tests.refusals import refuses, sentence
from tests.service.given import ANNA, club_open, play

MET: dict[int, PlayedBoard] = {1: ("Ada", "Ben", "1-0"), 2: ("Eva", "Dag", "0-1")}
REASON = ANNA.because("they sat at each other's boards")
SURE = REASON.accepting("boards-as-played", "correction")
LATE = REASON.accepting("boards-as-played", "rating-report-only")


def second_round(folder: Path) -> tuple[Office, Tournament]:
    """Six players: Ada – Dag, Eva – Ben and Cleo – Finn in round 1; round 2 is published."""
    office, t = club_open(folder, players=6, rounds=4)
    play(t, "1-0", "½-½", "0-1")
    t.pair(by=ANNA)
    t.publish(by=ANNA)
    return office, t


def met(t: Tournament, player: int) -> list[tuple[int, str, str]]:
    """Opponent, colour and letter of a player's games, as the card has them."""
    return [(line.opponent, line.colour, line.letter) for line in t.now().card(player).lines]


def seat(board: int, white: int, black: int, result: str) -> Message:
    """A board as the log tells it."""
    return say("log.seat", board=board, white=white, black=black, result=parse_outcome(result))


def test_opponents_colours_scores_and_the_report_follow(tmp_path: Path) -> None:
    office, t = second_round(tmp_path)
    with office:
        done = t.correct_boards(1, MET, by=SURE)
        now = t.now()

        assert [line.text for line in done.lines] == [
            sentence(
                "log.boards-corrected",
                people={1: "Ada", 2: "Ben", 4: "Dag", 5: "Eva"},
                round=1,
                now=[seat(1, 1, 2, "1-0"), seat(2, 5, 4, "0-1")],
                instead=[seat(1, 1, 4, "1-0"), seat(2, 5, 2, "½-½")],
                pab=0,
                scope="pairing-after-next",
            )
        ]
        assert [met(t, player)[0] for player in (1, 2, 4, 5)] == [
            (2, "w", "1"),
            (1, "b", "0"),
            (5, "b", "1"),
            (4, "w", "0"),
        ]
        line = "### Correction @ Round 1: 1-4:1-0 5-2:=-= => 1-2:1-0 5-4:0-1 (boards as played)"
        assert line in now.report().splitlines()
        assert [one.verdict for one in now.replay()] == ["identical", "identical"]
        assert t.verify().whole


def test_for_the_rating_report_alone_no_other_view_moves(tmp_path: Path) -> None:
    office, t = second_round(tmp_path)
    with office:
        t.record(2, {1: "1-0", 2: "1-0", 3: "1-0"}, by=ANNA)
        t.complete(by=ANNA)
        before = t.now()
        t.correct_boards(1, MET, by=LATE)
        now = t.now()

        assert now.crosstable() == before.crosstable()
        rows = {row.name: row.entries[0] for row in now.crosstable(for_rating=True).rows}
        assert [(rows[name].opponent, rows[name].letter) for name in ("Ada", "Ben", "Dag", "Eva")] == [
            (2, "1"),
            (1, "0"),
            (5, "1"),
            (4, "0"),
        ]
        assert "### Rating correction @ Round 1: 1-4:1-0 5-2:=-= => 1-2:1-0 5-4:0-1" in now.report()


def test_a_preview_says_which_rounds_would_have_been_different_and_writes_nothing(tmp_path: Path) -> None:
    office, t = second_round(tmp_path)
    with office:
        now = t.now()
        found = now.preview(now.boards_as_played(1, MET), by=ANNA)

        assert t.now().version == now.version
    assert [warning.code for warning in found.warnings] == ["boards-as-played", "correction"]
    assert [each.round for each in found.stands] == [2]
    assert found.remarks == ("Correction @ Round 1: 1-4:1-0 5-2:=-= => 1-2:1-0 5-4:0-1 (boards as played)",)


def test_the_branch_of_a_preview_is_what_pairing_the_round_so_would_have_given(tmp_path: Path) -> None:
    office, t = second_round(tmp_path)
    with office:
        now = t.now()
        [branch] = now.preview(now.boards_as_played(1, MET), by=ANNA).stands
        t.unpair(by=REASON.accepting("published-pairing"))
        t.ask(ClearResult(round=1, board=1), ClearResult(round=1, board=2), by=ANNA)
        t.swap_players("Ben", "Dag", by=REASON.accepting("manual-pairing", "published-pairing"))
        t.record(1, {1: "1-0", 2: "0-1"}, by=ANNA)
        again = t.pair(by=ANNA).round

    assert branch.branch is not None
    assert branch.branch.boards == tuple((board.white.id, board.black.id) for board in again.boards)


def test_a_preview_leaves_out_what_became_known_of_other_boards(tmp_path: Path) -> None:
    office, t = second_round(tmp_path)
    with office:
        [before] = t.now().preview(t.now().boards_as_played(1, MET), by=ANNA).stands
        t.correct(1, 3, "1-0", by=SURE)
        [after] = t.now().preview(t.now().boards_as_played(1, MET), by=ANNA).stands

    assert before == after


def test_what_if_goes_on_from_those_who_met(tmp_path: Path) -> None:
    office, t = second_round(tmp_path)
    with office:
        t.correct_boards(1, MET, by=SURE)
        supposed = [Supposed(round=1, board=1, colours=True)]
        found = t.now().what_if(supposed)
        lost = t.now().what_if([Supposed(round=1, board=1, outcome=parse_outcome("0-1"))])

    assert found.after == lost.after == 2
    assert {line.name: line.points for line in lost.standings}["Ben"] == (0, 10)


def test_the_public_sees_it_and_undo_takes_it_back(tmp_path: Path) -> None:
    office, t = second_round(tmp_path)
    with office:
        before = t.now()
        t.correct_boards(1, MET, by=SURE)
        public = state_after(public_log(t.facts()))
        assert table_after(public).rows[0].entries == table_after(t.now().state).rows[0].entries

        t.undo(by=SURE)

        assert t.now().crosstable() == before.crosstable()
        assert "###" not in t.now().report()


def test_a_proof_of_the_result_names_the_fact_that_says_who_met(tmp_path: Path) -> None:
    office, t = second_round(tmp_path)
    with office:
        t.correct_boards(1, MET, by=SURE)
        publish_tree(office.store(), tmp_path / "tree", Signer("example.org/fed", b"\x07" * 32))
        names = [proof.name for proof in prove_result(office.store(), t, 1, 2, str(tmp_path / "tree"))]

    assert names == [
        "round-1-board-2-result",
        "round-1-board-2-players",
        "round-1-pairing",
        "player-5-registered",
        "player-4-registered",
    ]


@pytest.mark.parametrize(
    ("boards", "by", "error", "said"),
    [
        (
            {1: ("Ada", "Nobody", "1-0")},
            SURE,
            NoSuchPlayer,
            say("no-player-called", text="Nobody", candidates=0, each=()),
        ),
        (
            {1: ("Ada", "Ben", "2-0")},
            SURE,
            Invalid,
            say(
                "result-unreadable",
                text="2-0",
                known=(
                    "1-0",
                    "½-½",
                    "0-1",
                    "½-0",
                    "0-½",
                    "0-0",
                    "1F-0F",
                    "0F-1F",
                    "0F-0F",
                    "W-L",
                    "D-D",
                    "L-W",
                ),
                codes=("1", "=", "0", "+", "-", "--"),
            ),
        ),
        ({1: ("Ada", "Ben", "1-0")}, SURE, Invalid, say("sits-twice", player=2, other=4, round=1)),
        (MET, ANNA, PaircardError, say("reason-missing", deed=say("deed.correction", round=1))),
        (
            MET,
            REASON,
            PaircardError,
            say("acknowledgement-missing", codes=("boards-as-played", "correction")),
        ),
    ],
)
def test_what_cannot_be_is_refused_and_nothing_is_recorded(
    tmp_path: Path, boards: dict[int, PlayedBoard], by: Person, error: type[PaircardError], said: Message
) -> None:
    office, t = second_round(tmp_path)
    with office:
        version = t.now().version
        with refuses(error, said):
            t.correct_boards(1, boards, by=by)

        assert t.now().version == version
