"""The next round of a tournament report (TRF): text in, boards out."""

import msgspec

from paircard.domain.deciding.decision import need_type
from paircard.domain.values.rules import NEWEST, RULES
from paircard.pairing.engines import pair
from paircard.pairing.outcome import Pairing, PairingError
from paircard.projections.round.snapshot import Snapshot, in_board_order, snapshot
from paircard.projections.trf.reading import Reading, read
from paircard.projections.trf.records import Report, Rounds
from paircard.projections.trf.text import decode, parse


class NextRound(msgspec.Struct, frozen=True, kw_only=True):
    """A round to be played. Players are meant by their starting ranks in the report."""

    round: int
    edition: str
    """The rules it was paired by."""
    boards: tuple[tuple[int, int], ...]
    """White and Black, in the order of publication."""
    pab: int = 0
    """Who has the pairing-allocated bye; 0 for nobody."""


def next_round(report: str | bytes | Report, *, edition: str = "") -> NextRound:
    """The round after the last one of a report, by the rules the report names, or by another edition.

    Only what a pairing depends on is judged. Raises ``TrfError`` for a report that cannot be read,
    ``PairingError`` for one that lacks what pairing needs, ``NoLegalRound`` where no round exists.
    """
    if not isinstance(report, Report | str | bytes):
        need_type("report", report, str)
    if not isinstance(report, Report):
        report = parse(decode(report) if isinstance(report, bytes) else report, strict=False)
    state = snapshot_to_pair(report, read(report), edition)
    paired = pair(state)
    return NextRound(
        round=state.round, edition=state.edition, boards=published(state, paired), pab=paired.pab
    )


def snapshot_to_pair(report: Report, reading: Reading, edition: str = "") -> Snapshot:
    """What the pairing of the next round sees of a report; refuses where something is missing."""
    table = reading.table
    if not report.of(Rounds):
        raise PairingError("pairing.report-without-rounds")
    if table.paired >= table.rounds:
        raise PairingError("pairing.report-all-paired", rounds=table.rounds)
    name = rules_of(reading, edition)
    for row in table.rows:
        if not RULES[name].known_at_once and not all(entry.letter for entry in row.entries[: table.paired]):
            raise PairingError("pairing.report-game-open", number=row.number)
    if "initial-colour" in RULES[name].draws and not table.initial_colour:
        raise PairingError("pairing.report-without-colour")
    return snapshot(table, table.paired + 1, name)


def rules_of(reading: Reading, edition: str = "") -> str:
    """The edition asked for, else that of record 192, else the one in force."""
    if edition and edition not in RULES:
        raise PairingError("pairing.edition-unknown", text=edition, known=tuple(RULES))
    if not edition and reading.system and not reading.edition:
        raise PairingError("pairing.report-other-system", value=reading.system)
    return edition or reading.edition or NEWEST


def published(state: Snapshot, paired: Pairing) -> tuple[tuple[int, int], ...]:
    """Boards in the order of other engines: by points without virtual ones (C.04.2:3.6), or of the table."""
    if not RULES[state.edition].boards_by_score:
        return tuple((board.white, board.black) for board in paired.boards)
    ranks = {player.id: (player.points, player.number) for player in state.players}
    boards = sorted((board.white, board.black) for board in paired.boards)
    return tuple(in_board_order(boards, ranks))
