"""Byes and prohibited pairings: ``bye grant revoke``, ``prohibit``, ``allow``."""

import click

from paircard.cli.options import writes
from paircard.cli.session import Session
from paircard.domain.commands import GrantBye, LiftProhibition, ProhibitPairing, RevokeBye
from paircard.domain.errors import Invalid
from paircard.service import Moment


@click.group()
def bye() -> None:
    """Grant and revoke byes."""


@bye.command()
@click.argument("who", nargs=-1, required=True)
@click.argument("round", type=int)
@click.option("--half", "letter", flag_value="H", default="", help="Half a point.")
@click.option("--zero", "letter", flag_value="Z", help="No point: a known absence.")
@click.option("--full", "letter", flag_value="F", help="A full point, which FIDE deprecates.")
@writes
def grant(session: Session, who: tuple[str, ...], round: int, letter: str) -> None:
    """Grant a player, or several, a bye in a round.

    It is worth half a point where the regulations announce half-point byes, else nothing (C.04.2:3.3,
    2012 F.5). A bye that was forgotten can still be entered for the round in play, for a player who sits at
    no board.

    \b
    Example:
      paircard bye grant Polgar 3 --zero --why "wedding"
    """
    session.ask(
        lambda now: [GrantBye(player=id, round=round, letter=letter) for id in different_players(now, who)]
    )


@bye.command()
@click.argument("who", nargs=-1, required=True)
@click.argument("round", type=int)
@writes
def revoke(session: Session, who: tuple[str, ...], round: int) -> None:
    """Revoke a bye, or several: the player will play after all.

    \b
    Example:
      paircard bye revoke Polgar 3
    """
    session.ask(lambda now: [RevokeBye(player=id, round=round) for id in different_players(now, who)])


def different_players(now: Moment, who: tuple[str, ...]) -> tuple[int, ...]:
    """The players meant, each by one word: the parts of one name mean one player."""
    meant: dict[int, str] = {}
    for word in who:
        id = now.player(word)
        if id in meant:
            name = now.state.players[id - 1].details.name
            raise Invalid(
                f"{meant[id]!r} and {word!r} are both {name}: a name of several words goes in quotes"
            )
        meant[id] = word
    return tuple(meant)


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
    session.ask(lambda now: [ProhibitPairing(players=different_players(now, who), first=first, last=last)])


@click.command()
@click.argument("who", nargs=-1, required=True)
@writes
def allow(session: Session, who: tuple[str, ...]) -> None:
    """Lift a prohibition that names these players, from the next pairing on.

    \b
    Example:
      paircard allow "Polgar, Judit" "Polgar, Susan"
    """
    session.ask(lambda now: [LiftProhibition(players=different_players(now, who))])
