"""The brackets of the literal generator in ids."""

import msgspec

from paircard.pairing.literal.candidates import Values
from paircard.pairing.literal.rounds import paired
from paircard.projections.round.snapshot import Snapshot


class PairedBracket(msgspec.Struct, frozen=True, kw_only=True):
    """What a bracket came to, in ids."""

    kind: str
    mdps: tuple[int, ...]
    residents: tuple[int, ...]
    pairs: tuple[tuple[int, int], ...]
    """S1 player first, in the order of S1."""
    downfloaters: tuple[int, ...]
    values: Values
    """[C10–C21] (2026), [C.8–C.19] (2017), in the CLB with [C.6] before them."""


def literal_brackets(snapshot: Snapshot) -> tuple[PairedBracket, ...]:
    """The brackets of the round in the order they were paired; a PPB only as it was paired at last."""
    field, brackets = paired(snapshot)

    def ids(players: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(field.cards[rank].id for rank in players)

    return tuple(
        PairedBracket(
            kind=bracket.kind,
            mdps=ids(bracket.mdps),
            residents=ids(bracket.residents),
            pairs=tuple((field.cards[a].id, field.cards[b].id) for a, b in pairs),
            downfloaters=ids(floaters),
            values=values,
        )
        for bracket, pairs, floaters, values in brackets
    )
