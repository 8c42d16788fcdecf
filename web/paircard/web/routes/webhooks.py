"""Webhooks: programs that are told of every fact, instead of asking."""

from typing import Final

import msgspec
from msgspec.structs import asdict

from paircard.domain.errors import Unknown
from paircard.domain.speaking import Speaker
from paircard.web import messages
from paircard.web.calls import Answer, Call, as_json, language_of
from paircard.web.courier import Delivery, Webhook, outbox_of, view
from paircard.web.endpoints import Endpoints
from paircard.web.roles import need, refused, sees_all
from paircard.web.site import Site

ONE: Final = "/webhooks/{webhook}"
ENDPOINTS: Final = Endpoints()


def mine(site: Site, call: Call) -> list[Webhook]:
    """The webhooks about what the caller may see: who reads all of the store, or one tournament."""
    login = need(call.login, "webhooks")
    if login.grant.role == "deputy":
        raise refused(login, "http.webhook.not-for-deputies")
    return [one for one in outbox_of(site).all() if sees_all(login, one.tournament)]


def meant(site: Site, call: Call) -> str:
    """The id in the address, of a webhook the caller may see."""
    id = str(call.path["webhook"])
    if id not in {one.id for one in mine(site, call)}:
        raise Unknown("http.webhook.unknown", text=id)
    return id


@ENDPOINTS.add("GET", "/webhooks", tuple[messages.WebhookView, ...], who="granter")
def webhooks(site: Site, call: Call) -> Answer:
    """The webhooks of the tournaments one sees."""
    return as_json([view(one) for one in mine(site, call)])


@ENDPOINTS.add(
    "POST", "/webhooks", messages.MadeWebhook, who="granter", takes=messages.NewWebhook, status=201
)
def add_webhook(site: Site, call: Call) -> Answer:
    """Have a program told of every fact from now on.

    It ends with the grant it was registered with. The secret is in the answer, once.
    """
    login = need(call.login, "webhooks")
    asked = call.read(messages.NewWebhook)
    tournament = asked.tournament or login.grant.tournament
    if not sees_all(login, tournament):
        raise refused(login, "http.webhook.not-for-deputies")
    if tournament:
        site.tournament(tournament)
    made = outbox_of(site).add(asked.url, tournament=tournament, grant=login.grant.id, who=login.who)
    site.wake()
    return as_json(messages.MadeWebhook(webhook=view(made), secret=made.secret), 201)


@ENDPOINTS.add("DELETE", ONE, who="granter", status=204)
def remove_webhook(site: Site, call: Call) -> Answer:
    """Take a webhook away, with all that was to be sent to it."""
    outbox_of(site).remove(meant(site, call))
    return Answer(status=204, headers={"cache-control": "no-store"})


@ENDPOINTS.add("GET", f"{ONE}/deliveries", messages.Deliveries, who="granter")
def deliveries(site: Site, call: Call) -> Answer:
    """What a webhook was not told of yet: what waits, and what was given up."""
    id, there = meant(site, call), outbox_of(site)
    speaker = Speaker(language_of(call.request.headers))

    def views(dead: bool) -> tuple[messages.DeliveryView, ...]:
        return tuple(delivery_view(one, speaker) for one in there.waiting(id, dead=dead))

    return as_json(messages.Deliveries(waiting=views(False), dead=views(True)))


def delivery_view(one: Delivery, speaker: Speaker) -> messages.DeliveryView:
    """A delivery with its last failure in words."""
    return msgspec.convert({**asdict(one), "said": speaker.say(one.said)}, messages.DeliveryView)


@ENDPOINTS.add("POST", f"{ONE}/deliveries", messages.SentAgain, who="granter", takes=messages.SendAgain)
def send_again(site: Site, call: Call) -> Answer:
    """Send again what was given up."""
    asked = call.read(messages.SendAgain)
    count = outbox_of(site).send_again(meant(site, call), asked.tournament)
    site.wake()
    return as_json(messages.SentAgain(deliveries=count))
