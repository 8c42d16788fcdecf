"""``why``, ``why-not`` and ``explain``: the reasons for a round, for players and for arbiters."""

from collections.abc import Iterable
from textwrap import fill

import click

from paircard.cli.options import reads
from paircard.cli.output import line_width, show_json
from paircard.cli.round_question import about_a_round, round_first, round_meant
from paircard.cli.session import Session
from paircard.domain.speaking import Speaker
from paircard.pairing.explain.speaking import say
from paircard.service.explaining import (
    VIRTUAL,
    Reasons,
    ask_explain,
    explain_round,
    explain_why,
    explain_why_not,
)
from paircard.service.print.explanations import explanation_page, why_page


@click.command()
@click.argument("words", nargs=-1, metavar="[ROUND] PLAYER")
@about_a_round
@click.option("--html", is_flag=True, help="Print a web page, to be read on a phone or handed out on paper.")
@reads
def why(
    session: Session,
    words: tuple[str, ...],
    round: int | None,
    edition: str | None,
    encoding: str,
    html: bool,
) -> None:
    """Say why a player has this opponent and this colour.

    First for the player, then for the arbiter, with articles and values. ROUND is a round of the tournament
    (default: the last one); or a report file, with --round.

    \b
    Example:
      paircard why 1 Carlsen
    """
    what, player = round_first(words, "PLAYER")
    meant = round_meant(session, what, round, edition, encoding)
    id = meant.round.player(player)
    if html:
        click.echo(why_page(meant.event, meant.round, id), nl=False)
    else:
        show(session, explain_why(meant.round, id))


@click.command(name="why-not")
@click.argument("words", nargs=-1, metavar="[ROUND] PLAYER PLAYER")
@about_a_round
@reads
def why_not(
    session: Session, words: tuple[str, ...], round: int | None, edition: str | None, encoding: str
) -> None:
    """Say why two players do not meet: the rule that forbids it, or what would get worse.

    First for the players, then for the arbiter, with articles and values. ROUND is a round of the tournament
    (default: the last one); or a report file, with --round. "bye" in the place of a player asks about the
    bye.

    \b
    Example:
      paircard why-not 1 Carlsen Anand
    """
    what, one, other = round_first(words, "PLAYER", "PLAYER")
    meant = round_meant(session, what, round, edition, encoding)
    a, b = meant.round.player_or_bye(one), meant.round.player_or_bye(other)
    show(session, explain_why_not(meant.round, a, b))


@click.command()
@click.argument("what", metavar="[ROUND]", required=False)
@about_a_round
@click.option("--html", is_flag=True, help="Print a web page, to be read on screen, on a phone or on paper.")
@reads
def explain(
    session: Session, what: str | None, round: int | None, edition: str | None, encoding: str, html: bool
) -> None:
    """Explain a round bracket by bracket (default: the last one).

    ROUND is a round of the tournament; or a report file, with --round.

    \b
    Example:
      paircard explain 1 --html
    """
    meant = round_meant(session, what, round, edition, encoding)
    if html and not session.json:
        click.echo(explanation_page(meant.event, meant.round, ask_explain(meant.round)), nl=False)
        return
    found = explain_round(meant.round)
    if session.json:
        show_json(found)
    else:
        show_text((*found.text, applied(found.edition)))


def show(session: Session, reasons: Reasons) -> None:
    """An answer in words: for the player in a few plain lines and more, for the arbiter line by line."""
    if session.json:
        show_json(reasons)
        return
    said = reasons.answer
    show_text(one.text for one in said.notes if one.key != VIRTUAL)
    show_text(one.text for one in said.plain)
    if said.plain and said.more:
        click.echo()
    if said.more:
        paragraph = " ".join(one.text for one in said.more)
        click.echo(fill(paragraph, line_width(), break_on_hyphens=False))
    if said.detail:
        click.echo()
        show_text(f"  {one.text}" for one in said.detail)
    show_text(one.text for one in said.notes if one.key == VIRTUAL)
    show_text([applied(reasons.edition)])


def show_text(lines: Iterable[str]) -> None:
    """Sentences, broken to the width of the terminal."""
    for each in lines:
        deep = " " * (len(each) - len(each.lstrip()) + 2)
        click.echo(fill(each, line_width(), subsequent_indent=deep, break_on_hyphens=False))


def applied(edition: str) -> str:
    """The rules that were applied."""
    return f"({Speaker().say(say(f'explain.edition.{edition}'))}.)"
