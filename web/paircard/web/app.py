"""The application: the addresses of all rows of the tables, found part by part."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from typing import Final

from starlette.applications import Starlette
from starlette.middleware import Middleware

from paircard.web.courier import Courier
from paircard.web.endpoints import API, Row
from paircard.web.feed import Feed, Feeds
from paircard.web.guards import Guard
from paircard.web.metrics import answer
from paircard.web.openapi import description
from paircard.web.pages import (
    alter,
    corrections,
    desk,
    grants,
    page,
    people,
    phone,
    player,
    prizes,
    problem,
    public,
    record,
    screen,
    tournaments,
)
from paircard.web.routes import access, commands, proof, review, server, views, webhooks
from paircard.web.serving import Addresses, Place, dispatch
from paircard.web.site import Site

ENDPOINTS: Final = [
    row for module in (views, commands, review, proof, access, webhooks, server) for row in module.ENDPOINTS
]
PAGES: Final = [
    *(row for module in (public, player, screen, tournaments, corrections, record) for row in module.PAGES),
    *(row for module in (phone, desk, people, alter, grants, prizes, page, problem) for row in module.PAGES),
]


def make_app(site: Site) -> Starlette:
    """The application for one site; it closes the site at its end. Its feeds are ``app.state.feeds``."""
    feeds, courier = Feeds(site), Courier(site)
    site.is_following = lambda: feeds.alive
    site.describe = partial(description, ENDPOINTS)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        await feeds.start()
        courier.start()
        yield
        await feeds.stop()
        await asyncio.to_thread(courier.stop)
        await asyncio.to_thread(site.close)

    served = addresses(site, feeds)
    site.metrics.names = {place: address for address, place in served.items()}
    site.metrics.gauges = partial(gauges, site, feeds, courier)
    app = Starlette(
        middleware=[Middleware(Guard, Addresses(site, served), site.settings, site.metrics)],
        lifespan=lifespan,
    )
    app.state.feeds = feeds
    return app


def gauges(site: Site, feeds: Feeds, courier: Courier) -> dict[str, tuple[str, float]]:
    """What the process knows about itself and the store without asking it."""
    metrics, store = site.metrics, site.office.opened
    looked, now = metrics.looked, time.monotonic()
    used, most = store.backend.pool() if store else (0, 0)
    return {
        "open_feeds": ("Open feeds.", sum(map(len, feeds.readers.values()))),
        "ready": ("Whether /api/v1/ready says ok.", feeds.alive and site.access.answers),
        "follower_position": ("Position of the last fact that was published.", feeds.position),
        "follower_age_seconds": ("Since the follower last reached the store.", feeds.age()),
        "conflicts_total": (
            "Requests decided again, as another was faster.",
            store.conflicts if store else 0,
        ),
        "retries_total": ("Writes tried again after a lost connection.", store.retries if store else 0),
        "pool_used": ("Connections to the database in use.", used),
        "pool_size": ("Connections to the database at most; 0 for a file.", most),
        "webhooks_waiting": ("Deliveries to webhooks that are still to come.", courier.waiting),
        "webhooks_dead": ("Deliveries to webhooks that were given up.", courier.dead),
        "unreadable_tournaments": ("Tournaments with a fact that cannot be read.", len(site.unreadable)),
        "store_faults": ("Faults of the tables of the store, as the doctor sees them.", looked.faults),
        "store_looked_age_seconds": ("Since that was looked at.", now - looked.at if looked.at else -1),
        "signed_position": (
            "Position up to which a signed tree covers the log; 0: none.",
            looked.signed_position,
        ),
        "signed_age_seconds": (
            "Age of the last fact under a signed tree; -1: none.",
            time.time() - looked.signed_at if looked.signed_at else -1,
        ),
    }


def addresses(site: Site, feeds: Feeds) -> dict[str, Place | Feed]:
    """What answers at each address, with all its methods."""
    by_address: dict[str, dict[str, Row]] = {}
    for one in (*ENDPOINTS, *PAGES):
        by_address.setdefault(one.address, {})[one.method] = one
    return {
        "/metrics": Place(partial(answer, site.metrics, site.settings.metrics_from), {"GET"}),
        f"{API}/tournaments/{{tournament}}/feed": Feed(feeds, of_all=False),
        f"{API}/feed": Feed(feeds, of_all=True),
        **{one: Place(partial(dispatch, site, rows), rows) for one, rows in by_address.items()},
    }
