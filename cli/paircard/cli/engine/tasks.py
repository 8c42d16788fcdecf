"""The check, the generator and the check list of ``paircard-engine``, in the words other engines use."""

import os
import random
from typing import Final

import msgspec

from paircard.cli.engine import request as engine
from paircard.cli.engine.request import INVALID, NO_LEGAL_ROUND, Request, Stop
from paircard.domain.values.results import Scoring
from paircard.domain.values.rules import NEWEST
from paircard.domain.values.text import is_number
from paircard.pairing import Pairing, pair
from paircard.pairing.dutch.editions import EDITIONS
from paircard.pairing.lab import simulate as lab
from paircard.pairing.lab.check import check_round
from paircard.pairing.reports import rules_of
from paircard.projections.round.crosstable import Boards, Crosstable, boards_of, points_before
from paircard.projections.round.snapshot import Player, Snapshot, colour_due, in_board_order, snapshot
from paircard.projections.trf import PlayerLine, Report, records, render
from paircard.projections.trf.lines import points_text, tenths
from paircard.projections.trf.reading import Reading
from paircard.projections.trf.writing import for_bbp, report_of

FLOATS = {"d": "D", "u": "U", "-": " "}


def shown_preference(colours: str) -> str:
    """``W `` absolute, ``(W)`` strong, ``w `` mild, ``A `` none (C.04.3:1.7)."""
    due = colour_due(colours)
    if due.strength == "strong":
        return f"({due.colour.upper()})"
    return f"{due.colour.upper() if due.strength == 'absolute' else due.colour or 'A'} "


def checklist(state: Snapshot, paired: Pairing | None) -> str:
    """The whole list; without a pairing the column for it is empty. A table has no such list."""
    if state.edition not in EDITIONS:
        raise Stop(INVALID, "explain-no-brackets", round=state.round)
    current: dict[int, str] = {}
    if paired is not None:
        for board in paired.boards:
            current[board.white] = f"({board.black}W)"
            current[board.black] = f"({board.white}B)"
        if paired.pab:
            current[paired.pab] = "(bye)"
    players = sorted((p for p in state.players if not p.absent), key=lambda p: (-p.score, p.number))
    past = state.round - 1
    edition = EDITIONS[state.edition]
    names = [edition.name_of(name).replace(".", "") for name in ("C2", "C14", "C16")]
    header = ["ID", "Pts", "-" * state.round, "Pref", *names, "Cur", ""]
    header += [f"R{round}" for round in range(1, state.round)]
    rows = [row(player, past, state, current) for player in players]
    widths = [max(map(len, column)) for column in zip(header, *rows, strict=True)]
    lines = ["", line(header, widths)]
    score = None
    for player, cells in zip(players, rows, strict=True):
        if player.score != score:
            lines.append("")
        score = player.score
        lines.append(line(cells, widths))
    return "\n".join(lines) + "\n\n\n"


def row(player: Player, past: int, state: Snapshot, current: dict[int, str]) -> list[str]:
    """One player's cells."""
    may = state.bars.isdisjoint(player.letters)
    floats = [FLOATS[player.floats[past - back]] if past >= back else " " for back in (1, 2)]
    met = [
        str(opponent) if colour != "-" else ""
        for opponent, colour in zip(player.opponents, player.colours, strict=True)
    ]
    return [
        str(player.id),
        points_text(player.score),
        player.colours.replace("-", "").upper(),
        shown_preference(player.colours),
        "Y" if may else "N",
        *floats,
        current.get(player.id, ""),
        "",
        *met,
    ]


def line(cells: list[str], widths: list[int]) -> str:
    """Cells right-aligned, each followed by a tab."""
    return "".join(f"{cell:>{width}}\t" for cell, width in zip(cells, widths, strict=True))


LARGEST_SEED = 2**32 - 1


def check(request: Request) -> None:
    """Pair every round again; rounds that differ are shown in two columns."""
    _, reading = engine.understood_report(request.source, request)
    table = reading.table
    rules = rules_of(reading, request.edition)
    name = os.path.splitext(os.path.basename(request.source))[0]
    listed: list[str] = []
    if request.round and not 1 <= int(request.round) <= table.paired:
        raise Stop(INVALID, "cli.engine.not-paired", path=request.source, id=request.round, last=table.paired)
    wanted = [int(request.round)] if request.round else range(1, table.paired + 1)
    for round in wanted:
        print(f"{name}: Round #{round}")
        seen: list[Pairing] = []

        def remembered(state: Snapshot, seen: list[Pairing] = seen) -> Pairing:
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
        engine.write(engine.checklist_path(request), "".join(listed) + engine.version())


def in_order(table: Crosstable, round: int, boards: Boards) -> Boards:
    """Boards by points, the bye last."""
    points = points_before(table, round)
    ranks = {row.id: (points[row.id], row.number) for row in table.rows}
    games = [board for board in boards if board[1]]
    return (*in_board_order(games, ranks), *(board for board in boards if not board[1]))


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
            raise Stop(INVALID, "cli.engine.seed", text=request.seed, last=LARGEST_SEED)
        seed = int(request.seed)
    base = request.source or request.settings
    target = engine.beside(request.target, base) if base else request.target
    if request.source:
        report, reading = engine.understood_report(request.source)
        settings = settings_like(reading, rules_of(reading, request.edition))
        played = play(settings, seed)
        result = fill_model(report, played, seed, settings.edition)
    else:
        settings = read_configuration(engine.text_of(request.settings) if request.settings else "", request)
        played = play(settings, seed)
        texts = [
            ("012", lab.name_of(played, seed)),
            ("092", "Individual: Swiss-System"),
            ("182", "Paircard"),
        ]
        result = report_of(played.table, texts=texts, system=records.CODES[settings.edition])
    result = for_bbp(result)  # what is written must be readable where bbpPairings is expected
    if request.checklist:
        rules, table = settings.edition, played.table
        lists = []
        for round in range(1, table.paired + 1):
            state = snapshot(table, round, rules)
            lists.append(f"Round #{round}\n" + checklist(state, pair(state)))
        engine.write(engine.checklist_path(request), "".join(lists) + engine.version())
    engine.write(target, render(result))
    if played.stopped:
        raise Stop(NO_LEGAL_ROUND, "cli.engine.stopped", round=played.stopped)


def play(settings: lab.Settings, seed: int) -> lab.Played:
    """A tournament, or the reason why there is none."""
    try:
        return lab.simulate(settings, seed, lab.by_rules(pair))
    except lab.ImpossibleSettings as refusal:
        raise Stop(INVALID, "cli.engine.told", value=str(refusal)) from None


def read_configuration(text: str, request: Request) -> lab.Settings:
    """Settings of a configuration file, one ``Key=value`` per line; # opens a remark."""
    values: dict[str, str] = {}
    for at, line in enumerate(text.replace("\r\n", "\n").replace("\r", "\n").split("\n"), 1):
        if not line.strip() or line.startswith("#"):
            continue
        key, equals, value = line.partition("=")
        if not equals or key.strip() not in KEYS:
            known = " ".join(KEYS)
            raise Stop(INVALID, "cli.engine.key", path=request.settings, line=at, text=key, value=known)
        values[key.strip()] = value.strip()
    settings: dict[str, object] = {"edition": request.edition or NEWEST}
    scoring: dict[str, int] = {}
    path = request.settings
    for key, value in values.items():
        field, *limits = KEYS[key]
        try:
            if limits:
                settings[field] = number = int(value)
            elif field in Scoring.__struct_fields__:
                scoring[field] = tenths(value)
            else:
                settings[field] = (lab.Amount(share=round(1000 / max(1.0, float(value)))),)
        except ValueError:
            raise Stop(INVALID, "cli.engine.not-a-number", path=path, id=key, text=value) from None
        if limits and not limits[0] <= number <= limits[1]:
            first, last = limits
            raise Stop(INVALID, "cli.engine.limit", path=path, id=key, number=number, first=first, last=last)
    win = scoring.get("win", 10)
    settings["scoring"] = Scoring(**{"win": win, "pab": win} | scoring)
    made = msgspec.convert(settings, lab.Settings)
    if made.highest and made.lowest and made.highest < made.lowest:
        raise Stop(INVALID, "cli.engine.ratings-turned", path=path)
    return made


KEYS: Final[dict[str, tuple[str, *tuple[int, ...]]]] = {
    "PlayersNumber": ("players", 2, 9999),
    "RoundsNumber": ("rounds", 1, 99),
    "DrawPercentage": ("draws", 0, 100),
    "ForfeitRate": ("forfeits",),
    "RetiredRate": ("withdrawals",),
    "HalfPointByeRate": ("half_point_byes",),
    "HighestRating": ("highest", 1, 9999),
    "LowestRating": ("lowest", 1, 9999),
    "PointsForWin": ("win",),
    "PointsForDraw": ("draw",),
    "PointsForLoss": ("loss",),
    "PointsForZPB": ("absence",),
    "PointsForForfeitLoss": ("absence",),
    "PointsForPAB": ("pab",),
}
"""Keys of JaVaFo's and bbpPairings' generators and what they set: a number with its limits, points, or a
rate, of which N means one in N."""


def settings_like(reading: Reading, rules: str) -> lab.Settings:
    """Settings that give a tournament like the model: its players, rounds, scoring and rates."""
    table = reading.table
    letters = [entry.letter for row in table.rows for entry in row.entries[: table.paired]]
    games = sum(letter in "1=0WDL+-" for letter in letters) or 1
    every = len(letters) or 1

    def share(found: str, of: int) -> tuple[lab.Amount, ...]:
        return (lab.Amount(share=1000 * sum(letter in found for letter in letters) // of),)

    if any(not row.rating for row in table.rows):
        raise Stop(INVALID, "cli.engine.model-unrated")
    return lab.Settings(
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


FOLLOWING: Final = (
    records.Abnormal, records.Byes, records.InitialColour, records.Configuration, records.Rounds,
)  # fmt: skip
"""Records that follow from the rounds."""


def fill_model(model: Report, played: lab.Played, seed: int, rules: str) -> Report:
    """The model with the rounds, points and places of another tournament, played by these rules."""
    new = {record.number: record for record in report_of(played.table).players()}
    order = iter(sorted(new))
    made: list[records.Record] = [records.Line(f"012 {lab.name_of(played, seed)}")]
    for record in model.records:
        if type(record) is PlayerLine:
            other = new[next(order)]
            made.append(
                msgspec.structs.replace(
                    record, number=other.number, points=other.points, place=0, entries=other.entries
                )
            )
        elif type(record) is records.Line and record.code == "192":
            baku = "_BAKU" if record.text.strip().upper().endswith("_BAKU") else ""
            made.append(records.Line(f"192 {records.CODES[rules]}{baku}"))
        elif type(record) is records.Line and record.code == "012":
            made.append(records.Line(f"### model: {record.text[4:]}".rstrip()))
        elif not isinstance(record, FOLLOWING):
            made.append(record)
    made += [
        records.Rounds("142", played.table.rounds),
        records.InitialColour(played.table.initial_colour),
    ]
    return Report(tuple(made))
