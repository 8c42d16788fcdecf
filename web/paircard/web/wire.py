"""What callers send: one verb per command of the domain, without who asks and when.

Most verbs are the commands themselves, field by field. Some are intents: the caller asks for a pairing,
lots, the end of a manual pairing or an erasure, and the server computes what belongs into the record. A field
that is not known is refused, so that a misspelt one is never silently ignored.
"""

import re
from collections.abc import Callable
from types import GenericAlias, UnionType
from typing import Annotated, Any, Final, Union, get_args, get_origin

import msgspec

from paircard.domain import commands
from paircard.domain.commands import Command
from paircard.domain.values.regulations import Regulations
from paircard.domain.values.results import Outcome, parse_outcome

MOST_COMMANDS: Final = 2000
"""Commands of one request: the results of the largest round, or all its players."""

Number = Annotated[int, msgspec.Meta(ge=0, le=999_999)]
Seats = tuple[Number, Number]


class _Wire(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What all of them are."""


class PairRound(_Wire, frozen=True, kw_only=True, tag_field="do", tag="pair-round"):
    """Pair this round, which must be the next one, with the engine."""

    round: Number


class DrawInitialColour(_Wire, frozen=True, kw_only=True, tag_field="do", tag="draw-initial-colour"):
    """Draw the initial colour by lot (C.04.3:5.1), or record the lot that was drawn by hand."""

    colour: str = ""
    """``w`` or ``b``; empty lets the server draw."""


class EndManualPairing(_Wire, frozen=True, kw_only=True, tag_field="do", tag="end-manual-pairing"):
    """End the manual pairing with these boards; the engine's are computed and recorded beside them."""

    round: Number
    boards: tuple[Seats, ...] = ()
    """Ids of White and Black, board 1 first; none leaves the round as it is."""
    pab: Number = 0
    """Id of the player with the pairing-allocated bye, 0 for none."""


class DrawLots(_Wire, frozen=True, kw_only=True, tag_field="do", tag="draw-lots"):
    """Draw lots among tied players; or record lots that were drawn by hand, the best first."""

    players: tuple[Number, ...] = ()
    """Ids; none for all who share a place."""
    by_hand: bool = False


class ErasePerson(_Wire, frozen=True, kw_only=True, tag_field="do", tag="erase-person"):
    """Remove a player's personal data; the server finds every part of it."""

    player: Number
    facts: tuple[Number, ...] = ()
    """Further facts whose personal parts go: those an earlier answer lists as ``mentions``."""


class Undo(_Wire, frozen=True, kw_only=True, tag_field="do", tag="undo"):
    """Take back the last command, which must be one's own; ``not-yours`` accepts that it is not."""


INTENTS: Final[dict[type[Any], type[msgspec.Struct]]] = {
    commands.PairRound: PairRound,
    commands.DrawInitialColour: DrawInitialColour,
    commands.EndManualPairing: EndManualPairing,
    commands.DrawLots: DrawLots,
    commands.ErasePerson: ErasePerson,
}


def verb_of(command: type[Any]) -> str:
    """The name of a command on the wire: RecordResult is ``record-result``."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "-", command.__name__).lower()


_strict: dict[type[Any], type[msgspec.Struct]] = {}


def strict(kind: type[Any]) -> type[msgspec.Struct]:
    """The same struct, which refuses fields it does not have."""
    if kind not in _strict:
        _strict[kind] = msgspec.defstruct(
            kind.__name__,
            [_field(one) for one in msgspec.structs.fields(kind)],
            bases=(_Wire,),
            namespace={"__doc__": kind.__doc__},
            module=__name__,
            frozen=True,
            kw_only=True,
        )
    return _strict[kind]


def _field(one: msgspec.structs.FieldInfo) -> Any:
    kind = on_the_wire(one.type)
    if one.required:
        return one.name, kind
    default = one.default
    return one.name, kind, default if not isinstance(default, msgspec.Struct) else _as_strict(default)


def _as_strict(value: msgspec.Struct) -> msgspec.Struct:
    return strict(type(value))(**msgspec.structs.asdict(value))


def on_the_wire(kind: Any) -> Any:
    """The type a field has on the wire: results are written 1-0, structs are strict."""
    if kind is Outcome:
        return str
    if kind is int:
        return Annotated[int, msgspec.Meta(ge=-(10**12), le=10**12)]
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        return strict(kind)
    if get_origin(kind) in (Union, UnionType):
        return Union[tuple(on_the_wire(part) for part in get_args(kind))]  # noqa: UP007 - made at run time
    if get_origin(kind) is tuple:
        parts = [part if part is ... else on_the_wire(part) for part in get_args(kind)]
        return GenericAlias(tuple, tuple(parts))
    return kind


def derived(command: type[Any]) -> type[msgspec.Struct]:
    """A verb with the fields of its command, ``meta`` left out."""
    return msgspec.defstruct(
        command.__name__,
        [_field(one) for one in msgspec.structs.fields(command) if one.name != "meta"],
        bases=(_Wire,),
        namespace={"__doc__": command.__doc__ if command.__doc__ != commands.Asked.__doc__ else None},
        module=__name__,
        tag_field="do",
        tag=verb_of(command),
        frozen=True,
        kw_only=True,
    )


COMMANDS: Final[tuple[type[Any], ...]] = tuple(
    kind for kind in get_args(Command) if kind is not commands.OpenTournament
)
"""What may be asked of a tournament that exists; one is opened by sending its regulations to /tournaments."""
VERBS: Final[dict[str, type[msgspec.Struct]]] = {
    verb_of(command): INTENTS.get(command) or derived(command) for command in COMMANDS
} | {"undo": Undo}
_COMMAND_OF: Final = {VERBS[verb_of(command)]: command for command in COMMANDS}
AnyVerb: Final[Any] = Union[tuple(VERBS.values())]  # noqa: UP007 - made at run time


class Opening(_Wire, frozen=True, kw_only=True):
    """A tournament to be opened."""

    regulations: strict(Regulations)  # type: ignore[valid-type]
    why: str = ""
    ack: tuple[Annotated[str, msgspec.Meta(max_length=100)], ...] = ()


Order: Final = msgspec.defstruct(
    "Order",
    [
        ("commands", Annotated[tuple[AnyVerb, ...], msgspec.Meta(min_length=1, max_length=MOST_COMMANDS)]),
        ("why", str, ""),
        ("ack", tuple[Annotated[str, msgspec.Meta(max_length=100)], ...], ()),
    ],
    bases=(_Wire,),
    namespace={
        "__doc__": "Commands to be carried out in order, all or none. ``ack`` accepts warnings by code."
    },
    module=__name__,
    frozen=True,
    kw_only=True,
)
read_order: Final[Callable[[bytes], Any]] = msgspec.json.Decoder(Order).decode
read_opening: Final = msgspec.json.Decoder(Opening).decode


def verb_name(verb: msgspec.Struct) -> str:
    """The name a verb was sent by."""
    return str(verb.__struct_config__.tag)


def is_intent(verb: msgspec.Struct) -> bool:
    """Whether the server has to compute what is recorded."""
    return type(verb) is Undo or type(verb) in INTENTS.values()


def plain(value: Any, kind: Any) -> Any:
    """A value of the wire as the domain has it."""
    if kind is Outcome:
        return parse_outcome(value)
    if get_origin(kind) is tuple and get_args(kind)[1:] == (...,):
        return tuple(plain(one, get_args(kind)[0]) for one in value)
    if kind == Outcome | None:
        return None if value is None else parse_outcome(value)
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct) and isinstance(value, msgspec.Struct):
        return kind(
            **{one.name: plain(getattr(value, one.name), one.type) for one in msgspec.structs.fields(kind)}
        )
    return value


def command_of(verb: msgspec.Struct) -> Any:
    """The command of the domain that a verb means, not signed yet; an intent has to be computed."""
    assert not is_intent(verb)
    kind = _COMMAND_OF[type(verb)]
    fields = {
        one.name: plain(getattr(verb, one.name), one.type)
        for one in msgspec.structs.fields(kind)
        if one.name != "meta"
    }
    return kind(**fields)


def regulations_of(opening: Opening) -> Regulations:
    """The regulations that were sent."""
    found = plain(opening.regulations, Regulations)
    assert isinstance(found, Regulations)
    return found
