"""A tournament through the front door: asking, pairing, repeating, looking at any moment."""

from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from paircard.domain.commands import (
    BeginManualPairing,
    ChangeRegulations,
    CorrectPlayer,
    DrawLots,
    EndManualPairing,
    LeaveFideMode,
    PairRound,
    PublishRound,
    RecordResult,
    RegisterPlayer,
)
from paircard.domain.errors import (
    IdTaken,
    IllegalPairing,
    Invalid,
    NotNow,
    ReasonMissing,
    Refused,
    StaleDecision,
    Unknown,
)
from paircard.domain.messages import say
from paircard.domain.values.players import Changes, Details
from paircard.domain.values.regulations import RegulationChanges, Regulations
from paircard.domain.values.results import Outcome, parse_outcome
from paircard.pairing import ENGINE
from paircard.service import Office, Supposed, Tournament
from paircard.service.pairing import propose_alteration, propose_round
from tests.refusals import refuses, sentence
from tests.service.given import ANNA, BERT, club_open, play


def names(round: object) -> list[tuple[str, str]]:
    return [(board.white.name, board.black.name) for board in round.boards]  # type: ignore[attr-defined]


def test_pairing_is_one_call_and_gives_the_round(tmp_path: Path) -> None:
    office, tournament = club_open(tmp_path)
    with office:
        round = tournament.pair(by=ANNA).round

        assert names(round) == [("Ada", "Cleo"), ("Dag", "Ben")]
        assert (round.round, round.rounds, round.state, round.published) == (1, 3, "not published", False)
        assert [board.white.rating for board in round.boards] == [2100, 1800]


def test_an_answer_has_the_facts_and_their_words(tmp_path: Path) -> None:
    office, tournament = club_open(tmp_path)
    with office:
        tournament.pair(by=ANNA)
        tournament.publish(by=ANNA)

        done = tournament.ask(RecordResult(round=1, board=1, outcome=Outcome("1", "0")), by=BERT)

        result = parse_outcome("1-0")
        told = sentence(
            "log.result-recorded",
            people={1: "Ada", 3: "Cleo"},
            round=1,
            board=1,
            white=1,
            black=3,
            result=result,
        )
        assert [line.text for line in done.lines] == [told]
        assert [(fact.who, fact.version) for fact in done.facts] == [("Bert Deputy", done.version)]
        assert not done.repeated


def test_who_is_renamed_is_named_as_before(tmp_path: Path) -> None:
    office, _ = club_open(tmp_path)
    office.close()
    with Office.open(tmp_path / "open.db") as again:
        done = again.tournament().ask(CorrectPlayer(player=2, changes=Changes(name="Benjamin")), by=ANNA)

        name = say("log.changed", label="name", value="Benjamin")
        told = sentence("log.player-details-corrected", player=2, name="Ben", changes=[name])
        assert done.lines[0].text == told


def test_results_are_entered_together_or_not_at_all(tmp_path: Path) -> None:
    office, tournament = club_open(tmp_path)
    with office:
        tournament.pair(by=ANNA)
        tournament.publish(by=ANNA)

        with refuses(Unknown, "no-such-board", round=1, board=3, last=2):
            tournament.record(1, {1: "1-0", 3: "0-1"}, by=BERT)
        assert [board.result for board in tournament.now().boards().boards] == [None, None]

        tournament.record(1, {1: "1-0", 2: "adjourned"}, by=BERT)
        assert [board.result for board in tournament.now().boards().boards] == ["1-0", "adjourned"]


def test_any_view_at_any_moment(tmp_path: Path) -> None:
    office, tournament = club_open(tmp_path)
    with office:
        play(tournament, "1-0", "½-½")
        play(tournament, "0-1", "1-0")

        first, now = tournament.at("r1"), tournament.now()

        assert first.standings().after == 1
        assert now.standings().after == 2
        assert first.boards().round == 1
        assert [line.points for line in first.standings().standings] == [10, 5, 5, 0]
        assert [one.name for one in first.players().players] == ["Ada", "Ben", "Cleo", "Dag"]
        assert [line.round for line in now.card(now.player("ada")).lines] == [1, 2]
        assert first.log(kinds=["result"])[0].text.startswith("round 1 board 1: Ada – Cleo")
        assert first.report().startswith("012 Club Open")
        assert [one.verdict for one in now.replay()] == ["identical", "identical"]
        assert tournament.verify().whole
        assert tournament.difference("r1").first == first.version


def test_a_moment_says_why_in_words_and_as_data(tmp_path: Path) -> None:
    office, tournament = club_open(tmp_path, players=5)
    with office:
        play(tournament, "1-0", "1-0")
        play(tournament, "1-0", "1-0")
        now = tournament.now()

        board = now.boards(2).boards[0]
        found = now.why(board.white.name, 2)
        assert found.why
        assert found.why.opponent == board.black.id
        assert found.text[0].startswith(board.white.name)
        assert now.why(board.white.name) == found, "the last round, where none is named"
        assert tournament.at("before r2").why("Ada").round == 1
        met = now.boards(1).boards[0]
        white, black = (f"{one.name} ({one.number})" for one in (met.white, met.black))
        again = sentence("explain.forbidden.C1", a=white, b=black, round=1)
        assert again in now.why_not(met.white.name, met.black.name, 2).text
        assert now.why_not("Ada", "bye", 2).why_not
        assert now.explain(1).story
        assert now.explain().round == 2
        assert now.about(1).snapshot.round == 1


def test_a_branch_supposes_another_result_and_writes_nothing(tmp_path: Path) -> None:
    office, tournament = club_open(tmp_path)
    with office:
        play(tournament, "1-0", "1-0")
        play(tournament, "1-0", "1-0")
        before = tournament.now().version

        branch = tournament.now().what_if([Supposed(round=1, board=1, outcome=Outcome("0", "1"))])

        assert branch.differs == 2
        assert tournament.now().version == before


def test_a_request_sent_again_counts_once_and_says_so(tmp_path: Path) -> None:
    office, tournament = club_open(tmp_path)
    with office:
        first = tournament.pair(by=ANNA.under("pair-1")).round
        tournament.publish(by=ANNA)
        tournament.record(1, {1: "1-0"}, by=ANNA)

        assert names(tournament.pair(by=ANNA.under("pair-1")).round) == names(first)
        assert tournament.now().state.paired == 1
        again = tournament.record(1, {1: "1-0"}, by=ANNA)
        assert again.facts == (), "an identical result is accepted and recorded once"


def test_another_request_under_a_used_id_is_refused(tmp_path: Path) -> None:
    office, tournament = club_open(tmp_path)
    with office:
        tournament.pair(by=ANNA.under("one"))

        with pytest.raises(IdTaken):
            tournament.publish(by=ANNA.under("one"))
        with pytest.raises(IdTaken):
            tournament.pair(2, by=ANNA.under("one"))


def test_lots_sent_again_are_not_drawn_anew(tmp_path: Path) -> None:
    office, tournament = club_open(tmp_path, players=6, rounds=1)
    with office:
        play(tournament, "½-½", "½-½", "½-½")
        first = tournament.draw_lots(by=ANNA.under("lots"))

        for _ in range(5):
            again = tournament.draw_lots(by=ANNA.under("lots"))
            assert again.repeated
            assert again.facts == first.facts
        with refuses(NotNow, "nobody-tied"):
            tournament.draw_lots(by=ANNA)


def test_a_round_is_paired_from_what_somebody_else_just_recorded(tmp_path: Path) -> None:
    office, mine = club_open(tmp_path)
    with office, Office.open(tmp_path / "open.db") as elsewhere:
        assert mine.now().version == 6
        theirs = elsewhere.tournament()
        theirs.ask(RegisterPlayer(details=Details(name="Eva", rating=2050)), by=BERT)

        round = mine.pair(by=ANNA).round

        assert round.pab is not None
        assert "Eva" in {seat.name for board in round.boards for seat in (board.white, board.black)}


def test_a_request_made_in_view_of_an_older_version_is_refused(tmp_path: Path) -> None:
    office, tournament = club_open(tmp_path)
    with office:
        seen = tournament.now().version
        tournament.ask(RegisterPlayer(details=Details(name="Eva", rating=2050)), by=BERT)

        with pytest.raises(StaleDecision):
            tournament.pair(by=ANNA.expecting(seen))
        assert tournament.pair(by=ANNA.expecting(seen + 1)).round.round == 1


def test_boards_under_the_engines_name_must_be_the_engines(tmp_path: Path) -> None:
    office, tournament = club_open(tmp_path)
    with office:
        proposal = propose_round(tournament.now().state)

        with refuses(IllegalPairing, "not-the-engines", round=1):
            tournament.ask(replace(proposal, boards=((1, 2), (3, 4))), by=ANNA)
        with refuses(IllegalPairing, "other-snapshot", round=1):
            tournament.ask(replace(proposal, snapshot="0" * 64), by=ANNA)
        assert tournament.now().state.paired == 0

        tournament.ask(proposal, by=ANNA)
        assert tournament.now().state.paired == 1


def test_the_engines_opinion_beside_an_arbiters_boards_must_be_the_engines(tmp_path: Path) -> None:
    office, tournament = club_open(tmp_path)
    with office:
        tournament.begin_alteration(1, by=ANNA)
        proposal = propose_alteration(tournament.now().state, 1, ((1, 2), (3, 4)))
        by = ANNA.because("club tradition").accepting("manual-pairing")

        with pytest.raises(IllegalPairing):
            tournament.ask(replace(proposal, engine_boards=((1, 2), (3, 4))), by=by)

        assert isinstance(proposal, EndManualPairing)
        tournament.ask(proposal, by=by)
        assert tournament.now().boards().altered


MINE = ((1, 2), (3, 4))


@pytest.mark.parametrize("engine", ["bbpPairings 6", "paircard-dutch/1", ""])
def test_no_other_engines_name_lets_boards_in_unmarked(tmp_path: Path, engine: str) -> None:
    office, tournament = club_open(tmp_path)
    with office:
        version = tournament.now().version
        paired = PairRound(round=1, boards=MINE, engine=engine, snapshot="0" * 64, based_on=version)
        with refuses(IllegalPairing, "other-engine", round=1):
            tournament.ask(paired, by=ANNA)

        tournament.begin_alteration(1, by=ANNA)
        claimed = EndManualPairing(round=1, boards=MINE, engine_boards=MINE, engine=engine)
        for based_on in (0, version + 1):
            with refuses(IllegalPairing, "other-engine", round=1):
                tournament.ask(replace(claimed, based_on=based_on), by=ANNA)
        assert tournament.now().state.paired == 0


def test_boards_behind_other_commands_of_a_request_are_checked_too(tmp_path: Path) -> None:
    office, tournament = club_open(tmp_path)
    with office:
        honest = propose_round(tournament.now().state)
        claimed = EndManualPairing(
            round=1, boards=MINE, engine_boards=MINE, engine=ENGINE, snapshot=honest.snapshot,
            based_on=honest.based_on + 1,
        )  # fmt: skip
        with refuses(IllegalPairing, "not-the-engines", round=1):
            tournament.ask(BeginManualPairing(round=1), claimed, by=ANNA)
        wrong = replace(honest, boards=MINE, based_on=honest.based_on + 1)
        with refuses(IllegalPairing, "other-snapshot", round=1):
            tournament.ask(CorrectPlayer(player=1, changes=Changes(rating=1000)), wrong, by=ANNA)
        assert tournament.now().state.paired == 0


def test_the_opinion_on_a_round_that_is_paired_is_on_record_and_not_given_anew(tmp_path: Path) -> None:
    office, tournament = club_open(tmp_path)
    with office:
        tournament.pair(by=ANNA)
        tournament.begin_alteration(1, by=ANNA)
        with refuses(IllegalPairing, "engine-on-record", round=1):
            tournament.ask(EndManualPairing(round=1, boards=MINE, engine_boards=MINE), by=ANNA)


def test_leaving_fide_mode_as_a_file_says_is_for_imports_only(tmp_path: Path) -> None:
    office, tournament = club_open(tmp_path)
    with office:
        play(tournament, "1-0", "1-0")
        imported = office.import_report(tournament.now().report().encode(), source="open.trf", by=ANNA)
        copy = office.tournament(imported.tournament)
        with refuses(Invalid, "fide-mode-not-filed"):
            copy.ask(LeaveFideMode(filed=True), by=ANNA.because("x").accepting("leave-fide-mode"))
        assert copy.now().state.fide_mode


def test_lots_among_players_who_are_not_tied_are_refused_whoever_asks(tmp_path: Path) -> None:
    office, tournament = club_open(tmp_path)
    with office:
        play(tournament, "1-0", "1-0")
        with refuses(NotNow, "players-not-tied"):
            tournament.ask(DrawLots(players=(1, 3), by_hand=True), by=ANNA.because("x"))


def test_a_round_is_altered_by_hand_and_given_up(tmp_path: Path) -> None:
    office, tournament = club_open(tmp_path)
    with office:
        tournament.begin_alteration(1, by=ANNA)
        tournament.end_alteration(1, None, by=ANNA)
        assert tournament.now().state.paired == 0

        tournament.begin_alteration(1, by=ANNA)
        with pytest.raises(ReasonMissing):
            tournament.end_alteration(1, ((1, 2), (3, 4)), by=ANNA.accepting("manual-pairing"))


def test_what_is_refused_says_why_and_changes_nothing(tmp_path: Path) -> None:
    office, tournament = club_open(tmp_path)
    with office:
        with refuses(ReasonMissing, "reason-missing", deed=say("deed.colour-again")):
            tournament.draw_colour("b", by=ANNA)
        tournament.pair(by=ANNA)
        with refuses(NotNow, "last-not-published", round=1):
            tournament.pair(by=ANNA)
        tournament.unpair(by=ANNA)
        tournament.pair(by=ANNA)
        tournament.ask(PublishRound(round=1), by=ANNA)
        tournament.record(1, {1: "1-0", 2: "0-1"}, by=ANNA)
        with pytest.raises(ReasonMissing):
            tournament.correct(1, 1, "0-1", by=ANNA)
        tournament.correct(1, 1, "0-1", by=ANNA.because("both score sheets say so"))

        assert tournament.now().boards(1).boards[0].result == "0-1"


WRONGLY_TYPED: list[Callable[[Office, Tournament], object]] = [
    lambda _, one: one.record("1", {1: "1-0"}, by=ANNA),  # type: ignore[arg-type]
    lambda _, one: one.record(1, {True: "1-0"}, by=ANNA),
    lambda _, one: one.record(1, {1: None}, by=ANNA),  # type: ignore[dict-item]
    lambda _, one: one.record(1, [(1, "1-0")], by=ANNA),  # type: ignore[arg-type]
    lambda _, one: one.correct(1, 1, 1, by=ANNA),  # type: ignore[arg-type]
    lambda _, one: one.record(1, {1: "1-0"}, by=ANNA.under(17)),  # type: ignore[arg-type]
    lambda _, one: one.record(1, {1: "1-0"}, by=ANNA.because(None)),  # type: ignore[arg-type]
    lambda _, one: one.record(1, {1: "1-0"}, by=ANNA.accepting(17)),  # type: ignore[arg-type]
    lambda _, one: one.record(1, {1: "1-0"}, by=replace(ANNA, accepts=None)),
    lambda _, one: one.record(1, {1: "1-0"}, by=replace(ANNA, name=None)),
    lambda _, one: one.pair("2", by=ANNA),  # type: ignore[arg-type]
    lambda _, one: one.publish("1", by=ANNA),  # type: ignore[arg-type]
    lambda _, one: one.enter_boards([(1.0, 2)], round=2, by=ANNA),  # type: ignore[list-item]
    lambda _, one: one.enter_boards([(1, 2)], round="2", by=ANNA),  # type: ignore[arg-type]
    lambda _, one: one.enter_boards([(1, 2, 3)], by=ANNA),  # type: ignore[list-item]
    lambda _, one: one.end_alteration("1", None, by=ANNA),  # type: ignore[arg-type]
    lambda _, one: one.draw_lots([1.5], by=ANNA),  # type: ignore[list-item]
    lambda _, one: one.ask(DrawLots(players=(1, "two")), by=ANNA),  # type: ignore[arg-type]
    lambda _, one: one.ask(ChangeRegulations(changes=RegulationChanges(tiebreaks=(1,))), by=ANNA),  # type: ignore[arg-type]
    lambda office, _: office.new(Regulations(name="Two", rounds=5.0), by=ANNA),  # type: ignore[arg-type]
    lambda office, _: office.new(Regulations(name="Two", rounds=5, tiebreaks=(1,)), by=ANNA),  # type: ignore[arg-type]
    lambda office, _: office.new(Regulations(name=None, rounds=5), by=ANNA),  # type: ignore[arg-type]
    lambda office, _: office.new(Regulations(name="Two", rounds=5), by=ANNA.under(17)),  # type: ignore[arg-type]
]


@pytest.mark.parametrize("asked", WRONGLY_TYPED, ids=range(len(WRONGLY_TYPED)))
def test_what_is_of_a_wrong_type_is_refused_as_everything_else_that_is_wrong(
    tmp_path: Path, asked: Callable[[Office, Tournament], object]
) -> None:
    office, tournament = club_open(tmp_path)
    tournament.pair(by=ANNA)
    tournament.publish(by=ANNA)
    before = len(tournament.facts())

    with pytest.raises(Refused):
        asked(office, tournament)

    assert len(Office.open(tmp_path / "open.db").tournament().facts()) == before
