"""The check and the generator of ``paircard-engine``, in the words other engines use."""

import os
import random

import msgspec

from paircard.cli.engine.checklist import checklist
from paircard.cli.engine.request import (
    INVALID,
    NO_LEGAL_ROUND,
    Request,
    Stop,
    beside,
    checklist_path,
    text_of,
    understood_report,
    version,
    write,
)
from paircard.domain.values.editions import NEWEST
from paircard.domain.values.results import Scoring
from paircard.domain.values.text import is_number
from paircard.pairing import pair
from paircard.pairing.lab.check import Boards, Paired, boards_of, check_round
from paircard.pairing.lab.simulate import Amount, ImpossibleSettings, Played, Settings, by_rules, simulate
from paircard.pairing.reports import rules_of
from paircard.projections.round.crosstable import Crosstable, points_before
from paircard.projections.round.snapshot import Snapshot, board_order, snapshot
from paircard.projections.trf import PlayerLine, Report, render
from paircard.projections.trf.columns import tenths
from paircard.projections.trf.reading import Reading
from paircard.projections.trf.records import (
    CODES,
    Abnormal,
    Byes,
    Configuration,
    InitialColour,
    Line,
    Record,
    Rounds,
)
from paircard.projections.trf.writing import for_bbp, report_of

LARGEST_SEED = 2**32 - 1


def check(request: Request) -> None:
    """Pair every round again; rounds that differ are shown in two columns."""
    _, reading = understood_report(request.source, request)
    table = reading.table
    rules = rules_of(reading, request.edition)
    name = os.path.splitext(os.path.basename(request.source))[0]
    listed: list[str] = []
    if request.round and not 1 <= int(request.round) <= table.paired:
        raise Stop(INVALID, f"{request.source}: round {request.round} is not among the {table.paired} paired")
    wanted = [int(request.round)] if request.round else range(1, table.paired + 1)
    for round in wanted:
        print(f"{name}: Round #{round}")
        seen: list[Paired] = []

        def remembered(state: Snapshot, seen: list[Paired] = seen) -> Paired:
            seen.append(pair(state))
            return seen[-1]

        found = check_round(table, round, rules, remembered, boards_of(table, round))
        if request.checklist:
            state = snapshot(table, round, rules)
            listed.append(f"Round #{round}\n" + checklist(state, seen[0] if seen else None))
        if found is not None and not found.expected:
            print(f"No valid pairing exists for round {round}.\n")
        elif found is not None:
            print(columns(in_order(table, round, found.expected), in_order(table, round, found.found)))
    print()
    if request.checklist:
        write(checklist_path(request), "".join(listed) + version())


def in_order(table: Crosstable, round: int, boards: Boards) -> Boards:
    """Boards by points, the bye last."""
    points = points_before(table, round)
    ranks = {row.id: (points[row.id], row.number) for row in table.rows}
    games = [board for board in boards if board[1]]
    games.sort(key=lambda board: board_order(ranks[board[0]], ranks[board[1]]))
    return (*games, *(board for board in boards if not board[1]))


def columns(ours: Boards, theirs: Boards) -> str:
    """Two columns of boards under their headings."""
    lines = ["  Checker pairings        Tournament pairings "]
    for at in range(max(len(ours), len(theirs))):
        left = f"{ours[at][0]:>3} - {ours[at][1]:>3}" if at < len(ours) else " " * 9
        right = f"{theirs[at][0]:>3} - {theirs[at][1]:>3}" if at < len(theirs) else ""
        lines.append(f"    {left}{'':16}{right}".rstrip())
    return "\n".join(lines) + "\n"


def generate(request: Request) -> None:
    """Write a random tournament: from a configuration file, from a model, or with everything drawn."""
    seed = random.SystemRandom().randint(0, LARGEST_SEED)
    if request.seed:
        if not is_number(request.seed) or int(request.seed) > LARGEST_SEED:
            raise Stop(INVALID, f"the seed {request.seed[:40]!r} is no number of 0 to {LARGEST_SEED}")
        seed = int(request.seed)
    base = request.source or request.settings
    target = beside(request.target, base) if base else request.target
    if request.source:
        report, reading = understood_report(request.source)
        settings = settings_like(reading, rules_of(reading, request.edition))
        played = play(settings, seed)
        result = fill_model(report, played, seed, settings.edition)
    else:
        settings = read_configuration(text_of(request.settings) if request.settings else "", request)
        played = play(settings, seed)
        texts = [
            ("012", tournament_name(seed, played)),
            ("092", "Individual: Swiss-System"),
            ("182", "Paircard"),
        ]
        result = report_of(played.table, texts=texts, edition=settings.edition)
    result = for_bbp(result)  # what is written must be readable where bbpPairings is expected
    if request.checklist:
        rules, table = settings.edition, played.table
        lists = []
        for round in range(1, table.paired + 1):
            state = snapshot(table, round, rules)
            lists.append(f"Round #{round}\n" + checklist(state, pair(state)))
        write(checklist_path(request), "".join(lists) + version())
    write(target, render(result))
    if played.stopped:
        raise Stop(NO_LEGAL_ROUND, f"no legal round {played.stopped} exists: the tournament ends before it")


def play(settings: Settings, seed: int) -> Played:
    """A tournament, or the reason why there is none."""
    try:
        return simulate(settings, seed, by_rules(pair))
    except ImpossibleSettings as refusal:
        raise Stop(INVALID, str(refusal)) from None


def tournament_name(seed: int, played: Played) -> str:
    """Name of a generated tournament, with its seed."""
    stopped = f" STOPPED at round {played.stopped} (no legal pairing)" if played.stopped else ""
    return f"Random tournament {seed}{stopped}"


def read_configuration(text: str, request: Request) -> Settings:
    """Settings of a configuration file, one ``Key=value`` per line; # opens a remark."""
    values: dict[str, str] = {}
    for at, line in enumerate(text.replace("\r\n", "\n").replace("\r", "\n").split("\n"), 1):
        if not line.strip() or line.startswith("#"):
            continue
        key, equals, value = line.partition("=")
        if not equals or key.strip() not in KEYS:
            known = " ".join(KEYS)
            raise Stop(
                INVALID, f"{request.settings}: line {at}: found {key!r}, allowed: KEY=VALUE of {known}"
            )
        values[key.strip()] = value.strip()
    settings: dict[str, object] = {"edition": request.edition or NEWEST}
    scoring: dict[str, int] = {}
    for key, value in values.items():
        field, kind = KEYS[key]
        try:
            if kind == "points":
                scoring[field] = tenths(value)
            elif kind == "rate":
                settings[field] = (Amount(share=round(1000 / max(1.0, float(value)))),)
            else:
                settings[field] = int(value)
        except ValueError:
            raise Stop(INVALID, f"{request.settings}: {key} is {value[:40]!r}, a number is needed") from None
    win = scoring.get("win", 10)
    settings["scoring"] = Scoring(**{"win": win, "pab": win} | scoring)
    made = msgspec.convert(settings, Settings) if settings else Settings()
    if made.players is not None and not 2 <= made.players <= 9999:
        raise Stop(INVALID, f"{request.settings}: PlayersNumber is {made.players}, 2 to 9999 are allowed")
    if made.rounds is not None and not 1 <= made.rounds <= 99:
        raise Stop(INVALID, f"{request.settings}: RoundsNumber is {made.rounds}, 1 to 99 are allowed")
    if made.draws is not None and not 0 <= made.draws <= 100:
        raise Stop(INVALID, f"{request.settings}: DrawPercentage is {made.draws}, 0 to 100 are allowed")
    for name, rating in (("HighestRating", made.highest), ("LowestRating", made.lowest)):
        if rating is not None and not 1 <= rating <= 9999:
            raise Stop(INVALID, f"{request.settings}: {name} is {rating}, 1 to 9999 are allowed")
    if made.highest and made.lowest and made.highest < made.lowest:
        raise Stop(INVALID, f"{request.settings}: HighestRating is below LowestRating")
    return made


KEYS = {
    "PlayersNumber": ("players", "number"),
    "RoundsNumber": ("rounds", "number"),
    "DrawPercentage": ("draws", "number"),
    "ForfeitRate": ("forfeits", "rate"),
    "RetiredRate": ("withdrawals", "rate"),
    "HalfPointByeRate": ("half_point_byes", "rate"),
    "HighestRating": ("highest", "number"),
    "LowestRating": ("lowest", "number"),
    "PointsForWin": ("win", "points"),
    "PointsForDraw": ("draw", "points"),
    "PointsForLoss": ("loss", "points"),
    "PointsForZPB": ("absence", "points"),
    "PointsForForfeitLoss": ("absence", "points"),
    "PointsForPAB": ("pab", "points"),
}
"""Keys of JaVaFo's and bbpPairings' generators; a rate of N means one in N."""


def settings_like(reading: Reading, rules: str) -> Settings:
    """Settings that give a tournament like the model: its players, rounds, scoring and rates."""
    table = reading.table
    letters = [entry.letter for row in table.rows for entry in row.entries[: table.paired]]
    games = sum(letter in "1=0WDL+-" for letter in letters) or 1
    every = len(letters) or 1

    def share(found: str, of: int) -> tuple[Amount, ...]:
        return (Amount(share=1000 * sum(letter in found for letter in letters) // of),)

    if any(not row.rating for row in table.rows):
        raise Stop(INVALID, "the model has players without a rating: results follow the ratings")
    return Settings(
        edition=rules,
        rounds=table.rounds,
        ratings=tuple(row.rating for row in table.rows),
        draws=100 * sum(letter in "=D" for letter in letters) // games,
        forfeits=share("+-", games),
        full_point_byes=share("F", every),
        half_point_byes=share("H", every),
        zero_point_byes=share("Z", every),
        odd_results=(),
        baku=any(row.virtual for row in table.rows),
        prohibited=tuple(ban.ids for ban in table.prohibitions),
        scoring=table.scoring,
    )


def fill_model(model: Report, played: Played, seed: int, rules: str) -> Report:
    """The model with the rounds, points and places of another tournament, played by these rules."""
    new = {record.number: record for record in report_of(played.table).players()}
    order = iter(sorted(new))
    records: list[Record] = [Line(f"012 {tournament_name(seed, played)}")]
    for record in model.records:
        if type(record) is PlayerLine:
            other = new[next(order)]
            records.append(
                msgspec.structs.replace(
                    record, number=other.number, points=other.points, place=0, entries=other.entries
                )
            )
        elif type(record) is Line and record.code == "192":
            baku = "_BAKU" if record.text.strip().upper().endswith("_BAKU") else ""
            records.append(Line(f"192 {CODES[rules]}{baku}"))
        elif type(record) is Line and record.code == "012":
            records.append(Line(f"### model: {record.text[4:]}".rstrip()))
        elif not isinstance(record, Abnormal | Byes | InitialColour | Configuration | Rounds):
            records.append(record)
    records += [Rounds("142", played.table.rounds), InitialColour(played.table.initial_colour)]
    return Report(tuple(records))
