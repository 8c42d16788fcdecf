"""What no computation decides: ``lots`` and ``playoff``."""

from decimal import Decimal, InvalidOperation

import click

from paircard.cli.options import writes
from paircard.cli.session import Session
from paircard.domain.commands import SetExternalTiebreak


@click.command()
@click.argument("who", nargs=-1)
@click.option("--by-hand", is_flag=True, help="Rank the players in the order given instead of drawing lots.")
@writes
def lots(session: Session, who: tuple[str, ...], by_hand: bool) -> None:
    """Draw lots among tied players, once for all; or rank them by hand.

    Without names, lots are drawn for every place that is shared in the final standings (C.07:4.2).

    \b
    Example:
      paircard lots Polgar Carlsen
    """
    if by_hand and not who:
        raise click.UsageError("name the players, the best first, to rank them by hand")
    session.tell(session.tournament.draw_lots(who, by_hand=by_hand, by=session.person))


@click.command()
@click.argument("who")
@click.argument("name")
@click.argument("value")
@writes
def playoff(session: Session, who: str, name: str, value: str) -> None:
    """Enter a tie-break value from outside, such as a play-off, under its announced name.

    \b
    Example:
      paircard playoff Polgar OTHER_PLAYOFF 1.5
    """
    try:
        hundredths = Decimal(value.replace(",", ".")) * 100
        if not hundredths.is_finite() or hundredths != int(hundredths):
            raise InvalidOperation
    except InvalidOperation:
        raise click.ClickException(
            f"{value[:20]!r} is not a value with at most two decimals, like 1.5"
        ) from None
    session.ask(lambda now: [SetExternalTiebreak(player=now.player(who), name=name, value=int(hundredths))])
