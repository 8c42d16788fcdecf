"""Rounds written by hand for sentences that random rounds hardly ever say."""

from collections.abc import Iterable, Iterator
from itertools import combinations
from pathlib import Path

from msgspec import structs

from paircard.domain.commands import ExpelPlayer, RegisterPlayer, RemovePlayer, WithdrawPlayer
from paircard.domain.events import PairingsAltered
from paircard.domain.messages import Message
from paircard.domain.values.players import Details
from paircard.pairing import pair
from paircard.pairing.explain import why, why_not
from paircard.pairing.explain.answers import answer_why_not
from paircard.projections.round.snapshot import Snapshot
from paircard.service import Office, Tournament
from paircard.service.erasure import erase_person
from paircard.service.explaining import absence, ask_explain, ask_why, round_of_log
from tests.pairing.rounds import before_round, who
from tests.pairing.spoken.facts import Answered, Facts
from tests.pairing.spoken.harvest import About, Line, against, of_why, of_why_not
from tests.pairing.test_unproven import ASKED, crowded
from tests.service.given import ANNA, club_open

Said = Iterator[tuple[Facts, Line]]


# --- pairings


def of_scores(edition: str, scores: Iterable[int], apart: Iterable[tuple[int, int]]) -> Facts:
    """A round of players on these points, some of whom may not meet."""
    players = tuple(who(number, score) for number, score in enumerate(scores, start=1))
    state = Snapshot(edition=edition, round=1, rounds=9, players=players, prohibited=tuple(apart))
    return Facts(state, pair(state))


def last_groups_in_order() -> Said:
    """2017: number 5 may meet nobody of the last group, so two come down to it; 7 and 8 meet in order."""
    facts = of_scores("dutch-2017", (10, 10, 10, 10, 0, 0, 0, 0), ((5, 6), (5, 7), (5, 8)))
    yield from ((facts, line) for line in of_why(facts, why(facts.snapshot, 7)))


def few_of_the_rest() -> Said:
    """3 comes down to 4; of the others on these points only 5 and 6 may meet, so 7 and 8 go down."""
    apart = ((4, 7), (4, 8), (5, 7), (5, 8), (6, 7), (6, 8), (7, 8))
    facts = of_scores("dutch-2026", (20,) * 3 + (10,) * 5 + (0,) * 2, apart)
    yield from ((facts, line) for line in of_why(facts, why(facts.snapshot, 5)))


def floated(scores: Iterable[int], who_did: int, float_: str, apart: tuple[int, int], a: int, b: int) -> Said:
    """Why two do not meet, where one player floated two rounds ago and two others may not meet."""
    players = [
        who(n, score, "0-Z 0-Z", floats=f"{float_}-" if n == who_did else "--")
        for n, score in enumerate(scores, 1)
    ]
    state = structs.replace(before_round(*players), prohibited=(apart,))
    facts = Facts(state, pair(state))
    yield from ((facts, line) for line in of_why_not(facts, a, b))


def floats_of_two_rounds_ago() -> Said:
    """Whoever met more points, or went down, two rounds ago is spared the same, or as much of it."""
    yield from floated((10, 0, 0, 0), 2, "u", (2, 3), 1, 2)  # 1 comes down to 3, for 2 met more points
    yield from floated((20, 20, 10, 0), 2, "d", (1, 2), 1, 3)  # 1 goes down to 4, for 2 went down before
    yield from floated((30, 20, 10, 10), 4, "u", (1, 2), 1, 4)  # 4 meets 2, who has fewer points than 1


def asked_to_meet(edition: str, top: int, others: int, free: set[tuple[int, int]]) -> Said:
    """Why the first two below the top do not meet: they may meet anybody, of the others only these."""
    a, b, end = top + 1, top + 2, top + 2 + others
    free = {(i + b, j + b) for i, j in free} | {(i, j) for i in (a, b) for j in range(i + 1, end + 1)}
    apart = [two for two in combinations(range(a, end + 1), 2) if two not in free]
    facts = of_scores(edition, (10,) * top + (0,) * (end - top), apart)
    yield from ((facts, line) for line in of_why_not(facts, a, b))


THREES = {(1, 2), (1, 3), (2, 3), (4, 5), (4, 6), (5, 6)}
"""Two threes who may meet each other."""
HELPER = THREES | {(k, 8) for k in range(1, 8)}
"""One of them, or number 7, may meet number 8."""
FOURS = {(i, j) for i in (1, 2) for j in (3, 4, 5, 6)}
"""Four who may meet only two."""


def too_few_are_left() -> Said:
    """If the two met, too few would be left to play the others; two players on top could help, or nobody."""
    yield from asked_to_meet("dutch-2026", 2, 8, HELPER)
    yield from asked_to_meet("dutch-2026", 0, 8, HELPER)
    yield from asked_to_meet("dutch-2026", 2, 6, THREES)
    yield from asked_to_meet("dutch-2026", 2, 6, FOURS)


def not_proven() -> Said:
    """Too many sets of downfloaters to try."""
    for edition, (a, b) in ASKED.items():
        state = crowded(edition)
        found = why_not(state, a, b)
        about = against(About(), found, asked=(a, b))
        for message in answer_why_not(found, a, b, edition, 1).detail:
            if message.code in ("explain.contrast.found", "explain.unproven"):
                yield Facts.without_round(state), Line(message, about)


def round_robin() -> Said:
    """What is said of a round robin comes from its table; only its rules are named as those of a Swiss."""
    state = Snapshot(edition="round-robin", round=1, rounds=3, players=tuple(who(n, 0) for n in range(1, 5)))
    facts = Facts.without_round(state).answered(Answered((), (), 0))
    yield facts, Line(Message(f"explain.edition.{state.edition}", {}), About())


# --- what was recorded


def recorded(tournament: Tournament) -> tuple[Facts, About]:
    """Round 1 of a log."""
    log = tuple(tournament.facts())
    asked = round_of_log(log, tournament.now().state, 1)
    return Facts(asked.snapshot, pair(asked.snapshot)), About(round=asked, log=log)


def of_log(tournament: Tournament) -> Said:
    """What is said first about round 1, and about everybody in it."""
    facts, about = recorded(tournament)
    asked = about.round
    assert asked is not None
    whole: tuple[Message, ...] = (*asked.notes, *ask_explain(asked).notes)
    each = [one for id in asked.people for one in (*ask_why(asked, id).notes, *absence(asked, id))]
    yield from ((facts, Line(message, about)) for message in (*whole, *each))


def altered_by_hand(folder: Path) -> Said:
    """Boards of the arbiter, two players left out, others on record as having met, a reason erased."""
    office, tournament = club_open(folder)
    by = ANNA.because("Ada asked for it").accepting("manual-pairing", "left-out", "bye-ignored")
    with office:
        tournament.pair(by=ANNA)
        tournament.begin_alteration(1, by=ANNA)
        tournament.end_alteration(1, ((1, 2),), by=by)
        yield from of_log(tournament)
        tournament.begin_alteration(1, by=ANNA)
        tournament.end_alteration(1, ((1, 2), (3, 4)), by=by)
        tournament.publish(by=ANNA)
        tournament.record(1, {1: "1-0", 2: "0-1"}, by=ANNA)
        tournament.pair(by=ANNA)
        tournament.publish(by=ANNA)
        sure = by.accepting("boards-as-played", "correction")
        tournament.correct_boards(1, {1: (1, 3, "1-0"), 2: (2, 4, "0-1")}, by=sure)
        yield from of_log(tournament)
        versions = [one.version for one in tournament.facts() if isinstance(one.fact, PairingsAltered)]
        asked = ANNA.because("asked").accepting("erase-while-running")
        erase_person(office.store(), tournament, 1, versions, by=asked)
        yield from of_log(tournament)


def entered_by_hand(folder: Path) -> Said:
    """Boards entered by hand that are the engine's; then the same tournament from a report, altered."""
    office, tournament = club_open(folder)
    with office:
        tournament.enter_boards(((1, 3), (4, 2)), by=ANNA)
        yield from of_log(tournament)
        tournament.begin_alteration(1, by=ANNA)
        by = ANNA.because("club tradition").accepting("manual-pairing")
        tournament.end_alteration(1, ((1, 2), (3, 4)), by=by)
        report = tournament.now().report().encode()
    with Office.create(folder / "imported.db") as other:
        imported = other.import_report(report, source="open.trf", by=ANNA.accepting("irregular-import"))
        yield from of_log(other.tournament(imported.tournament))


def left_or_late(folder: Path) -> Said:
    """One withdrew, one was expelled, an entry was removed, one entered after the round was paired."""
    office, tournament = club_open(folder, players=6)
    with office:
        tournament.ask(RegisterPlayer(details=Details(name="Eve Twice")), by=ANNA)
        tournament.ask(WithdrawPlayer(player=5), by=ANNA)
        tournament.ask(ExpelPlayer(player=6), by=ANNA.because("cheating"))
        tournament.ask(RemovePlayer(player=7), by=ANNA.because("entered twice"))
        tournament.pair(by=ANNA)
        tournament.publish(by=ANNA)
        late = ANNA.because("train").accepting("late-entry")
        tournament.ask(RegisterPlayer(details=Details(name="Gus", rating=1500)), by=late)
        yield from of_log(tournament)


def all_scenes(folder: Path) -> Said:
    """Every scene."""
    yield from last_groups_in_order()
    yield from few_of_the_rest()
    yield from floats_of_two_rounds_ago()
    yield from too_few_are_left()
    yield from not_proven()
    yield from round_robin()
    for name, scene in (("altered", altered_by_hand), ("entered", entered_by_hand), ("left", left_or_late)):
        (folder / name).mkdir()
        yield from scene(folder / name)
