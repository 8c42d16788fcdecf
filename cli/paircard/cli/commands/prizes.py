"""``prizes announce award``: the rules before round 1, who gets what and why, and the list on record."""

from collections.abc import Sequence
from functools import partial
from typing import Final

import click

from paircard.cli.options import CSV, PAGE, forms
from paircard.cli.output import print_line, remark, show_table
from paircard.cli.refusals import SPEAKER, found_in
from paircard.cli.session import Session, reads, writes
from paircard.cli.text_files import read_text
from paircard.domain.commands import ChangeRegulations
from paircard.domain.messages import Message, say
from paircard.domain.values.prizes import Prize, money
from paircard.service.exports import csv_text
from paircard.service.print import prizes as pages
from paircard.service.prizes import KeptPrize, PlayerPrizes, PrizeLine, Prizes, announcement


@click.command()
@click.argument("who", required=False)
@click.option(
    "--why-not", "other", metavar="PLAYER", help="Say of each prize why this player does not get it."
)
@forms(
    csv=CSV,
    html=PAGE,
    order="Print the order of the prize-giving, the winner last.",
    certificates="Print a certificate for everybody who won something.",
    receipts="Print a receipt for everybody who won something.",
)
@reads
def prizes(session: Session, who: str | None, other: str | None) -> None:
    """Show who gets which prize and why; of one player all lists, what stands in the way, what is needed.

    While games are to come the list is provisional: safe is what no result can change.

    Example: paircard prizes
    """
    view = session.view()
    rules = view.regulations.prizes
    announced, fide_mode = rules.prizes if rules else (), view.state.fide_mode
    if not (announced or session.json or session.run.form):
        remark(Message("no-prizes"))
        return
    id = view.player(other or who or "") if who or other else 0
    found = view.player_prizes(id) if id else view.prizes()
    if session.shown(
        found,
        csv=lambda: csv_text(HEADINGS, prize_rows(found), fide_mode),
        html=partial(pages.prizes_page, view, id),
        order=partial(pages.order_page, view),
        certificates=partial(pages.certificates_of_prizes, view, id),
        receipts=partial(pages.receipts_page, view, id),
    ):
        return
    if isinstance(found, PlayerPrizes):
        tell_player(found, alone=bool(other))
    else:
        tell_prizes(found, announced, fide_mode)


def tell_prizes(found: Prizes, announced: Sequence[Prize], fide_mode: bool) -> None:
    """Who gets what, or before round 1 what is announced; then what has to be looked at."""
    title = Message("cli.title.standings", {"round": found.after})
    if found.after:
        lines = [
            (prize, name or "–", " + ".join(filter(None, (amount, thing))), now, why)
            for prize, _, name, amount, _, thing, now, why in prize_rows(found)
        ]
        show_table("cli.table.prizes", lines, title=title, fide_mode=fide_mode)
        print_line(
            "prizes.sum",
            value=money(found.announced),
            code=money(sum(line.amount for line in found.given)),
            kind=money(sum(one.amount for one in found.kept)),
            id=found.currency,
        )
    else:
        listed = [(one.name, one.category, one.place, worth(one)) for one in announced]
        show_table("cli.table.announced", listed, title=Message("cli.title.announced"))
    if found.published:
        code = "prizes.given-out" if found.proven else "prizes.given-out-otherwise"
        print_line(code, version=found.published)
    if found.changed:
        print_line("prizes.by-now")
    for said in (*found.changed, *found.notes):
        click.echo(said.text)


HEADINGS: Final = ("prize", "category", "name", "amount", "currency", "thing", "now", "reasons")
"""Headings of files, which stay what they are in any language."""


def worth(one: PrizeLine | KeptPrize | Prize) -> str:
    """Money and thing of a prize."""
    return " + ".join(part for part in (money(one.amount) if one.amount else "", one.thing) if part)


def prize_rows(found: Prizes | PlayerPrizes) -> list[list[str]]:
    """The prizes line by line, then the others without a name and with what stands in the way."""
    others = found.why_not if isinstance(found, PlayerPrizes) else found.kept
    rows = []
    for line in found.given:
        now = "" if found.final else "safe" if line.safe else "open"
        reasons = "; ".join(one.text for one in line.reasons)
        amount = money(line.amount) if line.amount else ""
        rows.append([line.prize, line.category, line.name, amount, found.currency, line.thing, now, reasons])
    for kept in others:
        amount = money(kept.amount) if kept.amount else ""
        rows.append([kept.prize, "", "", amount, found.currency, kept.thing, "", kept.reason.text])
    return rows


def tell_player(one: PlayerPrizes, *, alone: bool) -> None:
    """What a player gets, the categories, every other prize, and what games to come may bring."""
    if not alone:
        for line in one.given:
            click.echo(f"{line.prize} {worth(line)}: {'; '.join(said.text for said in line.reasons)}")
        if not one.given:
            click.echo(SPEAKER.say(say("prizes.nothing-for", name=one.name)))
        for group in one.groups:
            place = say("prizes.reach", place=group.place, name=group.category)
            click.echo(group.reason.text + (f": {SPEAKER.say(place)}" if group.place else ""))
    for kept in one.why_not:
        print_line("prizes.why-not", name=kept.prize, value=worth(kept), reason=kept.reason.text)
    for need in () if alone else one.needs:
        click.echo(SPEAKER.say(pages.need_said(need, one.currency)))


@click.command()
@click.argument("file", metavar="FILE")
@writes
def announce(session: Session, file: str) -> None:
    """Announce categories and prizes from a TOML file: free before round 1, later with a reason.

    [[category]] has a name and any of sex, youth, senior, key_date, rating_from, rating_below, unrated, club,
    federation, title …, least, next; [[prize]] a name, category, amounts for places 1, 2 … or place and
    amount, thing, value. Above them: sharing, per_person, unit, least_part, short, unclaimed, choosing,
    all_rounds, unrated_half, currency.

    Example: paircard announce prizes.toml
    """
    text = read_text(file)
    with found_in(file):
        changes = announcement(text)
    session.ask(lambda now: [ChangeRegulations(changes=changes)])
    for note in session.tournament.now().prizes().notes if not session.json else ():
        click.echo(note.text)


@click.command()
@writes
def award(session: Session) -> None:
    """Publish the prizes: the list goes on record with the digest of what it was computed from.

    Example: paircard award
    """
    session.tell(session.tournament.award(by=session.person))
