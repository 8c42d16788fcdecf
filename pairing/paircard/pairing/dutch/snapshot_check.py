"""Whether a snapshot makes sense: what the kernel refuses before it pairs anything."""

from collections.abc import Sequence
from typing import Final

from paircard.pairing.dutch.editions import EDITIONS
from paircard.pairing.dutch.field import PLAYED
from paircard.pairing.outcome import PairingError
from paircard.projections.round.snapshot import Player, Snapshot

OPPOSITE: Final = {"w": "b", "b": "w"}
FLOATS: Final = frozenset("du-")


def check_snapshot(snapshot: Snapshot) -> None:
    """Refuse a snapshot that contradicts itself, naming the player and the round."""
    if snapshot.edition not in EDITIONS:
        known = ", ".join(EDITIONS)
        raise PairingError(f"edition {snapshot.edition!r} is not known: choose one of {known}")
    if not 1 <= snapshot.round <= snapshot.rounds:
        raise PairingError(f"round {snapshot.round} is not one of the {snapshot.rounds} rounds announced")
    if snapshot.initial_colour not in ("w", "b"):
        raise PairingError("the initial colour is not known: draw it by lot before the first round (5.1)")
    before = snapshot.round - 1
    players: set[int] = set()
    numbers: dict[int, int] = {}
    for player in snapshot.players:
        if player.id in players:
            raise PairingError(f"player {player.id} is in the snapshot twice")
        players.add(player.id)
        if not player.absent:
            other = numbers.setdefault(player.number, player.id)
            if other != player.id:
                raise PairingError(
                    f"players {other} and {player.id} have the same pairing number {player.number}"
                )
        if not (
            len(player.letters)
            == len(player.opponents)
            == len(player.colours)
            == len(player.floats)
            == before
        ):
            raise _wrong_length(snapshot, player)
        if not FLOATS.issuperset(player.floats):
            raise PairingError(f"player {player.id} has floats {player.floats!r}: only d, u and - are known")
    check_games(snapshot.players)
    for pair in snapshot.prohibited:
        for id in pair:
            if id not in players:
                raise PairingError(f"player {id} of a prohibited pair is not in the snapshot")


def _wrong_length(snapshot: Snapshot, player: Player) -> PairingError:
    lengths = (len(player.letters), len(player.opponents), len(player.colours), len(player.floats))
    longest = max(lengths)
    return PairingError(
        f"player {player.id} has a record of round {longest}, but round {snapshot.round} is to be paired"
        if longest >= snapshot.round
        else f"player {player.id} has no record of round {min(lengths) + 1}"
    )


def check_games(players: Sequence[Player]) -> None:
    """Refuse the first game on which its players' records differ.

    Several byes in a past round are a breach that happened; bbpPairings and JaVaFo pair on as well.
    """
    ids = [player.id for player in players]
    rounds = zip(
        zip(*[player.opponents for player in players], strict=True),
        zip(*[player.colours for player in players], strict=True),
        zip(*[player.letters for player in players], strict=True),
        strict=True,
    )
    for round, (opponents, colours, letters) in enumerate(rounds, start=1):
        whom, side = dict(zip(ids, opponents, strict=True)), dict(zip(ids, colours, strict=True))
        for me, opponent, colour, letter in zip(ids, opponents, colours, letters, strict=True):
            if letter in PLAYED:
                if whom.get(opponent) != me:
                    raise PairingError(
                        f"player {me} met {opponent} in round {round}, but not the other way round"
                        if opponent in whom
                        else f"player {me} met {opponent} in round {round}, who is not in the snapshot"
                    )
                if side[opponent] != OPPOSITE.get(colour):
                    raise PairingError(
                        f"players {me} and {opponent} had no opposite colours in round {round}"
                    )
            elif colour != "-":
                raise PairingError(f"player {me} has a colour in round {round} without a game")
