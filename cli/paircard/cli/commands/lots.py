"""What no computation decides: ``lots`` and ``playoff``."""

import secrets
from decimal import Decimal, InvalidOperation

import click

from paircard.cli.options import writes
from paircard.cli.session import Desk
from paircard.domain.commands import Command, DrawLots, SetExternalTiebreak
from paircard.domain.deciding.open_games import need_results
from paircard.domain.errors import NotNow
from paircard.domain.events import LotsDrawn
from paircard.projections.standings.ranking import ties_left


@click.command()
@click.argument("who", nargs=-1)
@click.option("--by-hand", is_flag=True, help="The arbiter's ranking in the order given, not lots.")
@writes
def lots(desk: Desk, who: tuple[str, ...], by_hand: bool) -> None:
    """Draw lots among tied players, once for all; or rank them by hand.

    Without names, lots are drawn for every place that is shared in the final standings (C.07:4.2).

    \b
    Example:
      paircard lots Polgar Carlsen
    """

    if by_hand and not who:
        raise click.UsageError("a ranking by hand names the players, the best first")
    groups = [[desk.player(one) for one in who]] if who else tied(desk)
    commands: list[tuple[str, Command]] = []
    before = {frozenset(past.players): past.players for past in desk.drawn() if isinstance(past, LotsDrawn)}
    for group in groups:
        if not by_hand:
            secrets.SystemRandom().shuffle(group)
            group = list(before.get(frozenset(group), group))
        commands.append(("", DrawLots(players=tuple(group), by_hand=by_hand, meta=desk.meta())))
    desk.do_all(commands)


def tied(desk: Desk) -> list[list[int]]:
    """Ids of those who share a place, place by place."""

    history = desk.history()
    if history.paired < history.regulations.rounds:
        raise NotNow(
            f"rounds paired so far: {history.paired} of {history.regulations.rounds}, places are still open: "
            "name the players among whom lots shall be drawn now"
        )
    if history.state.closed:
        raise NotNow("the tournament is closed: its final standings stand")
    need_results(history.state, "draw lots")
    groups = [[line.id for line in group] for group in ties_left(history)]
    if not groups:
        raise NotNow("nobody shares a place: there is nothing to draw lots for")
    return groups


@click.command()
@click.argument("who")
@click.argument("name")
@click.argument("value")
@writes
def playoff(desk: Desk, who: str, name: str, value: str) -> None:
    """Enter a tie-break value from outside, such as a play-off, under the name it is announced by.

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
    desk.do(SetExternalTiebreak(player=desk.player(who), name=name, value=int(hundredths), meta=desk.meta()))
