"""One table of verbs: what may be asked of a tournament by name, for HTTP, pages and the command line.

A verb has the fields of its command, without who asks and when; results are written as people write them. Of
some commands nobody outside can know everything: the boards of the engine, a lot, every part of a person's
data. Such a verb has a row of its own in ``COMPUTED``: its fields are a part of the command's, and a call of
the front door finds out the rest. A field that is not known is refused, so that a misspelt one is never
silently ignored.
"""

from collections.abc import Callable, Sequence
from functools import cache
from types import GenericAlias, UnionType
from typing import Annotated, Any, Final, Literal, Union, get_args, get_origin

import msgspec

from paircard.domain import commands
from paircard.domain.commands import Command
from paircard.domain.errors import Invalid
from paircard.domain.speaking import dashed
from paircard.domain.values.results import Outcome, parse_outcome
from paircard.projections.prizes import publication
from paircard.service.desk import Done, Person
from paircard.service.erasure import erase_person
from paircard.service.moment import Moment
from paircard.service.office import Office
from paircard.service.pairing import propose_alteration, propose_round
from paircard.service.tournament import Tournament

Number = Annotated[int, msgspec.Meta(ge=0, le=999_999)]
Numbers = tuple[Number, ...]
Boards = tuple[tuple[Number, Number], ...]


OUR_OWN: Final = ("meta", "lots", "seed")
"""Fields that nobody outside gives: who asks and when, and what lots are drawn from."""


class Strict(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What comes from outside: a field that it does not have is refused."""


class Computed(msgspec.Struct, frozen=True):
    """A verb of which the caller says a part, and the front door computes the rest."""

    about: str
    fields: Sequence[Any]
    """Name, type and default of each, as ``defstruct`` takes them."""
    call: Callable[[Office, Tournament, Any, Person], Done]
    """The front door: where, what is asked, and who asks."""
    proposal: Callable[[Moment, Any], Command] | None = None
    """The command as it would be now, where that can be known before."""


COMPUTED: Final = {
    "pair-round": Computed(
        "Pair this round, which must be the next one, with the engine.",
        [("round", Number)],
        lambda _, its, asked, by: its.pair(asked.round, by=by),
        lambda now, asked: propose_round(now.state, asked.round),
    ),
    "end-manual-pairing": Computed(
        "End the manual pairing with these boards, ids of White and Black, or with none as it is; the "
        "engine's are computed and recorded with them. ``pab`` is who has the bye, 0 for nobody.",
        [("round", Number), ("boards", Boards, ()), ("pab", Number, 0)],
        lambda _, its, asked, by: its.end_alteration(asked.round, asked.boards or None, asked.pab, by=by),
        lambda now, asked: propose_alteration(now.state, asked.round, asked.boards or None, asked.pab),
    ),
    "draw-initial-colour": Computed(
        "Draw the initial colour by lot (C.04.3:5.1), or record the lot that was drawn by hand, w or b.",
        [("colour", str, "")],
        lambda _, its, asked, by: its.draw_colour(asked.colour, by=by),
    ),
    "draw-lots": Computed(
        "Draw lots among tied players, or among all who share a place; or record lots that were drawn by "
        "hand, the best first.",
        [("players", Numbers, ()), ("by_hand", bool, False)],
        lambda _, its, asked, by: its.draw_lots(asked.players, by_hand=asked.by_hand, by=by),
    ),
    "draw-numbers": Computed(
        "Draw the numbers of a round robin: ``lots``, or ``varma`` for lots that keep federations apart "
        "(C.05 Annex 2). ``assign-numbers`` gives them by hand.",
        [("lots", Literal["lots", "varma"], "lots")],
        lambda _, its, asked, by: its.number(lots=asked.lots, by=by),
    ),
    "pair-all-rounds": Computed(
        "Pair and publish all rounds of a round robin that are left.",
        [],
        lambda _, its, asked, by: its.schedule(by=by),
    ),
    "publish-prizes": Computed(
        "Put the list of prizes on record, as it is computed from the announcement and the results.",
        [],
        lambda _, its, asked, by: its.award(by=by),
        lambda now, asked: publication(now.state),
    ),
    "erase-person": Computed(
        "Remove a player's personal data, every part of it; ``facts`` are further facts whose personal parts "
        "go, those that an earlier answer lists as ``mentions``.",
        [("player", Number), ("facts", Numbers, ())],
        lambda office, its, asked, by: erase_person(office.store(), its, asked.player, asked.facts, by=by),
    ),
    "undo": Computed(
        "Take back the last command, which must be one's own; ``not-yours`` accepts that it is not.",
        [],
        lambda _, its, asked, by: its.undo(by=by),
    ),
}


# The types of the fields

_strict: dict[type[Any], type[msgspec.Struct]] = {}


def strict(kind: type[Any]) -> type[msgspec.Struct]:
    """A struct with the fields of another, which refuses those it does not have."""
    if kind not in _strict:
        _strict[kind] = msgspec.defstruct(
            kind.__name__,
            _fields_of(kind),
            bases=(Strict,),
            namespace={"__doc__": kind.__doc__, "made_from": kind},
            module=__name__,
            frozen=True,
            kw_only=True,
        )
    return _strict[kind]


def _fields_of(kind: type[Any]) -> list[Any]:
    """The fields of a struct that come from outside, as ``defstruct`` takes them."""
    return [_field(one) for one in msgspec.structs.fields(kind) if one.name not in OUR_OWN]


def _field(one: msgspec.structs.FieldInfo) -> Any:
    kind = from_outside(one.type)
    if one.required:
        return one.name, kind
    default = one.default
    if isinstance(default, msgspec.Struct):
        default = strict(type(default))(**msgspec.structs.asdict(default))
    return one.name, kind, default


def from_outside(kind: Any) -> Any:
    """The type a field has outside: results are text, structs are strict, numbers have an end."""
    if kind is Outcome:
        return str
    if kind is int:
        return Annotated[int, msgspec.Meta(ge=-(10**12), le=10**12)]
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        return strict(kind)
    if get_origin(kind) in (Union, UnionType):
        return Union[tuple(from_outside(part) for part in get_args(kind))]  # noqa: UP007 - made at run time
    if get_origin(kind) is tuple:
        parts = [part if part is ... else from_outside(part) for part in get_args(kind)]
        return GenericAlias(tuple, tuple(parts))
    return kind


def inside(value: Any, kind: Any) -> Any:
    """A value from outside as the domain has it."""
    if kind is Outcome:
        return parse_outcome(value)
    if get_origin(kind) is tuple and get_args(kind)[1:] == (...,):
        return tuple(inside(one, get_args(kind)[0]) for one in value)
    if kind == Outcome | None:
        return None if value is None else parse_outcome(value)
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct) and isinstance(value, msgspec.Struct):
        return kind(**{name: inside(getattr(value, name), type) for name, type in _asked_of(kind)})
    return value


@cache
def _asked_of(kind: Any) -> list[tuple[str, Any]]:
    """The fields of a struct that come from outside, and their types; found out once, for it takes long."""
    return [(one.name, one.type) for one in msgspec.structs.fields(kind) if one.name not in OUR_OWN]


# The table

COMMANDS: Final[tuple[type[Any], ...]] = tuple(
    kind for kind in get_args(Command) if kind is not commands.OpenTournament
)
"""What may be asked of a tournament that exists."""


def _request_of(verb: str, command: Any) -> type[msgspec.Struct]:
    """What a verb takes: the fields of its row, or those of its command but who asks and when."""
    row = COMPUTED.get(verb)
    return msgspec.defstruct(
        command.__name__ if command else verb.title().replace("-", ""),
        row.fields if row else _fields_of(command),
        bases=(Strict,),
        namespace={"__doc__": row.about if row else command.__doc__},
        module=__name__,
        tag_field="do",
        tag=verb,
        frozen=True,
        kw_only=True,
    )


_BY_VERB: Final = {dashed(command): command for command in COMMANDS}
VERBS: Final = {verb: _request_of(verb, _BY_VERB.get(verb)) for verb in _BY_VERB | COMPUTED}
"""What each verb takes."""


def name_of(request: msgspec.Struct) -> str:
    """The verb of a request, or of a command."""
    return str(request.__struct_config__.tag or dashed(type(request)))


def is_computed(request: msgspec.Struct) -> bool:
    """Whether the front door has to find out what is recorded."""
    return name_of(request) in COMPUTED and not isinstance(request, commands.Asked)


def command_of(request: msgspec.Struct) -> Any:
    """The command that a request means, not signed yet; a command is itself."""
    assert not is_computed(request)
    return request if isinstance(request, commands.Asked) else inside(request, _BY_VERB[name_of(request)])


def carry_out(office: Office, tournament: Tournament, requests: Sequence[Any], *, by: Person) -> Done:
    """Carry out requests and commands, all or none; what is computed comes alone."""
    if any(is_computed(one) for one in requests):
        [alone] = requests
        return COMPUTED[name_of(alone)].call(office, tournament, alone, by)
    return tournament.ask(*(command_of(one) for one in requests), by=by)


def proposed(now: Moment, requests: Sequence[Any]) -> list[Command]:
    """The commands that requests come to now, before anything is asked."""
    if not any(is_computed(one) for one in requests):
        return [command_of(one) for one in requests]
    [alone] = requests
    proposal = COMPUTED[name_of(alone)].proposal
    if proposal is None:
        raise Invalid("http.no-preview")
    return [proposal(now, alone)]
