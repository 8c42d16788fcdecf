"""Which round is meant, for those who ask why: one of the log, or one of a report file.

The round is computed again from what was known when it was paired. Where other boards stand, because the
arbiter altered them or they came from elsewhere, the notes say so.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from paircard.cli.session import Desk
from paircard.domain.errors import Unknown
from paircard.pairing.explain.words import Who
from paircard.projections.round.snapshot import Snapshot

if TYPE_CHECKING:
    from paircard.cli.html.standings import Heading
    from paircard.domain.events import Recorded
    from paircard.projections.history import History

Boards = tuple[tuple[int, int], ...]

BYE_WORDS = ("bye", "pab")


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """A round to be explained."""

    snapshot: Snapshot
    people: dict[int, Who]
    """Everyone of the tournament, also those who came later; numbers are those of the round."""
    heading: "Heading"
    boards: Boards | None
    """As they stand, White first; None for a round that is not paired yet."""
    pab: int = 0
    notes: tuple[str, ...] = ()
    """Why the boards may not be those of the rules."""
    uncoloured: frozenset[int] = frozenset()
    """Players whose colours the report does not tell, since the game was forfeited."""
    gone: dict[int, str] = {}
    """Players who had withdrawn or were expelled."""

    def player(self, text: str) -> int:
        """The player meant: by the pairing number of the round, ``#id``, or a part of the name."""
        from paircard.cli.who import plain

        if text.isdecimal():
            numbered = [p.id for p in self.snapshot.players if p.number == int(text)]
            if not numbered:
                many = len(self.snapshot.players)
                raise Unknown(
                    f"no player has the pairing number {text} in round {self.snapshot.round}: "
                    f"they are 1 to {many}"
                )
            return numbered[0]
        if text.startswith("#") and text[1:].isdecimal():
            if int(text[1:]) not in self.people:
                raise Unknown(f"there is no player {text}")
            return int(text[1:])
        wanted = plain(text)
        if not wanted:
            raise Unknown("a player is named by number, #id or name, not by an empty word")
        names = {id: plain(who.name) for id, who in self.people.items()}
        found = [id for id, name in names.items() if name == wanted] or [
            id for id, name in names.items() if wanted in name
        ]
        if not found:
            raise Unknown(f"no player is called {text[:60]!r}")
        if len(found) > 1:
            may = ", ".join(f"{self.people[id]} #{id}" for id in found[:5])
            more = f" or {len(found) - 5} more" if len(found) > 5 else ""
            raise Unknown(f"{text[:60]!r} may be {may}{more}: name one by number or #id")
        return found[0]

    def late(self, id: int) -> bool:
        """Whether the player entered after the round was paired."""
        return all(player.id != id for player in self.snapshot.players)

    def strangers(self, boards: Boards, pab: int) -> int:
        """How many boards stand that are not among these."""
        ours = set(map(self._seat, boards))
        others = sum(self._seat(board) not in ours for board in self.boards or ())
        return others + (self.pab not in (0, pab))

    def same(self, board: tuple[int, int], boards: Sequence[tuple[int, int]]) -> bool:
        """Whether a board is among these, colours included where they are known."""
        return self._seat(board) in map(self._seat, boards)

    def _seat(self, board: tuple[int, int]) -> tuple[int, int]:
        return (min(board), max(board)) if self.uncoloured.issuperset(board) else board


def asked(desk: Desk, what: str | None, round: int | None, edition: str | None, latin_1: bool) -> Asked:
    """The round meant by an argument: a number, of the log; or a report file, with ``--round``."""
    if what is None or what.isdecimal():
        if round is not None or edition is not None:
            raise click.UsageError("--round and --edition go with a report file: give its name first")
        return of_log(desk, None if what is None else int(what))
    path = Path(what)
    if not path.is_file():
        raise click.ClickException(f"{what[:80]!r} is neither the number of a round nor a report file")
    return of_report(path, round, edition, latin_1)


def of_log(desk: Desk, round: int | None) -> Asked:
    """A paired round of the log, the last one unless told."""
    from paircard.cli.commands.standings import heading
    from paircard.domain.deciding.decision import round_of
    from paircard.projections.history import history
    from paircard.projections.views import snapshot_of, version_paired_from

    log = desk.log()
    now = history(log)
    number = now.paired if round is None else round
    round_of(now.state, number)
    stands = now.rounds[number - 1]
    state = snapshot_of(log, number)
    if stands.fact.origin == "import":  # who was absent was not known before the round came in
        state = with_absences(state, dict(stands.fact.absent))
    then = history(log[: version_paired_from(stands)])
    numbers = {player.id: player.number for player in state.players}
    return Asked(
        snapshot=state,
        people={p.id: Who(numbers.get(p.id, 0), p.details.name) for p in now.state.players},
        heading=heading(now),
        boards=tuple((game.white, game.black) for game in stands.games(0)),
        pab=stands.pab,
        notes=notes_of(log, now, number),
        gone={p.id: p.status for p in then.state.players if p.status},
    )


def with_absences(state: Snapshot, absent: dict[int, str]) -> Snapshot:
    """The snapshot with just these players absent."""
    players = tuple(
        msgspec.structs.replace(player, absent=absent.get(player.id, "")) for player in state.players
    )
    return msgspec.structs.replace(state, players=players)


def notes_of(log: "list[Recorded]", now: "History", round: int) -> tuple[str, ...]:
    """Who altered the round, or where its boards came from."""
    from paircard.domain.events import PairingsAltered

    stands = now.rounds[round - 1]
    for recorded in reversed(log[stands.version :]):
        if stands.altered and isinstance(recorded.fact, PairingsAltered) and recorded.fact.round == round:
            why = f": {recorded.why}" if recorded.why else ""
            return (f"Round {round} was altered by hand by {recorded.who}{why}.",)
    origin = stands.fact.origin
    if origin == "manual":
        return (f"Round {round} was paired by hand, as the engine pairs it.",)
    if origin == "import":
        return (f"The boards of round {round} were brought in from outside.",)
    return ()


def of_report(path: Path, round: int | None, edition: str | None, latin_1: bool) -> Asked:
    """A round of a report file: a paired one, or the next."""
    from paircard.cli.html.standings import Heading
    from paircard.cli.input_files import LARGEST_REPORT, read_bytes
    from paircard.pairing.lab.check import boards_of, uncoloured
    from paircard.projections.round.snapshot import snapshot
    from paircard.projections.trf import TrfError, decode, parse, read

    try:
        report = parse(decode(read_bytes(path, LARGEST_REPORT), "latin-1" if latin_1 else "utf-8"))
        reading = read(report)
    except TrfError as refusal:
        raise click.ClickException(f"{path}: {refusal}") from None
    table = reading.table
    if reading.system and not reading.edition and not edition:
        raise click.ClickException(
            f"{path}: the tournament type is {reading.system}: name the rules with --edition"
        )
    number = max(table.paired, 1) if round is None else round
    if not 1 <= number <= min(table.paired + 1, table.rounds):
        known = f"rounds 1 to {table.paired} are" if table.paired > 1 else f"{table.paired} are"
        raise click.ClickException(f"{path}: round {number} cannot be explained: {known} paired")
    if not table.initial_colour:
        raise click.ClickException(
            f"{path}: the initial colour is not known, so round {number} cannot be paired: "
            "add the colour drawn for number 1 to the file, as record 152 W or 152 B"
        )
    for remark in reading.adjustments:
        click.echo(f"paircard: {path}: {remark}", err=True)
    found = boards_of(table, number) if number <= table.paired else None
    facts = tuple(fact for fact in map(report.text, ("022", "032", "042", "102")) if fact)
    return Asked(
        snapshot=snapshot(table, number, edition or reading.edition or "dutch-2026"),
        people={row.id: Who(row.number, row.name) for row in table.rows},
        heading=Heading(name=report.text("012") or path.stem, facts=facts),
        boards=None if found is None else tuple(board for board in found if board[1]),
        pab=next((white for white, black in found or () if not black), 0),
        uncoloured=uncoloured(table, number),
        notes=()
        if found is not None
        else (f"Round {number} is not paired yet: this is what the rules give.",),
    )
