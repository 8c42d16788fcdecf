"""What happens, as it happens: server-sent events for who follows a tournament, or all of them."""

from typing import Final

from paircard.web.calls import Call
from paircard.web.endpoints import ONE, STREAM, Endpoints, Parameter, number
from paircard.web.feed import Feed, feed_of
from paircard.web.site import Site

AFTER: Final = Parameter(
    "after",
    "Id of the last message seen, also taken as Last-Event-ID; without it, from now on.",
    number(0, 10**12 - 1),
)
ENDPOINTS: Final = Endpoints()


@ENDPOINTS.add("GET", f"{ONE}/feed", bytes, AFTER, gives_media=STREAM)
def follow_tournament(site: Site, call: Call) -> Feed:
    """What happens in a tournament, as it happens."""
    return feed_of(site, call, call.tournament)


@ENDPOINTS.add("GET", "/feed", bytes, AFTER, gives_media=STREAM)
def follow_all(site: Site, call: Call) -> Feed:
    """What happens in all tournaments, by position; for officers."""
    return feed_of(site, call)
