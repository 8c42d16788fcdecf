"""A round as its pairing sheet shows it: who sits where, on which score, and who does not play."""

from typing import Literal

import msgspec

from paircard.domain.messages import say
from paircard.domain.rounds import Game
from paircard.domain.speaking import Speaker
from paircard.domain.state import Tournament
from paircard.domain.values.results import BYE_NAMES, Outcome, ResultText, spell
from paircard.domain.values.rules import RULES
from paircard.projections.round.crosstable import points_before, who_came
from paircard.projections.views import table_after, table_as_paired

ABSENCES = {**BYE_NAMES, "Z": "absent"}
"""Why somebody does not play a round, by the letter the round holds."""


class Seat(msgspec.Struct, frozen=True, kw_only=True):
    """A player as a pairing sheet shows them."""

    id: int
    """The number they were entered as: commands name them by it."""
    number: int | None
    """The pairing number the round was paired with."""
    name: str
    title: str
    rating: int
    """0 is unrated."""
    federation: str
    score: int
    """Tenths, before the round."""


class Board(msgspec.Struct, frozen=True, kw_only=True):
    """One board of a round."""

    board: int
    white: Seat
    black: Seat
    result: ResultText | Literal["adjourned"] | None
    """As people write it, ``adjourned``, or none while the game is not over."""


class Absence(Seat, frozen=True, kw_only=True):
    """A player who does not play the round."""

    letter: str
    """``H``, ``F`` or ``Z``: half a point, a full one, none."""
    reason: str
    """In words: a bye, or withdrawn or expelled."""


class Round(msgspec.Struct, frozen=True, kw_only=True):
    """A paired round."""

    round: int
    rounds: int
    """Announced number of rounds."""
    state: str
    """How far it has come, in words."""
    published: bool
    altered: bool
    """Whether the boards are the arbiter's and not the engine's."""
    fide_mode: bool
    edition: str
    engine: str
    snapshot: str
    boards: tuple[Board, ...]
    pab: Seat | None
    """Who has the pairing-allocated bye."""
    absent: tuple[Absence, ...]


class Sheet(msgspec.Struct, frozen=True):
    """What a pairing sheet shows of people, whatever the results of its round will be."""

    seats: dict[int, Seat]
    """Of everybody, by id."""
    absent: tuple[Absence, ...]


def people_on_sheet(history: Tournament, round: int) -> Sheet:
    """The people of a paired round."""
    paired = history.rounds[round - 1]
    numbers = dict(paired.numbers)
    scores = points_before(table_as_paired(history, round), round)
    seats = {
        player.id: Seat(
            id=player.id,
            number=numbers.get(player.id),
            name=player.details.name,
            title=player.details.title,
            rating=player.details.rating,
            federation=player.details.federation,
            score=scores[player.id],
        )
        for player in history.players
    }
    gone = {id for id, _ in paired.absent if history.players[id - 1].status}
    if gone:  # only who has left may never have come
        gone -= {row.id for row in who_came(table_after(history)).rows}
    return Sheet(
        seats,
        tuple(
            Absence(
                **msgspec.structs.asdict(seats[id]),
                letter=letter,
                reason=why_absent(history, round, id, letter),
            )
            for id, letter in paired.absent
            if id not in gone
        ),
    )


def view_round(history: Tournament, round: int, people: Sheet) -> Round:
    """A paired round with the people on its sheet."""
    paired, seats = history.rounds[round - 1], people.seats
    return Round(
        round=round,
        rounds=history.regulations.rounds,
        state=round_state(history, round),
        published=paired.published,
        altered=paired.altered,
        fide_mode=history.fide_mode,
        edition=paired.fact.edition,
        engine=paired.fact.engine,
        snapshot=paired.fact.snapshot,
        boards=tuple(
            Board(board=at, white=seats[game.white], black=seats[game.black], result=result_of(game))
            for at, game in enumerate(paired.games(), start=1)
        ),
        pab=seats[paired.pab] if paired.pab else None,
        absent=people.absent,
    )


def result_of(game: Game) -> ResultText | Literal["adjourned"] | None:
    """The result of a board as people write it."""
    if game.white_letter in ("", "?"):
        return "adjourned" if game.white_letter else None
    return spell(Outcome(game.white_letter, game.black_letter))


def round_state(history: Tournament, round: int) -> str:
    """How far a paired round has come, in English."""
    paired = history.rounds[round - 1]
    waiting = len(paired.open_boards()) if paired.published else 0
    if history.manual == round:
        stage = "by-hand"
    elif paired.completed:
        stage = "completed"
    elif not paired.published:
        stage = "paired"
    else:
        stage = "play" if waiting else "played"
    return Speaker().say(say("round-stage", stage=stage, count=waiting))


def why_absent(history: Tournament, round: int, id: int, letter: str) -> str:
    """A bye; or withdrawn or expelled, if the player is gone and had no bye in the round."""
    player = history.players[id - 1]
    if letter == "Z" and player.status and round not in dict(player.byes):
        return player.status
    return ABSENCES[letter] if letter != "Z" else RULES[history.regulations.edition].absence_word
