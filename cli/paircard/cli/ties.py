"""What no computation decides: ``lots`` and ``tiebreak``."""

import click

from paircard.cli.desk import Desk, writes


@click.command()
@click.argument("who", nargs=-1, required=True)
@click.option("--by-hand", is_flag=True, help="The arbiter's ranking in the order given, not lots.")
@writes
def lots(desk: Desk, who: tuple[str, ...], by_hand: bool) -> None:
    """Draw lots among tied players, once for all; or rank them by hand.

    \b
    Example:
      paircard lots Ada Ben
    """
    import secrets

    from paircard.domain.commands import DrawLots

    ids = [desk.player(one) for one in who]
    if not by_hand:
        secrets.SystemRandom().shuffle(ids)
    desk.do(DrawLots(players=tuple(ids), by_hand=by_hand, meta=desk.meta()))


@click.command()
@click.argument("who")
@click.argument("name")
@click.argument("value")
@writes
def tiebreak(desk: Desk, who: str, name: str, value: str) -> None:
    """Enter a tie-break value from outside, such as a play-off, under the name it is announced by.

    \b
    Example:
      paircard tiebreak Ada OTHER_PLAYOFF 1.5
    """
    from decimal import Decimal, InvalidOperation

    from paircard.domain.commands import SetExternalTiebreak

    try:
        hundredths = Decimal(value.replace(",", ".")) * 100
        if not hundredths.is_finite() or hundredths != int(hundredths):
            raise InvalidOperation
    except InvalidOperation:
        raise click.ClickException(
            f"{value[:20]!r} is not a value with at most two decimals, like 1.5"
        ) from None
    desk.do(SetExternalTiebreak(player=desk.player(who), name=name, value=int(hundredths), meta=desk.meta()))
