"""What can be wrong with a list of tie-breaks, or with the moment standings are asked for.

StandingsError
├── BadTieBreak     the list cannot be read, or not for this kind of event
├── NotFinal        final standings were asked for while games are open
└── NotRanked       the player is not in the standings
"""

from paircard.domain.errors import PaircardError


class StandingsError(PaircardError):
    """Standings cannot be made from what was given."""


class BadTieBreak(StandingsError):
    """The list of tie-breaks holds something that is none."""


class NotFinal(StandingsError):
    """The event is not over: a game is open or a round is missing."""


class NotRanked(StandingsError):
    """The player is not in the standings."""
