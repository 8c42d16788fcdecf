"""Rounds: ``draw number pair publish unpair alter complete close``."""

import secrets

import click

from paircard.cli.commands.boards import print_boards
from paircard.cli.commands.keys import chosen_key, publication, signer_of
from paircard.cli.engine_round import paired
from paircard.cli.input_files import board_lines, read_text
from paircard.cli.options import writes
from paircard.cli.output import say
from paircard.cli.session import Desk
from paircard.cli.who import by_id, by_number
from paircard.domain.commands import (
    AssignNumbers,
    BeginManualPairing,
    CloseTournament,
    Command,
    CompleteRound,
    DrawInitialColour,
    EndManualPairing,
    ExchangeNumbers,
    Meta,
    PairRound,
    PublishRound,
    UnpairRound,
)
from paircard.domain.deciding.decider import weigh
from paircard.domain.errors import IllegalPairing
from paircard.domain.events import Board, InitialColourDrawn
from paircard.domain.values.text import counted
from paircard.pairing import ENGINE
from paircard.pairing.outcome import NoLegalRound
from paircard.projections.history import History
from paircard.projections.round.numbers import Numbering, numbers_for_pairing
from paircard.projections.views import snapshot_now


@click.command()
@click.option("--colour", type=click.Choice(["white", "black"]), help="The lot, if it was drawn by hand.")
@writes
def draw(desk: Desk, colour: str | None) -> None:
    """Draw lots for the initial colour of number 1 (C.04.3:5.1).

    \b
    Example:
      paircard draw --colour white
    """

    lot = colour[0] if colour else secrets.choice("wb")
    for past in desk.drawn():
        if isinstance(past, InitialColourDrawn) and not colour:
            lot = past.colour
    desk.do(DrawInitialColour(colour=lot, meta=desk.meta()))


@click.command()
@click.option("--exchange", nargs=2, help="Let two players of equal rating change places.", metavar="WHO WHO")
@click.option("--file", help="A declared order: one player per line, by #id or name.")
@writes
def number(desk: Desk, exchange: tuple[str, str] | None, file: str | None) -> None:
    """Number the players again, after corrections; not once round 4 is paired (C.04.2:2.3).

    Numbers are assigned by themselves when round 1 is paired.

    \b
    Example:
      paircard number
    """

    command: Command
    if exchange:
        one, other = map(desk.player, exchange)
        command = ExchangeNumbers(one=one, other=other, meta=desk.meta())
    else:
        command = AssignNumbers(order=declared(desk, file) if file else (), meta=desk.meta())
    desk.do(command)


def declared(desk: Desk, file: str) -> tuple[int, ...]:
    """Ids in the order of a file."""

    return tuple(desk.player(line.strip()) for line in read_text(file).splitlines() if line.strip())


@click.command()
@click.argument("round", type=int, required=False)
@click.option("--boards", "file", help="Take the boards of a file instead: WHITE BLACK per line, bye as N 0.")
@writes
def pair(desk: Desk, round: int | None, file: str | None) -> None:
    """Pair the next round from what is known now.

    In a file of boards a number is the one the player will have on the sheet of this round, late entries
    counted in; #id always means the same person.

    \b
    Example:
      paircard pair 1
    """

    history = desk.history()
    round = history.paired + 1 if round is None else round
    if file:
        boards, pab = boards_of(history, file)
        command = PairRound(
            round=round,
            boards=boards,
            pab=pab,
            based_on=history.version,
            engine="",
            origin="import",
            meta=desk.meta(),
        )
    else:
        command = computed(desk, history, round)
    desk.do(command)
    show_round(desk, round)


def computed(desk: Desk, history: History, round: int) -> PairRound:
    """The command that records the engine's round."""

    meta = desk.meta()
    need_pairable(history, round, meta)
    snapshot = snapshot_now(history)
    boards, pab = paired(snapshot)
    return PairRound(
        round=round,
        boards=boards,
        pab=pab,
        based_on=history.version,
        snapshot=snapshot.digest(),
        engine=ENGINE,
        meta=meta,
    )


def need_pairable(history: History, round: int, meta: Meta) -> None:
    """Refuse before the engine is asked what the decider would refuse after it."""

    empty = PairRound(round=round, boards=(), based_on=history.version, snapshot="0" * 64, meta=meta)
    try:
        weigh(history.state, empty)
    except IllegalPairing:
        return  # that there are no boards is the last thing it would say


def boards_of(history: History, file: str) -> tuple[tuple[Board, ...], int]:
    """Boards of a file as ids; a bare number is the one the player will have on the sheet of the round."""

    pairs, pab = board_lines(file)
    numbers = Numbering(by_id=numbers_for_pairing(history), state="")

    def meant(word: str) -> int:
        return by_id(history, int(word[1:])) if word.startswith("#") else by_number(numbers, int(word))

    return tuple((meant(white), meant(black)) for white, black in pairs), meant(pab) if pab else 0


def show_round(desk: Desk, round: int) -> None:
    """Print the boards of a round."""

    print_boards(desk.history(), round)


@click.command()
@click.argument("round", type=int, required=False)
@click.option(
    "--key",
    "key_file",
    type=click.Path(),
    help="Sign a checkpoint with this key [PAIRCARD_KEY].",
)
@writes
def publish(desk: Desk, round: int | None, key_file: str | None) -> None:
    """Publish a paired round; from then on results are entered.

    The last line is the head of the log in short: printed on the pairing sheet it proves later that the
    log was not rewritten (paircard verify --head).

    \b
    Example:
      paircard publish 1
    """

    key = chosen_key(key_file)
    signer = (
        signer_of(key) if key else None
    )  # a key that cannot be read is refused before anything is written
    desk.do(PublishRound(round=round or desk.history().paired, meta=desk.meta()))
    publication(desk, signer)


@click.command()
@click.argument("round", type=int, required=False)
@writes
def unpair(desk: Desk, round: int | None) -> None:
    """Take back the last round while it is not published.

    The round before is again as it was: not completed, and games that the pairing took for adjourned have
    no result yet.

    \b
    Example:
      paircard unpair 1
    """

    desk.do(UnpairRound(round=round or desk.history().paired, meta=desk.meta()))
    after = desk.history()
    if after.rounds and not after.rounds[-1].completed and (waiting := after.rounds[-1].open_boards()):
        say(f"round {after.paired} goes on: {counted(len(waiting), 'game')} to finish")


@click.group()
def alter() -> None:
    """Pair a round by hand, or alter one: begin, then end with the boards that shall stand."""


@alter.command(short_help="Take a round into the arbiter's hands.")
@click.argument("round", type=int)
@writes
def begin(desk: Desk, round: int) -> None:
    """Take a round, the last one paired or the next, into the arbiter's hands.

    \b
    Example:
      paircard alter begin 1
    """

    desk.do(BeginManualPairing(round=round, meta=desk.meta()))


@alter.command(short_help="End the manual pairing with these boards.")
@click.argument("round", type=int)
@click.option("--boards", "file", help="Boards of the round: WHITE BLACK per line, bye as N 0.")
@click.option("--give-up", is_flag=True, help="End without boards: a round not yet paired stays unpaired.")
@writes
def end(desk: Desk, round: int, file: str | None, give_up: bool) -> None:
    """End the manual pairing of a round with these boards; the engine's are recorded beside them.

    \b
    Example:
      paircard alter end 1 --boards boards.txt --why "late entry, all agreed" --ack manual-pairing
    """

    history = desk.history()
    if give_up == bool(file):
        raise click.UsageError("give the boards with --boards FILE, or give up with --give-up")
    if file:
        boards, pab = boards_of(history, file)
    elif round > history.paired:
        desk.do(EndManualPairing(round=round, boards=(), pab=0, meta=desk.meta()))
        return
    else:
        past = history.rounds[round - 1]
        boards, pab = past.boards, past.pab
    engine_boards, engine_pab, snapshot = engine_opinion(history, round)
    desk.do(
        EndManualPairing(
            round=round,
            boards=boards,
            pab=pab,
            engine_boards=engine_boards,
            engine_pab=engine_pab,
            engine=ENGINE if snapshot else "",
            snapshot=snapshot,
            based_on=history.version,
            meta=desk.meta(),
        )
    )
    show_round(desk, round)


def engine_opinion(history: History, round: int) -> tuple[tuple[Board, ...], int, str]:
    """What the engine gives for a round not yet paired; no boards where it finds no legal round."""

    if round <= history.paired:
        return (), 0, ""  # the engine's boards are on record
    snapshot = snapshot_now(history)
    try:
        boards, pab = paired(snapshot)
    except NoLegalRound:
        return (), 0, snapshot.digest()
    return boards, pab, snapshot.digest()


@click.command()
@click.argument("round", type=int, required=False)
@writes
def complete(desk: Desk, round: int | None) -> None:
    """End a round whose results are all in; corrections count from then on as C.04.2:4.3 says.

    Pairing the next round does it by itself.

    \b
    Example:
      paircard complete 1
    """

    desk.do(CompleteRound(round=round or desk.history().paired, meta=desk.meta()))


@click.command()
@writes
def close(desk: Desk) -> None:
    """Close the tournament: final standings stand, only rating corrections are still recorded.

    \b
    Example:
      paircard close --why "power cut, nobody can play on" --ack rounds-unplayed
    """

    desk.do(CloseTournament(meta=desk.meta()))
    say("the final standings: paircard standings")
