"""Title norms by the FIDE Title Regulations B.01 of 1 January 2024: every requirement with its article.

Articles stand at the lines that apply them. What the record cannot say (registration, the arbiters' titles,
exemptions by the kind of event) is asked, never decided; direct titles (1.2) are left aside.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, islice
from math import comb
from typing import Final, Literal, NamedTuple, TypeAlias

import msgspec
from msgspec.structs import replace

from paircard.domain.messages import Message, say
from paircard.domain.speaking import Remark, Speaker, told
from paircard.domain.state import Player, Tournament
from paircard.domain.values.players import Details
from paircard.domain.values.regulations import cycles_of
from paircard.projections.ratings import RatedPlayer, fide_rating, named
from paircard.projections.ratings import time_control_of as read_control
from paircard.projections.round.crosstable import Crosstable, Entry, Row, entry, who_came
from paircard.projections.standings.measures import average, percentage, score_difference
from paircard.projections.views import table_for_rating

RULES: Final = "B.01, 1 January 2024"
LEAST: Final = 9
"""Games of a norm (1.4.1a)."""
MOST_GAMES: Final = 13
"""A longer event counts as so many (1.7)."""
MOST_TRIED: Final = 20_000
"""Sets of games that are tried for one title of one player."""
UNRATED: Final = 1400
"""An unrated opponent who is not raised (1.4.6d)."""
FID: Final = "FID"
"""No federation: accepted, but never one of those that are counted (1.4.2a; QC 2026)."""
SCORES: Final[Mapping[str, int]] = {"1": 10, "W": 10, "=": 5, "D": 5, "0": 0, "L": 0}
"""Started games count, whatever points the event gives (1.4.2c)."""
HOLDERS: Final = frozenset({"GM", "IM", "WGM", "FM", "WIM", "WFM"})
"""Titles of 1.4.5a; CM and WCM do not count."""
State: TypeAlias = Literal["met", "short", "ask"]
Outlook: TypeAlias = Literal["norm", "ask", "possible", "no"]


class Standard(NamedTuple):
    """What one title asks (0.5, 1.4.5, 1.4.6, 1.4.8, 1.5.3)."""

    title: str
    performance: int
    average: int
    floor: int
    rating: int
    opponents: tuple[str, ...]
    article: str
    """Of the number of these opponents."""
    women: bool = False


STANDARDS: Final = (
    Standard("GM", 2600, 2380, 2200, 2500, ("GM",), "1.4.5b"),
    Standard("IM", 2450, 2230, 2050, 2400, ("IM", "GM"), "1.4.5c"),
    Standard("WGM", 2400, 2180, 2000, 2300, ("WGM", "IM", "GM"), "1.4.5d", women=True),
    Standard("WIM", 2250, 2030, 1850, 2200, ("WIM", "WGM", "IM", "GM"), "1.4.5e", women=True),
)
HELD: Final[Mapping[str, frozenset[str]]] = {
    "GM": frozenset({"GM", "IM", "WGM", "WIM"}),
    "IM": frozenset({"IM", "WIM"}),
    "WGM": frozenset({"WGM", "WIM"}),
    "WIM": frozenset({"WIM"}),
}
"""Titles that nobody needs who holds this one."""
BY_RATING: Final = (("FM", 2300, "GM IM FM"), ("CM", 2200, "GM IM FM CM"))
BY_RATING_WOMEN: Final = (("WFM", 2100, "GM IM FM WGM WIM WFM"), ("WCM", 2000, "GM IM FM CM WGM WIM WFM WCM"))
"""Titles by rating alone, their rating, and the titles that make them needless (1.3)."""


class Requirement(Remark, frozen=True, kw_only=True):
    """One requirement, what was counted and what is required."""

    key: str
    article: str
    state: State
    counted: int
    required: int
    """At least, or at most for the two caps on federations; scores are tenths."""
    missing: Remark | None = None
    """What is short, or what has to be asked."""


class NormGame(msgspec.Struct, frozen=True, kw_only=True):
    """One round as a certificate lists it."""

    round: int
    opponent: int
    title: str
    federation: str
    rating: int
    counted_rating: int
    """After 1.4.6; 0 for a game left out."""
    letter: str
    score: int
    left_out: Remark | None = None


class Chance(msgspec.Struct, frozen=True, kw_only=True):
    """A score in the games to come that would be enough."""

    score: int
    """Tenths."""
    rating: int
    """Least average rating of the opponents not yet known; 0 where all are known."""


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """Whether a player made a norm for a title."""

    title: str
    verdict: Outlook
    """``ask`` where the arbiter has to find out something; ``possible`` while games are to come."""
    requirements: tuple[Requirement, ...]
    games: tuple[NormGame, ...]
    count: int
    """Games in the norm."""
    norm_games: int
    """Games it stands for in an application (1.4.1c, d; 1.7)."""
    score: int
    required_score: int | None
    """Tenths, at this average; None if no score would be enough."""
    average: int
    percent: int
    performance: int
    to_come: int = 0
    """Games still open or not yet paired."""
    against: tuple[int, ...] = ()
    """Ids of the opponents of open games."""
    chances: tuple[Chance, ...] = ()
    exempt: bool = False
    """Whether 1.4.3d lifts the rules about federations."""
    remarks: tuple[Remark, ...] = ()


class PlayerNorms(RatedPlayer, frozen=True, kw_only=True):
    """One player's verdicts, for the titles not yet held."""

    verdicts: tuple[Verdict, ...]
    by_rating: tuple[str, ...] = ()
    """Titles that the rating is enough for, after 30 rated games (1.3)."""


class Norms(msgspec.Struct, frozen=True, kw_only=True):
    """The verdicts of an event at one moment."""

    rules: str
    version: int
    """Facts it was computed from."""
    event: tuple[Requirement, ...]
    """What holds for the whole event."""
    players: tuple[PlayerNorms, ...]


class Met(NamedTuple):
    """A game of the candidate that counts."""

    round: int
    opponent: int
    title: str
    federation: str
    rating: int
    score: int


class Field(NamedTuple):
    """What all candidates of an event share."""

    table: Crosstable
    rows: Mapping[int, Row]
    ratings: Mapping[int, int]
    strongest: tuple[int, ...]
    """Ids, the highest rating first."""
    later: Mapping[int, tuple[tuple[int, int], ...]]
    """Further ratings by round, of an event of more than 30 days (1.1.4)."""
    rounds: int
    double: bool
    over: bool
    exempt: bool
    hopeless: frozenset[int]
    """Unrated players of a round robin without a point against rated ones (1.4.2b)."""
    spoilt: tuple[Requirement, ...]
    """Requirements that the event itself fails."""

    def met(self, round: int, opponent: int, score: int) -> Met:
        row = self.rows[opponent]
        rating = self.ratings[opponent]
        for first, listed in self.later.get(opponent, ()):
            rating = listed if first <= round else rating
        return Met(round, opponent, row.title, row.federation, rating, score)


class Candidate(NamedTuple):
    """A player, the event, and the title that is judged."""

    standard: Standard
    field: Field
    row: Row
    details: Details


def norms_of(state: Tournament) -> Norms:
    """The verdicts of everybody who came, by pairing number."""
    table = who_came(table_for_rating(state))
    event = tuple(_about_event(state, table))
    field = _field(state, table, event)
    people = {player.id: player for player in state.players}
    return Norms(
        rules=RULES,
        version=state.version,
        event=event,
        players=tuple(_player(field, row, people[row.id]) for row in table.rows),
    )


def _field(state: Tournament, table: Crosstable, event: Sequence[Requirement]) -> Field:
    rules = state.regulations
    ratings = {player.id: fide_rating(player.details) for player in state.players}
    rounds = rules.rounds or table.paired
    finished = all(now.letter not in ("", "?") for row in table.rows for now in row.entries)
    over = state.closed or (table.paired >= rounds and finished)
    return Field(
        table=table,
        rows={row.id: row for row in table.rows},
        ratings=ratings,
        strongest=tuple(sorted((row.id for row in table.rows), key=lambda id: -ratings[id])),
        later={player.id: player.ratings for player in state.players} if rules.days > 30 else {},
        rounds=rounds,
        double=table.predetermined and cycles_of(rules) == 2,
        over=over,
        exempt=any(one.key == "guests" and one.state == "met" for one in event),
        hopeless=_hopeless(table, ratings) if table.predetermined and over else frozenset(),
        spoilt=tuple(one for one in event if one.state == "short" and one.key != "guests"),
    )


def _hopeless(table: Crosstable, ratings: Mapping[int, int]) -> frozenset[int]:
    """1.4.2b: unrated, and zero against all rated opponents of a round robin."""
    found = set()
    for row in table.rows:
        games = [now for now in row.entries if now.letter in SCORES and ratings[now.opponent]]
        if not ratings[row.id] and games and not any(SCORES[now.letter] for now in games):
            found.add(row.id)
    return frozenset(found)


def _player(field: Field, row: Row, player: Player) -> PlayerNorms:
    details = player.details
    wanted = [
        one
        for one in STANDARDS
        if one.title not in HELD.get(details.title, ()) and not (one.women and details.sex == "m")
    ]
    gone = player.status in ("withdrawn", "expelled")
    rating = field.ratings[row.id]
    lists = BY_RATING + (BY_RATING_WOMEN if details.sex == "w" else ())
    enough = [title for title, least, held in lists if rating >= least and details.title not in held.split()]
    return PlayerNorms(
        **named(row, rating),
        verdicts=tuple(judged(Candidate(one, field, row, details), gone) for one in wanted),
        by_rating=tuple(enough[:1] + [one for one in enough[1:] if one.startswith("W")][:1]),
    )


# --- one title of one player


def judged(one: Candidate, gone: bool = False) -> Verdict:
    """The verdict: the best set of games that the rules allow, else what is still possible."""
    field, entries = one.field, list(enumerate(one.row.entries, start=1))
    games = [
        field.met(round, now.opponent, SCORES[now.letter])
        for round, now in entries
        if now.letter in SCORES and now.opponent not in field.hopeless
    ]
    waiting = [
        field.met(round, now.opponent, 0)
        for round, now in entries
        if now.opponent and now.letter in ("", "?")
    ]
    unknown = 0 if gone or field.over else max(0, field.rounds - field.table.paired)
    best = _best(one, games)
    if best.verdict in ("norm", "ask") or not (waiting or unknown) or field.spoilt:
        return best
    return _outlook(one, games, waiting, unknown)


def _best(one: Candidate, games: Sequence[Met]) -> Verdict:
    """The first set of games without a requirement that is short; else the nearest to it."""
    final = one.field.over or not one.field.table.predetermined
    nearest: tuple[tuple[int, int], Verdict] | None = None
    for chosen, least, remark in _attempts(one, games):
        verdict = _verdict(one, chosen, least, remark)
        if final and verdict.verdict == "norm":
            return verdict
        short = sum(need.state == "short" for need in verdict.requirements)
        far = short, len(games) - len(chosen) if short or not final else 0
        if nearest is None or far < nearest[0]:
            nearest = far, verdict
    assert nearest is not None
    return nearest[1] if final else replace(nearest[1], verdict="no")


Attempt: TypeAlias = tuple[Sequence[Met], int, Message | None]


def _attempts(one: Candidate, games: Sequence[Met]) -> Iterator[Attempt]:
    """Sets of games that may make a norm, with the least number of games, the whole one first."""
    field, entries = one.field, one.row.entries
    bases: list[Attempt] = [(games, LEAST, None)]
    last = entries[-1] if 0 < len(entries) == field.rounds else Entry()
    if last.letter == "+" and len(games) == LEAST - 1:
        # 1.4.2c: the opponent of the last round did not come; the norm stands if a loss would have done
        lost = [*games, field.met(field.rounds, last.opponent, 0)]
        bases.append((lost, LEAST, say("norms.last-round-forfeit")))
    if _counts_as_nine(one, len(games)):
        bases.append((games, LEAST - 1, say("norms.eight-games")))
    for base, least, remark in bases:
        yield base, least, remark
        if _hopeless_average(one.standard, base, least):
            continue
        ends = sorted({game.round for game in base}, reverse=True)
        if field.table.predetermined:  # 1.4.1e: all scheduled rounds count; f: the mix must hold for all
            mixed = _mix(one, base, len(base))
            ends = [] if any(need.state == "short" for need in mixed) else ends[:1]
        for end in ends:
            first = [game for game in base if game.round <= end]  # 1.4.1e: the games after it are ignored
            if len(first) < least:
                break
            if len(first) < len(base):
                yield first, least, remark
            for left_out in _droppable(first, least):  # 1.4.1f: opponents one has defeated
                rest = [game for game in first if game not in left_out]
                if _performs(one.standard, rest):
                    yield rest, least, remark


def _counts_as_nine(one: Candidate, count: int) -> bool:
    """1.4.1c: nine rounds, eight games, and one forfeit win or bye."""
    free = sum(now.letter in ("+", "U") for now in one.row.entries)
    return (one.field.rounds, count, free) == (LEAST, LEAST - 1, 1)


def _performs(standard: Standard, games: Sequence[Met]) -> bool:
    """Whether average and score are a title result."""
    mean = average(list(_raised(standard, games).values())) or 0
    needed = required_score(standard, mean, len(games))
    return needed is not None and sum(game.score for game in games) >= needed


def _hopeless_average(standard: Standard, games: Sequence[Met], least: int) -> bool:
    """Whether even the strongest opponents alone are below the least average, or the games are too few."""
    best = sorted((game.rating or UNRATED for game in games), reverse=True)[:least]
    best = [*best[:-1], max(best[-1], standard.floor)] if best else []
    return len(games) < least or (average(best) or 0) < standard.average


def _droppable(games: Sequence[Met], least: int) -> Iterator[tuple[Met, ...]]:
    """Games won that may be left out, the fewest first; of very many sets only the small ones."""
    won = sorted((game for game in games if game.score == 10), key=lambda game: game.rating)
    tried = 0
    for size in range(1, min(len(won), len(games) - least) + 1):
        tried += comb(len(won), size)
        if tried > MOST_TRIED:
            return
        yield from combinations(won, size)


def _verdict(one: Candidate, games: Sequence[Met], least: int, remark: Message | None = None) -> Verdict:
    """The requirements of one set of games."""
    standard, field = one.standard, one.field
    count, score = len(games), sum(game.score for game in games)
    raised = _raised(standard, games)
    mean = average(list(raised.values())) or 0
    percent = percentage(score, count)
    performance = mean + score_difference(percent) if count else 0
    required = required_score(standard, mean, count)
    made = [
        _requirement("games", "1.4.1", count, least, say("norms.games", count=count, least=least)),
        *_mix(one, games, count),
        *_result(standard, mean, performance, score, count, required),
    ]
    if standard.women and one.details.sex != "w":  # whether the player is a woman may not be on record
        made.append(_stated("women", "", "ask", say("norms.women"), 0, 1, say("norms.no-sex")))
    made += field.spoilt
    states = {need.state for need in made}
    exempt = any(need.key in FEDERATIONS and need.missing and need.state == "met" for need in made)
    above = max(0, score - required) // 10 if required is not None else 0
    stands_for = (LEAST if count < LEAST else count) + above  # 1.4.1c, d
    remarks = [said for said in (remark, say("norms.exempt") if exempt else None) if said]
    return Verdict(
        title=standard.title,
        verdict="no" if "short" in states else "ask" if "ask" in states else "norm",
        requirements=tuple(made),
        games=_listed(one, games, raised),
        count=count,
        norm_games=min(stands_for, MOST_GAMES) if field.rounds > MOST_GAMES else stands_for,
        score=score,
        required_score=required,
        average=mean,
        percent=percent,
        performance=performance,
        exempt=exempt,
        remarks=tuple(map(told, remarks)),
    )


FEDERATIONS: Final = ("foreign", "own-federation", "one-federation")


def _requirement(
    key: str,
    article: str,
    counted: int,
    required: int,
    message: Message,
    *,
    doubt: int = 0,
    at_most: bool = False,
    missing: Message | None = None,
) -> Requirement:
    """A number against its limit; ``doubt`` are opponents without a federation, for or against it."""
    lacks = counted - required if at_most else required - counted
    state: State = "met" if lacks <= 0 else "short"
    if doubt and -doubt < lacks <= 0 if at_most else 0 < lacks <= doubt:
        state, missing = "ask", say("norms.no-federation", count=doubt)
    elif state == "short" and missing is None:
        missing = Message(f"norms.short.{key}", {"count": lacks})
    return _stated(key, article, state, message, counted, required, None if state == "met" else missing)


def _stated(
    key: str,
    article: str,
    state: State,
    message: Message,
    counted: int = 0,
    required: int = 0,
    missing: Message | None = None,
) -> Requirement:
    """A requirement with its words."""
    return Requirement(
        key=key,
        article=article,
        state=state,
        counted=counted,
        required=required,
        text=Speaker().say(message),
        message=message,
        missing=told(missing) if missing else None,
    )


def _mix(one: Candidate, games: Sequence[Met], count: int) -> list[Requirement]:
    """Titles and federations of the opponents (1.4.3 to 1.4.5), for so many games in the end."""
    own = one.row.federation
    titled = sum(game.title in HOLDERS for game in games)
    half = -(-count // 2)  # least numbers are rounded up, greatest down (1.4.4)
    federations = Counter(game.federation for game in games if game.federation not in ("", FID))
    nowhere = sum(not game.federation for game in games)
    unknown = nowhere if own else len(games)
    at_home = federations[own] if own else 0
    abroad = len(federations.keys() - {own}) if own else 0
    largest, most = max(federations.items(), key=lambda each: (each[1], each[0]), default=("–", 0))
    home, any_one = 3 * count // 5, 2 * count // 3
    said = say("norms.foreign", count=abroad, least=2)
    mixed = [_requirement("foreign", "1.4.3", abroad, 2, said, doubt=unknown)]
    said = say("norms.own-federation", count=at_home, most=home)
    mixed.append(_requirement("own-federation", "1.4.4", at_home, home, said, doubt=unknown, at_most=True))
    said = say("norms.one-federation", value=largest, count=most, most=any_one)
    mixed.append(_requirement("one-federation", "1.4.4", most, any_one, said, doubt=nowhere, at_most=True))
    if one.field.exempt:  # 1.4.3d lifts 1.4.4 too (QC)
        lifted = told(say("norms.lifted"))
        mixed = [
            need if need.state == "met" else replace(need, state="met", missing=lifted) for need in mixed
        ]
    return [
        _requirement("titled", "1.4.5a", titled, half, say("norms.titled", count=titled, least=half)),
        _own_title(one, games, count),
        *mixed,
    ]


def _own_title(one: Candidate, games: Sequence[Met], count: int) -> Requirement:
    """A third of the opponents, at least three, hold the title or a higher one (1.4.5b to e)."""
    standard = one.standard
    least = max(3, -(-count // 3))
    holding = [game for game in games if game.title in standard.opponents]
    counted, article, doubt = len(holding), standard.article, None
    if one.field.double:  # 1.4.5f: half of the number, rounded up, of different opponents
        article, least, counted = "1.4.5f", -(-least // 2), len({game.opponent for game in holding})
        if counted >= least and 2 * len(holding) < count:
            doubt = say("norms.two-readings", count=len(holding), least=-(-count // 2))
    message = say("norms.own-title", count=counted, least=least, codes=standard.opponents)
    made = _requirement("own-title", article, counted, least, message)
    return replace(made, state="ask", missing=told(doubt)) if doubt else made


def _result(
    standard: Standard, mean: int, performance: int, score: int, count: int, required: int | None
) -> list[Requirement]:
    """Average, performance and score (1.4.7 to 1.4.9)."""
    least = standard.average
    said = say("norms.average", rating=mean, other_rating=least)
    made = [_requirement("average", "1.4.8a", mean, least, said)]
    lacks = say("norms.short.no-score")
    if required is not None:
        lacks = say("norms.short.performance", points=max(0, required - score))
    least = standard.performance
    said = say("norms.performance", rating=performance, other_rating=least)
    made.append(_requirement("performance", "1.4.8", performance, least, said, missing=lacks))
    exact = Fraction(10 * score, count or 1)
    said = say("norms.score", points=score, count=count)
    share = _requirement("score", "1.4.8b", score, -(-7 * count // 10) * 5, said)
    if exact < 35 <= percentage(score, count):  # 34.6 % is rounded to 35, by the note under 1.4.9
        share = replace(share, state="ask", missing=told(say("norms.rounded-share")))
    elif exact >= 35:
        share = replace(share, state="met", missing=None)
    return [*made, share]


def _raised(standard: Standard, games: Sequence[Met]) -> dict[Met, int]:
    """Ratings as they count: unrated 1400, the lowest one raised to the floor (1.4.6b to d)."""
    counted = {game: game.rating or UNRATED for game in games}
    if games:
        lowest = min(games, key=lambda game: (counted[game], game.round))
        counted[lowest] = max(counted[lowest], standard.floor)
    return counted


def required_score(standard: Standard, mean: int, count: int) -> int | None:
    """The least score in tenths for a title result at this average; None if none is enough."""
    if mean < standard.average:
        return None
    for score in range(0, 10 * count + 1, 5):
        enough = mean + score_difference(percentage(score, count)) >= standard.performance
        if enough and 10 * score >= 35 * count:
            return score
    return None


def _listed(one: Candidate, games: Sequence[Met], raised: Mapping[Met, int]) -> tuple[NormGame, ...]:
    """Every round, with the games left out and why."""
    chosen = {game.round: game for game in games}
    last = max(chosen, default=0)
    made = []
    for round, now in enumerate(one.row.entries, start=1):
        game = chosen.get(round)
        other = one.field.met(round, now.opponent, 0) if now.opponent else Met(round, 0, "", "", 0, 0)
        made.append(
            NormGame(
                round=round,
                opponent=now.opponent,
                title=other.title,
                federation=other.federation,
                rating=other.rating,
                counted_rating=raised[game] if game else 0,
                letter=now.letter,
                score=game.score if game else SCORES.get(now.letter, 0),
                left_out=None if game else told(_why_left_out(one.field, now, round > last)),
            )
        )
    return tuple(made)


def _why_left_out(field: Field, now: Entry, later: bool) -> Message:
    if not now.opponent or now.letter in ("+", "-"):
        return say("norms.left-out.unplayed")
    if now.letter in ("", "?"):
        return say("norms.left-out.open")
    if now.opponent in field.hopeless:
        return say("norms.left-out.unrated")
    return say("norms.left-out.later") if later else say("norms.left-out.won")


# --- before the last round


def _outlook(one: Candidate, games: Sequence[Met], waiting: Sequence[Met], unknown: int) -> Verdict:
    """What is still possible with all games, none left out: scores that would be enough, and opponents."""
    met = [*games, *waiting]
    count = len(met) + unknown
    eight = _counts_as_nine(one, count)
    least = LEAST - 1 if eight else LEAST
    now = _verdict(one, games, least)
    mixed = _mix(one, met, count)
    chances = _chances(one, games, waiting, unknown)
    reachable = all(
        need.state != "short" or (need.key not in FEDERATIONS[1:] and need.required - need.counted <= unknown)
        for need in mixed
    )
    possible = count >= least and reachable and bool(chances)
    games_then = _requirement("games", "1.4.1", count, least, say("norms.games", count=count, least=least))
    told_now = ("women",) if possible or not games else ("average", "performance", "score", "women")
    return replace(
        now,
        verdict="possible" if possible else "no",
        requirements=(games_then, *mixed, *(need for need in now.requirements if need.key in told_now)),
        to_come=len(waiting) + unknown,
        against=tuple(game.opponent for game in waiting),
        chances=chances if possible else (),
        remarks=(*now.remarks, *([told(say("norms.eight-games"))] if eight else [])),
    )


def _chances(
    one: Candidate, games: Sequence[Met], waiting: Sequence[Met], unknown: int
) -> tuple[Chance, ...]:
    """By score in the games to come, the least average of the opponents that are not known yet."""
    standard, field = one.standard, one.field
    met = [*games, *waiting]
    count, scored = len(met) + unknown, sum(game.score for game in games)
    ratings = [game.rating or UNRATED for game in met]
    seen = {game.opponent for game in met} | {one.row.id}
    others = (field.ratings[id] for id in field.strongest if id not in seen)
    strongest = list(islice(others, unknown))
    if len(strongest) < unknown:
        return ()
    found: list[Chance] = []
    for score in range(0, 10 * (len(waiting) + unknown) + 1, 5):
        if 10 * (scored + score) < 35 * count:
            continue
        percent = percentage(scored + score, count)
        mean = max(standard.average, standard.performance - score_difference(percent))
        if _mean(standard, [*ratings, *strongest] or [0]) < mean:
            continue
        if not unknown:
            return (Chance(score=score, rating=0),)
        enough = range(UNRATED, max(*strongest, UNRATED) + 1)
        least = bisect_left(enough, mean, key=lambda each: _mean(standard, [*ratings, *[each] * unknown]))
        found.append(Chance(score=score, rating=UNRATED + least))
    return tuple(found)


def _mean(standard: Standard, ratings: Sequence[int]) -> int:
    """The average with the lowest rating raised to the floor."""
    lowest = min(ratings)
    return average([sum(ratings) + max(0, standard.floor - lowest)] + [0] * (len(ratings) - 1)) or 0


# --- the event as a whole


def _about_event(state: Tournament, table: Crosstable) -> Iterator[Requirement]:
    """Administration (1.1), and two properties of the field (1.4.3d, 1.5.6)."""
    rules = state.regulations
    yield _stated("registered", "1.1.1", "ask", say("norms.registered"))
    if not state.fide_mode:
        yield _stated("fide-mode", "1.1.1", "ask", say("norms.fide-mode"))
    if not rules.rated:
        yield _stated("rated", "1.4", "short", say("norms.not-rated"))
    often = max(Counter(rules.dates).values(), default=0)
    if often:
        how: State = "met" if often <= 2 else "short"
        yield _stated("rounds-a-day", "1.1.3", how, say("norms.rounds-a-day", count=often), often, 2)
    else:
        yield _stated("rounds-a-day", "1.1.3", "ask", say("norms.no-days"))
    control = read_control(rules.time_control)
    if control is None and rules.tempo == "standard":
        yield _stated("time", "1.1.3", "ask", say("norms.no-time"))
    else:
        minutes = int(control.sixty_moves) if control else 0
        enough = rules.tempo == "standard" and minutes >= 120
        said = say("norms.time", count=minutes) if control else say("norms.tempo", kind=rules.tempo)
        yield _stated("time", "1.1.3", "met" if enough else "short", said, minutes, 120)
    yield _stated("arbiter", "1.1.5", "ask", say("norms.arbiter", name=rules.chief_arbiter or "–"))
    yield _stated("federations", "1.4.2a", "ask", say("norms.federations"))
    if not table.predetermined:
        yield from _swiss(state, table)
    elif cycles_of(rules) == 2:
        many = len(table.rows)
        few: State = "met" if many >= 6 else "short"
        yield _stated("players", "1.4.5f", few, say("norms.players", count=many), many, 6)


def _swiss(state: Tournament, table: Crosstable) -> Iterator[Requirement]:
    """1.4.3d and 1.5.6: who takes part in every round; only players who miss at most one round count."""
    host = state.regulations.federation
    details = {player.id: player.details for player in state.players}

    def there(now: Entry) -> bool:
        return now.letter == "U" or (bool(now.opponent) and now.letter != "-")

    if not table.paired:
        return
    steady = [row for row in table.rows if table.paired - sum(map(there, row.entries)) <= 1]
    ratings = {row.id: fide_rating(details[row.id]) for row in steady}
    counted = []
    for round in range(1, table.paired + 1):
        present = [row for row in steady if there(entry(row, round))]
        guests = [row for row in present if ratings[row.id] and row.federation not in ("", FID, host)]
        federations = {row.federation for row in guests}
        titled = [row for row in guests if row.title in ("GM", "IM", "WGM", "WIM")]
        top = sorted((ratings[row.id] or UNRATED for row in present), reverse=True)[:40]
        counted.append((len(guests), len(federations), len(titled), len(present), average(top) or 0))
    guests_least, mixed, titled_least, most, best = map(min, zip(*counted, strict=True))
    if not host:
        yield _stated("guests", "1.4.3d", "ask", say("norms.no-host"))
    else:
        holds = guests_least >= 20 and mixed >= 3 and titled_least >= 10
        said = say("norms.guests", count=guests_least, number=mixed, total=titled_least)
        yield _stated("guests", "1.4.3d", "met" if holds else "short", said, guests_least, 20)
    large: State = "met" if most >= 40 and best >= 2000 else "ask"
    yield _stated("large", "1.5.6", large, say("norms.large", count=most, rating=best), most, 40)
