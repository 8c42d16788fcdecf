"""Rating changes and first ratings by the FIDE Rating Regulations B.02, in force from 1 March 2024.

Standard since 1 October 2025 with article 8.3.1 as amended, rapid and blitz since 1 December 2024. What only
FIDE knows (other events of the month, games before this one) is not guessed: remarks say what is missing.
"""

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, Final, Literal, NamedTuple, TypeAlias

import msgspec

from paircard.domain.messages import Message, say
from paircard.domain.speaking import Remark, told
from paircard.domain.state import Tournament
from paircard.domain.values.players import LISTS, NATIONAL, Details
from paircard.domain.values.regulations import Regulations
from paircard.domain.values.results import FORFEITS, PLAYED
from paircard.projections.round.crosstable import Entry, Row, who_came
from paircard.projections.standings.measures import expected_score, score_difference
from paircard.projections.views import table_for_rating

RULES: Final = "B.02, 1 March 2024"
IN_FORCE: Final = "2024-03-01"
"""First day of the edition: differences above 400 count as 400 in every game since."""
TRUE_DIFFERENCE: Final = "2025-10-01"
"""First day of 8.3.1 as amended, standard only."""
CAP: Final = 400
UNCAPPED_FROM: Final = 2650
SCORES: Final[Mapping[str, int]] = {"1": 10, "=": 5, "0": 0}
"""Tenths of a rated game, whatever points the event gives; W, D and L were not rated (TRF26 001)."""
Rated: TypeAlias = Literal["change", "first", "none"]


class TimeControl(NamedTuple):
    """One period: minutes, and seconds added for each move."""

    minutes: Fraction
    increment: int

    @property
    def sixty_moves(self) -> Fraction:
        """Minutes of a player for a game of 60 moves (B.02:1.1)."""
        return self.minutes + self.increment


class RatedGame(msgspec.Struct, frozen=True, kw_only=True):
    """One round of a player, as B.02 sees it."""

    round: int
    opponent: int
    """Id; 0 for none."""
    opponent_rating: int
    letter: str
    counts: bool
    score: int = 0
    """Tenths."""
    difference: int = 0
    """Own rating less the opponent's, as it counts (8.3.1)."""
    capped: bool = False
    expected: int = 0
    """Hundredths (8.1)."""
    surplus: int = 0
    """Score less expected score, in hundredths (8.3.2)."""
    reason: Remark | None = None
    """Why the game does not count."""


class FirstRating(msgspec.Struct, frozen=True, kw_only=True):
    """The first rating that this event alone would give (8.2)."""

    average: int
    """Hundredths: the opponents and two of 1800."""
    percent: int
    """With two draws more."""
    difference: int
    rating: int
    """At most 2200; not published below 1400 (7)."""
    half: bool = False
    """Whether the per cent or the rating was an exact half, which the text does not say how to round."""


class RatedPlayer(msgspec.Struct, frozen=True, kw_only=True):
    """A player as reports to FIDE name them."""

    player: int
    number: int
    name: str
    title: str
    federation: str
    rating: int
    """The rating of FIDE's list at the start; 0 is unrated."""


class RatedLine(RatedPlayer, frozen=True, kw_only=True):
    """One player's games against rated opponents, and what they bring."""

    games: int
    score: int
    """Tenths, in the games that count."""
    expected: int
    """Hundredths (8.1, differences capped by 8.3.1); 0 for the unrated."""
    k_factor: int
    """Of the list; 0 where it is not known."""
    change: int | None
    """Hundredths of a rating point (8.3); None without a rating or a K factor."""


class RatingLine(RatedLine, frozen=True, kw_only=True):
    """One player's rating before and after, with the games it comes from."""

    kind: Rated
    """``change`` of a rating, ``first`` rating, or ``none`` without a game that counts."""
    k_used: int
    """Reduced so that K times games is at most 700 (8.3.3)."""
    rounded: int | None
    """The change if this is the only event of the month (8.3.4)."""
    first: FirstRating | None
    rounds: tuple[RatedGame, ...]
    remarks: tuple[Remark, ...] = ()


class Ratings(msgspec.Struct, frozen=True, kw_only=True):
    """Everybody's rating change by one edition of the regulations."""

    rules: str
    tempo: str
    version: int
    """Facts it was computed from."""
    players: tuple[RatingLine, ...]
    remarks: tuple[Remark, ...] = ()
    """About the whole event."""


def ratings_of(state: Tournament) -> Ratings:
    """The rating changes of everybody who came, by pairing number, as the rating report has the games."""
    table = who_came(table_for_rating(state))
    people = {player.id: player.details for player in state.players}
    rules = state.regulations
    listed = {id: fide_rating(details, rules.tempo) for id, details in people.items()}
    lines = [_line(row, table.rows, people[row.id], listed, rules) for row in table.rows]
    return Ratings(
        rules=RULES,
        tempo=rules.tempo,
        version=state.version,
        players=tuple(lines),
        remarks=tuple(map(told, _about_event(rules))),
    )


def fide_rating(details: Details, tempo: str = "standard") -> int:
    """The rating of FIDE's list: of the tempo, else standard, which stands for it (rapid and blitz 7, 8.2).

    A report file and a typed rating say no more than the rating of the event; that counts, unless it was
    estimated or comes from another list.
    """
    own = getattr(details, LISTS[tempo][0]) or details.fide_rating
    if own or details.estimated or details.rating_source == NATIONAL:
        return int(own)
    others = {source for name, (_, source) in LISTS.items() if name not in (tempo, "standard")}
    return 0 if details.rating_source in others else details.rating


def named(row: Row, rating: int) -> dict[str, Any]:
    """The fields of a player with this rating in FIDE's list."""
    of_row = {name: getattr(row, name) for name in ("number", "name", "title", "federation")}
    return {"player": row.id, **of_row, "rating": rating}


def _line(
    row: Row, rows: Sequence[Row], details: Details, listed: Mapping[int, int], rules: Regulations
) -> RatingLine:
    own = listed[row.id]
    match_with_unrated = len(rows) == 2 and not all(listed[each.id] for each in rows)
    rounds = [
        _game(round, now, own, listed.get(now.opponent, 0), rules, match_with_unrated)
        for round, now in enumerate(row.entries, start=1)
    ]
    counted = [game for game in rounds if game.counts]
    score = sum(game.score for game in counted)
    remarks: list[Message] = []
    if not details.federation:
        remarks.append(say("ratings.no-federation"))
    first = None
    k, used, change = details.k_factor, 0, None
    if own and counted:
        if not k and own >= 2400:
            k = 10  # 8.3.3: published at 2400 or more
        if k:
            used = reduced_k(k, len(counted))
            change = used * sum(game.surplus for game in counted)
        else:
            remarks.append(say("ratings.k-unknown"))
        if used != k:
            remarks.append(say("ratings.k-reduced", number=used, most=k, count=len(counted)))
        if k > 10 and own >= 2400:
            remarks.append(say("ratings.k-too-high", number=k, rating=own))
    elif counted:
        # 8.2: a zero score in the first event is disregarded; 7: five games against rated opponents
        first = first_rating([game.opponent_rating for game in counted], score) if score else None
        remarks += _about_first(first, len(counted), score)
    return RatingLine(
        **named(row, own),
        kind="none" if not counted else "change" if own else "first",
        games=len(counted),
        score=score,
        expected=sum(game.expected for game in counted),
        k_factor=k,
        k_used=used,
        change=change,
        rounded=None if change is None else rounded(change),
        first=first,
        rounds=tuple(rounds),
        remarks=tuple(map(told, remarks)),
    )


def _about_first(first: FirstRating | None, games: int, score: int) -> list[Message]:
    said = []
    if not score:
        said.append(say("ratings.first-zero"))
    if games < 5:
        said.append(say("ratings.first-games", count=games))
    if first and first.rating < 1400:
        said.append(say("ratings.first-too-low", rating=first.rating))
    if first and first.half:
        said.append(say("ratings.first-half"))
    return said


def _game(
    round: int, now: Entry, own: int, other: int, rules: Regulations, match_with_unrated: bool
) -> RatedGame:
    """One round: whether it counts and what it brings."""
    reason = _not_counted(now, own, other, rules, match_with_unrated)
    game = RatedGame(
        round=round,
        opponent=now.opponent,
        opponent_rating=other,
        letter=now.letter,
        counts=reason is None,
        score=SCORES.get(now.letter, 0),
        reason=told(reason) if reason else None,
    )
    if reason is not None or not own:
        return game
    difference = own - other
    counted = difference_that_counts(own, other, rules)
    expected = expected_score(own, [own - counted])
    return msgspec.structs.replace(
        game,
        difference=counted,
        capped=counted != difference,
        expected=expected,
        surplus=10 * game.score - expected,
    )


def _not_counted(
    now: Entry, own: int, other: int, rules: Regulations, match_with_unrated: bool
) -> Message | None:
    """Why a round is not rated, by the first article that says so."""
    if not now.opponent:
        return say("ratings.no-game", letter=now.letter or "Z")
    if now.letter in FORFEITS:
        return say("ratings.forfeit")  # 5.1: unplayed games do not count
    if now.letter in ("", "?"):
        return say("ratings.not-finished")
    if now.letter in PLAYED and now.letter not in SCORES:
        return say("ratings.under-a-move")  # 5.1: both made a move
    if not rules.rated:
        return say("ratings.event-not-rated")
    if match_with_unrated:
        return say("ratings.match")  # 6
    if not other:
        return say("ratings.opponent-unrated")  # 8.3.2, 8.2: against rated opponents
    best = max(own, other)
    if rules.tempo != "standard" and own and abs(own - other) >= 600 and best > 2600:
        return say("ratings.too-far-apart")  # rapid and blitz 8.3.1, 1 December 2024
    control = time_control_of(rules.time_control)
    if control and rules.tempo == "standard" and control.sixty_moves < time_needed(own, other):
        return say("ratings.too-short", count=time_needed(own, other))  # 1.1, game by game
    return None


def difference_that_counts(own: int, other: int, rules: Regulations) -> int:
    """8.3.1: a difference of more than 400 counts as 400; from 2650 on a player has the true one."""
    if rules.tempo == "standard" and own >= UNCAPPED_FROM and (rules.starts or "9") >= TRUE_DIFFERENCE:
        return own - other
    return max(-CAP, min(CAP, own - other))


def reduced_k(k: int, games: int) -> int:
    """8.3.3: K times the games of the period is at most 700."""
    return min(k, 700 // games) if games else k


def rounded(hundredths: int) -> int:
    """8.3.4: to the nearest whole number, a half away from zero."""
    size = (abs(hundredths) + 50) // 100
    return size if hundredths >= 0 else -size


def first_rating(opponents: Sequence[int], score: int) -> FirstRating:
    """8.2: from the opponents' ratings and the score in tenths; two draws with 1800 are added."""
    games = len(opponents) + 2
    average = Fraction(sum(opponents) + 3600, games)
    share = Fraction(10 * (score + 10), games)
    percent = _nearest(share)
    performed = average + score_difference(percent)
    return FirstRating(
        average=_nearest(100 * average),
        percent=percent,
        difference=score_difference(percent),
        rating=min(2200, _nearest(performed)),
        half=share.denominator == 2 or (performed < 2200 and performed.denominator == 2),
    )


def _nearest(value: Fraction) -> int:
    return (2 * value.numerator + value.denominator) // (2 * value.denominator)


# --- rates of play (B.02:1.1; rapid and blitz 1)


_MINUTES: Final = r"(\d+)\s*(?:'|′|’|m|min|mins|minutes|minuti)?"
_SECONDS: Final = r"(\d+)\s*(?:''|\"|″|”|s|sec|secs|seconds|secondi)?"
_WRITTEN: Final = re.compile(rf"{_MINUTES}(?:\s*\+\s*{_SECONDS}(?:\s*(?:/|per|a)\s*(?:move|mossa))?)?", re.I)


def time_control_of(text: str) -> TimeControl | None:
    """One period as people write it: ``90+30``, ``90 min + 30 s per move``, ``15'``; None for all else."""
    found = _WRITTEN.fullmatch(text.strip())
    if found is None:
        return None
    minutes = Fraction(found[1])
    return TimeControl(minutes / 60 if minutes >= 300 else minutes, int(found[2] or 0))  # TRF26 222: seconds


def tempo_of(control: TimeControl) -> str:
    """What a rate of play is rated as: exactly 60 minutes are standard, exactly 10 are blitz; or nothing."""
    whole = control.sixty_moves
    return "standard" if whole >= 60 else "rapid" if whole > 10 else "blitz" if whole > 3 else ""


def time_needed(own: int, other: int) -> int:
    """Minutes that each player of a standard game must have for 60 moves (1.1)."""
    best = max(own, other)
    return 120 if best >= 2400 else 90 if best >= 1800 else 60


def _about_event(rules: Regulations) -> list[Message]:
    """What the record does not say, or says against the event's being rated."""
    said = [say("ratings.one-event")]
    if not rules.rated:
        said.append(say("ratings.event-not-rated"))
    if not rules.starts:
        said.append(say("ratings.no-day"))
    elif rules.starts < IN_FORCE:
        said.append(say("ratings.older-rules", day=IN_FORCE))
    elif rules.tempo == "standard" and rules.starts < TRUE_DIFFERENCE <= rules.ends:
        said.append(say("ratings.across-the-change", day=TRUE_DIFFERENCE))
    control = time_control_of(rules.time_control)
    if control is None:
        said.append(say("ratings.no-time-control"))
    elif (found := tempo_of(control)) != rules.tempo:
        said.append(say("ratings.other-tempo", kind=found or "–", text=rules.time_control))
    if rules.days > 30:
        said.append(say("ratings.long-event"))
    return said
