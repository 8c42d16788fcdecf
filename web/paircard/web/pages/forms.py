"""A form into commands: who sends it, what comes of it, and warnings that need an answer first.

Every form is answered in one line: the page that follows is told which facts came of it (``done=57-79``) and
says them, with the way back. A script that asks for JSON gets the same line, or the refusal, and no page.
"""

from collections.abc import Callable, Sequence
from functools import partial, wraps
from typing import Any, Final, TypeAlias

import msgspec

from paircard.domain.errors import (
    Caution,
    NeedsAcknowledgement,
    NotNow,
    PaircardError,
    Prohibited,
    ReasonMissing,
    StoreRefused,
)
from paircard.service import Done, Moment, Person
from paircard.service.print.event import event_of
from paircard.service.print.rendering import Frame, Language, Said, language
from paircard.service.requests import VERBS, carry_out, command_of
from paircard.web.access.book import Login
from paircard.web.access.roles import need_arbiter, need_verbs
from paircard.web.calls import JSON, Answer, Call, as_json
from paircard.web.language import language_of
from paircard.web.looking import need_id
from paircard.web.pages.page import EVENT, NOTHING, Pages, frame_of, fresh, new_key, render, see_other
from paircard.web.problems import UnreadableBody, in_words_of_pages, status_of
from paircard.web.site import Site

BUTTONS: Final = {"1-0": "1", "½-½": "=", "0-1": "0"}
"""Results with a button, and their keys."""
OTHERS: Final = {
    "forfeit": ("1F-0F", "0F-1F", "0F-0F"),
    "later": ("adjourned",),
    "unrated": ("W-L", "D-D", "L-W"),
    "decided": ("½-0", "0-½", "0-0"),
}
"""Every other result, by the reason for it."""
RESULTS: Final = {"played": tuple(BUTTONS), **{name: OTHERS[name] for name in OTHERS if name != "later"}}
"""Every result there is: those with a button, and the others."""


class AtDesk(msgspec.Struct, frozen=True):
    """An arbiter at work: the tournament as it is now, and how pages are made for them."""

    moment: Moment
    frame: Frame
    who: str
    key: str = msgspec.field(default_factory=new_key)
    """The key of the form on the page."""

    def page(self, template: str, refusal: Said | None = None, **values: object) -> str:
        """A page of the desk, with what was refused of its form."""
        event = event_of(self.moment)
        return render(
            template, self.frame, event=event, who=self.who, key=self.key, refusal=refusal, **values
        )


def at_desk(site: Site, call: Call, *scripts: str) -> AtDesk:
    """The desk of the arbiter who calls; anybody else is refused."""
    who = arbiter(call)
    return AtDesk(site.tournament(call.tournament).now(), frame_of(site, call, None, *scripts), who)


def arbiter(call: Call) -> str:
    """The name of the arbiter at the desk; anybody else is refused."""
    return need_arbiter(call.login, need_id(call.tournament), "desk").who


def address(call: Call, rest: str = "") -> str:
    """The address of a page of the desk."""
    return f"/tournaments/{call.tournament}/desk{rest}"


def number(fields: dict[str, str], name: str, most: int = 6) -> int:
    """A field that is a whole number of so many digits at most."""
    text = fields.get(name, "").strip()
    if not text.isdecimal() or len(text) > most:
        raise UnreadableBody("page.not-a-number", id=name, text=text).at(name)
    return int(text)


def key_of(fields: dict[str, str]) -> str:
    """The key the form carries, so that a double tap counts once."""
    key = fields.get("key", "")
    if not (0 < len(key) <= 64) or not key.isascii() or not key.isprintable() or " " in key:
        raise UnreadableBody("page.form-without-key").at("key")
    return key


def verb(name: str, **fields: Any) -> Any:
    """What a form asks for, by its verb."""
    return VERBS[name](**fields)


Fields: TypeAlias = dict[str, str]
Work: TypeAlias = Callable[[Site, Call, Fields], Done]


class Desk(Pages):
    """Pages of the arbiter's desk, and their forms."""

    def form(
        self,
        path: str,
        shown: Callable[[Site, Call, Fields, Said], str],
        *,
        done: str | Callable[[Site, Call, Fields], str] = "",
        back: str | None = None,
    ) -> Callable[[Work], Work]:
        """A form that the function below carries out.

        ``shown`` is its page with a refusal, ``done`` what follows, ``back`` where a question leads back to
        (by default the page itself); both are pages of the desk by their path.
        """

        def named(work: Work) -> Work:
            @wraps(work)
            def handler(site: Site, call: Call) -> Answer:
                arbiter(call)
                return take(
                    site,
                    call,
                    partial(work, site, call),
                    done=address(call, done) if isinstance(done, str) else partial(done, site, call),
                    refused=partial(shown, site, call),
                    back=call.request.url.path if back is None else address(call, back),
                )

            self.post(f"{EVENT}/desk{path}")(handler)
            return work

        return named


def order(site: Site, call: Call, fields: Fields, *wanted: Any) -> Done:
    """Carry out what a form asks for, if its sender may; and only for the players its page showed."""
    id = need_id(call.tournament)
    login = need_verbs(call.login, id, wanted)
    by = sender(site, login, fields)
    if "white" not in fields:
        return carry_out(site.office, site.tournament(id), wanted, by=by)
    entry = [command_of(one) for one in wanted]

    def for_those_players(now: Moment) -> Sequence[Any]:
        for one in entry:
            need_players(now, one.round, one.board, (number(fields, "white"), number(fields, "black")))
        return entry

    return site.tournament(id).propose(for_those_players, by=by, again=lambda *_: entry)


def sender(site: Site, login: Login | None, fields: Fields) -> Person:
    """Who sends a form that writes: it is counted."""
    assert login is not None
    site.commands.take(login.grant.id)
    return person_of(login, fields)


def need_players(now: Moment, round: int, board: int, players: tuple[int, int]) -> None:
    """Refuse an entry that was made for other players than those who sit at its board now."""
    paired = now.state.rounds
    if not 1 <= round <= len(paired) or not 1 <= board <= len(paired[round - 1].boards):
        return  # deciding says that there is no such board
    game = paired[round - 1].game(board)
    if (game.white, game.black) != players:
        refusal = NotNow("page.other-players", round=round, board=board, white=game.white, black=game.black)
        refusal.names = {id: now.state.players[id - 1].details.name for id in (game.white, game.black)}
        raise refusal


def take(
    site: Site,
    call: Call,
    work: Callable[[dict[str, str]], Done],
    *,
    done: str | Callable[[dict[str, str]], str],
    refused: Callable[[dict[str, str], Said], str],
    back: str,
) -> Answer:
    """Do the work of a form; a warning becomes a question, a refusal stands on the page.

    A script learns the facts that came of it (``done``), or what is ``said`` against it and whether the form
    itself ``asks``, to be sent again with an answer.
    """
    fields = call.form()
    by_script = call.header("accept") == JSON
    try:
        made = versions(work(fields))
    except PaircardError as refusal:
        if call.login is None or isinstance(refusal, StoreRefused):
            raise  # where the store is stays with the server
        question = isinstance(refusal, NeedsAcknowledgement | ReasonMissing | Prohibited)
        if by_script:
            said = in_one_line(refusal, language(language_of(call.request.headers)))
            return as_json({"said": said, "asks": question}, status_of(type(refusal)))
        match refusal:
            case NeedsAcknowledgement():
                return ask(site, call, fields, back, refusal.warnings)
            case ReasonMissing():
                return ask(site, call, fields, back, reason=refusal)
            case Prohibited():
                return ask(site, call, fields, back, barred=refusal)
            case _:
                return fresh(refused(fields, in_words_of_pages(refusal)), status_of(type(refusal)))
    if by_script:
        return as_json({"done": made})
    return see_done(done if isinstance(done, str) else done(fields), made)


def in_one_line(refusal: PaircardError, t: Language) -> str:
    """A refusal as plain text; of warnings, what they say."""
    if isinstance(refusal, NeedsAcknowledgement):
        return "; ".join(t.plain(one) for one in refusal.warnings)
    return t.plain(in_words_of_pages(refusal))


def versions(done: Done) -> str:
    """The facts that came of a request, like ``57`` or ``57-79``."""
    if not done.facts:
        return NOTHING
    first, last = done.facts[0].version, done.facts[-1].version
    return f"{first}-{last}" if last > first else str(first)


def see_done(address: str, done: str) -> Answer:
    """Look there, where what was done is said."""
    return see_other(f"{address}{'&' if '?' in address else '?'}done={done}")


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


def ask_page(
    desk: AtDesk,
    *,
    action: str,
    back: str,
    fields: Sequence[tuple[str, str]],
    warnings: Sequence[Caution] = (),
    reason: Said | None = None,
    barred: Said | None = None,
    why: str = "",
) -> str:
    """Warnings by level: one button, a choice, from level 4 on ticks; level 5 has the way back alone.

    Where only the reason is missing, the page asks for it.
    """
    return desk.page(
        "ask.html",
        action=action,
        back=back,
        warnings=warnings,
        level=5 if barred else max((one.level for one in warnings), default=0),
        reason=reason,
        barred=barred,
        why=why,
        fields=fields,
    )


def ask(
    site: Site,
    call: Call,
    sent: dict[str, str],
    back: str,
    warnings: Sequence[Caution] = (),
    reason: Said | None = None,
    barred: Said | None = None,
) -> Answer:
    """The question whether warnings are accepted, or for the reason; with the form in it, under a new key.

    What the rules forbid (level 5) is said there too, with the way back alone.
    """
    login = call.login
    assert login is not None
    asks_why = reason or any(one.level >= 4 for one in warnings)
    text = ask_page(
        AtDesk(site.tournament(call.tournament).now(), frame_of(site, call), login.who),
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
