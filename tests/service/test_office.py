"""The office: opening stores, finding tournaments, following the log."""

import threading
from pathlib import Path

import pytest

from paircard.domain.errors import (
    Invalid,
    NeedsAcknowledgement,
    NoSuchTournament,
    Unreachable,
)
from paircard.domain.values.regulations import Regulations
from paircard.projections.standings.codes import BadTieBreak
from paircard.service import Office
from tests.service.given import ANNA, club_open, play


def test_a_store_that_is_not_there_is_not_made_by_opening_it(tmp_path: Path) -> None:
    with pytest.raises(Unreachable):
        Office.open(tmp_path / "none.db")

    assert not (tmp_path / "none.db").exists()


def test_refused_regulations_leave_no_file_behind(tmp_path: Path) -> None:
    with Office(tmp_path / "open.db") as office:
        with pytest.raises(Invalid):
            office.new(Regulations(name="Open", rounds=0), by=ANNA)
        with pytest.raises(BadTieBreak):
            office.new(Regulations(name="Open", rounds=5, tiebreaks=("XYZ",)), by=ANNA)

    assert not (tmp_path / "open.db").exists()


def test_the_same_request_opens_one_tournament(tmp_path: Path) -> None:
    with Office(tmp_path / "open.db") as office:
        first = office.new(Regulations(name="Open", rounds=5), by=ANNA.under("a"))
        second = office.new(Regulations(name="Open", rounds=5), by=ANNA.under("a"))

        assert first.id == second.id
        assert [one.name for one in office.tournaments()] == ["Open"]


def test_a_second_tournament_of_a_name_is_asked_about(tmp_path: Path) -> None:
    with Office(tmp_path / "open.db") as office:
        office.new(Regulations(name="Open", rounds=5), by=ANNA)

        with pytest.raises(NeedsAcknowledgement) as refusal:
            office.new(Regulations(name="Open", rounds=5), by=ANNA)
        assert [caution.code for caution in refusal.value.warnings] == ["same-name"]

        office.new(Regulations(name="Open", rounds=5), by=ANNA.accepting("same-name"))
        assert len(office.tournaments()) == 2


def test_a_tournament_is_found_by_name_part_of_it_or_id(tmp_path: Path) -> None:
    with Office.create(tmp_path / "open.db") as office:
        spring = office.new(Regulations(name="Frühjahrs-Open", rounds=5), by=ANNA)
        office.new(Regulations(name="Autumn Open", rounds=5), by=ANNA)

        assert office.tournament("fruhjahr").id == spring.id
        assert office.tournament(spring.id).id == spring.id
        assert office.tournament(spring.id[:8]).id == spring.id
        for text, there in (("open", 2), ("winter", 2), ("", 2)):
            with pytest.raises(NoSuchTournament) as refusal:
                office.tournament(text)
            assert refusal.value.there == there


def test_the_only_tournament_needs_no_name(tmp_path: Path) -> None:
    office, tournament = club_open(tmp_path)
    with office:
        assert office.tournament().id == tournament.id


def test_a_list_says_how_far_each_tournament_has_come_now_and_then(tmp_path: Path) -> None:
    office, tournament = club_open(tmp_path)
    with office:
        play(tournament, "1-0", "½-½")
        later = ANNA.because("late")
        office.new(
            Regulations(name="Blitz", rounds=9),
            by=type(later)(name="Anna", clock=lambda: "2026-11-17T09:00:00Z"),
        )

        assert [(one.name, one.players, one.state) for one in office.tournaments()] == [
            ("Club Open", 4, "round 1 in play"),
            ("Blitz", 0, "registration"),
        ]
        assert [one.name for one in office.tournaments("2026-11-16T12:00Z")] == ["Club Open"]
        with pytest.raises(Invalid):
            office.tournaments("r1")


def test_whoever_follows_gets_every_fact_once_and_goes_on_from_its_position(tmp_path: Path) -> None:
    office, tournament = club_open(tmp_path)
    with office:
        before = list(office.follow(quiet=0))
        assert [fact.version for fact in before] == list(range(1, 7))

        seen: list[int] = []

        def follow() -> None:
            with Office.open(tmp_path / "open.db") as other:
                for fact in other.follow(after=before[-1].position, quiet=5):
                    seen.append(fact.version)
                    if fact.version == 9:
                        return

        follower = threading.Thread(target=follow)
        follower.start()
        tournament.pair(by=ANNA)
        tournament.publish(by=ANNA)
        follower.join(20)

        assert seen == [7, 8, 9]


def test_how_far_a_tournament_has_come_has_a_word_for_programs_and_words_for_people(tmp_path: Path) -> None:
    office, tournament = club_open(tmp_path)
    told = []
    with office:
        for step in (None, tournament.pair, tournament.publish):
            if step is not None:
                step(by=ANNA)
            [listed] = office.tournaments()
            assert listed.stage == tournament.now().summary().stage
            told.append((listed.stage, listed.state))

    assert told == [
        ("registration", "registration"),
        ("paired", "round 1 not published"),
        ("play", "round 1 in play"),
    ]
