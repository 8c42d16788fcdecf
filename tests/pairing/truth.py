"""The rules once more, from their text alone, by trying everything: what explanations are held against.

Nothing of the engine, of the literal generator or of the explanations is used here. Every pairing of a
bracket is listed and judged, so it is for small brackets only. Articles are those of the 2026 edition, with
those of 2017 behind them; readings where a text is silent are those of pairing/README.md.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

from msgspec import UNSET

from paircard.projections.round.snapshot import Player, Snapshot

POINT = 10
PLAYED = "1=0WDL?"
BARS = {"dutch-2026": "U+F", "dutch-2017": "U+", "dutch-2012": "U+FH", "dutch-2012-javafo": "U+FH"}
"""[C2, C.2, 2012 B.1.b] Rounds that bar from the bye."""
Pairs = tuple[tuple[int, int], ...]
Value = int | tuple[int, ...]
Values = dict[str, Value]


@dataclass(frozen=True)
class Seat:
    """A player; ``rank`` is the place by score and number (1.2)."""

    id: int
    rank: int
    score: int
    met: frozenset[int]
    colours: str
    difference: int
    due: str
    strength: int
    top: bool
    last: str
    before: str
    unplayed: int
    bye: bool


def seated(player: Player, rank: int, snapshot: Snapshot) -> Seat:
    """[1.4–1.8] What the rules say of a player."""
    games = list(zip(player.opponents, player.colours, player.letters, strict=True))
    colours = "".join(colour for _, colour, letter in games if letter in PLAYED)
    difference = colours.count("w") - colours.count("b")
    twice = colours[-2:] if colours[-2:] in ("ww", "bb") else ""
    if abs(difference) > 1:  # [1.7.1, A.6.a] before two in a row
        due, strength = ("b" if difference > 0 else "w"), 3
    elif twice:
        due, strength = ("b" if twice == "ww" else "w"), 3
    elif difference:
        due, strength = ("b" if difference > 0 else "w"), 2
    elif colours:
        due, strength = ("b" if colours[-1] == "w" else "w"), 1
    else:
        due, strength = "", 0
    bars = BARS[snapshot.edition] if snapshot.bars_the_bye is UNSET else snapshot.bars_the_bye
    return Seat(
        id=player.id,
        rank=rank,
        score=player.score,
        met=frozenset(opponent for opponent, _, letter in games if letter in PLAYED and opponent),
        colours=colours,
        difference=difference,
        due=due,
        strength=strength,
        top=snapshot.round == snapshot.rounds and 2 * player.points > (snapshot.round - 1) * snapshot.win,
        last=player.floats[-1:],
        before=player.floats[-2:-1],
        unplayed=sum(letter not in PLAYED for letter in player.letters),
        bye=not any(letter in bars for letter in player.letters),
    )


@dataclass(frozen=True)
class Bracket:
    """A bracket; players by rank, in order."""

    moved: tuple[int, ...]
    residents: tuple[int, ...]
    below: tuple[tuple[int, ...], ...] = ()
    kind: str = ""

    @property
    def members(self) -> tuple[int, ...]:
        return (*self.moved, *self.residents)

    @property
    def rest(self) -> frozenset[int]:
        return frozenset(rank for group in self.below for rank in group)


@dataclass(frozen=True)
class Done:
    """A bracket with the pairs it came to."""

    bracket: Bracket
    pairs: Pairs
    floaters: tuple[int, ...]


class Impossible(Exception):
    """No round exists."""


class Truth:
    """One round."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.snapshot = snapshot
        self.new = snapshot.edition == "dutch-2026"
        self.old = snapshot.edition.startswith("dutch-2012")
        playing = sorted((p for p in snapshot.players if not p.absent), key=lambda p: (-p.score, p.number))
        self.seats = [seated(player, rank, snapshot) for rank, player in enumerate(playing)]
        self.rank = {seat.id: seat.rank for seat in self.seats}
        self.banned = {frozenset(pair) for pair in snapshot.prohibited}
        self.everyone = frozenset(range(len(self.seats)))
        self.odd = len(self.seats) % 2 == 1
        self._perfect: dict[frozenset[int], bool] = {}
        self._judged: dict[tuple[Bracket, Pairs], Values] = {}
        self._ahead: dict[tuple[Bracket, frozenset[int]], tuple[int, ...]] = {}
        self._listed: dict[Bracket, list[Pairs]] = {}
        self.legal = [[self.may_meet(a, b) for b in self.seats] for a in self.seats]
        self.byes = frozenset(seat.rank for seat in self.seats if seat.bye)
        if not self.byes and snapshot.edition == "dutch-2012-javafo":  # a second bye, for those barred least
            often = [sum(letter in BARS[snapshot.edition] for letter in p.letters) for p in playing]
            self.byes = frozenset(rank for rank, many in enumerate(often) if many == min(often))
        self.bye_score: int | None = None
        if self.odd and self.new:  # [C5] fixed for the whole round
            self.bye_score = self.lowest_bye(lambda rest: self.all_paired(rest))
            if self.bye_score is not None:
                self.byes = frozenset(i for i in self.byes if self.seats[i].score == self.bye_score)
        if not self.completes(self.everyone):
            raise Impossible

    def lowest_bye(self, paired: Callable[[frozenset[int]], bool]) -> int | None:
        """[C5] The lowest score of a player whose bye lets all others be paired."""
        scores = [seat.score for seat in self.seats if seat.bye and paired(self.everyone - {seat.rank})]
        return min(scores, default=None)

    # --- absolute criteria

    def may_meet(self, a: Seat, b: Seat) -> bool:
        """[C1, C3] And announced prohibitions."""
        if a.id == b.id or b.id in a.met or a.id in b.met or frozenset((a.id, b.id)) in self.banned:
            return False
        return a.top or b.top or not (a.strength == b.strength == 3 and a.due == b.due)

    def all_paired(self, players: frozenset[int]) -> bool:
        """Whether these can all be paired with each other."""
        if not players:
            return True
        if len(players) % 2:
            return False
        if players not in self._perfect:
            one = min(players, key=lambda i: sum(self.legal[i][j] for j in players))
            rest = players - {one}
            self._perfect[players] = any(self.legal[one][j] and self.all_paired(rest - {j}) for j in rest)
        return self._perfect[players]

    def completes(self, players: frozenset[int], pair: tuple[int, int] | None = None, bye: int = -1) -> bool:
        """[C4] Whether these can be paired, one with the bye if they are odd; on a condition, if any."""
        if pair is not None:
            if not players >= set(pair):
                return False
            players = players - set(pair)
        if len(players) % 2 == 0:
            return bye < 0 and self.all_paired(players)
        may = {bye} & players if bye >= 0 else self.byes & players
        return any(self.all_paired(players - {one}) for one in may)

    # --- colours

    def white(self, a: Seat, b: Seat) -> tuple[Seat, Seat, int]:
        """[5.2, E] White, Black and the rule, for a who ranks above b."""
        if a.due != b.due:
            first = a.due == "w" if a.due else b.due == "b"
            return (a, b, 1) if first else (b, a, 1)
        if not a.due:
            odd = self.numbers[a.id] % 2 == 1
            first = odd == (self.snapshot.initial_colour == "w")
            return (a, b, 5) if first else (b, a, 5)
        winner, rule = a, 4
        if a.strength != b.strength:
            winner, rule = (a if a.strength > b.strength else b), 2
        elif a.strength == 3 and abs(a.difference) != abs(b.difference) and not self.old:
            winner, rule = (a if abs(a.difference) > abs(b.difference) else b), 2
        else:
            for one, other in zip(reversed(a.colours), reversed(b.colours), strict=False):
                if one != other:
                    return (a, b, 3) if one == "b" else (b, a, 3)
        loser = b if winner is a else a
        return (winner, loser, rule) if a.due == "w" else (loser, winner, rule)

    @cached_property
    def numbers(self) -> dict[int, int]:
        """[5.2.5] Numbers of those who ever took part in a pairing, this round's included."""
        found: dict[int, int] = {}
        for player in sorted(self.snapshot.players, key=lambda p: (p.number, p.id)):
            took_part = not player.absent
            for opponent, letter in zip(player.opponents, player.letters, strict=True):
                took_part |= letter in PLAYED or letter in "U+" or (letter == "-" and opponent > 0)
            if took_part:
                found[player.id] = len(found) + 1
        return found

    def colour_failures(self, i: int, j: int) -> tuple[int, int, int, int]:
        """[C10–C13, C.8–C.11] What a pair adds to each."""
        white, black, _ = self.white(self.seats[i], self.seats[j])
        given = ((white, "w", 1), (black, "b", -1))
        denied = [each for each in given if each[0].due not in ("", each[1])]
        if not denied:
            return 0, 0, 0, 0
        [(loser, _, step)] = denied
        strong = white.strength >= 2 <= black.strength and not white.strength == black.strength == 3
        wide = third = 0
        if white.strength == black.strength == 3:
            wide = int(abs(loser.difference + step) > 2)
            looked_at = given if abs(white.difference) == abs(black.difference) else denied
            third = int(any(seat.colours[-2:] == 2 * colour for seat, colour, _ in looked_at))
        return wide, third, 1, int(strong)

    # --- candidates

    def listed(self, bracket: Bracket) -> list[Pairs]:
        """Every legal candidate: pairs of members, no two of them moved down."""
        if bracket not in self._listed:
            self._listed[bracket] = list(self._pairings(bracket.members, frozenset(bracket.moved)))
        return self._listed[bracket]

    def _pairings(self, players: Sequence[int], moved: frozenset[int]) -> Iterator[Pairs]:
        if not players:
            yield ()
            return
        one, rest = players[0], players[1:]
        yield from self._pairings(rest, moved)
        for other in rest:
            if self.legal[one][other] and not (one in moved and other in moved):
                for pairs in self._pairings([i for i in rest if i != other], moved):
                    yield ((one, other), *pairs)

    def floaters(self, bracket: Bracket, pairs: Pairs) -> tuple[int, ...]:
        met = {i for pair in pairs for i in pair}
        return tuple(i for i in bracket.members if i not in met)

    def values(self, bracket: Bracket, pairs: Pairs) -> Values:
        """Every criterion's value, in order, by the name it has in the edition."""
        known = (bracket, pairs)
        if known not in self._judged:
            judge = self._values_2026 if self.new else self._values_2017
            self._judged[known] = judge(bracket, pairs)
        return self._judged[known]

    def _values_2026(self, bracket: Bracket, pairs: Pairs) -> Values:
        floaters, seats = self.floaters(bracket, pairs), self.seats
        found: Values = {"C6": len(floaters), "C7": down(seats[i].score for i in floaters)}
        if floaters and bracket.below:
            found["C8"] = self.ahead(bracket, frozenset(floaters))
        floor = seats[bracket.residents[0]].score
        if self.bye_score is not None and self.bye_score >= floor and len(floaters) == 1:
            found["C9"] = seats[floaters[0]].unplayed
        found |= self._colours(pairs, ("C10", "C11", "C12", "C13"))
        moved = set(bracket.moved)
        residents = [seats[i] for i in floaters if i not in moved]
        opponents = [(seats[j], seats[i].score - floor) for i, j in pairs if i in moved]
        again = [(seats[i], seats[i].score - floor) for i, _ in pairs if i in moved]
        again += [(seats[i], seats[i].score - floor + POINT) for i in floaters if i in moved]
        found["C14"] = sum(seat.last == "d" for seat in residents)
        found["C15"] = sum(seat.last == "u" for seat, _ in opponents)
        found["C16"] = sum(seat.before == "d" for seat in residents)
        found["C17"] = sum(seat.before == "u" for seat, _ in opponents)
        found["C18"] = down(gap for seat, gap in again if seat.last == "d")
        found["C19"] = down(gap for seat, gap in opponents if seat.last == "u")
        found["C20"] = down(gap for seat, gap in again if seat.before == "d")
        found["C21"] = down(gap for seat, gap in opponents if seat.before == "u")
        return found

    def _values_2017(self, bracket: Bracket, pairs: Pairs) -> Values:
        floaters, seats = self.floaters(bracket, pairs), self.seats
        found: Values = {"C.5": len(floaters), "C.6": self.psd(bracket, pairs, floaters)}
        if floaters and bracket.below and not bracket.kind:
            found["C.7"] = self.ahead(bracket, frozenset(floaters))
        found |= self._colours(pairs, ("C.8", "C.9", "C.10", "C.11"))
        nobody = seats[bracket.residents[-1]].score - POINT  # [A.8]
        unequal = [(i, j) for i, j in pairs if seats[i].score != seats[j].score]
        lower = [(seats[i], seats[i].score - seats[j].score) for i, j in unequal]
        lower += [(seats[i], seats[i].score - nobody) for i in floaters]
        upper = [(seats[j], seats[i].score - seats[j].score) for i, j in unequal]
        found["C.12"] = sum(seat.last == "d" for seat, _ in lower)
        found["C.13"] = sum(seat.last == "u" for seat, _ in upper)
        found["C.14"] = sum(seat.before == "d" for seat, _ in lower)
        found["C.15"] = sum(seat.before == "u" for seat, _ in upper)
        found["C.16"] = down(gap for seat, gap in lower if seat.last == "d")
        found["C.17"] = down(gap for seat, gap in upper if seat.last == "u")
        found["C.18"] = down(gap for seat, gap in lower if seat.before == "d")
        found["C.19"] = down(gap for seat, gap in upper if seat.before == "u")
        return found

    def _colours(self, pairs: Pairs, names: tuple[str, ...]) -> Values:
        failed = [self.colour_failures(i, j) for i, j in pairs]
        return {name: sum(each[at] for each in failed) for at, name in enumerate(names)}

    def psd(self, bracket: Bracket, pairs: Pairs, floaters: Sequence[int]) -> tuple[int, ...]:
        """[2017 A.8] Score differences of pairs and downfloaters; those of zero are left out."""
        nobody = self.seats[bracket.residents[-1]].score - POINT
        gaps = [self.seats[i].score - self.seats[j].score for i, j in pairs]
        return down([*(gap for gap in gaps if gap), *(self.seats[i].score - nobody for i in floaters)])

    def ahead(self, bracket: Bracket, floaters: frozenset[int]) -> tuple[int, ...]:
        """[C8, C.7] The next bracket at its best: how many leave it, then their scores (2017: the PSD)."""
        known = (bracket, floaters)
        if known not in self._ahead:
            then = Bracket(tuple(sorted(floaters)), bracket.below[0], bracket.below[1:])
            found = []
            for pairs in self.listed(then):
                left = self.floaters(then, pairs)
                asked = self.new or not then.below
                if not asked or self.completes(frozenset(left) | then.rest):
                    scores = down(self.seats[i].score for i in left)
                    found.append((len(left), *(scores if self.new else self.psd(then, pairs, left))))
            self._ahead[known] = min(found, default=(len(then.members) + 1,))
        return self._ahead[known]

    def generated(self, bracket: Bracket, pairs: Pairs) -> tuple[object, ...]:
        """[Article 4, section D] When a candidate is generated; one part for each step, smaller first."""
        partner = {i: j for pair in pairs for i, j in (pair, pair[::-1])}
        chosen = [i for i in bracket.moved if i in partner]
        opponents = [partner[i] for i in chosen]
        remainder = [i for i in bracket.residents if i not in opponents]
        number = {i: place for place, i in enumerate(remainder, 1)}
        uppers = [i for i in remainder if i in partner and partner[i] > i]
        size = len(uppers)
        leaving = sorted((number[i] for i in remainder[:size] if i not in uppers), reverse=True)
        coming = sorted(number[i] for i in uppers if number[i] > size)
        return (
            (-len(chosen), [-self.seats[i].score for i in chosen], chosen),
            opponents,
            (len(leaving), sum(coming) - sum(leaving), [-n for n in leaving], coming),
            [number[partner[i]] for i in uppers],
        )

    def best(self, bracket: Bracket, fits: Callable[[Pairs], bool]) -> Pairs | None:
        """[3.8, B.8] The best of the candidates that fit; of equals the first generated."""
        found = [pairs for pairs in self.listed(bracket) if fits(pairs)]
        if not found:
            return None
        return min(found, key=lambda pairs: (self.order(bracket, pairs), self.generated(bracket, pairs)))

    def order(self, bracket: Bracket, pairs: Pairs) -> list[tuple[int, ...]]:
        """The values as candidates are compared by them."""
        found = self.values(bracket, pairs).values()
        return [value if isinstance(value, tuple) else (value,) for value in found]

    def must_complete(self, bracket: Bracket) -> bool:
        """[C4] Everywhere; [2017 C.4] in the PPB and where the bye is given."""
        return self.new or bracket.kind == "PPB" or not bracket.below

    def leaves_a_round(self, bracket: Bracket, pairs: Pairs) -> bool:
        return self.completes(frozenset(self.floaters(bracket, pairs)) | bracket.rest)

    # --- the round

    @cached_property
    def brackets(self) -> list[Done]:
        """[1.9, A.9] The round, bracket by bracket."""
        groups = [
            tuple(seat.rank for seat in group) for _, group in groupby(self.seats, lambda seat: seat.score)
        ]
        done: list[Done] = []
        moved: tuple[int, ...] = ()
        for place, residents in enumerate(groups):
            bracket = Bracket(moved, residents, tuple(groups[place + 1 :]))
            pairs = self.first_best(bracket)
            if not self.leaves_a_round(bracket, pairs):
                penultimate = Bracket(moved, residents, bracket.below, "PPB")
                done.append(self.finished(penultimate, self.first_best(penultimate)))
                last = Bracket(done[-1].floaters, tuple(sorted(bracket.rest)), (), "CLB")
                done.append(self.finished(last, self.first_best(last)))
                return done
            done.append(self.finished(bracket, pairs))
            moved = done[-1].floaters
        return done

    def first_best(self, bracket: Bracket) -> Pairs:
        found = self.best(
            bracket, lambda pairs: not self.must_complete(bracket) or self.leaves_a_round(bracket, pairs)
        )
        assert found is not None
        return found

    def finished(self, bracket: Bracket, pairs: Pairs) -> Done:
        return Done(bracket, pairs, self.floaters(bracket, pairs))


def down(numbers: Iterable[int]) -> tuple[int, ...]:
    """From the highest to the lowest."""
    return tuple(sorted(numbers, reverse=True))
