"""A published round is paired again; only a difference is told."""

from paircard.domain.messages import Message
from paircard.pairing.lab.check import Discrepancy, check_round, check_rounds, check_stopped
from paircard.pairing.outcome import Board, NoLegalRound, Pairing
from paircard.projections.round.crosstable import Crosstable, Entry, Row, boards_of
from paircard.projections.round.snapshot import Snapshot
from tests.refusals import sentence


def folded(snapshot: Snapshot) -> Pairing:
    """Not the rules of any system: the best against the next, whoever is left over has the bye."""
    ids = [player.id for player in snapshot.players if not player.absent]
    boards = tuple(Board(a, b) for a, b in zip(ids[::2], ids[1::2], strict=False))
    return Pairing(boards, ids[-1] if len(ids) % 2 else 0)


def nobody(snapshot: Snapshot) -> Pairing:
    raise NoLegalRound("pairing.no-legal-round")


def table(*rounds: tuple[Entry, ...], paired: int = 1) -> Crosstable:
    rows = tuple(Row(id=at, number=at, entries=entries) for at, entries in enumerate(rounds, 1))
    return Crosstable(rows=rows, rounds=5, paired=paired, initial_colour="w")


THREE = table((Entry(2, "w", "1"),), (Entry(1, "b", "0"),), (Entry(0, "-", "U"),))


def test_boards_of_a_round_hold_the_bye_last_by_number() -> None:
    assert boards_of(THREE, 1) == ((1, 2), (3, 0))


def test_a_round_as_prescribed_has_no_discrepancy() -> None:
    assert list(check_rounds(THREE, "dutch-2026", folded)) == [None]


def test_a_discrepancy_tells_only_the_boards_that_differ() -> None:
    swapped = table(
        (Entry(2, "w", "1"),), (Entry(1, "b", "0"),), (Entry(4, "b", "1"),), (Entry(3, "w", "0"),)
    )

    [difference] = check_rounds(swapped, "dutch-2026", folded)

    assert difference == Discrepancy(round=1, expected=((3, 4),), found=((4, 3),))
    assert str(difference) == "round 1: expected 3-4, found 4-3"


def test_a_bye_of_the_round_is_known_before_it_is_paired() -> None:
    absent = table((Entry(3, "w", "1"),), (Entry(0, "-", "H"),), (Entry(1, "b", "0"),))

    assert list(check_rounds(absent, "dutch-2026", folded)) == [None]


def test_a_forfeit_without_colours_may_stand_either_way() -> None:
    forfeit = table((Entry(2, "-", "+"),), (Entry(1, "-", "-"),))

    assert list(check_rounds(forfeit, "dutch-2026", folded)) == [None]


def test_a_claim_that_no_legal_round_exists_is_confirmed_or_refuted() -> None:
    assert check_round(THREE, 2, "dutch-2026", nobody, None) is None

    refuted = check_round(THREE, 2, "dutch-2026", folded, None)
    assert refuted is not None
    assert refuted.message == Message("pairing.check.round-exists", {})
    assert sentence("pairing.check.round-exists") in str(refuted)


def test_a_round_that_should_not_exist_is_told_with_the_reason() -> None:
    [difference] = check_rounds(THREE, "dutch-2026", nobody)

    assert difference is not None
    assert difference.message == Message("pairing.no-legal-round", {})
    assert str(difference) == f"round 1: {sentence('pairing.no-legal-round')}, found 1-2 3=PAB"


def test_a_tournament_may_have_stopped_because_of_absences_its_file_has_lost() -> None:
    def only_with_everyone(snapshot: Snapshot) -> Pairing:
        return nobody(snapshot) if any(player.absent for player in snapshot.players) else folded(snapshot)

    assert check_stopped(THREE, 2, "dutch-2026", only_with_everyone) is None
    assert check_stopped(THREE, 2, "dutch-2026", nobody) is None
    refuted = check_stopped(THREE, 2, "dutch-2026", folded)
    assert refuted is not None
    assert refuted.message == Message("pairing.check.round-exists", {})
    assert sentence("pairing.check.round-exists") in str(refuted)


def test_a_file_that_tells_the_absences_of_the_round_is_taken_at_its_word() -> None:
    def only_with_everyone(snapshot: Snapshot) -> Pairing:
        return nobody(snapshot) if not any(player.absent for player in snapshot.players) else folded(snapshot)

    told = table((Entry(2, "w", "1"), Entry(0, "-", "Z")), (Entry(1, "b", "0"),), (Entry(0, "-", "U"),))

    assert check_stopped(told, 2, "dutch-2026", only_with_everyone) is not None
