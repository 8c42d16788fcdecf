"""[2026 C2, 2017 C.2] Who may have the pairing-allocated bye."""

from collections.abc import Sequence

from paircard.pairing.dutch.editions import Edition
from paircard.projections.round.snapshot import Player


def may_have_bye(edition: Edition, player: Player) -> bool:
    """[C2] Not one who had it, or who scored as the edition says without playing."""
    return edition.bars_the_bye.isdisjoint(player.letters)


def who_may_have_bye(edition: Edition, players: Sequence[Player]) -> list[bool]:
    """[C2] Each of the players to be paired.

    If everybody is barred there is no legal round. JaVaFo 1.4 then let those have the bye who had scored
    least often without playing.
    """
    may = [may_have_bye(edition, player) for player in players]
    if any(may) or not edition.second_bye:
        return may
    often = [sum(letter in edition.bars_the_bye for letter in player.letters) for player in players]
    return [count == min(often) for count in often]


def round_that_bars(edition: Edition, player: Player) -> int:
    """[C2] The first round that bars the player from the bye; 0 if none does."""
    letters = enumerate(player.letters, start=1)
    return next((round for round, letter in letters if letter in edition.bars_the_bye), 0)
