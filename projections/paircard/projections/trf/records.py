"""The records of a Tournament Report File, one frozen value per line (TRF26, TRF16, TRF06, TRF(x), TRF(bx)).

A report is the sequence of its lines, so that the place of a record is its line number and nothing is
lost: text records, comments and codes we do not know stay as they are, in order.
"""

from typing import Final, Literal, TypeVar

import msgspec

from paircard.domain.values.rules import EDITIONS, NEWEST, RULES
from paircard.projections.round.crosstable import Entry

# --- record 192: the code of the pairing system


UNDATED: Final = "FIDE_DUTCH"
"""The code without a year: which edition it means goes by the date of the event."""

CODES: Final = {edition: f"FIDE_{edition.upper().replace('-', '_')}" for edition in EDITIONS}
"""The code of each edition (ETT26), like ``FIDE_DUTCH_2026``."""

EDITION_OF_CODE: Final = {
    **{code: edition for edition, code in CODES.items()},
    UNDATED: NEWEST,
    "FIDE_DUTCH_2025": "dutch-2026",
}
"""The codes that are read, without ``_BAKU``."""

ROUND_ROBIN: Final = "round-robin"
TABLES: Final = {
    "FIDE_ROUNDROBIN": (1, True),
    "BERGER_ROUNDROBIN": (1, False),
    "FIDE_DOUBLEROUNDROBIN": (2, True),
    "BERGER_DOUBLEROUNDROBIN": (2, False),
}
"""Codes of round robins by the Berger tables: cycles, and whether the last two rounds of the first cycle are
exchanged; ``BERGER_ROUNDROBIN_Gn`` has n cycles (ETT26)."""
BY_HAND: Final = "CUSTOM_ROUNDROBIN"


class Announced(msgspec.Struct, frozen=True):
    """What record 192 says: the rules, and of a round robin how often everybody meets everybody."""

    edition: str = ""
    """Empty for a system that Paircard does not know."""
    cycles: int = 0
    """0 where the code does not say: the rounds tell."""
    exchange: bool = False
    by_hand: bool = False

    @property
    def predetermined(self) -> bool:
        """Whether the rules say that no round depends on a result."""
        return bool(self.edition) and RULES[self.edition].predetermined


def rules_of_code(text: str) -> Announced:
    """What a code of record 192 means; the plain Dutch one goes by the date of the event."""
    code = text.upper()
    if code in TABLES:
        cycles, exchange = TABLES[code]
        return Announced(ROUND_ROBIN, cycles, exchange and cycles == 2)
    if code == BY_HAND:
        return Announced(ROUND_ROBIN, by_hand=True)
    base, _, games = code.rpartition("_G")
    if base == "BERGER_ROUNDROBIN" and games.isdecimal() and int(games):
        return Announced(ROUND_ROBIN, int(games))
    return Announced(EDITION_OF_CODE.get(code.removesuffix("_BAKU"), ""))


PREDETERMINED: Final = ("ROUNDROBIN", "SCHILLER", "SCHEVENINGEN")
"""In record 192: events whose pairings do not depend on results (ETT26, C.07:15)."""


# --- what results are worth, in the words of three formats


SYMBOLS: Final = {"W": "win", "D": "draw", "L": "loss", "A": "absence", "P": "pab"}
"""Symbols of 162, and what they are in a ``Scoring``; X, an unknown result, is always a draw."""

BBP_WORTHS: Final = {"BBW": "W", "BBD": "D", "BBL": "L", "BBZ": "A", "BBF": "A", "BBU": "P"}
"""bbpPairings' records to these symbols."""

JAVAFO_WORTHS: Final = {
    "WW": "W", "BW": "W", "WD": "D", "BD": "D", "WL": "L", "BL": "L", "ZPB": "A", "HPB": "D", "FPB": "W",
    "PAB": "P", "FW": "W", "FL": "A", "W": "W", "D": "D", "L": "L",
}  # fmt: skip
"""JaVaFo's codes in XXS to these symbols, which have one value for each group."""


# --- text records


class Text(msgspec.Struct, frozen=True):
    """A record that is text: what it is about, and what becomes of it in a tournament."""

    about: str
    """The word for it in notes; empty where a change is not noted by its text."""
    fate: Literal["setting", "settings", "described", "counted", "ours", "kept"]
    """It becomes a regulation, in ``settings`` one of several; is written as the file had it; is counted or
    said anew; or stays a line."""


TEXTS: Final = {
    "012": Text("name", "setting"), "013": Text("", "kept"), "022": Text("city", "setting"),
    "032": Text("federation", "setting"), "042": Text("first_day", "setting"),
    "052": Text("last_day", "setting"), "062": Text("", "counted"), "072": Text("", "counted"),
    "082": Text("", "kept"), "092": Text("type", "described"), "102": Text("chief_arbiter", "setting"),
    "112": Text("", "settings"), "122": Text("time_control", "setting"), "132": Text("round_days", "setting"),
    "172": Text("ranking_method", "described"), "182": Text("", "ours"),
    "192": Text("tournament_type", "setting"), "202": Text("tiebreak_list", "setting"),
    "212": Text("", "setting"), "222": Text("encoded_time_control", "described"),
    "###": Text("", "kept"), "XXB": Text("", "kept"),
}  # fmt: skip
"""By code (TRF26 §2, §5 and §8); others are unknown unless they are national ratings."""


UNKNOWN_POINTS = -1000
"""Points column left blank."""


class Line(msgspec.Struct, frozen=True):
    """A text record, a comment, a blank line, a team record or a code we do not know: kept as it is."""

    text: str

    @property
    def code(self) -> str:
        """Columns 1-3."""
        return self.text[:3]


class PlayerLine(msgspec.Struct, frozen=True, gc=False):
    """001: one player and what each round brought."""

    number: int
    """Starting rank, the pairing number of the file."""
    sex: str = ""
    title: str = ""
    name: str = ""
    rating: int = 0
    federation: str = ""
    fide_id: str = ""
    birth: str = ""
    points: int = UNKNOWN_POINTS
    """Tenths, as written in the file."""
    place: int = 0
    """Rank in the standings; 0 for none."""
    entries: tuple[Entry, ...] = ()
    """Letters as in the file; a blank entry, or a game without a result yet, has the letter ``" "``.

    The last entry is never blank.
    """

    code = "001"


class Rounds(msgspec.Struct, frozen=True):
    """142, XXR: announced number of rounds."""

    code: str
    rounds: int


class InitialColour(msgspec.Struct, frozen=True):
    """152: the colour drawn for the first number, ``w`` or ``b``."""

    colour: str

    code = "152"


class ScoringLine(msgspec.Struct, frozen=True):
    """162: symbols W D L A P X (Z in bbpPairings' dialect) with their tenths."""

    values: tuple[tuple[str, int], ...]

    code = "162"


class Byes(msgspec.Struct, frozen=True):
    """240: byes known before the round is paired."""

    letter: str
    round: int
    ids: tuple[int, ...]

    code = "240"


class Acceleration(msgspec.Struct, frozen=True):
    """250: virtual points, in tenths, of a range of numbers in a range of rounds."""

    points: int
    first: int
    last: int
    from_number: int
    to_number: int

    code = "250"


class Abnormal(msgspec.Struct, frozen=True):
    """299: points that are not those of the result, in tenths.

    With a letter the result of that letter is worth them; without one they are a bonus or a penalty.
    """

    letter: str
    points: int
    round: int = 0
    """0 for every round."""
    ids: tuple[int, ...] = ()
    """Empty for every player."""

    code = "299"


class Apart(msgspec.Struct, frozen=True):
    """260, XXP: players who may not meet each other; XXP knows no rounds (0, 0)."""

    code: str
    ids: tuple[int, ...]
    first: int = 0
    last: int = 0


class Configuration(msgspec.Struct, frozen=True):
    """XXC: initial colour, and whether the file is sorted by rank instead of starting number."""

    colour: str = ""
    by_rank: bool = False

    code = "XXC"


class Absent(msgspec.Struct, frozen=True):
    """XXZ: players absent from the round to be paired."""

    ids: tuple[int, ...]

    code = "XXZ"


class Worths(msgspec.Struct, frozen=True):
    """XXS: JaVaFo's values, e.g. ``W=3.0``, in tenths."""

    values: tuple[tuple[str, int], ...]

    code = "XXS"


class Virtual(msgspec.Struct, frozen=True):
    """XXA: one player's virtual points by round, in tenths."""

    id: int
    points: tuple[int, ...]

    code = "XXA"


class Worth(msgspec.Struct, frozen=True):
    """BBW, BBD, BBL, BBZ, BBF, BBU: one value of bbpPairings' scoring, in tenths."""

    code: str
    points: int


Record = (Line | PlayerLine | Rounds | InitialColour | ScoringLine | Byes | Acceleration) | (
    Abnormal | Apart | Configuration | Absent | Worths | Virtual | Worth
)
R = TypeVar("R")


class Report(msgspec.Struct, frozen=True):
    """A whole file."""

    records: tuple[Record, ...]
    """One per line, in file order: record ``i`` is line ``i + 1``."""

    def of(self, kind: type[R]) -> list[R]:
        """The records of a kind, in file order."""
        return [record for record in self.records if type(record) is kind]

    def players(self) -> list[PlayerLine]:
        """The 001 records, in file order."""
        return self.of(PlayerLine)

    def texts(self, code: str) -> list[str]:
        """What all text records of this code say, without those that say nothing."""
        said = (record.text[4:].strip() for record in self.of(Line) if record.text[:3] == code)
        return [text for text in said if text]

    def text(self, code: str) -> str:
        """What the first text record of this code says, for 132 with those that continue it; else empty."""
        if code == "132":
            return " ".join(self.day_lines().values()).strip()
        for record in self.records:
            if type(record) is Line and record.text[:3] == code:
                return record.text[4:].strip()
        return ""

    @property
    def tiebreak_list(self) -> str:
        """The list of tie-breaks that the file announces: 202 counts where it has 212 as well; else empty."""
        return self.text("202") or self.text("212")

    def remarks(self, begin: str) -> list[str]:
        """What follows ``### begin`` in the lines that begin so."""
        opening = f"### {begin}"
        lines = (line.text for line in self.of(Line) if line.text.startswith(opening))
        return [line.removeprefix(opening) for line in lines]

    def day_lines(self) -> dict[int, str]:
        """Records 132 by line: a later one counts if its days stand to the right of all earlier ones."""
        found: dict[int, str] = {}
        end = 0
        for at, record in enumerate(self.records, 1):
            if type(record) is Line and record.text[:3] == "132":
                days = record.text[4:].rstrip()
                if len(days) - len(days.lstrip()) >= end:
                    found[at], end = days, len(days)
        return found
