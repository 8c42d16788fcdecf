"""``why``, ``why-not`` and ``explain``: the reasons for a round, for players and for arbiters."""

from collections.abc import Iterable
from textwrap import fill

import click

from paircard.cli.options import reads
from paircard.cli.output import line_width, show_json
from paircard.cli.round_question import Meant, about_a_round, round_first, round_meant
from paircard.cli.session import Session
from paircard.pairing.explain import Story
from paircard.pairing.explain.lines import line
from paircard.pairing.explain.speaking import Speaker
from paircard.service.explaining import (
    Reply,
    ask_explain,
    ask_why,
    ask_why_not,
    explain_round,
    explain_why,
    explain_why_not,
    lines_of,
)
from paircard.service.pages.explanations import explanation_page, why_page


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
        return
    if session.json:
        show_json(explain_why(meant.round, id))
    else:
        show(meant, ask_why(meant.round, id))


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
    if session.json:
        show_json(explain_why_not(meant.round, a, b))
    else:
        show(meant, ask_why_not(meant.round, a, b))


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
    if session.json:
        show_json(explain_round(meant.round))
        return
    reply = ask_explain(meant.round)
    story = reply.data
    if not isinstance(story, Story):
        show(meant, reply)
    elif html:
        click.echo(explanation_page(meant.event, meant.round, reply), nl=False)
    else:
        speaker = Speaker(meant.round.people)
        show_text(speaker.say_all(reply.notes))
        show_text(lines_of(story, meant.round, speaker))
        show_text(speaker.say_all(reply.afterwards))
        show_text([edition_of(meant, speaker)])


def show(meant: Meant, reply: Reply) -> None:
    """An answer in words."""
    speaker = Speaker(meant.round.people)
    show_text(speaker.say_all(reply.notes))
    if reply.answer.short:
        click.echo(fill(" ".join(speaker.say_all(reply.answer.short)), line_width(), break_on_hyphens=False))
    if reply.answer.detail:
        click.echo()
        show_text(f"  {text}" for text in speaker.say_all(reply.answer.detail))
    show_text(speaker.say_all(reply.afterwards))
    show_text([edition_of(meant, speaker)])


def show_text(lines: Iterable[str]) -> None:
    """Sentences, broken to the width of the terminal."""
    for each in lines:
        deep = " " * (len(each) - len(each.lstrip()) + 2)
        click.echo(fill(each, line_width(), subsequent_indent=deep, break_on_hyphens=False))


def edition_of(meant: Meant, speaker: Speaker) -> str:
    """The rules that were applied."""
    return f"({speaker.say(line(f'edition.{meant.round.snapshot.edition}'))}.)"
