"""What goes over the wire: the shapes of bodies and answers, for server and client."""

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal, TypeAlias

import msgspec
from msgspec import UNSET, UnsetType

from paircard.domain.events import Recorded
from paircard.domain.messages import Message
from paircard.domain.speaking import Remark
from paircard.projections.log_lines import AlreadyRecorded, LogLine
from paircard.service.views import Remains, Summary

Role: TypeAlias = Literal["deputy", "arbiter", "officer"]
LONGEST_GRANT: Final = 24 * 366
"""Hours."""
Word = Annotated[str, msgspec.Meta(max_length=200)]
BoardNumber = Annotated[int, msgspec.Meta(ge=0, le=99999)]
RoundNumber = Annotated[int, msgspec.Meta(ge=1, le=999)]


class Listing(msgspec.Struct, frozen=True, kw_only=True):
    """A page of the tournaments of the store, the oldest first."""

    tournaments: tuple[Summary, ...]
    next: str | None
    """The id to give as ``after`` for the next page; none on the last."""


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """What came of a request."""

    version: int
    """Of the tournament, now."""
    repeated: bool
    """It was carried out before; these are the facts of the first time."""
    facts: tuple[Recorded, ...]
    lines: tuple[LogLine, ...]
    """The facts in words."""
    already: tuple[AlreadyRecorded, ...] = ()
    """Results that stood there already, and so gave no fact."""
    remarks: tuple[Remark, ...] = ()
    """What may surprise later, and needs no answer."""
    advice: tuple[str, ...] = ()
    """The remarks in English."""
    remains: Remains | None = None
    """After an erasure: what is left to do, and where the name still stands."""


class SignIn(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Come in by a link, or by account and password."""

    link: Word = ""
    account: Word = ""
    password: Word = ""


class Me(msgspec.Struct, frozen=True, kw_only=True):
    """Who is signed in, and what they may do."""

    who: str
    role: Role
    tournament: str
    """Empty for all of the store."""
    rounds: tuple[int, ...]
    boards: tuple[int, int]
    verbs: tuple[str, ...]
    session: str
    """The id of the session or key."""
    until: int
    """Seconds since 1970; 0 for no end."""


class NewGrant(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Somebody to be let in."""

    who: Annotated[str, msgspec.Meta(extra_json_schema={"minLength": 1, "maxLength": 100})]
    """The name their facts are recorded under."""
    role: Role = "deputy"
    come_by: Literal["link", "key", "password"] = "link"
    rounds: tuple[RoundNumber, ...] = ()
    boards: tuple[BoardNumber, BoardNumber] = (0, 0)
    """First and last board; zeros for all."""
    hours: Annotated[int, msgspec.Meta(ge=0, le=LONGEST_GRANT)] = 0
    """How long; by default 12 hours for a deputy, and no end for others."""
    account: Word = ""
    password: Annotated[Word, msgspec.Meta(extra_json_schema={"pattern": "^(.{10,})?$"})] = ""
    """At least 10 characters."""


class Granted(msgspec.Struct, frozen=True, kw_only=True):
    """Who may do what, until when."""

    id: str
    who: str
    """The name their facts are recorded under."""
    role: Role
    tournament: str = ""
    """Id of the one tournament it is for; empty for all of the store."""
    rounds: tuple[int, ...] = ()
    """Rounds a deputy may enter results of; none for any."""
    boards: tuple[int, int] = (0, 0)
    """First and last board of a deputy; zeros for any."""
    until: int = 0
    """Seconds since 1970; 0 for no end."""
    by: str = ""
    """The name of who gave it."""
    giver: str = ""
    """Id of the grant it was given by; empty from the terminal, and in grants of before there were these."""


class GrantView(Granted, frozen=True, kw_only=True):
    """A grant, without any secret."""

    given: int = 0
    """How many grants that count came from it, directly or through others."""


class NewSecret(msgspec.Struct, frozen=True, kw_only=True):
    """A grant or key that was made; the secret is shown this once."""

    grant: GrantView
    id: str
    """Of the link or key; empty for a password."""
    secret: str
    """Of a key, to be sent as ``Authorization: Bearer``."""
    link: str
    """Address with the secret in its fragment, which no server and no log sees; for a QR code."""


class NewKey(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A key for a program of one's own."""

    note: Annotated[str, msgspec.Meta(extra_json_schema={"maxLength": 100})] = ""
    hours: Annotated[int, msgspec.Meta(ge=1, le=LONGEST_GRANT)] = LONGEST_GRANT


class KeyView(msgspec.Struct, frozen=True, kw_only=True):
    """A key, without its secret."""

    id: str
    note: str
    until: int


class NewWebhook(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A program to be told of every fact."""

    url: Annotated[
        str, msgspec.Meta(max_length=1000, extra_json_schema={"pattern": "^https?://[^/?#@]+[!-~]*$"})
    ]
    """Where to: https, or an address that the operator of the server allows."""
    tournament: Annotated[str, msgspec.Meta(pattern="^([0-9a-f]{32})?$")] = ""
    """Of one tournament; empty for all that one's grant is for."""


class WebhookView(msgspec.Struct, frozen=True, kw_only=True):
    """A webhook, without its secret."""

    id: str
    url: str
    tournament: str
    """Empty for all of the store."""
    who: str
    """Who registered it."""
    since: int
    """The position in the log of the store that it begins after."""


class MadeWebhook(msgspec.Struct, frozen=True, kw_only=True):
    """A webhook that was registered; the secret is shown this once."""

    webhook: WebhookView
    secret: str
    """What its deliveries are signed with."""


class DeliveryView(msgspec.Struct, frozen=True, kw_only=True):
    """Facts of one tournament that a webhook was not told of yet."""

    tournament: str
    first: int
    """Version of the first fact."""
    last: int
    attempts: int
    at: int
    """Seconds since 1970: when it is tried again, or was given up."""
    said: str
    """What became of the last attempt."""


class Deliveries(msgspec.Struct, frozen=True, kw_only=True):
    """What a webhook was not told of yet, by tournament and in order."""

    waiting: tuple[DeliveryView, ...]
    dead: tuple[DeliveryView, ...]
    """Given up after three days; they can be sent again."""


class SendAgain(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What was given up is to be sent again."""

    tournament: Annotated[str, msgspec.Meta(pattern="^([0-9a-f]{32})?$")] = ""
    """Of one tournament; empty for all."""


class SentAgain(msgspec.Struct, frozen=True, kw_only=True):
    """How many deliveries that were given up will be sent again."""

    deliveries: int


class Fault(msgspec.Struct, frozen=True, kw_only=True):
    """A warning that has to be accepted."""

    level: int
    code: str
    """What acknowledges it."""
    message: str
    fields: Mapping[str, Any] = {}
    """What the message speaks of, by name of the field."""
    people: Mapping[int, str] = {}
    """Names of the players it speaks of, by id."""


class Problem(msgspec.Struct, frozen=True, kw_only=True):
    """What is answered to a refused request (RFC 9457)."""

    type: str
    """``/problems/`` and the kind of the refusal."""
    title: str
    status: int
    detail: str
    """The refusal in words, with the way out; in the language of ``Accept-Language``."""
    code: str | UnsetType = UNSET
    """The refusal as a word, which stays while the wording of ``detail`` may change."""
    fields: Mapping[str, Any] | UnsetType = UNSET
    """What the sentence speaks of, by name of the field."""
    people: Mapping[int, str] | UnsetType = UNSET
    """Names of the players it speaks of, by id."""
    warnings: tuple[Fault, ...] | UnsetType = UNSET
    """What has to be accepted: send the same again with their codes in ``ack``."""
    version: int | UnsetType = UNSET
    """The version the tournament has."""
    path: str | UnsetType = UNSET
    """Where in the body."""
    by: str | UnsetType = UNSET
    """Who did what stands in the way."""
    when: str | UnsetType = UNSET
    """And when."""
    recorded: tuple[int, ...] | UnsetType = UNSET
    """Versions of the facts that were recorded under this key."""
    may: tuple[str, ...] | UnsetType = UNSET
    """What this login may do."""
    request: str | UnsetType = UNSET
    """The id of the request, which stands in the log of the server, too."""


class ReportFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A report of one tournament (TRF)."""

    text: str
    source: Word = ""
    """What the file is called: under one key, the same name is the same report; without one the same text."""
    name: Word = ""
    """Of the tournament, if the report has none."""
    edition: str = ""
    """The rules, if the report names none."""


class Season(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Reports to be recorded as new tournaments, each whole or not at all."""

    reports: Annotated[tuple[ReportFile, ...], msgspec.Meta(min_length=1, max_length=500)]
    why: Annotated[str, msgspec.Meta(max_length=500)] = ""
    ack: tuple[Annotated[str, msgspec.Meta(max_length=100)], ...] = ()
    """Warnings that are accepted, for all of them."""


class ImportedReport(msgspec.Struct, frozen=True, kw_only=True):
    """What came of one report."""

    source: str
    tournament: str = ""
    """Its id; empty if nothing was recorded."""
    name: str = ""
    repeated: bool = False
    """It was recorded before, under this key."""
    notes: tuple[str, ...] = ()
    """What the file leaves open, and what was changed."""
    messages: tuple[Message, ...] = ()
    """The notes with code and fields."""
    problem: Problem | None = None
    """Why nothing was recorded."""


class ImportedSeason(msgspec.Struct, frozen=True, kw_only=True):
    """What came of each report, in their order."""

    imports: tuple[ImportedReport, ...]
