"""A form into commands: who sends it, what comes of it, and warnings that need an answer first.

Every form is answered in one line: the page that follows is told which facts came of it (``done=57-79``) and
says them, with the way back. A script that asks for JSON gets the same line, or the refusal, and no page.
"""

from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias, TypeVar

import msgspec

from paircard.domain import errors
from paircard.service import Done, Moment, Person, Tournament
from paircard.service.desk import person, result_command
from paircard.service.print.rendering import Frame, Language, Said, language
from paircard.service.requests import VERBS, carry_out
from paircard.web.book import Login
from paircard.web.calls import JSON, Answer, Call, as_json, language_of
from paircard.web.pages.page import EVENT, NOTHING, Pages, frame_of, fresh, new_key, page_of, see_other
from paircard.web.problems import UnreadableBody, in_words_of_pages, status_of
from paircard.web.roles import need, need_arbiter, need_verbs
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


class Given(dict[str, str]):
    """The fields of a form or an address; one that is not there is empty."""

    def __missing__(self, name: str) -> str:
        return ""

    def number(self, name: str, most: int = 6) -> int:
        """A field that is a whole number of so many digits at most."""
        text = self[name].strip()
        if not text.isdecimal() or len(text) > most:
            raise UnreadableBody("page.not-a-number", id=name, text=text).at(name)
        return int(text)

    def sender(self, login: Login) -> Person:
        """Who sends the form, with the reason, the key and the warnings that are accepted."""
        key, version = self["key"], self["version"]
        if not (0 < len(key) <= 64) or not key.isascii() or not key.isprintable() or " " in key:
            raise UnreadableBody("page.form-without-key").at("key")
        accepts = tuple(value for name, value in self.items() if name.startswith("ack:"))
        seen = int(version) if version.isdecimal() and len(version) < 10 else None
        return login.person(key, why=self["why"].strip(), accepts=accepts, expects=seen)


class AtDesk(msgspec.Struct, frozen=True):
    """An arbiter at work: the tournament as it is now, and how pages are made for them."""

    moment: Moment
    frame: Frame
    who: str
    key: str = msgspec.field(default_factory=new_key)
    """The key of the form on the page."""
    given: Given = msgspec.field(default_factory=Given)
    """What the address says, or the form that was refused."""
    refusal: Said | None = None

    def page(self, template: str, **values: object) -> str:
        """A page of the desk, with what was refused of its form."""
        shown = {"who": self.who, "key": self.key, "given": self.given, "refusal": self.refusal}
        return page_of(self.moment, template, self.frame, **{**shown, **values})

    def somebody(self) -> Person:
        """Who looks at what a form would do, with its reason."""
        return person(self.who).because(self.given["why"])


class Form:
    """A form as it was sent."""

    def __init__(self, site: Site, call: Call) -> None:
        self.site, self.call = site, call
        self.fields = Given(call.form())

    @property
    def tournament(self) -> Tournament:
        """The tournament it is about."""
        return self.site.tournament(self.call.tournament)

    def sender(self) -> Person:
        """Who sends a form that writes."""
        return self.fields.sender(need(self.call.login, "desk"))

    def do(self, verb: str, **fields: Any) -> Done:
        """Carry out what the form asks for, by its verb."""
        return self.order(VERBS[verb](**fields))

    def order(self, *wanted: Any) -> Done:
        """Carry out what the form asks for, if its sender may."""
        need_verbs(self.call.login, self.call.tournament, wanted)
        return carry_out(self.site.office, self.tournament, wanted, by=self.sender())

    def enter(self, round: int, board: int) -> Done:
        """Record the result of a board; only for the players its page showed."""
        entry = result_command(round, board, self.fields["result"].strip())
        if "white" not in self.fields:
            return self.order(entry)
        players = self.fields.number("white"), self.fields.number("black")
        need_verbs(self.call.login, self.call.tournament, [entry])

        def for_those_players(now: Moment) -> Sequence[Any]:
            need_players(now, round, board, players)
            return [entry]

        return self.tournament.propose(for_those_players, by=self.sender(), again=lambda *_: [entry])

    def desk(self, rest: str = "") -> str:
        """The address of a page of the desk."""
        return address(self.call, rest)


Shown: TypeAlias = Callable[[AtDesk], str]
S = TypeVar("S", bound=Shown)
Work: TypeAlias = Callable[[Form], Done]


class Desk(Pages):
    """Pages of the arbiter's desk, and their forms; ``scripts`` are theirs besides that of every page."""

    def __init__(self, *scripts: str) -> None:
        self.scripts = scripts

    def page(self, path: str) -> Callable[[S], S]:
        """A page that the function below makes, of what its address says."""

        def named(shown: S) -> S:
            @self.get(f"{EVENT}/desk{path}")
            def handler(site: Site, call: Call) -> Answer:
                arbiter(call)
                given = {name: call.parameter(name) or "" for name in call.request.query_params}
                return fresh(shown(self.at(site, call, Given(given))))

            return shown

        return named

    def form(
        self,
        path: str,
        shown: Shown,
        *,
        done: str | Callable[[Form], str] = "",
        back: str | None = None,
    ) -> Callable[[Work], Work]:
        """A form that the function below carries out.

        ``shown`` is its page with a refusal, ``done`` what follows, ``back`` where a question leads back to
        (by default the page itself); both are pages of the desk by their path.
        """

        def named(work: Work) -> Work:
            @self.post(f"{EVENT}/desk{path}")
            def handler(site: Site, call: Call) -> Answer:
                arbiter(call)
                return take(
                    Form(site, call),
                    work,
                    done=(lambda form: form.desk(done)) if isinstance(done, str) else done,
                    refused=lambda form, refusal: shown(self.at(site, call, form.fields, refusal)),
                    back=call.request.url.path if back is None else address(call, back),
                )

            return work

        return named

    def at(self, site: Site, call: Call, given: Given, refusal: Said | None = None) -> AtDesk:
        """The desk of the arbiter who calls; the parts of the address are among what is given."""
        now, frame = site.tournament(call.tournament).now(), frame_of(site, call, None, *self.scripts)
        return AtDesk(now, frame, arbiter(call), given=Given({**given, **call.path}), refusal=refusal)


def arbiter(call: Call) -> str:
    """The name of the arbiter at the desk; anybody else is refused."""
    return need_arbiter(call.login, call.tournament, "desk").who


def address(call: Call, rest: str = "") -> str:
    """The address of a page of the desk."""
    return f"/tournaments/{call.tournament}/desk{rest}"


def need_players(now: Moment, round: int, board: int, players: tuple[int, int]) -> None:
    """Refuse an entry that was made for other players than those who sit at its board now."""
    paired = now.state.rounds
    if not 1 <= round <= len(paired) or not 1 <= board <= len(paired[round - 1].boards):
        return  # deciding says that there is no such board
    game = paired[round - 1].game(board)
    if (game.white, game.black) != players:
        refusal = errors.NotNow(
            "page.other-players", round=round, board=board, white=game.white, black=game.black
        )
        refusal.names = {id: now.state.players[id - 1].details.name for id in (game.white, game.black)}
        raise refusal


def take(
    form: Form,
    work: Work,
    *,
    done: Callable[[Form], str],
    refused: Callable[[Form, Said], str],
    back: str,
) -> Answer:
    """Do the work of a form; a warning becomes a question, a refusal stands on the page.

    A script learns the facts that came of it (``done``), or what is ``said`` against it and whether the form
    itself ``asks``, to be sent again with an answer.
    """
    site, call = form.site, form.call
    by_script = call.header("accept") == JSON
    try:
        made = versions(work(form))
    except errors.PaircardError as refusal:
        if call.login is None or isinstance(refusal, errors.StoreRefused):
            raise  # where the store is stays with the server
        asks = isinstance(refusal, errors.NeedsAcknowledgement | errors.ReasonMissing | errors.Prohibited)
        status = status_of(type(refusal))
        if by_script:
            said = in_one_line(refusal, language(language_of(call.request.headers)))
            return as_json({"said": said, "asks": asks}, status)
        if not asks:
            return fresh(refused(form, in_words_of_pages(refusal)), status)
        desk = AtDesk(form.tournament.now(), frame_of(site, call), call.login.who, given=form.fields)
        question = asking(refusal, form.fields)
        return fresh(desk.page("ask.html", action=call.request.url.path, back=back, **question), 409)
    if by_script:
        return as_json({"done": made})
    return see_done(done(form), made)


def in_one_line(refusal: errors.PaircardError, t: Language) -> str:
    """A refusal as plain text; of warnings, what they say."""
    if isinstance(refusal, errors.NeedsAcknowledgement):
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


def asking(question: errors.PaircardError, fields: Given) -> dict[str, object]:
    """The question whether warnings are accepted, or for the reason; with the form in it, under a new key.

    Warnings go by level: one button, a choice, from level 4 on ticks and a reason. What the rules forbid
    (level 5) has the way back alone.
    """
    warnings = question.warnings if isinstance(question, errors.NeedsAcknowledgement) else ()
    reason = question if isinstance(question, errors.ReasonMissing) else None
    barred = question if isinstance(question, errors.Prohibited) else None
    level = 5 if barred else max((one.level for one in warnings), default=0)
    return {
        "warnings": warnings,
        "level": level,
        "reason": reason,
        "barred": barred,
        "why": fields["why"],
        "fields": again(fields, without_why=reason is not None or level >= 4),
    }


def again(fields: Given, *, without_why: bool = False) -> list[tuple[str, str]]:
    """A form to be sent once more, under a key of its own."""
    return [
        (name, f"{value}-ack"[:64] if name == "key" else value)
        for name, value in fields.items()
        if not (name == "why" and without_why)
    ]
