"""The record itself: facts as they are stored, bundles, reports, checkpoints."""

from typing import Final

from paircard.domain.proof.bundles import export_bundle
from paircard.domain.proof.checkpoints import kept_checkpoints
from paircard.service import Moment
from paircard.web.calls import OPEN_TO_ALL, Answer, Call
from paircard.web.endpoints import AFTER_ROUND, AT, ONE, Endpoints, Parameter, number
from paircard.web.looking import answer_view, look, making
from paircard.web.roles import need_reader
from paircard.web.site import Site

LINES: Final = "application/x-ndjson"
TEXT: Final = "text/plain; charset=utf-8"
MOST_FACTS: Final = 10_000
AFTER: Final = Parameter("after", "From the fact after this one on.", number(0, 10**9))
LIMIT: Final = Parameter("limit", "At most this many; 1,000 by default.", number(1, MOST_FACTS))
ENDPOINTS: Final = Endpoints()


@ENDPOINTS.add("GET", f"{ONE}/facts", bytes, AFTER, LIMIT, who="reader", gives_media=LINES)
def facts(site: Site, call: Call) -> Answer:
    """Facts as they are stored, one JSON object a line: version, topic, stored, and in private the personal
    parts that are not erased."""
    id = call.tournament
    need_reader(call.login, id, "facts")
    site.tournament(id)
    after, limit = AFTER.read(call) or 0, LIMIT.read(call) or 1000
    rows = site.office.store().rows(id, after, after + limit)
    body = b"".join(
        b'{"version":%d,"topic":"%b","stored":%b,"private":[%b]}\n'
        % (row.originator_version, row.topic.encode(), row.state, b",".join(row.parts))
        for row in rows
    )
    return Answer(body=body, media_type=LINES, headers={"cache-control": "private, no-cache"})


@ENDPOINTS.add(
    "GET", f"{ONE}/bundle", bytes, AT, who="reader", gives_media=LINES, also=(304, 307), refusals=(422,)
)
def bundle(site: Site, call: Call) -> Answer:
    """The whole tournament in one file that verifies elsewhere."""
    id = call.tournament
    need_reader(call.login, id, "bundle")
    seen = look(site, call)

    def make(moment: Moment) -> bytes:
        content, _ = export_bundle(site.office.store(), id, moment.version)
        return content

    answer = answer_view(site, call, seen, "bundle", make, LINES)
    answer.headers["content-disposition"] = f'attachment; filename="{id[:8]}.bundle"'
    return answer


@ENDPOINTS.view("/report.trf", AFTER_ROUND, gives_media="text/plain")
def report(moment: Moment, after: int | None) -> str:
    """The tournament as a report file (TRF26).

    The public's is without personal data.
    """
    return moment.report(after)


@ENDPOINTS.add("GET", f"{ONE}/checkpoints", bytes, gives_media="text/plain")
def checkpoints(site: Site, call: Call) -> Answer:
    """The signed checkpoints that the store keeps."""
    id = call.tournament
    site.tournament(id)
    with making(site, call):
        notes = kept_checkpoints(site.office.store(), id)
    headers = {"cache-control": "public, no-cache", **OPEN_TO_ALL}
    return Answer(body="\n".join(notes).encode(), media_type=TEXT, headers=headers)
