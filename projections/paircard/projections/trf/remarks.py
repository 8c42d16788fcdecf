"""The ``###`` lines of a report: breaches of pairing integrity (VCL §1.2), and facts that no record holds.

None is typed by hand. Numbers are those of the file that the lines stand in; a round that was unpaired
takes its lines with it. Read back they explain differences, and some become facts again.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter

from msgspec.structs import replace

from paircard.domain import commands as ask
from paircard.domain import events
from paircard.domain.commands import UNSIGNED, Command
from paircard.domain.deciding.numbering import order_with_newcomers
from paircard.domain.events import IRREGULAR, Board, Event, Played, Recorded
from paircard.domain.messages import say
from paircard.domain.rounds import ADJOURNED, Round
from paircard.domain.state import NOTHING, Tournament, evolve
from paircard.domain.values.regulations import DESCRIPTIVE, given
from paircard.domain.values.results import DRAWN, Outcome, decimal
from paircard.domain.values.rules import RULES
from paircard.projections.round.crosstable import Crosstable
from paircard.projections.standings.standings import outside_values, remarks_on_leavers
from paircard.projections.trf.lines import number_in
from paircard.projections.trf.notes import Notes
from paircard.projections.trf.reading import RATINGS
from paircard.projections.trf.records import Report

# --- read back


EXPULSION = "Expulsion @ Round "
"""Why a player has no place (VCL 197-198): ``### Expulsion @ Round 3: 7``."""

LOTS = "Lots: "
"""Tied players in the order lots gave them (VCL 204): ``### Lots: 7 3``."""

RANKED_BY_HAND = "Ranked by hand: "
"""Tied players in the order the arbiter gave them (VCL 205)."""

OUTSIDE_VALUES = "Tie-break "
"""Values from outside (VCL 207): ``### Tie-break OTHER_PLAYOFF: 7=1.5 3=0.5``."""

FIDE_MODE_LEFT = "FIDE mode exited "
"""Followed by ``@ Round 3`` or ``before Round 1 was paired`` (VCL 44)."""

LEFT_EARLY = "Left early: "
"""Who left a round robin before half of the games (C.05:6.6): ``### Left early: 7, 2 of 9 …``."""

RESTORED = (RATINGS, EXPULSION, LEFT_EARLY, LOTS, RANKED_BY_HAND, OUTSIDE_VALUES, FIDE_MODE_LEFT)
"""Remarks that become facts on import; the export writes them from those facts."""


def explaining(report: Report, round: int) -> tuple[str, ...]:
    """The ``###`` lines that may explain why a round is not the one the rules give for this file."""
    form = re.compile(r"([A-Z][A-Za-z ]*) @ Round (\d{1,3})\b(.*)")
    return tuple(
        f"### {line}"
        for line in report.remarks("")
        if (parts := form.match(line)) and explains(parts[1], int(parts[2]), parts[3], round)
    )


def rating_corrections(report: Report) -> tuple[str, ...]:
    """The ``###`` lines on corrections that no standings use: places stay what they were (C.04.2:4.3)."""
    begin = "Rating correction @ Round"
    return tuple(f"### {begin}{rest}" for rest in report.remarks(begin))


def explains(kind: str, named: int, rest: str, round: int) -> bool:
    """Whether a remark on the round it names may explain a difference in another."""
    seats = re.match(r": \d+-\d+( =>|:\S)", rest) is not None  # colours, or boards, as they were played
    match kind:
        case "MPA" | "Import" | "FPB" | "Bye":
            return round == named
        case "Correction":  # the next round was paired with the first result (C.04.2:4.3)
            return round == named + 1 or (seats and round == named)
        case "Adjournment":  # a draw for pairing purposes until the result was known (C.04.2:3.1)
            return round > named
        case "Rating correction":  # a result; a rating moves no number
            return round > named - seats and re.match(r": \d+-\d+", rest) is not None
        case "Regeneration" | "Exchange":  # the file has the numbers of the end
            return round < named
        case "Configuration":
            return round <= named
        case _:
            return False


# --- read back as commands


def expulsions(report: Report, id_of: dict[int, int], last: int, notes: Notes) -> dict[int, int]:
    found: dict[int, int] = {}
    for remark in report.remarks(EXPULSION):
        first, _, who = remark.partition(": ")
        round, number = number_in(first), number_in(who.strip())
        if 1 <= round <= last and number in id_of:
            found[id_of[number]] = round
        else:
            notes.add(say("trf.note.remark-of-nobody"), say("trf.at.remark", text=f"{EXPULSION}{remark}"))
    return found


def expel(expelled: dict[int, int], first: int, last: int) -> Iterator[Command]:
    """Those expelled from one of these rounds on."""
    reason = replace(UNSIGNED, why="expelled, as the imported report says")
    return (
        ask.ExpelPlayer(player=id, meta=reason) for id, round in expelled.items() if first <= round <= last
    )


def withdraw(
    report: Report, table: Crosstable, id_of: Mapping[int, int], gone: Collection[int], notes: Notes
) -> Iterator[Command]:
    """Who left a round robin before half of the games, as we wrote it or as the games tell (C.05:6.6)."""
    said = {number_in(remark.partition(",")[0]) for remark in report.remarks(LEFT_EARLY)} & id_of.keys()
    inferred = [one for one in remarks_on_leavers(table, table.paired) if one.fields["number"] not in said]
    for remark in inferred:
        notes.add(remark)
    left = {id_of[number] for number in said | {one.fields["number"] for one in inferred}}
    return (ask.WithdrawPlayer(player=id) for id in sorted(left - set(gone)))


def leave_fide_mode(report: Report, paired: int, last: int) -> Iterator[Command]:
    """Leave FIDE mode where the file says it was left, when this number of rounds is paired: there is no way
    back, not by a file either (VCL 45)."""
    for remark in report.remarks(FIDE_MODE_LEFT)[:1]:
        if min(number_in(remark.removeprefix("@ Round ")), last) == paired:
            why = "FIDE mode was left, as the imported report says"
            terms = replace(UNSIGNED, why=why, acknowledge=("leave-fide-mode",))
            yield ask.LeaveFideMode(filed=True, meta=terms)


def ties_decided(report: Report, id_of: dict[int, int], notes: Notes) -> Iterator[Command]:
    """Lots, rankings by hand and tie-break values from outside, in the order of the file."""
    announced = [code.strip().upper() for code in report.tiebreak_list.split(",")]
    for remark in report.remarks(OUTSIDE_VALUES):
        name, _, pairs = remark.partition(": ")
        values = _values(pairs, id_of)
        if values is None or name.upper() not in announced:
            where = say("trf.at.remark", text=f"{OUTSIDE_VALUES}{remark}")
            notes.add(say("trf.note.remark-without-tiebreak"), where)
            continue
        yield from (ask.SetExternalTiebreak(player=id, name=name, value=value) for id, value in values)
    for begin, by_hand in ((LOTS, False), (RANKED_BY_HAND, True)):
        for remark in report.remarks(begin):
            numbers = [number_in(word) for word in remark.split()]
            if len(numbers) < 2 or len(set(numbers)) < len(numbers) or not set(numbers) <= id_of.keys():
                notes.add(say("trf.note.remark-not-tied"), say("trf.at.remark", text=f"{begin}{remark}"))
                continue
            why = "ranked by hand, as the imported report says" if by_hand else ""
            players = tuple(id_of[number] for number in numbers)
            yield ask.DrawLots(players=players, by_hand=by_hand, meta=replace(UNSIGNED, why=why))


def _values(pairs: str, id_of: dict[int, int]) -> list[tuple[int, int]] | None:
    """Id and value in hundredths of ``3=1.5 7=-0.25``; None if a pair is none."""
    found = []
    for pair in pairs.split():
        parts = re.fullmatch(r"(\d+)=(-?)(\d{1,7})(?:\.(\d{0,2}))?", pair, re.ASCII)
        if parts is None or number_in(parts[1]) not in id_of:
            return None
        found.append((id_of[number_in(parts[1])], int(parts[2] + parts[3] + (parts[4] or "").ljust(2, "0"))))
    return found


# --- written


CLOSED_EARLY = "Closed after round "
RATING_REPORT = "Rating correction @ Round "

TOKENS = {"W": "1", "L": "0", "D": "="}
"""Results are written in ASCII; a game under one move like any other."""


def remarks(log: Sequence[Recorded], numbers: Mapping[int, int]) -> list[str]:
    """The lines without their ``###``, in the order of the log."""
    lines: list[tuple[int, str, int]] = []
    """The round whose unpairing removes the line, the line, and how many rounds were paired then."""
    state = NOTHING
    for recorded in log:
        fact = recorded.fact
        if isinstance(fact, events.RoundUnpaired):
            before = fact.round - 1
            lines = [(at, line, min(paired, before)) for at, line, paired in lines if at != fact.round]
        elif isinstance(fact, events.PairingsAltered):
            # the last alteration of a round holds all of it
            lines = [one for one in lines if one[0] != fact.round or not one[1].startswith("MPA")]
        elif isinstance(fact, events.ResultCorrected) and fact.scope == "pairing-next":
            # the result of an adjourned game, put right before it counted for any pairing
            pair = seated(state.rounds[fact.round - 1], fact.board, numbers)
            wrong = f"Adjournment @ Round {fact.round}: {pair} "
            lines = [one for one in lines if not one[1].startswith(wrong)]
        elif isinstance(fact, events.PlayerReinstated):
            expulsion = re.compile(rf"{EXPULSION}\d+: {numbers.get(fact.player, 0)}")
            lines = [one for one in lines if not expulsion.fullmatch(one[1])]
        elif isinstance(fact, events.TournamentReopened):
            lines = [one for one in lines if not one[1].startswith(CLOSED_EARLY)]
        for round, line in remarks_on(state, fact, numbers):
            # no pairing uses what counts for the rating report only
            paired = 0 if line.startswith(RATING_REPORT) else state.paired
            undone = (round, reversed_change(line), paired)
            if undone in lines:  # before any round was paired by it: all is as before (VCL 114)
                lines.remove(undone)
            else:
                lines.append((round, line, paired))
        state = evolve(state, fact)
    texts = [line for _, line, _ in lines]
    return texts + values_by_tiebreak(state, numbers) + ratings_by_round(state, numbers)


def values_by_tiebreak(state: Tournament, numbers: Mapping[int, int]) -> list[str]:
    """Tie-break values from outside, a line for each tie-break (VCL 207)."""
    lines = []
    for name, values in outside_values(state).items():
        listed = sorted((numbers[id], value) for id, value in values.items() if id in numbers)
        if listed:
            pairs = " ".join(f"{number}={shortest(value)}" for number, value in listed)
            lines.append(f"{OUTSIDE_VALUES}OTHER_{name}: {pairs}")
    return lines


def shortest(hundredths: int) -> str:
    """``1.5`` for 150."""
    return decimal(hundredths, 2).rstrip("0").rstrip(".")


def ratings_by_round(state: Tournament, numbers: Mapping[int, int]) -> list[str]:
    """Ratings that further lists brought, where rating tie-breaks go by them (VCL 214)."""
    if state.regulations.tiebreak_ratings != "round":
        return []
    listed = [one for one in state.players if one.id in numbers]
    found = sorted((first, numbers[one.id], rating) for one in listed for first, rating in one.ratings)
    return [
        f"{RATINGS}{first}: " + " ".join(f"{number}={rating}" for _, number, rating in same)
        for first, same in groupby(found, key=itemgetter(0))
    ]


def reversed_change(line: str) -> str:
    """The line of the correction that this one takes back; empty for other lines."""
    found = re.fullmatch(r"((?:Rating c|C)orrection @ Round \d+: (?:\S+: )?)(.+?) => (.+?)( \(.*\))?", line)
    return f"{found[1]}{found[3]} => {found[2]}{found[4] or ''}" if found else ""


def remarks_on(state: Tournament, fact: Event, numbers: Mapping[int, int]) -> list[tuple[int, str]]:
    """The lines of one fact, each with the round whose unpairing removes it; 0 for none."""
    match fact:
        case events.TournamentImported(adjustments=adjustments):
            return [(0, line) for line in adjustments if line.startswith(IRREGULAR)]
        case events.PairingsAltered(round=round):
            ours = tokens(fact.engine_boards, fact.engine_pab, numbers)
            theirs = tokens(fact.boards, fact.pab, numbers)
            dropped = " ".join(seat for seat in ours if seat not in theirs) or "none"
            instead = " ".join(seat for seat in theirs if seat not in ours)
            return [(round, f"MPA @ Round {round}: {dropped} => {instead}")] if instead else []
        case events.ResultCorrected(round=round, board=board, outcome=new, was=old, scope=scope):
            pair = seated(state.rounds[round - 1], board, numbers)
            if scope == "pairing-next" and was_a_draw(state, round) and new not in DRAWN:
                return [(0, f"Adjournment @ Round {round}: {pair} {spelling(new)}")]
            return corrected(scope, round, f"{pair}: {spelling(old)} => {spelling(new)}", state.paired)
        case events.ColoursCorrected(round=round, white=white, black=black, scope=scope):
            change = f"{token((black, white), numbers)} => {token((white, black), numbers)}"
            return corrected(scope, round, change, state.paired, seen="colours")
        case events.BoardsCorrected(round=round, scope=scope):
            change = f"{as_played(fact.was, fact.pab_was, fact, numbers)} => "
            change += as_played(fact.boards, fact.pab, fact, numbers)
            return corrected(scope, round, change, state.paired, seen="boards")
        case events.ResultRecorded(round=round, board=board, outcome=outcome):
            was = state.rounds[round - 1].game(board).outcome
            if was == ADJOURNED and outcome not in DRAWN and was_a_draw(state, round):
                pair = seated(state.rounds[round - 1], board, numbers)
                return [(0, f"Adjournment @ Round {round}: {pair} {spelling(outcome)}")]
            return []
        case events.PairingNumbersAssigned(order=order, cause=cause) if (
            state.paired and cause != "late-entry"
        ):
            return renumbered(state, order, cause)
        case events.TournamentDetailsChanged(changes=changes) if state.paired:
            when, before = f"Configuration @ Round {state.paired}", state.regulations
            return [
                (0, f"{when}: {name} {plain(getattr(before, name))} => {plain(new)}")
                for name, new in given(changes).items()
                if name not in DESCRIPTIVE
            ]
        case events.RatingCorrected(player=player, rating=rating, was=old) if player in numbers:
            change = f"{numbers[player]}: {old} => {rating}"
            return [(0, f"{RATING_REPORT}{state.paired}: {change} (the number stays)")]
        case events.RoundPaired(round=round, absent=absent):
            return [
                (round, f"FPB @ Round {round}: {numbers.get(id, 0)}=FPB")
                for id, letter in absent
                if letter == "F"
            ]
        case events.PlayerExpelled(player=player, round=round, ranked=False):
            return [(0, f"{EXPULSION}{round}: {numbers.get(player, 0)}")]
        case events.PlayerReinstated(player=player, round=round) if (
            state.rounds and player in dict(state.rounds[-1].absent)  # who missed a round
        ):
            return [(0, f"Reinstatement @ Round {round}: {numbers.get(player, 0)}")]
        case events.RoundUnpaired(round=round) if state.rounds[-1].published:
            seats = " ".join(tokens(state.rounds[-1].boards, state.rounds[-1].pab, numbers))
            return [(0, f"Unpairing @ Round {round}: {seats} => none (published, taken back unplayed)")]
        case events.ByeGranted(player=player, round=round, letter=letter) if round <= state.paired:
            number = numbers.get(player, 0)
            return [(round, f"Bye @ Round {round}: {number}=ZPB => {number}={letter}PB")]
        case events.ProhibitionLifted(players=players) if state.paired:
            listed = " ".join(str(numbers.get(id, 0)) for id in players)
            return [(0, f"Configuration @ Round {state.paired}: prohibited {listed} => lifted")]
        case events.FideModeLeft(round=round):
            when = f"@ Round {round}" if round else "before Round 1 was paired"
            return [(0, f"{FIDE_MODE_LEFT}{when}")]
        case events.LotsDrawn(players=players, method=method) if all(id in numbers for id in players):
            drawn = " ".join(str(numbers[id]) for id in players)
            return [(0, f"{LOTS if method == 'lots' else RANKED_BY_HAND}{drawn}")]
        case events.TournamentClosed(rounds=rounds) if rounds < state.regulations.rounds:
            return [(0, f"{CLOSED_EARLY}{rounds} of {state.regulations.rounds}")]
        case _:
            return []


def was_a_draw(state: Tournament, round: int) -> bool:
    """Whether a later pairing took an open game of the round for a draw (C.04.2:3.1); no table does."""
    return state.paired > round and not RULES[state.regulations.edition].rounds_overlap


def corrected(scope: str, round: int, change: str, paired: int, seen: str = "") -> list[tuple[int, str]]:
    """A correction breaches nothing while the next round is not paired (C.04.2:4.3); of colours and boards
    a checker will always see others than those that were paired."""
    if scope == "rating-report-only":
        return [(0, f"{RATING_REPORT}{round}: {change} (pairings and standings used the first)")]
    if seen:
        return [(round, f"Correction @ Round {round}: {change} ({seen} as played)")]
    return [(paired, f"Correction @ Round {round}: {change}")] if scope == "pairing-after-next" else []


def renumbered(state: Tournament, order: tuple[int, ...], cause: str) -> list[tuple[int, str]]:
    """Numbers that moved: before => after, player by player."""
    places = {id: place for place, id in enumerate(order_with_newcomers(state), 1)}
    moved = [(places[id], place) for place, id in enumerate(order, 1) if places.get(id, place) != place]
    if not moved:
        return []
    moved.sort()
    kind = "Exchange" if cause == "exchanged" else "Regeneration"
    before, after = (" ".join(map(str, side)) for side in zip(*moved, strict=True))
    return [(0, f"{kind} @ Round {state.paired + 1}: {before} => {after}")]


def token(board: Board, numbers: Mapping[int, int]) -> str:
    """``19-7``: White's number, Black's number."""
    return f"{numbers.get(board[0], 0)}-{numbers.get(board[1], 0)}"


def seated(round: Round, board: int, numbers: Mapping[int, int]) -> str:
    """``19-7`` for a board of a round, with the colours as they count now."""
    game = round.game(board)
    return token((game.white, game.black), numbers)


def tokens(boards: tuple[Board, ...], pab: int, numbers: Mapping[int, int]) -> list[str]:
    found = [token(board, numbers) for board in boards]
    return [*found, f"{numbers.get(pab, 0)}=PAB"] if pab else found


def as_played(
    boards: Iterable[Played], pab: int, fact: events.BoardsCorrected, numbers: Mapping[int, int]
) -> str:
    """``19-7:1-0 3-12:=-=``, and ``44=PAB`` where the bye changed."""
    found = []
    for one in boards:
        pair = token((one.white, one.black), numbers)
        found.append(f"{pair}:{spelling(one.outcome)}" if one.outcome else f"{pair}:none")
    return " ".join(found + ([f"{numbers.get(pab, 0)}=PAB"] if fact.pab != fact.pab_was else []))


def spelling(outcome: Outcome) -> str:
    """``1-0``, ``=-=``, ``+--``."""
    return f"{TOKENS.get(outcome.white, outcome.white)}-{TOKENS.get(outcome.black, outcome.black)}"


def plain(value: object) -> str:
    """A regulation's value in one line."""
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)
