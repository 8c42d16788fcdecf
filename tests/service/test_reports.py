"""Report files through the front door: out of one office, into another."""

from pathlib import Path

import pytest

from paircard.domain.errors import Invalid, NeedsAcknowledgement, RoundIncomplete, Unknown
from paircard.domain.speaking import Speaker
from paircard.projections.trf import TrfError
from paircard.service import Office
from tests.refusals import refuses
from tests.service.given import ANNA, club_open, play


def test_a_tournament_goes_out_as_a_report_and_comes_in_as_the_same(tmp_path: Path) -> None:
    office, tournament = club_open(tmp_path)
    with office, Office(tmp_path / "other.db") as other:
        play(tournament, "1-0", "½-½")
        play(tournament, "0-1", "1-0")

        imported = other.import_report(tournament.now().report().encode(), source="open.trf", by=ANNA)

        assert (imported.name, imported.players, imported.paired) == ("Club Open", 4, 2)
        copy = other.tournament(imported.tournament).now()
        ours, theirs = tournament.now().standings(), copy.standings()
        assert [(line.name, line.points) for line in theirs.standings] == [
            (line.name, line.points) for line in ours.standings
        ]


def test_an_import_sent_again_counts_once(tmp_path: Path) -> None:
    office, tournament = club_open(tmp_path)
    with office, Office(tmp_path / "other.db") as other:
        play(tournament, "1-0", "½-½")
        data = tournament.now().report().encode()

        first = other.import_report(data, source="open.trf", by=ANNA.under("import"))
        again = other.import_report(data, source="open.trf", by=ANNA.under("import"))

        assert (first.repeated, again.repeated) == (False, True)
        assert len(other.tournaments()) == 1


def test_a_file_that_is_not_by_the_rules_is_asked_about_and_leaves_nothing(tmp_path: Path) -> None:
    office, tournament = club_open(tmp_path)
    with office, Office(tmp_path / "other.db") as other:
        tournament.enter_boards(
            ((1, 2), (3, 4)), round=1, by=ANNA.because("paired with cards").accepting("manual-pairing")
        )
        tournament.publish(by=ANNA)
        tournament.record(1, {1: "1-0", 2: "1-0"}, by=ANNA)
        data = tournament.now().report().encode()

        with pytest.raises(NeedsAcknowledgement) as refusal:
            other.import_report(data, source="open.trf", by=ANNA)
        assert [caution.code for caution in refusal.value.warnings] == ["irregular-import"]
        assert not (tmp_path / "other.db").exists()

        accepted = other.import_report(data, source="open.trf", by=ANNA.accepting("irregular-import"))
        assert any(note.startswith("Import @ Round 1") for note in accepted.notes)
        assert "import.irregular" in [one.code for one in accepted.messages]
        assert tuple(map(Speaker().say, accepted.messages)) == accepted.notes


def test_a_file_that_is_no_report_names_its_faults(tmp_path: Path) -> None:
    with Office(tmp_path / "open.db") as office:
        with pytest.raises(TrfError) as refusal:
            office.import_report(b"001 nonsense\n", source="x.trf", by=ANNA)

        assert refusal.value.problems
        assert not (tmp_path / "open.db").exists()


def test_a_report_of_rounds_to_come_or_with_open_games_is_refused(tmp_path: Path) -> None:
    office, tournament = club_open(tmp_path, rounds=1)
    with office:
        with pytest.raises(Unknown):
            tournament.now().report(1)
        tournament.pair(by=ANNA)
        tournament.publish(by=ANNA)
        tournament.record(1, {1: "adjourned", 2: "1-0"}, by=ANNA)

        with refuses(RoundIncomplete, "report.not-final"):
            tournament.now().report()
        with pytest.raises(Invalid):
            tournament.now().report(0, dialect="rating")
        assert tournament.now().report(0)
