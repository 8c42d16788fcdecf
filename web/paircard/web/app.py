"""The application: every row of the tables as a route."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from typing import Final

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.routing import BaseRoute, Route

from paircard.web.endpoints import API, Endpoint
from paircard.web.feed import Feed, Feeds
from paircard.web.guards import Guard
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
    problem,
    public,
    record,
    screen,
    tournaments,
)
from paircard.web.pages.page import Page
from paircard.web.routes import access, commands, proof, review, server, views
from paircard.web.serving import broken, dispatch, not_routed
from paircard.web.site import Site

ENDPOINTS: Final = [
    row for module in (views, commands, review, proof, access, server) for row in module.ENDPOINTS
]
PAGES: Final = [
    *(row for module in (public, player, screen, tournaments, corrections, record) for row in module.PAGES),
    *(row for module in (phone, desk, people, alter, grants, page, problem) for row in module.PAGES),
]


def make_app(site: Site) -> Starlette:
    """The application for one site; it closes the site at its end. Its feeds are ``app.state.feeds``."""
    feeds = Feeds(site)
    site.is_following = lambda: feeds.alive
    site.describe = partial(description, ENDPOINTS)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        await feeds.start()
        yield
        await feeds.stop()
        await asyncio.get_running_loop().run_in_executor(None, site.close)

    app = Starlette(
        routes=routes(site, feeds),
        middleware=[Middleware(Guard, settings=site.settings)],
        exception_handlers={HTTPException: partial(not_routed, site), Exception: broken},
        lifespan=lifespan,
    )
    app.state.feeds = feeds
    return app


def routes(site: Site, feeds: Feeds) -> list[BaseRoute]:
    """One route per address, with all its methods."""
    by_address: dict[str, dict[str, Endpoint | Page]] = {}
    rows: list[Endpoint | Page] = [*ENDPOINTS, *PAGES]
    for one in rows:
        by_address.setdefault(one.address, {})[one.method] = one
    return [
        Route(f"{API}/tournaments/{{tournament}}/feed", Feed(feeds, of_all=False), methods=["GET"]),
        Route(f"{API}/feed", Feed(feeds, of_all=True), methods=["GET"]),
        *(
            Route(address, partial(dispatch, site, methods), methods=list(methods))
            for address, methods in by_address.items()
        ),
    ]
