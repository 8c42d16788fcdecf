"""What a random tournament is to be like (VCL Q24-29), and what no tournament can be."""

import msgspec

from paircard.domain.errors import PaircardError
from paircard.domain.values.results import STANDARD, Scoring


class ImpossibleSettings(PaircardError):
    """No tournament can have what was asked for."""


class Amount(msgspec.Struct, frozen=True):
    """How often something happens: a number, or a share in tenths of a percent."""

    number: int = 0
    share: int = 0
    round: int = 0
    """Only in this round; 0 for the whole tournament."""


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """What to play. None is drawn at random; amounts left empty do not happen."""

    edition: str = "dutch-2026"
    players: int | None = None
    rounds: int | None = None
    ratings: tuple[int, ...] = ()
    """Given ones; then there are as many players."""
    highest: int | None = None
    lowest: int | None = None
    gap: int | None = None
    """Rating points from one player to the next, from the highest down."""
    draws: int | None = None
    """Percent of games between equals that are drawn."""
    full_point_byes: tuple[Amount, ...] | None = None
    half_point_byes: tuple[Amount, ...] | None = None
    zero_point_byes: tuple[Amount, ...] | None = None
    forfeits: tuple[Amount, ...] | None = None
    odd_results: tuple[Amount, ...] | None = None
    late: tuple[Amount, ...] = ()
    """Players who enter after round 1."""
    withdrawals: tuple[Amount, ...] = ()
    baku: bool = False
    prohibited: int | tuple[tuple[int, ...], ...] = 0
    """Number of pairs drawn at random, or lists of numbers of whom no two may meet."""
    scoring: Scoring = STANDARD
    initial_colour: str = ""


LABELS = {
    "full_point_byes": "full-point byes",
    "half_point_byes": "half-point byes",
    "zero_point_byes": "zero-point byes",
    "forfeits": "forfeits",
    "odd_results": "odd results",
    "late": "late entries",
    "withdrawals": "withdrawals",
}
"""What refusals call the settings that are amounts."""


def check_settings(settings: Settings) -> None:
    """Refuse what no draw of lots can bring about, before one is drawn."""
    if settings.players is not None and not 2 <= (len(settings.ratings) or settings.players) <= 9999:
        raise ImpossibleSettings(f"{settings.players} players were asked for: 2 to 9999 can play")
    for field, label in LABELS.items():
        for amount in getattr(settings, field) or ():
            if settings.rounds is not None and amount.round > settings.rounds:
                raise ImpossibleSettings(
                    f"{label} in round {amount.round} were asked for: there are {settings.rounds} rounds"
                )
            if field == "late" and amount.round == 1:
                raise ImpossibleSettings("late entries in round 1 were asked for: late is round 2 or after")
            if field in ("late", "withdrawals") and settings.rounds == 1 and not amount.round:
                raise ImpossibleSettings(f"{label} were asked for: one round is too few for them")
    for fields, what in (
        (("full_point_byes", "half_point_byes", "zero_point_byes"), "players can have one bye each"),
        (("forfeits", "odd_results"), "a game has one result"),
    ):
        asked = [amount for field in fields for amount in getattr(settings, field) or ()]
        for round in {amount.round for amount in asked}:
            share = sum(amount.share for amount in asked if amount.round in (0, round))
            if share > 1000:
                where = f"round {round}" if round else "every round"
                percent = f"{share // 10}.{share % 10}".removesuffix(".0")
                raise ImpossibleSettings(f"{percent}% in {where} were asked for: {what}, so 100% in all")
    size = len(settings.ratings) or settings.players
    if isinstance(settings.prohibited, int) and size and settings.prohibited > size * (size - 1) // 2:
        pairs = size * (size - 1) // 2
        raise ImpossibleSettings(
            f"{settings.prohibited} prohibited pairs of {size} players: there are {pairs}"
        )
