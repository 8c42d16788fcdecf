"""A request: who asks, under which id, and the commands it comes to on the state it meets.

The commands are a function of the state, so the store can run a request again: when somebody else was
faster, and when its id was used before. Deciding is pure, so the same request on the earlier state comes
to the same facts; whoever got no answer may send it again, and it counts once. Another request under that
id comes to other facts and is refused: answering it as done would lose it. No digest is stored for this.
"""

from collections.abc import Callable, Sequence

import msgspec
from msgspec.structs import replace

from paircard.domain.commands import Command, Meta
from paircard.domain.deciding.decider import weigh
from paircard.domain.deciding.decision import settle, signed
from paircard.domain.errors import IdTaken, PaircardError, Refused, StaleDecision, StoreRefused
from paircard.domain.events import Event, Recorded
from paircard.domain.log.cache import CachedLog
from paircard.domain.log.chain import Sealed, Sign, seal, topic_of
from paircard.domain.log.conflict import with_the_other
from paircard.domain.log.privacy import Salt
from paircard.domain.log.rows import Rows
from paircard.domain.state import Tournament, evolve, fold

Commands = Callable[[Tournament], Sequence[Command]]
Again = Callable[[Tournament, tuple[Event, ...]], Sequence[Command]]


class Request(msgspec.Struct, frozen=True):
    """All commands of a request are carried out, in order, or none; their facts share its id."""

    meta: Meta
    """Who asks, when, and under which id. Commands may add a reason and acknowledgements of their own."""
    commands: Commands
    """Must not change anything: it may be called several times, and while nobody else can write."""
    again: Again | None = None
    """Where chance decides: the same commands, given the state and the facts of the first time."""
    sign: Sign | None = None
    """The signature of whoever asks; ``meta.through`` names the key."""

    @property
    def id(self) -> str:
        return self.meta.command_id

    def commands_on(self, state: Tournament) -> list[Command]:
        """What it comes to on a state."""
        return [signed(command, self.meta) for command in self.commands(state)]

    def commands_again(self, state: Tournament, first: tuple[Event, ...]) -> list[Command]:
        """What it came to on a state, if these were its facts."""
        found = self.again(state, first) if self.again else self.commands(state)
        return [signed(command, self.meta) for command in found]


def request_of(commands: Sequence[Command]) -> Request:
    """The request that comes to these commands, whatever the state."""
    return Request(replace(commands[0].meta, why="", acknowledge=()), lambda _: commands)


class Decided(msgspec.Struct, frozen=True):
    """What a request comes to; nothing of it is recorded yet."""

    before: Tournament
    """The state it met."""
    facts: tuple[Recorded, ...]
    sealed: list[Sealed]
    """The same facts, to be stored; none if the request was carried out before."""
    after: CachedLog


def decide_request(
    tournament: str,
    cached: CachedLog,
    request: Request,
    expected: int | None,
    rows: Rows,
    salt: Salt | None = None,
) -> Decided:
    """The sealed facts of a request, or those it gave when it was carried out before."""
    if request.id in cached.answers:
        before, first = first_answer(tournament, cached, request, rows)
        return Decided(before, first, [], cached)
    state, head = cached.state, cached.head
    if expected is not None and expected != state.version:
        stale = StaleDecision(
            f"this was decided at version {expected}, the tournament is at {state.version}: look again",
            state.version,
        )
        raise with_the_other(stale, cached.last_facts, request.meta.who)
    drafts: list[Recorded] = []
    for at, command in enumerate(request.commands_on(state)):
        try:
            decision = weigh(state, command)
            acknowledged = settle(decision, command.meta)
        except Refused as refusal:
            refusal.command = at
            raise with_the_other(refusal, cached.last_facts, request.meta.who, command) from None
        for fact in decision.events:
            about = decision.is_about(fact)
            draft = Recorded(
                tournament=tournament,
                version=state.version + 1,
                fact=fact,
                who=command.meta.who,
                when=command.meta.when,
                why=command.meta.why if about else "",
                command_id=request.id,
                acknowledged=acknowledged if about else (),
                through=request.meta.through,
                previous="",
                hash="",
            )
            drafts.append(draft)
            state = evolve(state, fact)
    facts: list[Sealed] = []
    for draft in drafts:  # one signature, in the last fact: the chain covers the others
        facts.append(seal(draft, head, request.sign if draft is drafts[-1] else None, salt))
        head = facts[-1].fact.hash
    after = replace(cached, state=state, head=head)
    return Decided(cached.state, tuple(one.fact for one in facts), facts, after)


def first_answer(
    tournament: str, cached: CachedLog, request: Request, rows: Rows
) -> tuple[Tournament, tuple[Recorded, ...]]:
    """The state that the same request met, and its facts; refuses another one under its id."""
    first = cached.facts_of(tournament, request.id, rows)
    if first[0].who == request.meta.who:
        before = cached.state_before(tournament, first[0].version, rows)
        try:
            then = facts_then(before, request.commands_again(before, tuple(one.fact for one in first)))
        except StoreRefused:
            raise
        except PaircardError:
            then = []
        # facts of earlier versions have the reason on all that a command recorded
        if [fact for fact, *_ in then] == [one.fact for one in first] and all(
            one.why in whys for one, (_, *whys) in zip(first, then, strict=True)
        ):
            return before, first
    raise id_taken(first)


def facts_then(state: Tournament, commands: Sequence[Command]) -> list[tuple[Event, str, str]]:
    """The facts the commands give on a state, why, and why the command was given; warnings were accepted the
    first time."""
    found: list[tuple[Event, str, str]] = []
    for command in commands:
        decision, why = weigh(state, command), command.meta.why
        state = fold(decision.events, state)
        found += [(event, why if decision.is_about(event) else "", why) for event in decision.events]
    return found


def id_taken(first: Sequence[Recorded]) -> IdTaken:
    """The refusal, with what the id was used for."""
    deeds = ", ".join(dict.fromkeys(topic_of(one.fact).partition("/")[0].replace("-", " ") for one in first))
    one = first[0]
    return IdTaken(
        one.command_id,
        f"fact {one.version}, {deeds}, {one.who}, {one.when}",
        tuple(recorded.version for recorded in first),
    )
