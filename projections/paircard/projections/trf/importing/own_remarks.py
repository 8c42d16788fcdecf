"""Our own ``###`` lines as commands: expulsions, lots, play-offs, and leaving FIDE mode."""

from msgspec.structs import replace

from paircard.domain.commands import (
    UNSIGNED,
    Command,
    DrawLots,
    ExpelPlayer,
    LeaveFideMode,
    SetExternalTiebreak,
)
from paircard.projections.trf.format.problems import quoted
from paircard.projections.trf.format.records import Report
from paircard.projections.trf.notes import Notes
from paircard.projections.trf.reading.national import whole
from paircard.projections.trf.reading.remarks import (
    EXPULSION,
    FIDE_MODE_LEFT,
    LOTS,
    OUTSIDE_VALUES,
    RANKED_BY_HAND,
    remarks_of,
)


def expulsions(report: Report, id_of: dict[int, int], last: int, notes: Notes) -> dict[int, int]:
    """First round each expelled player was out of, by id."""
    found: dict[int, int] = {}
    for remark in remarks_of(report, EXPULSION):
        first, _, who = remark.partition(": ")
        round, number = whole(first), whole(who.strip())
        if 1 <= round <= last and number in id_of:
            found[id_of[number]] = round
        else:
            notes.add("remark left out, no such player or round", quoted(f"{EXPULSION}{remark}"))
    return found


def expel(expelled: dict[int, int], first: int, last: int) -> list[Command]:
    """Those expelled from one of these rounds on."""
    reason = replace(UNSIGNED, why="expelled, as the imported report says")
    return [ExpelPlayer(player=id, meta=reason) for id, round in expelled.items() if first <= round <= last]


def leave_fide_mode(report: Report, paired: int, last: int) -> list[Command]:
    """Leave FIDE mode where the file says it was left, when this number of rounds is paired: there is no way
    back, not by a file either (VCL 45)."""
    for remark in remarks_of(report, FIDE_MODE_LEFT)[:1]:
        if min(whole(remark.removeprefix("@ Round ")), last) == paired:
            why = "FIDE mode was left, as the imported report says"
            terms = replace(UNSIGNED, why=why, acknowledge=("leave-fide-mode",))
            return [LeaveFideMode(filed=True, meta=terms)]
    return []


def ties_decided(report: Report, id_of: dict[int, int], notes: Notes) -> list[Command]:
    """Lots, rankings by hand and tie-break values from outside, in the order of the file."""
    commands: list[Command] = []
    announced = [code.strip().upper() for code in (report.text("202") or report.text("212")).split(",")]
    for remark in remarks_of(report, OUTSIDE_VALUES):
        name, _, pairs = remark.partition(": ")
        values = _values(pairs, id_of)
        if values is None or name.upper() not in announced:
            notes.add("remark left out, no such player or tie-break", quoted(f"{OUTSIDE_VALUES}{remark}"))
            continue
        commands += [SetExternalTiebreak(player=id, name=name, value=value) for id, value in values]
    for begin, by_hand in ((LOTS, False), (RANKED_BY_HAND, True)):
        for remark in remarks_of(report, begin):
            numbers = [whole(word) for word in remark.split()]
            if len(numbers) < 2 or len(set(numbers)) < len(numbers) or not set(numbers) <= id_of.keys():
                notes.add("remark left out, it names no tied players", quoted(f"{begin}{remark}"))
                continue
            why = "ranked by hand, as the imported report says" if by_hand else ""
            players = tuple(id_of[number] for number in numbers)
            commands.append(DrawLots(players=players, by_hand=by_hand, meta=replace(UNSIGNED, why=why)))
    return commands


def _values(pairs: str, id_of: dict[int, int]) -> list[tuple[int, int]] | None:
    """Id and value in hundredths of ``3=1.5 7=-0.25``; None if a pair is none."""
    found = []
    for pair in pairs.split():
        number, _, value = pair.partition("=")
        whole_part, _, decimals = value.removeprefix("-").partition(".")
        digits = whole_part + decimals
        plain = whole_part and digits.isascii() and digits.isdecimal()
        if whole(number) not in id_of or not plain or len(digits) > 9 or len(decimals) > 2:
            return None
        hundredths = int(whole_part) * 100 + int(decimals.ljust(2, "0"))
        found.append((id_of[whole(number)], -hundredths if value.startswith("-") else hundredths))
    return found
