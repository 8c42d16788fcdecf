"""The desk of one tournament: who asks, the requests that follow from its log alone, what comes of them."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from random import Random, SystemRandom
from typing import Final, Protocol
from uuid import uuid4

import msgspec
from msgspec.structs import asdict, replace

from paircard.domain import commands as ask
from paircard.domain import events
from paircard.domain.commands import Command, Meta
from paircard.domain.deciding.decision import need_type
from paircard.domain.deciding.players import unused_ratings
from paircard.domain.deciding.rounds import outdated
from paircard.domain.errors import IdTaken, Invalid
from paircard.domain.events import Event, Recorded
from paircard.domain.log.request import Again, Commands, Request
from paircard.domain.log.store import Answer, Tournaments
from paircard.domain.messages import Message, say
from paircard.domain.rounds import ADJOURNED as UNFINISHED
from paircard.domain.speaking import Remark, Speaker, told
from paircard.domain.state import NOTED
from paircard.domain.state import Tournament as State
from paircard.domain.values.results import parse_outcome
from paircard.domain.values.rules import NEWEST, RULES
from paircard.projections.log_lines import AlreadyRecorded, LogLine, Names, log_lines, remark_on

ADJOURNED: Final = ("?", "adj", "adjourned")
"""What stands for a game to be finished later, where a result is expected."""
KINDS: Final = {"name": str, "why": str, "id": str, "when": str, "through": str, "expects": int | None}
"""Of what a person says; codes that are accepted are looked up one by one."""
RATES: Final = (events.PlayerRegistered, events.PlayerDetailsCorrected, events.TournamentDetailsChanged)
"""Facts after which somebody may have a rating that does not count."""


# Who asks


def random_id() -> str:
    """An id nobody else has."""
    return uuid4().hex


def utc_now() -> str:
    """The time as the log writes it."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


class PublicKey(Protocol):
    """The public half of a key."""

    @property
    def key_id(self) -> str: ...


class Key(Protocol):
    """What a person signs with, a ``Signer``."""

    def verifier(self) -> PublicKey: ...
    def sign_bytes(self, content: bytes) -> bytes: ...


class Person(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody who asks.

    >>> anna = person("Anna Arbiter")
    >>> anna.because("both players signed a draw").accepting("correction").why
    'both players signed a draw'
    """

    name: str
    why: str = ""
    """The reason; corrections and exceptions need one."""
    accepts: tuple[str, ...] = ()
    """Codes of the warnings that are accepted."""
    id: str = ""
    """Id of the request: sent twice, it counts once. Empty for one that is made now."""
    when: str = ""
    """The time of the request; empty for now."""
    expects: int | None = None
    """The version of the tournament the request was made in view of; None if that does not matter."""
    through: str = ""
    """What the name rests on, if it is more than a claim: ``link:…``, ``session:…``."""
    signer: Key | None = None
    """The key this person signs with."""
    new_id: Callable[[], str] = random_id
    clock: Callable[[], str] = utc_now
    lots: Random = msgspec.field(default_factory=SystemRandom)
    """Draws lots."""

    def because(self, why: str) -> "Person":
        """This person, with a reason."""
        return replace(self, why=why)

    def accepting(self, *codes: str) -> "Person":
        """This person, who accepts these warnings."""
        return replace(self, accepts=(*self.accepts, *codes))

    def under(self, id: str) -> "Person":
        """This person, with an id for the request."""
        return replace(self, id=id)

    def expecting(self, version: int | None) -> "Person":
        """This person, whose request is refused if the tournament is not at this version."""
        return replace(self, expects=version)

    def at_once(self) -> "Person":
        """This person, with one id and one time for all that follows."""
        return replace(self, id=self.id or self.new_id(), when=self.when or self.clock())

    def meta(self) -> Meta:
        """Who, when and why, for one request."""
        return Meta(
            who=self.name,
            when=self.when or self.clock(),
            command_id=self.id or self.new_id(),
            why=self.why,
            through=f"key:{self.signer.verifier().key_id}" if self.signer else self.through,
            acknowledge=self.accepts,
        )


def need_person(by: Person) -> None:
    """Refuse what a program without types gives in the place of somebody who asks."""
    if not isinstance(by, Person):
        raise Invalid("wrong-type", path="by", reason="expected a Person", kind=type(by).__name__)
    texts = type(by.name) is type(by.why) is type(by.id) is type(by.when) is type(by.through) is str
    if texts and type(by.accepts) is tuple and (by.expects is None or type(by.expects) is int):
        return  # as everybody with a type checker has it
    for name, kind in KINDS.items():
        need_type(name, getattr(by, name), kind)


def trying(by: Person) -> Meta:
    """Who tries something out, which takes no reason."""
    need_person(by)
    return (by if by.why.strip() else by.because("preview")).meta()


def person(name: str) -> Person:
    """Somebody by name, with random ids and the clock of this machine."""
    return Person(name=name)


# What comes of it


class Done(msgspec.Struct, frozen=True, kw_only=True):
    """What came of a request."""

    version: int
    """Of the tournament, now."""
    repeated: bool
    """The request was carried out before; its facts are those of the first time."""
    facts: tuple[Recorded, ...]
    lines: tuple[LogLine, ...]
    """The facts in words."""
    accepted: tuple[str, ...] = ()
    """The warnings that were accepted, in words, with the players they concern."""
    remarks: tuple[Remark, ...] = ()
    """What may surprise later, and needs no answer."""
    advice: tuple[str, ...] = ()
    """The remarks in English."""
    outdates: int = 0
    """The round that is paired but not published, and did not know what was recorded now; 0 for none."""
    already: tuple[AlreadyRecorded, ...] = ()
    """Results that stood there already, and so gave no fact."""


def done_with(answer: Answer) -> Done:
    """The answer of the log, in words."""
    facts, state = answer.recorded, answer.state
    counts = (*NOTED, events.ResultRecorded)
    noted = state.since_pairing and any(isinstance(one.fact, counts) for one in facts)
    remarks = advice_on_ratings(facts, state)
    return Done(
        version=state.version,
        repeated=answer.repeated,
        facts=facts,
        lines=tuple(log_lines(facts, answer.before, state)),
        accepted=tuple(accepted_in_words(facts, state)),
        remarks=remarks,
        advice=tuple(one.text for one in remarks),
        outdates=len(state.rounds) if noted and any(outdated(state)) else 0,
        already=() if answer.repeated else tuple(already_recorded(answer.asked, answer.before)),
    )


def accepted_in_words(facts: Iterable[Recorded], state: State) -> Iterator[str]:
    """The warnings that were accepted with these facts, each once, with the names of the players."""
    articles = RULES[state.regulations.edition if state.version else NEWEST].articles
    for text in dict.fromkeys(text for one in facts for text in one.acknowledged):
        code, *players = text.partition(":")[2].split()
        what = say("log.accepted-warning", meaning=code, article=articles.get(code, ""))
        said = say("log.accepted", what=what, players=[int(id[1:]) for id in players])
        yield Speaker(names=Names(state)).say(said)


def advice_on_ratings(facts: Iterable[Recorded], state: State) -> tuple[Remark, ...]:
    """That ratings are known and not used, to those who have just entered some."""
    if state.rounds or not any(isinstance(one.fact, RATES) for one in facts):
        return ()
    unused = unused_ratings(state)
    return (told(unused.said),) if unused.players else ()


def already_recorded(asked: Sequence[Command], before: State) -> Iterator[AlreadyRecorded]:
    """The results among these commands that stood on their boards before."""
    for one in asked:
        if not isinstance(one, ask.RecordResult | ask.AdjournGame):
            continue
        wanted = one.outcome if isinstance(one, ask.RecordResult) else UNFINISHED
        past = before.rounds[one.round - 1 : one.round]
        there = [board for each in past for board in each.histories[one.board - 1 : one.board]]
        for game in (board.as_seen_by() for board in there if board.changes):
            if game.outcome == wanted:
                said = say(
                    "log.result-recorded",
                    round=one.round,
                    board=one.board,
                    white=game.white,
                    black=game.black,
                    result=wanted,
                )
                yield AlreadyRecorded(round=one.round, board=one.board, **asdict(remark_on(before, said)))


# The desk


class Desk:
    """Where results are entered and rounds begun and ended; ``Tournament`` adds all that needs the engine.

    Requests name who asks: ``by``. A refusal is a ``PaircardError``.
    """

    def __init__(self, store: Tournaments, id: str) -> None:
        self.id = id
        self._store = store

    def facts(self) -> list[Recorded]:
        """Every fact, checked against the chain of hashes."""
        return self._store.log(self.id)

    def record(self, round: int, results: Mapping[int, str], *, by: Person) -> Done:
        """Enter results by board, as people write them (``1-0``, ``½-½``, ``adjourned``): all or none."""
        need_type("results", results, dict[int, str])
        commands: list[Command] = []
        try:
            for board, text in results.items():
                commands.append(result_command(round, board, text))
        except Invalid as wrong:
            wrong.command = len(commands)
            raise
        return self._run(lambda _: commands, by=by)

    def clear(self, round: int, boards: Sequence[int], *, by: Person) -> Done:
        """Clear results that were entered on the wrong boards; all or none."""
        need_type("boards", boards, list[int])
        return self._run(lambda _: [ask.ClearResult(round=round, board=board) for board in boards], by=by)

    def correct(self, round: int, board: int, result: str, *, by: Person) -> Done:
        """Correct a result that was recorded wrongly."""
        command = ask.CorrectResult(round=round, board=board, outcome=parse_outcome(result))
        return self._run(lambda _: [command], by=by)

    def correct_colours(self, round: int, board: int, *, by: Person) -> Done:
        """White and Black of a board were the other way round."""
        return self._run(lambda _: [ask.CorrectColours(round=round, board=board)], by=by)

    def publish(self, round: int | None = None, *, by: Person) -> Done:
        """Publish a paired round, the first that waits by default; from then on results are entered."""

        def waiting(state: State) -> int:
            return next((one.number for one in state.rounds if not one.published), state.paired)

        return self._run(lambda s: [ask.PublishRound(round=waiting(s) if round is None else round)], by=by)

    def unpair(self, round: int | None = None, *, by: Person) -> Done:
        """Take back the last round; a published one only before it is played, with a reason."""
        return self._run(lambda s: [ask.UnpairRound(round=s.paired if round is None else round)], by=by)

    def complete(self, round: int | None = None, *, by: Person) -> Done:
        """End a round whose results are all in; the first that goes on by default."""

        def going_on(state: State) -> int:
            return next((one.number for one in state.rounds if not one.completed), state.paired)

        return self._run(lambda s: [ask.CompleteRound(round=going_on(s) if round is None else round)], by=by)

    def close(self, *, by: Person) -> Done:
        """Close the tournament: final standings stand."""
        return self._run(lambda _: [ask.CloseTournament()], by=by)

    def begin_alteration(self, round: int, *, by: Person) -> Done:
        """Take the last paired round, or the next one, into the arbiter's hands."""
        return self._run(lambda _: [ask.BeginManualPairing(round=round)], by=by)

    def draw_colour(self, colour: str = "", *, by: Person) -> Done:
        """Draw lots for the initial colour (C.04.3:5.1); or record the lot, ``w`` or ``b``, drawn by hand."""
        need_person(by)
        need_type("colour", colour, str)
        lot = colour or by.lots.choice("wb")

        def again(_: State, first: tuple[Event, ...]) -> Sequence[Command]:
            past = next((fact.colour for fact in first if isinstance(fact, events.InitialColourDrawn)), lot)
            return [ask.DrawInitialColour(colour=colour or past, entered=bool(colour))]

        return self._run(
            lambda _: [ask.DrawInitialColour(colour=lot, entered=bool(colour))], by=by, again=again
        )

    def _run(self, commands: Commands, *, by: Person, again: Again | None = None) -> Done:
        """Carry out what a request comes to on the state it meets, and say what came of it."""
        return done_with(self._answer(commands, by=by, again=again))

    def _answer(self, commands: Commands, *, by: Person, again: Again | None = None) -> Answer:
        """The answer of the log."""
        need_person(by)
        request = Request(by.meta(), commands, again, by.signer.sign_bytes if by.signer else None)
        try:
            return self._store.run(self.id, request, expected=by.expects)
        except IdTaken as taken:
            raise self._as_logged(taken) from None

    def _as_logged(self, taken: IdTaken) -> IdTaken:
        """The refusal with the line of the log that says what the id was used for."""
        [line] = log_lines(self.facts(), wanted=taken.versions[:1])
        deed = Message(taken.deed.code, {**taken.deed.fields, "what": line.message})
        told = IdTaken(taken.id, deed, taken.versions)
        told.names = line.people
        return told


def result_command(round: int, board: int, text: str) -> ask.RecordResult | ask.AdjournGame:
    """The command that enters a result as people write it."""
    if text.lower() in ADJOURNED:
        return ask.AdjournGame(round=round, board=board)
    return ask.RecordResult(round=round, board=board, outcome=parse_outcome(text))
