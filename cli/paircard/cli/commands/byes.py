"""Byes and prohibited pairings: ``bye grant revoke``, ``prohibit``, ``allow``."""

import click

from paircard.cli.options import writes
from paircard.cli.session import Session
from paircard.domain.commands import GrantBye, LiftProhibition, ProhibitPairing, RevokeBye


@click.group()
def bye() -> None:
    """Grant and revoke byes."""


@bye.command()
@click.argument("who")
@click.argument("round", type=int)
@click.option("--half", "letter", flag_value="H", default="", help="Half a point.")
@click.option("--zero", "letter", flag_value="Z", help="No point: a known absence.")
@click.option("--full", "letter", flag_value="F", help="A full point, which FIDE deprecates.")
@writes
def grant(session: Session, who: str, round: int, letter: str) -> None:
    """Grant a player a bye in a round.

    It is worth half a point where the regulations announce half-point byes, else nothing (C.04.2:3.3,
    2012 F.5). A bye that was forgotten can still be entered for the round in play, for a player who sits at
    no board.

    \b
    Example:
      paircard bye grant Polgar 3 --zero --why "wedding"
    """
    session.ask(lambda now: [GrantBye(player=now.player(who), round=round, letter=letter)])


@bye.command()
@click.argument("who")
@click.argument("round", type=int)
@writes
def revoke(session: Session, who: str, round: int) -> None:
    """Revoke a bye: the player will play after all.

    \b
    Example:
      paircard bye revoke Polgar 3
    """
    session.ask(lambda now: [RevokeBye(player=now.player(who), round=round)])


@click.command()
@click.argument("who", nargs=-1, required=True)
@click.option("--from", "first", type=int, default=1, show_default=True, help="First round it holds for.")
@click.option("--to", "last", type=int, default=999, help="Last round it holds for; default: all.")
@writes
def prohibit(session: Session, who: tuple[str, ...], first: int, last: int) -> None:
    """Keep players apart: no two of them meet. Announced before round 1 is paired.

    \b
    Example:
      paircard prohibit "Polgar, Judit" "Polgar, Susan" --to 3
    """
    session.ask(lambda now: [ProhibitPairing(players=tuple(map(now.player, who)), first=first, last=last)])


@click.command()
@click.argument("who", nargs=-1, required=True)
@writes
def allow(session: Session, who: tuple[str, ...]) -> None:
    """Lift a prohibition that names these players, from the next pairing on.

    \b
    Example:
      paircard allow "Polgar, Judit" "Polgar, Susan"
    """
    session.ask(lambda now: [LiftProhibition(players=tuple(map(now.player, who)))])
