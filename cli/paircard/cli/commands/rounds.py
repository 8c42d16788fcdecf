"""Rounds: ``draw number pair unpair alter complete reopen close lots playoff``."""

from decimal import Decimal, InvalidOperation

import click

from paircard.cli.output import print_line, print_round
from paircard.cli.refusals import Misused
from paircard.cli.session import Session, reads_text, writes
from paircard.cli.text_files import board_lines, read_text
from paircard.domain.commands import (
    Command,
    ExchangeNumbers,
    Lots,
    ReopenRound,
    ReopenTournament,
    SetExternalTiebreak,
)
from paircard.domain.errors import Invalid
from paircard.service import Moment
from paircard.service.pairing import PairingDesk


@click.command()
@click.option(
    "--colour",
    type=click.Choice(["white", "black"], case_sensitive=False),
    help="The lot, if it was drawn by hand.",
)
@writes
def draw(session: Session, colour: str | None) -> None:
    """Draw lots for the initial colour of number 1 (C.04.3:5.1).

    Example: paircard draw --colour white
    """
    lot = colour[0] if colour else ""
    session.tell(session.desk.draw_colour(lot, by=session.person))


@click.command()
@click.option("--exchange", nargs=2, help="Let two players of equal rating change places.", metavar="WHO WHO")
@click.option("--file", metavar="FILE", help="An order by hand: one player per line, by id (p16) or name.")
@click.option("--lots", flag_value="lots", help="Round robin: draw the numbers by lot.")
@click.option(
    "--varma", "lots", flag_value="varma", help="Draw lots that keep federations apart (C.05 Annex 2)."
)
@writes
def number(session: Session, exchange: tuple[str, str] | None, file: str | None, lots: Lots | None) -> None:
    """Number the players again after corrections; since 2016 not once round 4 is paired (C.04.2:2.3).

    When round 1 of a Swiss is paired, numbers are assigned automatically. Those of a round robin are drawn
    before it, once: by lot, from a file, or without either by rating.

    Example: paircard number
    """
    if exchange:
        session.ask(lambda now: [ExchangeNumbers(one=now.player(exchange[0]), other=now.player(exchange[1]))])
        return
    lines = [line.strip() for line in read_text(file).splitlines() if line.strip()] if file else []
    session.tell(session.tournament.number(lines, lots=lots or "", by=session.person))


@click.command()
@click.argument("round", type=int, required=False)
@click.option(
    "--boards",
    "file",
    metavar="FILE",
    help="Take the boards of a file instead: WHITE BLACK per line, bye as N 0.",
)
@click.option("--all", "whole", is_flag=True, help="Pair and publish all rounds of a round robin.")
@writes
def pair(session: Session, round: int | None, file: str | None, whole: bool) -> None:
    """Pair the next round from what is known now; of a round robin, all that are left at once.

    Boards of a file are a manual pairing: they are compared with the engine's and, unless they are the same,
    need a reason and an acknowledgement. In such a file, a number is the one the player will have on the
    sheet of this round, late entries included; an id (p16) always means the same person.

    Example: paircard pair 1
    """
    if whole and (file or round is not None):
        raise Misused("cli.all-rounds-alone")
    desk = session.desk_that(PairingDesk)
    if whole:
        session.tell(desk.schedule(by=session.person))
        return
    if file:
        boards, pab = board_lines(file)
        done = desk.enter_boards(boards, pab, round=round, by=session.person)
    else:
        done = desk.pair(round, by=session.person)
    session.tell(done)
    print_round(done.round)
    for text in done.advice:
        click.echo(text)


@click.command()
@click.argument("round", type=int, required=False)
@writes
def unpair(session: Session, round: int | None) -> None:
    """Take back the last round; a published one only before it is played, with a reason.

    The round before it becomes what it was: not completed, and games that the pairing recorded as
    adjourned have no result again.

    Example: paircard unpair 1
    """
    session.tell(session.tournament.unpair(round, by=session.person))
    after = session.tournament.now().state
    last = after.rounds[-1] if after.rounds else None
    if last and last.published and last.number == after.current and (waiting := last.open_boards()):
        print_line("cli.said.round-continues", round=after.paired, count=len(waiting))


@click.group()
def alter() -> None:
    """Pair a round by hand, or alter one: begin and end with your boards, or swap two players."""


@alter.command(short_help="Take a round into the arbiter's hands.")
@click.argument("round", type=int)
@writes
def begin(session: Session, round: int) -> None:
    """Take a round, the last one paired or the next, into the arbiter's hands.

    Example: paircard alter begin 1
    """
    session.tell(session.desk.begin_alteration(round, by=session.person))


@alter.command(short_help="End the manual pairing with these boards.")
@click.argument("round", type=int)
@click.option(
    "--boards", "file", metavar="FILE", help="Boards of the round: WHITE BLACK per line, bye as N 0."
)
@click.option("--give-up", is_flag=True, help="End without boards: a round not yet paired stays unpaired.")
@writes
def end(session: Session, round: int, file: str | None, give_up: bool) -> None:
    """End the manual pairing of a round with these boards; the engine's are recorded with them.

    Example: paircard alter end 1 --boards boards.txt --why "late entry, all agreed" --ack manual-pairing
    """
    if give_up == bool(file):
        raise Misused("cli.boards-or-give-up")
    boards, pab = board_lines(file) if file else (None, "")
    session.tell(session.tournament.end_alteration(round, boards, pab, by=session.person))
    now = session.tournament.now()
    if round <= now.state.paired:
        print_round(now.boards(round))


@alter.command("show", short_help="Print the boards in the form that --boards reads.")
@click.argument("round", type=int, required=False)
@reads_text
def show_boards(session: Session, round: int | None) -> None:
    """Print the boards of a round in the form that --boards reads: WHITE BLACK per line, the bye as N 0.

    Example: paircard alter show 1
    """
    found = session.view().boards(round)
    for board in found.boards:
        click.echo(f"{board.white.number} {board.black.number}  # {board.white.name} – {board.black.name}")
    if found.pab:
        click.echo(f"{found.pab.number} 0  # {found.pab.name}, bye")


@alter.command(short_help="Let two players change seats in the last round.")
@click.argument("one")
@click.argument("other")
@writes
def swap(session: Session, one: str, other: str) -> None:
    """Let two players change seats in the last round: opponents, colours, or the bye.

    Example: paircard alter swap Polgar Carlsen --why "rematch" --ack manual-pairing
    """
    session.tell(session.tournament.swap_players(one, other, by=session.person))
    print_round(session.tournament.now().boards())


@alter.command("pair", short_help="Let two players meet in the last round.")
@click.argument("white")
@click.argument("black")
@writes
def pair_players(session: Session, white: str, black: str) -> None:
    """Let two players meet in the last round, the first with White; those they leave meet instead.

    So a late entry may play the one who has the bye.

    Example: paircard alter pair Polgar Carlsen --why "late entry, all agreed" --ack manual-pairing
    """
    session.tell(session.tournament.pair_players(white, black, by=session.person))
    print_round(session.tournament.now().boards())


@click.command()
@click.argument("round", type=int, required=False)
@writes
def complete(session: Session, round: int | None) -> None:
    """End a round once all results are in; corrections then count as C.04.2:4.3 or 2012 F.7 says.

    Pairing the next round does this automatically.

    Example: paircard complete 1
    """
    session.tell(session.desk.complete(round, by=session.person))


@click.command()
@click.argument("round", type=int, required=False)
@writes
def reopen(session: Session, round: int | None) -> None:
    """Reopen a round, or the tournament, that was ended too early.

    Without ROUND, the tournament if it is closed, else the last round.

    Example: paircard reopen
    """

    def ended_last(now: Moment) -> list[Command]:
        if round is None and (now.state.closed or not now.state.paired):
            return [ReopenTournament()]
        return [ReopenRound(round=now.state.paired if round is None else round)]

    session.ask(ended_last)


@click.command()
@writes
def close(session: Session) -> None:
    """Close the tournament: the standings are final, only rating corrections can still be recorded.

    Before all rounds are played it takes a reason. A tournament that was opened by mistake is closed like
    any other: nothing is removed from the log.

    Example: paircard close --why "power cut, nobody can play on" --ack rounds-unplayed
    """
    session.tell(session.tournament.close(by=session.person))
    if session.tournament.now().state.paired:
        print_line("cli.said.final-standings")


# What no computation decides


@click.command()
@click.argument("who", nargs=-1)
@click.option("--by-hand", is_flag=True, help="Rank the players in the order given instead of drawing lots.")
@writes
def lots(session: Session, who: tuple[str, ...], by_hand: bool) -> None:
    """Draw lots among tied players, once for all; or rank them by hand.

    Without names, lots are drawn for every place that is shared in the final standings (C.07:4.2).

    Example: paircard lots Polgar Carlsen
    """
    if by_hand and not who:
        raise Misused("cli.rank-whom")
    session.tell(session.tournament.draw_lots(who, by_hand=by_hand, by=session.person))


@click.command()
@click.argument("who")
@click.argument("name")
@click.argument("value")
@writes
def playoff(session: Session, who: str, name: str, value: str) -> None:
    """Enter a tie-break value from outside, such as a play-off, under its announced name.

    Example: paircard playoff Polgar OTHER_PLAYOFF 1.5
    """
    try:
        hundredths = Decimal(value.replace(",", ".")) * 100
        if not hundredths.is_finite() or hundredths != int(hundredths):
            raise InvalidOperation
    except InvalidOperation:
        raise Invalid("cli.two-decimals", text=value) from None
    session.ask(lambda now: [SetExternalTiebreak(player=now.player(who), name=name, value=int(hundredths))])
