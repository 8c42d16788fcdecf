"""``correct`` and its preview, ``what-if`` and ``diff``: what was, and what might have been."""

from collections.abc import Mapping, Sequence
from typing import Final

import click

from paircard.cli.commands.log import line_text
from paircard.cli.options import AS_DATA, with_options
from paircard.cli.output import points, print_line, show_table
from paircard.cli.refusals import Misused, spoken
from paircard.cli.session import Session, reads, reads_now, writes
from paircard.cli.text_files import played_lines
from paircard.cli.usage import TakesResults
from paircard.domain.commands import CorrectColours, CorrectResult
from paircard.domain.messages import Message, say
from paircard.domain.rounds import Game, outcome_in_words
from paircard.domain.speaking import Remark
from paircard.domain.values.results import parse_outcome
from paircard.domain.values.rules import RULES
from paircard.domain.values.text import is_number
from paircard.projections.differences import Moved
from paircard.projections.log_lines import Names
from paircard.service.pairing import PlayedBoard
from paircard.service.review.replay import PairingSheet
from paircard.service.review.what_if import BranchRound, Correction, Supposed, seats


@click.command("what-if")
@click.option(
    "--result",
    "results",
    nargs=3,
    multiple=True,
    metavar="ROUND BOARD RESULT",
    help="Suppose this result from the start; may be given several times.",
)
@click.option(
    "--colours", nargs=2, type=int, multiple=True, metavar="ROUND BOARD", help="Suppose colours reversed."
)
@reads
def what_if(
    session: Session, results: tuple[tuple[str, str, str], ...], colours: tuple[tuple[int, int], ...]
) -> None:
    """Suppose other results, pair each later round again and name the first that would differ.

    A branch in memory: nothing is written. The branch ends where other players would have met, because
    nobody knows how those games would have ended.

    Example: paircard what-if --result 1 1 0-1
    """
    supposed = [*map(supposed_result, results)]
    supposed += [Supposed(round=round, board=board, colours=True) for round, board in colours]
    if not supposed:
        raise Misused("cli.suppose-what")
    view = session.view()
    found = view.what_if(supposed)
    if session.shown(found):
        return
    names = Names(view.state)
    for each in found.rounds:
        tell_round(names, each)
    last = found.rounds[-1].round if found.rounds else found.after
    if found.unknown:
        print_line("cli.what-if.unknown", round=found.unknown, last=last)
    elif not found.differs:
        print_line("cli.what-if.same")
    tell_moved(found.standings, say("cli.title.as-played", round=found.after))


def supposed_result(words: tuple[str, str, str]) -> Supposed:
    """ROUND BOARD RESULT as a supposition."""
    round, board, text = words
    if not (is_number(round) and is_number(board)):
        raise Misused("cli.not-a-game", text=" ".join(words))
    return Supposed(round=int(round), board=int(board), outcome=parse_outcome(text))


BY_HAND: Final = ("colours", "played", "altered", "manual", "import")
"""Why boards on record are not the engine's."""


def tell_round(names: Names, each: BranchRound) -> None:
    """A round of the branch: the same, or what is different; then boards that are not the engine's."""
    if each.same:
        print_line("cli.what-if.round-same", round=each.round, yes=each.to_come)
    else:
        engine = bool(each.by_hand)
        ours, theirs = seats(each.engine), seats(each.branch)
        was = board_names(names, [seat for seat in ours if seat not in theirs], each.engine)
        then = board_names(names, [seat for seat in theirs if seat not in ours], each.branch)
        print_line("cli.what-if.round-different", round=each.round, yes=each.to_come)
        print_line("cli.what-if.was", yes=engine, value=was)
        print_line("cli.what-if.would-be", yes=engine, value=then)
    for mark in BY_HAND:
        if boards := [board for board in each.by_hand if each.mark(board) == mark]:
            print_line("cli.what-if.on-record", kind=mark, value=board_names(names, boards))


def board_names(names: Names, boards: Sequence[tuple[int, int]], sheet: PairingSheet | None = None) -> str:
    """Boards by name, in one line."""
    if sheet is None and not boards:
        return spoken(say("pairing.no-legal-round"))
    return "; ".join(f"{names.of(white)} – {names.of(black) if black else 'bye'}" for white, black in boards)


def tell_moved(lines: Sequence[Moved], title: Message) -> None:
    """Standings that change: place and points before and after."""
    visible = [line for line in lines if line.visible]
    if not lines:
        print_line("cli.what-if.nothing-changes", what=title)
        return
    rows = []
    for line in visible:
        was, now = map(points, line.points)
        place, then = (str(place or "–") for place in line.place)
        changed = f"-> {now}" if was != now else "", f"-> {then}" if place != then else ""
        rows.append((line.name, was, changed[0], place, changed[1]))
    if rows:
        show_table("cli.table.moved", rows, title=title)
    if others := len(lines) - len(visible):
        print_line("cli.what-if.tie-breaks-change", count=others, yes=bool(visible))


@click.command()
@click.argument("first")
@click.argument("second", default="now")
@reads_now
def diff(session: Session, first: str, second: str) -> None:
    """Show what changed between two moments: facts, boards, results, numbers, standings.

    A moment is r5 (the end of round 5), 'before r5', the number of a fact, or a time; the second is now by
    default. The earlier moment is shown first, in whichever order they are given.

    Example: paircard diff "before r1" now
    """
    tournament = session.tournament
    found = tournament.difference(first, second)
    if session.shown(found):
        return
    names = Names(tournament.now().state)
    if found.first != tournament.at(first).version:
        print_line("cli.what-if.turned", value=second, kind=first)
    print_line("cli.what-if.facts", first=found.first, last=found.second, count=found.second - found.first)
    for line in found.facts:
        click.echo(line_text(line))
    for change in found.rounds:
        if change.before:
            print_line("cli.diff.gone", round=change.round, value=board_names(names, change.before))
        print_line("cli.diff.new", round=change.round, value=board_names(names, change.after))
    for result in found.results:
        games = game_text(names, result.before), game_text(names, result.after)
        only = result.counts == "rating report"
        about = {"round": result.round, "board": result.board, "value": games[0], "kind": games[1]}
        click.echo(spoken(Message("cli.diff.result", {**about, "yes": only})))
    for id, *numbers in found.numbers:
        was, now = (str(number or "none") for number in numbers)
        print_line("cli.diff.number", name=names.of(id), value=was, kind=now)
    tell_moved(found.standings, say("cli.title.all-standings"))
    tell_prizes(found.prizes)


def tell_prizes(changes: Sequence[Remark]) -> None:
    """What players would get otherwise."""
    if changes:
        print_line("cli.what-if.prizes")
        for one in changes:
            click.echo(f"  {one.text}")


def game_text(names: Names, game: Game) -> str:
    """Who met, and the result."""
    return f"{names.pair((game.white, game.black))} {outcome_in_words(game.outcome) or 'open'}"


def preview_correction(
    session: Session,
    round: int,
    board: int | None,
    result: str | None,
    played: Mapping[int, PlayedBoard],
    pab: str,
) -> None:
    """Print what a correction would do, and what it needs besides to be done."""
    now = session.tournament.now()
    command: Correction
    if board is None:
        command = now.boards_as_played(round, played, pab)
    elif result is None:
        command = CorrectColours(round=round, board=board)
    else:
        command = CorrectResult(round=round, board=board, outcome=parse_outcome(result))
    found = now.preview(command, by=session.person)
    if session.shown(found):
        return
    names = Names(now.state)
    print_line("cli.what-if.would-record", value=found.line.text)
    for round, lines in found.standings:
        tell_moved(lines, say("cli.title.standings", round=round))
    if not found.standings:
        print_line("cli.what-if.nothing-changes", what=say("cli.title.all-standings"))
    if found.kept:
        tell_moved(found.kept, say("cli.title.in-time"))
    tell_prizes(found.prizes)
    if found.next_round is None:
        print_line("cli.what-if.next-pairing", value=found.next_note)
    else:
        tell_round(names, found.next_round)
    for each in found.stands:
        tell_round(names, each)
        article = RULES[now.regulations.edition].articles["correction"]
        print_line("cli.what-if.stands", round=each.round, article=article)
    for remark in found.remarks:
        print_line("cli.what-if.report-line", value=remark)
    missing = [] if session.run.why.strip() else ["--why TEXT"]
    missing += [f"--ack {warning.code}" for warning in found.warnings]
    print_line("cli.what-if.to-do-it", value=" ".join(missing))


@click.command(cls=TakesResults)
@click.argument("round", type=int)
@click.argument("board", type=int, required=False)
@click.argument("result", required=False)
@click.option("--colours", is_flag=True, help="White and Black of the board were reversed.")
@click.option(
    "--played",
    nargs=4,
    multiple=True,
    metavar="BOARD WHITE BLACK RESULT",
    help="Others met on this board; RESULT is 'same' if these two met by the record. May be repeated.",
)
@click.option("--bye", metavar="WHO", help="Who had the bye, if somebody else had it by the record.")
@click.option(
    "--boards",
    "file",
    metavar="FILE",
    help="The whole round as it was played: WHITE BLACK [RESULT] per line, bye as N 0.",
)
@click.option("--preview", is_flag=True, help="Show what would change and what stands; write nothing.")
@with_options(*AS_DATA)
@writes
def correct(
    session: Session,
    round: int,
    board: int | None,
    result: str | None,
    colours: bool,
    played: tuple[tuple[str, str, str, str], ...],
    bye: str | None,
    file: str | None,
    preview: bool,
) -> None:
    """Correct a result, the colours of a board, or who met, where the record is wrong.

    What it changes follows C.04.2:4.3: the next pairing; if that is made, the one after it; once that
    round has ended too, the rating report only. Under the editions of 2012 it counts for all pairings yet to
    be made (2012 F.7). The answer says which.

    Who met (--played, --boards) is corrected once the next round is paired; before, paircard alter changes
    the boards. Everybody of the round keeps a seat. In a file, boards stand as paircard alter show prints
    them, with the result after those whose players did not meet by the record.

    Example: paircard correct 1 1 ½-½ --why "both players signed a draw"
    """
    otherwise = bool(played or bye or file)
    if otherwise and (board is not None or colours or (file and (played or bye))):
        raise Misused("cli.correct-one-way")
    if not otherwise and (board is None or (result is None) == (not colours)):
        raise Misused("cli.correct-which")
    if session.json and not preview:
        raise Misused("cli.json-of-preview")
    boards, pab = played_lines(file) if file else (named_boards(played), bye or "")
    if preview:
        preview_correction(session, round, board, result, boards, pab)
    elif board is None:
        session.tell(session.tournament.correct_boards(round, boards, pab, by=session.person))
    elif result is None:
        session.tell(session.tournament.correct_colours(round, board, by=session.person))
    else:
        session.tell(session.tournament.correct(round, board, result, by=session.person))


def named_boards(played: tuple[tuple[str, str, str, str], ...]) -> dict[int, PlayedBoard]:
    """The boards of --played, by number."""
    boards: dict[int, PlayedBoard] = {}
    for number, white, black, result in played:
        if not is_number(number):
            raise Misused("cli.played-board", text=number)
        if int(number) in boards:
            raise Misused("cli.played-twice", board=int(number))
        boards[int(number)] = (white, black) if result.lower() == "same" else (white, black, result)
    return boards
