"""``prizes announce award``: the rules before round 1, who gets what and why, and the list on record."""

import click

from paircard.cli.input_files import read_text
from paircard.cli.options import CSV, forms
from paircard.cli.output import print_line, remark, show_table
from paircard.cli.refusals import SPEAKER
from paircard.cli.session import Session, reads, writes
from paircard.domain.commands import ChangeRegulations
from paircard.domain.messages import Message
from paircard.domain.values.prizes import money
from paircard.projections.prizes import belonging
from paircard.service.prizes import PrizeLine, Prizes, announcement, categories_of, publication
from paircard.service.spreadsheet import csv_text


@click.command()
@click.argument("who", required=False)
@forms(csv=CSV)
@reads
def prizes(session: Session, who: str | None) -> None:
    """Show who gets which prize and why; of one player all lists and what stands in the way.

    While games are to come the list is provisional: safe is what no result can change.

    Example: paircard prizes
    """
    view = session.view()
    if not (view.regulations.prizes and view.regulations.prizes.prizes):
        remark(Message("no-prizes"))
        return
    found = view.prizes()
    if who is not None:
        id = view.player(who)
        mine = [line for line in found.given if line.player == id]
        if session.shown(mine):
            return
        for line in mine:
            click.echo(f"{line.prize} {amount(line)}: {'; '.join(one.text for one in line.reasons)}")
        if not mine:
            print_line("prizes.nothing-for", player=id)
        player = view.state.players[id - 1]
        for category in categories_of(view.state):
            click.echo(SPEAKER.say(belonging(category, player, view.regulations.starts).reason))
        return
    if session.shown(found, csv=lambda: prizes_csv(found)):
        return
    title = Message("cli.title.standings", {"round": found.after})
    rows = [
        (line.prize, line.name, amount(line), "" if found.final else "safe" if line.safe else "open",
         "; ".join(one.text for one in line.reasons))
        for line in found.given
    ]  # fmt: skip
    rows += [(one.prize, "–", money(one.amount), "", one.reason.text) for one in found.kept]
    show_table("cli.table.prizes", rows, title=title, fide_mode=view.state.fide_mode)
    given = sum(line.amount for line in found.given)
    kept = sum(one.amount for one in found.kept)
    print_line(
        "prizes.sum", value=money(found.announced), code=money(given), kind=money(kept), id=found.currency
    )
    if found.published:
        code = "prizes.given-out" if found.proven else "prizes.given-out-otherwise"
        print_line(code, version=found.published)
    for one in (*found.changed, *found.notes):
        click.echo(one.text)


def amount(line: PrizeLine) -> str:
    """Money and thing of a prize."""
    return " + ".join(part for part in (money(line.amount) if line.amount else "", line.thing) if part)


def prizes_csv(found: Prizes) -> str:
    """The prizes as a spreadsheet takes them, what is kept without a name."""
    rows: list[list[object]] = [
        ["prize", "category", "name", "amount", "currency", "thing", "safe", "reasons"]
    ]
    for line in found.given:
        safe = "yes" if line.safe else "no"
        rows.append(
            [line.prize, line.category, line.name, money(line.amount), found.currency, line.thing, safe,
             "; ".join(one.text for one in line.reasons)]
        )  # fmt: skip
    rows += [
        [one.prize, "", "", money(one.amount), found.currency, "", "", one.reason.text] for one in found.kept
    ]
    return csv_text(rows)


@click.command()
@click.argument("file")
@writes
def announce(session: Session, file: str) -> None:
    """Announce categories and prizes from a TOML file: free before round 1, later with a reason.

    [[category]] has a name and any of sex, youth, senior, key_date, rating_from, rating_below, unrated, club,
    federation, title …, least, next; [[prize]] a name, category, amounts for places 1, 2 … or place and
    amount, thing, value. Above them: sharing, per_person, unit, least_part, short, unclaimed, choosing,
    all_rounds, unrated_half, currency.

    Example: paircard announce prizes.toml
    """
    changes = announcement(read_text(file))
    session.ask(lambda now: [ChangeRegulations(changes=changes)])


@click.command()
@writes
def award(session: Session) -> None:
    """Publish the prizes: the list goes on record with the digest of what it was computed from.

    Example: paircard award
    """
    session.ask(lambda now: [publication(now.state)])
