"""Seeded random tournaments (VCL Q24-32): paired by the rules, results by the FIDE rating table.

Whatever a setting leaves open is drawn, so that two runs without a seed differ; the seed alone, with
the same settings, gives the same tournament.
"""

import random
from collections.abc import Callable, Mapping, Sequence, Set

import msgspec

from paircard.domain.errors import PaircardError
from paircard.domain.messages import say
from paircard.domain.values.regulations import MOST_ROUNDS
from paircard.domain.values.results import STANDARD, Scoring
from paircard.domain.values.rules import RULES
from paircard.pairing.lab.check import Pair
from paircard.pairing.outcome import Board, NoLegalRound, Pairing
from paircard.projections.round.crosstable import (
    Crosstable,
    Entry,
    Prohibition,
    Row,
    last_of_group_a,
    virtual_by_round,
)
from paircard.projections.round.snapshot import snapshot
from paircard.projections.standings.measures import expected_score

# --- what a random tournament is to be like (VCL Q24-29), and what no tournament can be


class ImpossibleSettings(PaircardError):
    """No tournament can have what was asked for."""


class Amount(msgspec.Struct, frozen=True):
    """How often something happens: a number, or a share in tenths of a percent."""

    number: int = 0
    share: int = 0
    round: int = 0
    """Only in this round; 0 for the whole tournament."""


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """What to play. None is drawn at random; amounts left empty do not happen."""

    edition: str = "dutch-2026"
    players: int | None = None
    rounds: int | None = None
    ratings: tuple[int, ...] = ()
    """Given ones; then there are as many players."""
    highest: int | None = None
    lowest: int | None = None
    gap: int | None = None
    """Rating points from one player to the next, from the highest down."""
    draws: int | None = None
    """Percent of games between equals that are drawn."""
    full_point_byes: tuple[Amount, ...] | None = None
    half_point_byes: tuple[Amount, ...] | None = None
    zero_point_byes: tuple[Amount, ...] | None = None
    forfeits: tuple[Amount, ...] | None = None
    odd_results: tuple[Amount, ...] | None = None
    late: tuple[Amount, ...] = ()
    """Players who enter after round 1."""
    withdrawals: tuple[Amount, ...] = ()
    returns: tuple[Amount, ...] = ()
    """Players who walk out and come back in a later round."""
    by_lot: int = 0
    """So many rounds, the first ones, are paired by lot and not by the rules, as imported ones may be."""
    baku: bool = False
    prohibited: int | tuple[tuple[int, ...], ...] = 0
    """Number of pairs drawn at random, or lists of numbers no two of which may meet."""
    scoring: Scoring = STANDARD
    initial_colour: str = ""
    cycles: int = 1
    """How often everybody meets everybody in a round robin."""
    exchange: bool = True
    """Whether a double one exchanges the last two rounds of its first cycle."""
    postponed: tuple[Amount, ...] = ()
    """Games of a round robin that are still to be played when it is reported."""
    corrections: tuple[Amount, ...] = ()
    """Games of a round robin whose result was first recorded as another."""


AMOUNTS = (
    "full_point_byes", "half_point_byes", "zero_point_byes", "forfeits", "odd_results", "late", "withdrawals",
    "returns", "postponed", "corrections",
)  # fmt: skip
"""Settings that are amounts."""


LACKS = {
    "dutch": ("postponed", "corrections"),
    "round-robin": (
        "rounds", "full_point_byes", "half_point_byes", "zero_point_byes", "late", "returns", "by_lot",
        "baku", "prohibited", "initial_colour",
    ),
}  # fmt: skip
"""Settings that make no sense, by the family of the rules."""


def check_settings(settings: Settings) -> None:
    """Refuse what no draw of lots can bring about, before one is drawn."""
    if settings.players is not None and not 2 <= (len(settings.ratings) or settings.players) <= 9999:
        raise ImpossibleSettings("pairing.too-many-players", entered=settings.players)
    for field in AMOUNTS:
        for amount in getattr(settings, field) or ():
            if settings.rounds is not None and amount.round > settings.rounds:
                raise ImpossibleSettings(
                    "pairing.round-beyond", label=field, round=amount.round, rounds=settings.rounds
                )
            if field == "late" and amount.round == 1:
                raise ImpossibleSettings("pairing.late-in-round-1")
            if field in ("late", "withdrawals", "returns") and settings.rounds == 1 and not amount.round:
                raise ImpossibleSettings("pairing.one-round-too-few", label=field)
    for fields, byes in (
        (("full_point_byes", "half_point_byes", "zero_point_byes"), True),
        (("forfeits", "odd_results"), False),
    ):
        asked = [amount for field in fields for amount in getattr(settings, field) or ()]
        for round in {amount.round for amount in asked}:
            share = sum(amount.share for amount in asked if amount.round in (0, round))
            if share > 1000:
                where = say("pairing.in-round", round=round) if round else say("pairing.in-every-round")
                percent = f"{share // 10}.{share % 10}".removesuffix(".0")
                code = "pairing.share-of-byes" if byes else "pairing.share-of-results"
                raise ImpossibleSettings(code, value=percent, where=where)
    size = len(settings.ratings) or settings.players
    if isinstance(settings.prohibited, int) and size and settings.prohibited > size * (size - 1) // 2:
        pairs = size * (size - 1) // 2
        raise ImpossibleSettings(
            "pairing.too-many-pairs", count=settings.prohibited, entered=size, most=pairs
        )


ODD_RESULTS = (("=", "0"), ("0", "="), ("0", "0"))
FORFEITS = (("+", "-"), ("-", "+"), ("+", "-"), ("-", "+"), ("-", "-"))
"""One forfeit in five is a double one."""
RESULTS = (("1", "0"), ("=", "="), ("0", "1"))


class Played(msgspec.Struct, frozen=True):
    """A tournament that was played to its end, or to a round that nobody can pair."""

    table: Crosstable
    settings: Settings
    """With everything drawn filled in."""
    stopped: int = 0
    """Round for which no legal pairing exists; 0 if all were played."""
    corrected: tuple[tuple[int, Board, tuple[str, str], tuple[str, str]], ...] = ()
    """Round and board of a corrected result, with the letters before and now."""


def name_of(played: Played, seed: int) -> str:
    """What the report of a generated tournament is called."""
    stopped = f" STOPPED at round {played.stopped} (no legal pairing)" if played.stopped else ""
    return f"Random tournament {seed}{stopped}"


def draw_settings(settings: Settings, chance: random.Random) -> Settings:
    """Sensible values for what was left open."""
    rounds = settings.rounds or chance.randint(5, 11)
    size = len(settings.ratings) or settings.players or chance.randint(max(12, 2 * rounds), 100)
    highest = settings.highest or max(chance.randint(2300, 2750), settings.lowest or 0)
    lowest = settings.lowest or min(chance.randint(1200, 2000), highest)
    few = (Amount(share=chance.randint(0, 30)),)
    return msgspec.structs.replace(
        settings,
        players=size,
        rounds=rounds,
        highest=highest,
        lowest=lowest,
        draws=chance.randint(20, 50) if settings.draws is None else settings.draws,
        full_point_byes=() if settings.full_point_byes is None else settings.full_point_byes,
        half_point_byes=few if settings.half_point_byes is None else settings.half_point_byes,
        zero_point_byes=few if settings.zero_point_byes is None else settings.zero_point_byes,
        forfeits=(Amount(share=chance.randint(0, 40)),) if settings.forfeits is None else settings.forfeits,
        odd_results=(Amount(share=chance.randint(0, 5)),)
        if settings.odd_results is None
        else settings.odd_results,
        initial_colour=settings.initial_colour or chance.choice("wb"),
    )


def draw_table(settings: Settings, chance: random.Random) -> Settings:
    """Sensible values for a round robin; the number of rounds follows from the number of players."""
    highest = settings.highest or max(chance.randint(2300, 2750), settings.lowest or 0)
    few = (Amount(share=chance.randint(0, 40)),)
    players = len(settings.ratings) or settings.players or chance.randint(4, 16)
    rounds = (players + players % 2 - 1) * settings.cycles
    if rounds > MOST_ROUNDS:
        raise ImpossibleSettings("table-too-long", entered=players, rounds=rounds, most=MOST_ROUNDS)
    return msgspec.structs.replace(
        settings,
        players=players,
        rounds=rounds,
        highest=highest,
        lowest=settings.lowest or min(chance.randint(1200, 2000), highest),
        draws=chance.randint(20, 50) if settings.draws is None else settings.draws,
        forfeits=few if settings.forfeits is None else settings.forfeits,
        odd_results=() if settings.odd_results is None else settings.odd_results,
    )


DRAWN = {"dutch": draw_settings, "round-robin": draw_table}
"""How what was left open is drawn, by the family of the rules."""


def sample(
    label: str, amount: Amount, places: Sequence[tuple[int, int]], chance: random.Random
) -> list[tuple[int, int]]:
    """The places of an amount: each by its share, or exactly as many as asked for."""
    if amount.share:
        return [place for place in places if chance.randrange(1000) < amount.share]
    if amount.number > len(places):
        code = "pairing.too-many-in-round" if amount.round else "pairing.too-many"
        raise ImpossibleSettings(code, count=amount.number, label=label, round=amount.round, most=len(places))
    return chance.sample(places, amount.number)


def ratings(settings: Settings, chance: random.Random) -> list[int]:
    """Ratings from the highest down: given, with a gap, or drawn between the limits."""
    assert settings.players is not None
    assert settings.highest is not None
    assert settings.lowest is not None
    if settings.ratings:
        return sorted(settings.ratings, reverse=True)
    if settings.gap is not None:
        steps = (settings.highest - settings.gap * place for place in range(settings.players))
        return [max(rating, settings.lowest) for rating in steps]
    return sorted(
        (chance.randint(settings.lowest, settings.highest) for _ in range(settings.players)), reverse=True
    )


Choose = Callable[[Crosstable, int, str], Pairing]
"""A way to pair: takes the tournament so far, the round and the edition."""


def by_rules(pair: Pair) -> Choose:
    """Let a pairing function choose."""
    return lambda table, round, edition: pair(snapshot(table, round, edition))


def simulate(settings: Settings, seed: int, choose: Choose) -> Played:
    """Play a tournament; refuses settings that cannot be had."""
    rules = RULES[settings.edition]
    for field in LACKS[rules.family]:
        if getattr(settings, field):
            raise ImpossibleSettings("pairing.not-of-these-rules", label=field, edition=rules.name)
    check_settings(settings)
    chance = random.Random(seed)
    full = DRAWN[rules.family](settings, chance)
    check_settings(full)
    strength = ratings(full, chance)
    assert full.rounds is not None
    numbers = range(1, len(strength) + 1)
    absences = planned_byes(full, numbers, chance)
    away = absences
    if rules.leavers_keep_seats:
        absences = {round: {} for round in away}
    free = {
        (round, board)
        for round in range(1, full.rounds + 1)
        for board in range((len(strength) - len(absences[round])) // 2)
    }
    forfeits = happenings("forfeits", full.forfeits or (), free, chance)
    odd = happenings("odd_results", full.odd_results or (), free - forfeits, chance)
    postponed = happenings("postponed", full.postponed, free, chance)
    wrong = happenings("corrections", full.corrections, free - postponed, chance)
    corrected = []
    prohibitions = drawn_prohibitions(full, numbers, chance)
    virtual = virtual_points(full, numbers, absences)
    entries: dict[int, list[Entry]] = {number: [] for number in numbers}
    stopped = 0
    for round in range(1, full.rounds + 1):
        for number in numbers:
            if letter := absences[round].get(number):
                entries[number].append(Entry(0, "-", letter))
        table = crosstable(full, strength, entries, virtual, prohibitions, round - 1)
        try:
            here = [number for number in numbers if number not in absences[round]]
            by_lot = round <= full.by_lot
            paired = paired_by_lot(here, chance) if by_lot else choose(table, round, full.edition)
        except NoLegalRound:
            stopped = round
            break
        for at, board in enumerate(paired.boards):
            gone = [side in away[round] for side in (board.white, board.black)]
            if any(gone):
                sides = "-" if gone[0] else "+", "-" if gone[1] else "+"
            elif (round, at) in postponed:
                sides = "", ""
            elif (round, at) in forfeits:
                sides = chance.choice(FORFEITS)
            elif (round, at) in odd:
                sides = chance.choice(ODD_RESULTS)
            else:
                sides = result(strength[board.white - 1], strength[board.black - 1], full.draws or 0, chance)
            if (round, at) in wrong and not any(gone):
                before = chance.choice([one for one in RESULTS if one != sides])
                corrected.append((round, board, before, sides))
            entries[board.white].append(Entry(board.black, "w", sides[0]))
            entries[board.black].append(Entry(board.white, "b", sides[1]))
        if paired.pab:
            entries[paired.pab].append(Entry(0, "-", "U"))
        for number in numbers:  # free in a table
            entries[number] += [Entry()] * (round - len(entries[number]))
    played = stopped - 1 if stopped else full.rounds
    table = crosstable(full, strength, entries, virtual, prohibitions, played)
    return Played(table, full, stopped, tuple(corrected))


def paired_by_lot(players: Sequence[int], chance: random.Random) -> Pairing:
    """Boards and colours drawn by lot; somebody is left if the number is odd."""
    order = chance.sample(list(players), len(players))
    boards = tuple(Board(white, black) for white, black in zip(order[::2], order[1::2], strict=False))
    return Pairing(boards, order[-1] if len(order) % 2 else 0)


def crosstable(
    settings: Settings,
    strength: Sequence[int],
    entries: Mapping[int, Sequence[Entry]],
    virtual: Mapping[int, tuple[int, ...]],
    prohibitions: tuple[Prohibition, ...],
    paired: int,
) -> Crosstable:
    """The tournament as far as it is played."""
    assert settings.rounds is not None
    return Crosstable(
        rows=tuple(
            Row(
                id=number,
                number=number,
                entries=tuple(entries[number]),
                virtual=virtual.get(number, ()),
                name=f"Player {number:04}",
                rating=rating,
            )
            for number, rating in enumerate(strength, 1)
        ),
        rounds=settings.rounds,
        paired=paired,
        scoring=settings.scoring,
        initial_colour=settings.initial_colour,
        prohibitions=prohibitions,
        predetermined=RULES[settings.edition].predetermined,
        exchange=settings.exchange and settings.cycles == 2,
    )


def result(white: int, black: int, draws: int, chance: random.Random) -> tuple[str, str]:
    """A game's result: White's expected score is that of the rating table (B.02:8.1).

    Draws are as frequent as the setting says where the table leaves room for them.
    """
    expected = expected_score(white, [black]) * 100
    drawing = min(draws * 100, 2 * min(expected, 10_000 - expected))
    winning = expected - drawing // 2
    lot = chance.randrange(10_000)
    if lot < winning:
        return "1", "0"
    return ("=", "=") if lot < winning + drawing else ("0", "1")


def happenings(
    label: str, amounts: Sequence[Amount], free: Set[tuple[int, int]], chance: random.Random
) -> set[tuple[int, int]]:
    """Rounds and boards on which something happens; boards are counted from 0 in published order."""
    found: set[tuple[int, int]] = set()
    for amount in amounts:
        places = sorted(place for place in free - found if amount.round in (0, place[0]))
        found.update(sample(label, amount, places, chance))
    return found


def planned_byes(
    settings: Settings, numbers: Sequence[int], chance: random.Random
) -> dict[int, dict[int, str]]:
    """Letters of the byes asked for, by round and player: late entries and withdrawals first."""
    assert settings.rounds is not None
    planned: dict[int, dict[int, str]] = {round: {} for round in range(1, settings.rounds + 1)}
    everybody, end = [(0, number) for number in numbers], settings.rounds + 1
    for label in ("late", "withdrawals", "returns"):
        for amount in getattr(settings, label):
            for _, number in sample(label, msgspec.structs.replace(amount, round=0), everybody, chance):
                earliest, last = (1, end - 2) if label == "returns" else (2, end - 1)
                turn = amount.round or chance.randint(earliest, last)
                back = chance.randint(turn + 1, end) if label == "returns" else end
                for round in range(1, turn) if label == "late" else range(turn, back):
                    planned[round][number] = "Z"
    for letter, label, byes in (
        ("F", "full_point_byes", settings.full_point_byes),
        ("H", "half_point_byes", settings.half_point_byes),
        ("Z", "zero_point_byes", settings.zero_point_byes),
    ):
        for amount in byes or ():
            places = [
                (round, number)
                for round in planned
                if amount.round in (0, round)
                for number in numbers
                if number not in planned[round]
            ]
            for round, number in sample(label, amount, places, chance):
                planned[round][number] = letter
    return planned


def drawn_prohibitions(
    settings: Settings, numbers: Sequence[int], chance: random.Random
) -> tuple[Prohibition, ...]:
    assert settings.rounds is not None
    if isinstance(settings.prohibited, tuple):
        return tuple(Prohibition(ids, 1, settings.rounds) for ids in settings.prohibited)
    if len(numbers) < 2:
        return ()
    pairs: dict[tuple[int, int], None] = {}
    while len(pairs) < settings.prohibited:
        pair = chance.sample(list(numbers), 2)
        pairs[min(pair), max(pair)] = None
    return tuple(Prohibition(pair, 1, settings.rounds) for pair in pairs)


def virtual_points(
    settings: Settings, numbers: Sequence[int], absences: Mapping[int, Mapping[int, str]]
) -> dict[int, tuple[int, ...]]:
    """Baku acceleration if it is asked for (C.04.7); who is absent from round 1 is not in N."""
    if not settings.baku:
        return {}
    assert settings.rounds is not None
    last = last_of_group_a([number for number in numbers if number not in absences[1]])
    points = virtual_by_round(settings.rounds, settings.scoring)
    return {number: points for number in numbers if number <= last}
