"""A round of a round robin from its snapshot, and the reasons that are told of it."""

import re
from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from paircard.domain.messages import Message
from paircard.domain.speaking import ENGLISH, LANGUAGES, sentences
from paircard.pairing import NoLegalRound, PairingError
from paircard.pairing.berger import FREE, NAME, pair
from paircard.pairing.explain.speaking import RoundSpeaker, Who, say
from paircard.pairing.explain.tables import explain, why, why_not
from paircard.pairing.outcome import Told
from paircard.projections import Player, Snapshot
from tests.pairing.berger.annexes import Boards, moved_round
from tests.refusals import refuses

NAMES = ["Adams", "Botvinnik", "Carlsen", "Ding", "Euwe", "Fischer", "Giri", "Hou"]


def field(players: int, round: int, cycles: int = 1, exchange: bool = False, order: int = 0) -> Snapshot:
    """A round of a field; with an order, ids and numbers differ."""
    numbers = [*range(1, players + 1)]
    Random(order).shuffle(numbers) if order else None
    rounds = (players + players % 2 - 1) * cycles
    return Snapshot(
        edition="round-robin",
        round=round,
        rounds=rounds,
        players=tuple(Player(id=id, number=n, score=0, points=0) for id, n in enumerate(numbers, 1)),
        cycles=cycles,
        exchange=exchange,
    )


def said(snapshot: Snapshot, lines: tuple[Message, ...], language: str = ENGLISH) -> list[str]:
    people = {p.id: Who(p.number, NAMES[p.id - 1]) for p in snapshot.players}
    return RoundSpeaker(people, language, numbers=False).say_all(lines)


# --- the round


def test_boards_are_ids_in_the_order_of_the_table() -> None:
    snapshot = Snapshot(
        edition="round-robin",
        round=2,
        rounds=3,
        players=tuple(
            Player(id=id, number=n, score=0, points=0) for id, n in ((7, 2), (9, 1), (4, 4), (5, 3))
        ),
    )
    round = pair(snapshot)

    assert [(board.white, board.black) for board in round.boards] == [(4, 5), (9, 7)]
    assert {board.rule for board in round.boards} == {"C.05 Annex 1"}
    assert (round.pab, round.brackets) == (0, ())
    assert NAME == "paircard-berger/1"


def test_the_free_player_of_an_odd_field_has_no_board_and_no_bye() -> None:
    round = pair(field(5, 2))

    assert [(board.white, board.black) for board in round.boards] == [(5, 3), (1, 2)]
    assert round.pab == 0


def test_a_round_robin_of_two_is_one_game_in_each_cycle() -> None:
    games = [pair(field(2, round, 3)).boards for round in (1, 2, 3)]

    assert [(board.white, board.black) for [board] in games] == [(1, 2), (2, 1), (1, 2)]


def test_results_and_scores_in_the_snapshot_play_no_part() -> None:
    plain = field(6, 3)
    players = tuple(
        Player(id=p.id, number=p.number, score=10 * p.id, points=10 * p.id, absent="Z") for p in plain.players
    )
    played = Snapshot(edition="round-robin", round=3, rounds=5, players=players, cycles=1, exchange=False)

    assert pair(played).boards == pair(plain).boards


def test_snapshots_that_no_table_fits_are_refused() -> None:
    one, two = (Player(id=1, number=1, score=0, points=0), Player(id=2, number=3, score=0, points=0))
    for players, round, code, fields in (
        ((one,), 1, "pairing.alone-in-a-table", {"entered": 1}),
        ((one, one), 1, "pairing.twice", {"player": 1}),
        ((one, two), 1, "pairing.number-missing", {"count": 2, "number": 2}),
        (field(4, 1).players, 4, "pairing.round-not-announced", {"round": 4, "rounds": 3}),
    ):
        with refuses(PairingError, code, **fields):
            pair(Snapshot(edition="round-robin", round=round, rounds=3, players=players))
    with refuses(PairingError, "pairing.not-in-the-tournament", player=9):
        why(field(4, 1), 9)
    with refuses(NoLegalRound, "pairing.by-hand"):
        pair(replace(field(4, 1), by_hand=True))


def test_more_than_24_players_are_told_that_no_table_is_published() -> None:
    codes = [[line.code for line in explain(field(count, 1)).answer.short] for count in (24, 25)]

    assert codes == [["berger.line"], ["berger.line", "berger.beyond"]]


# --- what is said


def test_why_says_the_round_of_the_table_and_its_rule_of_colours() -> None:
    snapshot = field(4, 3)

    assert why(snapshot, 3).answer.short == (
        say("berger.white", player=3, other=1, round=3),
        say("berger.sum.even", first=1, last=3, total=4),
    )
    assert why(snapshot, 4).answer.short == (
        say("berger.black", player=4, other=2, round=3),
        say("berger.against-last.white", number=2, highest=4, first=1, last=2, count=2),
    )


def test_why_of_a_later_cycle_says_that_colours_are_reversed() -> None:
    snapshot = field(4, 5, 2, exchange=True)

    assert (*why(snapshot, 1).answer.short, *why(snapshot, 1).answer.detail) == (
        say("berger.black", player=1, other=2, round=5),
        say("berger.turned", what=say("berger.sum.odd", first=1, last=2, total=3), cycle=2),
        say("berger.line", round=5, line=2, count=4, article="C.05 Annex 1"),
        say("berger.cycle", cycle=2, count=2, yes=True),
    )


def test_why_not_says_when_the_two_meet() -> None:
    snapshot = field(4, 2)
    told = why_not(snapshot, 1, 4)

    assert told.data.rounds == (1,)
    assert told.answer.short == (say("berger.meet", player=1, other=4, numbers=(1,)),)
    assert told.answer.detail[1:] == (
        say("berger.white", player=1, other=2, round=2),
        say("berger.white", player=4, other=3, round=2),
    )
    twice = why_not(field(4, 2, 2), 1, 4).answer.short
    assert twice == (say("berger.meet", player=1, other=4, numbers=(1, 4)),)


def test_why_not_the_bye_says_when_the_player_is_free() -> None:
    odd, even = field(5, 1), field(4, 1)

    assert why_not(odd, 4, FREE).answer.short == (say("berger.free-in", player=4, numbers=(2,)),)
    assert why_not(even, FREE, 4).answer.short == (say("berger.never-free", player=4, numbers=()),)


def test_explain_is_the_line_of_the_table_and_who_is_free() -> None:
    snapshot = field(5, 1)
    told = explain(snapshot)

    assert (*told.answer.short, *told.answer.detail) == (
        say("berger.line", round=1, line=1, count=6, article="C.05 Annex 1"),
        say("berger.board", board=1, white=2, black=5),
        say("berger.board", board=2, white=3, black=4),
        say("berger.free", player=1, round=1, count=5),
    )
    assert said(snapshot, told.answer.short, "it") == [
        "Il turno 1 è la riga 1 della tabella di Berger per 6 giocatori (C.05 Annex 1)."
    ]


# --- no sentence is false by its own words


class Truth:
    """A round as the second construction has it, to hold sentences against."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.snapshot = snapshot
        self.number = {player.id: player.number for player in snapshot.players}
        self.players = len(self.number)
        self.even = self.players + self.players % 2
        self.cycles = snapshot.cycles or 1
        table = moved_round(self.even)
        order = [*range(len(table))]
        if snapshot.exchange and self.cycles == 2 and len(order) > 1:
            order[-2:] = reversed(order[-2:])
        self.lines = order + [*range(len(table))] * (self.cycles - 1)
        self.table = table
        self.rounds = [self.played(round) for round in range(1, len(self.lines) + 1)]

    def played(self, round: int) -> Boards:
        cycle, boards = (round - 1) // len(self.table), self.table[self.lines[round - 1]]
        return [(black, white) for white, black in boards] if cycle % 2 else boards

    @property
    def boards(self) -> Boards:
        """Of the round, with nobody among them."""
        return self.rounds[self.snapshot.round - 1]

    def together(self, one: int, other: int) -> tuple[int, ...]:
        return tuple(at for at, boards in enumerate(self.rounds, 1) if {one, other} in map(set, boards))

    def white_in_table(self, one: int, other: int) -> bool:
        """Whether the table gives the first White, by its line."""
        return any((one, other) in boards for boards in self.table)

    def meet_now(self, one: int, other: int) -> bool:
        return {one, other} in map(set, self.boards)


def holds(truth: Truth, message: Message) -> bool:
    """Whether a sentence is true of a round; each case is written from the English words."""
    f: Mapping[str, Any] = message.fields
    number, now = truth.number, truth.snapshot.round
    match message.code.removeprefix("berger."):
        case "white":
            return f["round"] == now and (number[f["player"]], number[f["other"]]) in truth.boards
        case "black":
            return f["round"] == now and (number[f["other"]], number[f["player"]]) in truth.boards
        case "free":
            odd = truth.players % 2 == 1 and f["count"] == truth.players
            return odd and f["round"] == now and truth.meet_now(number[f["player"]], truth.even)
        case "sum.odd" | "sum.even" as code:
            smaller, larger, total = f["first"], f["last"], f["total"]
            right = smaller < larger < truth.even and smaller + larger == total
            parity = total % 2 == (1 if code == "sum.odd" else 0)
            white = truth.white_in_table(*((smaller, larger) if code == "sum.odd" else (larger, smaller)))
            return right and parity and white and truth.meet_now(smaller, larger)
        case "against-last.white" | "against-last.black" as code:
            span = range(f["first"], f["last"] + 1)
            last = f["highest"] == truth.even == truth.players and truth.meet_now(f["number"], f["highest"])
            whites = {n for n in range(1, truth.even) if truth.white_in_table(n, truth.even)}
            side = whites if code == "against-last.white" else set(range(1, truth.even)) - whites
            return last and f["number"] in span and set(span) == side and f["count"] == len(span)
        case "turned":
            cycle = (now - 1) // (truth.even - 1) + 1
            return f["cycle"] == cycle and cycle % 2 == 0 and holds(truth, f["what"])
        case "line":
            line = truth.lines[now - 1] + 1
            return (f["round"], f["line"], f["count"]) == (now, line, truth.even)
        case "cycle":
            cycle = (now - 1) // (truth.even - 1) + 1
            first = truth.table[truth.lines[now - 1]]
            turned = truth.boards != first
            return (f["cycle"], f["count"], f["yes"]) == (cycle, truth.cycles, turned)
        case "exchanged":
            last = truth.even - 1
            here = f["round"] == now and f["line"] == truth.lines[now - 1] + 1
            return bool(here and {f["round"], f["line"]} == {last, last - 1})
        case "beyond":
            return bool(f["count"] == truth.players and f["most"] == 24 and f["count"] > f["most"])
        case "meet":
            together = truth.together(number[f["player"]], number[f["other"]])
            return bool(together == tuple(f["numbers"]))
        case "free-in":
            days = truth.together(number[f["player"]], truth.even)
            return truth.players % 2 == 1 and days == tuple(f["numbers"])
        case "never-free":
            return truth.players % 2 == 0
        case "board":
            real = [board for board in truth.boards if max(board) <= truth.players]
            return bool(real[f["board"] - 1] == (number[f["white"]], number[f["black"]]))
    raise AssertionError(message.code)


def answers(snapshot: Snapshot, chance: Random) -> Iterator[Message]:
    ids = [player.id for player in snapshot.players]
    told: list[Told[Any]] = [explain(snapshot), why_not(snapshot, FREE, chance.choice(ids))]
    told += [why(snapshot, id) for id in ids]
    told += [why_not(snapshot, *chance.sample(ids, 2)) for _ in range(3)]
    for one in told:
        yield from (*one.answer.short, *one.answer.detail)


def random_rounds(many: int) -> Iterator[tuple[Snapshot, Random]]:
    for seed in range(1, many + 1):
        chance = Random(seed)
        players, cycles = chance.randint(2, 30), chance.choice((1, 1, 2, 2, 3))
        rounds = (players + players % 2 - 1) * cycles
        round = chance.choice((chance.randint(1, rounds), max(1, rounds // cycles - chance.randint(0, 1))))
        yield field(players, round, cycles, chance.random() < 0.5, order=seed), chance


def wrong(message: Message, chance: Random) -> Iterator[tuple[str, Message]]:
    """The sentence with one field changed."""
    for name, value in message.fields.items():
        match value:
            case bool():
                other: Any = not value
            case int():
                other = value + chance.choice((1, 2) if value < 3 else (-1, 1))
            case tuple():
                other = (*value[:-1], value[-1] + 1) if value else None
            case _:
                continue
        if other is not None:
            yield name, Message(message.code, {**message.fields, name: other})


def test_what_is_said_about_random_rounds_is_true_and_every_changed_field_is_noticed() -> None:
    told: set[str] = set()
    noticed: set[tuple[str, str]] = set()
    fields: set[tuple[str, str]] = set()
    for snapshot, chance in random_rounds(160):
        truth = Truth(snapshot)
        for message in answers(snapshot, chance):
            assert holds(truth, message), (message, snapshot)
            inner = [message, message.fields["what"]] if message.code == "berger.turned" else [message]
            for one in inner:
                told.add(one.code.removeprefix("berger."))
                for name, changed in wrong(one, chance):
                    fields.add((one.code, name))
                    try:
                        noticed |= set() if holds(truth, changed) else {(one.code, name)}
                    except (KeyError, IndexError):
                        noticed.add((one.code, name))

    assert told == set(sentences(ENGLISH, "berger"))
    assert fields - noticed == {("berger.never-free", "player")}  # true of everybody


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_says_every_field(language: str) -> None:
    for code, entry in sentences(ENGLISH, "berger").items():
        texts = [entry] if isinstance(entry, str) else [entry[form] for form in entry if form != "by"]
        other = sentences(language, "berger")[code]
        theirs = [other] if isinstance(other, str) else [other[form] for form in entry if form != "by"]
        for text, their in zip(texts, theirs, strict=True):
            assert set(re.findall(r"{(\w+)", text)) == set(re.findall(r"{(\w+)", their)), code
