"""``paircard webhook``: programs that are told of every fact, registered and looked at from the terminal."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import click
import msgspec

from paircard.domain.messages import Message, say
from paircard.service import Office
from paircard.web.outbox import Delivery, Webhooks, view
from paircard.web.serve import spoken, store_option, this_run

json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


@contextmanager
def opened(db: str | None) -> Iterator[tuple[Office, Webhooks]]:
    """The store that is meant, which must be there, and its webhooks."""
    location = db or this_run().path
    with Office.open(location) as office:
        yield office, Webhooks(location, office.store())


def tell(value: Any, as_json: bool, *lines: Message) -> None:
    """An answer as JSON, or in words."""
    if as_json:
        click.echo(msgspec.json.format(msgspec.json.encode(value), indent=2).decode())
    else:
        for line in lines:
            click.echo(spoken(line))


@click.group()
def webhook() -> None:
    """Have programs told of every fact, as long as the store is served."""


@webhook.command("add", short_help="Have a program told of every fact from now on.")
@click.argument("url")
@click.option("-t", "--tournament", "which", metavar="NAME", help="Of this tournament alone, not of all.")
@json_option
@store_option
def add(url: str, which: str | None, as_json: bool, db: str | None) -> None:
    """Have a program told of every fact from now on; the secret that signs its deliveries is shown once.

    Example: paircard webhook add https://club.example/paircard
    """
    with opened(db) as (office, webhooks):
        about = office.tournament(which).id if which else ""
        made = webhooks.add(url, tournament=about, who=this_run().who)
    value = {"webhook": view(made), "secret": made.secret}
    tell(value, as_json, say("http.webhook.added", id=made.id, value=made.secret))


@webhook.command("list")
@json_option
@store_option
def list_all(as_json: bool, db: str | None) -> None:
    """List the webhooks of the store.

    Example: paircard webhook list
    """
    with opened(db) as (_, webhooks):
        found = webhooks.all()
    lines = []
    for one in found:
        whose = say("http.webhook.about-one", tournament=one.tournament)
        about = whose if one.tournament else say("http.webhook.about-all")
        lines.append(say("http.webhook.listed", id=one.id, value=one.url, what=about))
    tell([view(one) for one in found], as_json, *(lines or [say("http.webhook.none")]))


@webhook.command("remove")
@click.argument("which", metavar="ID|ADDRESS")
@store_option
def remove(which: str, db: str | None) -> None:
    """Take a webhook away, with all that was to be sent to it.

    Example: paircard webhook remove https://club.example/paircard
    """
    with opened(db) as (_, webhooks):
        id = webhooks.id_of(which)
        webhooks.remove(id)
    tell(None, False, say("http.webhook.removed", id=id))


@webhook.command("deliveries", short_help="Show what a webhook was not told of yet.")
@click.argument("which", metavar="ID|ADDRESS")
@click.option("--again", is_flag=True, help="Send again what was given up.")
@json_option
@store_option
def deliveries(which: str, again: bool, as_json: bool, db: str | None) -> None:
    """Show what a webhook was not told of yet: what is tried again, and what was given up after three days.

    Example: paircard webhook deliveries https://club.example/paircard --again
    """
    with opened(db) as (_, webhooks):
        id = webhooks.id_of(which)
        count = webhooks.send_again(id) if again else 0
        waiting, dead = webhooks.waiting(id), webhooks.waiting(id, dead=True)
    lines = [say("http.webhook.waiting", number=one.attempts, **fields(one)) for one in waiting]
    lines += [say("http.webhook.given-up", **fields(one)) for one in dead]
    if again:
        lines = [say("http.webhook.again", number=count)]
    tell({"waiting": waiting, "dead": dead}, as_json, *(lines or [say("http.webhook.all-told")]))


def fields(one: Delivery) -> dict[str, Any]:
    """What a line says of a delivery."""
    return {"first": one.first, "last": one.last, "tournament": one.tournament, "what": one.said}
