"""Rounds to pair: written by hand, drawn at random, or taken from the corpus of agreed answers."""

import zipfile
from collections.abc import Iterator
from pathlib import Path
from random import Random

import msgspec

from paircard.domain.values.results import STANDARD, Scoring
from paircard.projections.round.crosstable import Boards, Crosstable, Entry, Prohibition, Row, boards_of
from paircard.projections.round.snapshot import Player, Snapshot, snapshot
from paircard.projections.trf import crosstable, parse


def who(number: int, score: int, history: str = "", *, floats: str = "", points: int | None = None) -> Player:
    """A player by hand; the history holds opponent, colour and letter of each round: ``3w1 0-U 12b=``."""
    rounds = history.split()
    colours = "".join(game[-2] if game[-1] in "1=0WDL?" else "-" for game in rounds)
    return Player(
        id=number,
        number=number,
        score=score,
        points=score if points is None else points,
        opponents=tuple(int(game[:-2]) for game in rounds),
        colours=colours,
        letters="".join(game[-1] for game in rounds),
        floats=floats or "-" * len(rounds),
    )


def before_round(*players: Player, edition: str = "dutch-2026", last: bool = False) -> Snapshot:
    """The snapshot of the round after the players' histories."""
    round = len(players[0].letters) + 1
    return Snapshot(edition=edition, round=round, rounds=round if last else 99, players=players)


def from_rows(rows: dict[int, str], round: int, edition: str, rounds: int) -> Snapshot:
    """The snapshot of a round of a crosstable written like a report: ``3 w 1`` as ``3w1``."""
    table = Crosstable(
        rows=tuple(
            Row(
                id=id,
                number=id,
                entries=tuple(Entry(int(game[:-2]), game[-2], game[-1]) for game in text.split()),
            )
            for id, text in rows.items()
        ),
        rounds=rounds,
        paired=round - 1,
        initial_colour="w",
    )
    return snapshot(table, round, edition)


SCORINGS = (
    STANDARD,
    STANDARD,
    Scoring(win=30, draw=10, pab=30),
    Scoring(pab=5),
    Scoring(win=30, draw=20, loss=10, pab=20),
    Scoring(win=20, draw=10, pab=10),
)

OUTCOMES = ("10", "10", "01", "01", "==", "==", "==", "+-", "-+", "--", "WL", "00", "=0")


def random_round(draw: Random, edition: str, most: int = 14) -> Snapshot:
    """A round after a random history."""
    table = random_table(draw, most)
    return snapshot(table, table.paired + 1, edition)


def random_table(draw: Random, most: int = 14) -> Crosstable:
    """A history that no Swiss engine would produce: anybody met anybody, with any colour.

    Byes of all kinds, forfeits, absences, several scorings, virtual points and prohibited pairs; half of
    them are last rounds.
    """
    size = draw.randint(2, most)
    done = draw.randint(0, min(7, size + 1))
    ids = range(1, size + 1)
    strange = draw.choice((0.0, 0.1, 0.3))
    met: set[frozenset[int]] = set()
    entries: dict[int, list[Entry]] = {id: [] for id in ids}
    for _ in range(done):
        order = list(ids)
        draw.shuffle(order)
        byes = "ZZHFU"
        while order:
            one = order.pop()
            others = (
                [] if draw.random() < strange / 2 else [o for o in order if frozenset((one, o)) not in met]
            )
            if not others:
                letter = draw.choice(byes)
                byes = byes if letter != "U" else "ZZHF"  # one PAB in a round
                entries[one].append(Entry(0, "-", letter))
                continue
            other = others[-1]
            order.remove(other)
            outcome = draw.choice(OUTCOMES) if draw.random() < strange else draw.choice(("10", "01", "=="))
            if not set(outcome) & set("+-"):
                met.add(frozenset((one, other)))
            one_is_white = wanted_white(entries[one], entries[other], draw)
            for id, opponent, colour, letter in (
                (one, other, "wb"[not one_is_white], outcome[0]),
                (other, one, "bw"[not one_is_white], outcome[1]),
            ):
                entries[id].append(Entry(opponent, colour, letter))
    for id in ids[1:]:
        if draw.random() < strange / 2:
            entries[id].append(Entry(0, "-", draw.choice("ZHF")))
    last = draw.random() < 0.5
    accelerated = not last and draw.random() < 0.2  # a last round never is (C.04.7:1.4)
    return Crosstable(
        rows=tuple(
            Row(
                id=id,
                number=id,
                entries=tuple(entries[id]),
                virtual=(10,) * done + (5,) if accelerated and id <= size // 2 else (),
            )
            for id in ids
        ),
        rounds=done + 1 if last else done + 3,
        paired=done,
        scoring=draw.choice(SCORINGS),
        initial_colour=draw.choice("wb"),
        prohibitions=(Prohibition((1, 2)),) if draw.random() < 0.1 else (),
    )


def wanted_white(one: list[Entry], other: list[Entry], draw: Random) -> bool:
    """Usually the one with fewer Whites; sometimes not, or nobody would ever have an absolute preference."""

    def whites(entries: list[Entry]) -> int:
        return sum((e.colour == "w") - (e.colour == "b") for e in entries)

    if draw.random() < 0.4 or whites(one) == whites(other):
        return draw.random() < 0.5
    return whites(one) < whites(other)


class Case(msgspec.Struct, frozen=True):
    """One round with its agreed boards, ``None`` where there is no legal round."""

    name: str
    snapshot: Snapshot
    boards: Boards | None


def agreed(path: Path, edition: str) -> Iterator[Case]:
    """The rounds of an archive of the corpus.

    A tournament that stopped gives its paired rounds only: its file does not say who was absent from the
    round that could not be paired.
    """
    with zipfile.ZipFile(path) as archive:
        names = set(archive.namelist())
        for name in sorted(name for name in names if name.endswith(".trf")):
            table = crosstable(parse(archive.read(name).decode()))
            answer = name.removesuffix(".trf") + ".pairs"
            if answer in names:
                state = snapshot(table, table.paired + 1, edition)
                yield Case(name, state, answer_of(archive.read(answer).decode()))
                continue
            for round in range(1, table.paired + 1):
                state = snapshot(table, round, edition)
                yield Case(f"{name} round {round}", state, boards_of(table, round))


def answer_of(text: str) -> Boards | None:
    """A ``.pairs`` file."""
    lines = text.split("\n")
    if lines[0].strip() == "none":
        return None
    return tuple((int(white), int(black)) for white, black in (line.split() for line in lines[1:] if line))
