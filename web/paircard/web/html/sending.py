"""A form into commands: who sends it, what comes of it, and warnings that need an answer first."""

from collections.abc import Callable, Sequence
from typing import Any

from paircard.domain.errors import (
    Caution,
    NeedsAcknowledgement,
    PaircardError,
    Prohibited,
    ReasonMissing,
    StoreRefused,
)
from paircard.domain.values.results import parse_outcome
from paircard.service import Person
from paircard.service.pages.desk import ask_page
from paircard.web import wire
from paircard.web.access.book import Login
from paircard.web.access.roles import need_verbs
from paircard.web.calls import Answer, Call
from paircard.web.html.common import frame_of, fresh
from paircard.web.html.fields import key_of
from paircard.web.looking import need_id
from paircard.web.pages import see_other
from paircard.web.problems import in_words_of_pages, status_of
from paircard.web.routes.commands import carry_out
from paircard.web.site import Site

SHORT = {"1": "1-0", "0": "0-1", "=": "½-½", "+": "1F-0F", "-": "0F-1F"}
"""Results in one key."""
ADJOURNED = ("adjourned", "adj", "?")


def verb(name: str, **fields: Any) -> Any:
    """A command as the wire has it."""
    return wire.VERBS[name](**fields)


def result_verb(round: int, board: int, text: str) -> Any:
    """A result as people type it, or an adjourned game."""
    word = text.strip()
    if word.casefold() in ADJOURNED:
        return verb("adjourn-game", round=round, board=board)
    outcome = SHORT.get(word, word)
    parse_outcome(outcome)
    return verb("record-result", round=round, board=board, outcome=outcome)


def send(
    site: Site,
    call: Call,
    commands: Callable[[dict[str, str]], Sequence[Any]],
    *,
    done: Callable[[dict[str, str]], str],
    refused: Callable[[dict[str, str], str], str],
    back: str,
) -> Answer:
    """Carry out the commands a form asks for; a warning becomes a question, a refusal stands on the page."""

    def work(fields: dict[str, str]) -> None:
        id = need_id(call.tournament)
        wanted = tuple(commands(fields))
        login = need_verbs(call.login, id, wanted)
        order = wire.Order(commands=wanted)
        site.commands.take(login.grant.id)
        carry_out(site, id, order, person_of(login, fields))

    return take(site, call, work, done=done, refused=refused, back=back)


def take(
    site: Site,
    call: Call,
    work: Callable[[dict[str, str]], None],
    *,
    done: Callable[[dict[str, str]], str],
    refused: Callable[[dict[str, str], str], str],
    back: str,
) -> Answer:
    """Do the work of a form; a warning becomes a question, a refusal stands on the page."""
    fields = call.form()
    try:
        work(fields)
    except NeedsAcknowledgement as warned:
        return ask(site, call, fields, back, warned.warnings)
    except ReasonMissing as silent:
        return ask(site, call, fields, back, reason=str(silent))
    except Prohibited as barred:
        return ask(site, call, fields, back, barred=str(barred))
    except PaircardError as refusal:
        if call.login is None or isinstance(
            refusal, StoreRefused
        ):  # where the store is stays with the server
            raise
        return fresh(refused(fields, in_words_of_pages(refusal)), status_of(type(refusal)))
    return see_other(done(fields))


def person_of(login: Login, fields: dict[str, str]) -> Person:
    """Who sends a form, with the reason, the key and the warnings that are accepted."""
    why = fields.get("why", "").strip()
    return login.person(key_of(fields), why=why, accepts=acks_of(fields), expects=version_of(fields))


def acks_of(fields: dict[str, str]) -> tuple[str, ...]:
    """The warnings that are accepted with a form."""
    return tuple(value for name, value in fields.items() if name.startswith("ack:"))


def version_of(fields: dict[str, str]) -> int | None:
    """The version of the tournament that the page with the form showed, if it says so."""
    text = fields.get("version", "")
    return int(text) if text.isdecimal() and len(text) < 10 else None


def ask(
    site: Site,
    call: Call,
    sent: dict[str, str],
    back: str,
    warnings: Sequence[Caution] = (),
    reason: str = "",
    barred: str = "",
) -> Answer:
    """The question whether warnings are accepted, or for the reason; with the form in it, under a new key.

    What the rules forbid (level 5) is said there too, with the way back alone.
    """
    login = call.login
    assert login is not None
    asks_why = reason or any(one.level >= 4 for one in warnings)
    text = ask_page(
        site.tournament(call.tournament).now(),
        frame_of(site, call),
        who=login.who,
        action=call.request.url.path,
        back=back,
        warnings=warnings,
        reason=reason,
        barred=barred,
        why=sent.get("why", ""),
        fields=[
            (name, f"{value}-ack"[:64] if name == "key" else value)
            for name, value in sent.items()
            if not (name == "why" and asks_why)
        ],
    )
    return fresh(text, 409)
