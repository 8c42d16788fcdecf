"""The tie-break list: its grammar (TRF26 202 and 212, MTB26) and what each code stands for.

A list is codes parted by commas, ``BH/C1,BH,SB,DE,WIN``. A code is a name and modifiers, each after
a stroke (C.07:14); upper and lower case are the same. C.07 has no default list: the announced one
is always asked for (C.07:2.1, 4.1.1).
"""

import re
from difflib import get_close_matches
from typing import Final, Literal

import msgspec

from paircard.projections.standings.tiebreaks.errors import BadTieBreak

Kind = Literal["A", "B", "C", "D", "points", "external"]

KINDS: Final[dict[str, Kind]] = {
    "PTS": "points",
    "DE": "A",
    "WIN": "B", "WON": "B", "BPG": "B", "BWG": "B", "PS": "B", "REP": "B", "STD": "B", "TPN": "B",
    "BH": "C", "FB": "C", "AOB": "C", "SB": "C", "KS": "C",
    "ARO": "D", "TPR": "D", "PTP": "D", "APRO": "D", "APPO": "D", "RTNG": "D",
}  # fmt: skip
"""Every name of an individual event with its type (C.07:4.3)."""

MODIFIERS: Final[dict[str, str]] = {
    "DE": "P", "PS": "C", "TPN": "R", "BH": "CMP", "FB": "CMP", "AOB": "F", "SB": "CP", "KS": "L",
    "ARO": "CMU", "TPR": "U", "PTP": "U", "APRO": "U", "APPO": "U", "RTNG": "RU",
}  # fmt: skip
"""Modifiers that a name may carry; names not here take none."""

TEAM: Final = frozenset(
    {
        "BC", "TBR", "BBE", "MPVGP", "EMMSB", "EMGSB", "EGMSB", "EGGSB", "EDE", "EDEBT", "EDEBB", "EDET",
        "EDEB", "SSSC", "MPTS", "GPTS",
    }
)  # fmt: skip
NOT_IN_A_ROUND_ROBIN: Final = frozenset({"BH", "FB", "AOB"})
"""Buchholz means nothing where everybody meets everybody (C.07:8)."""

ASCENDING: Final = frozenset({"TPN"})
"""Tie-breaks whose lower value is the better one; /R turns the order round."""

SKIP_UNRATED: Final = 0
"""``/U`` without a number: games against unrated opponents are left out of rating tie-breaks."""

TITLES: Final[dict[str, str]] = {
    "PTS": "Points",
    "DE": "Direct encounter",
    "WIN": "Wins",
    "WON": "Games won over the board",
    "BPG": "Games played with Black",
    "BWG": "Games won with Black",
    "PS": "Progressive score",
    "REP": "Rounds elected to play",
    "STD": "Standard points",
    "TPN": "Pairing number",
    "BH": "Buchholz",
    "FB": "Fore Buchholz",
    "AOB": "Average of opponents' Buchholz",
    "SB": "Sonneborn-Berger",
    "KS": "Koya",
    "ARO": "Average rating of opponents",
    "TPR": "Tournament performance rating",
    "PTP": "Perfect tournament performance",
    "APRO": "Average performance rating of opponents",
    "APPO": "Average perfect performance of opponents",
    "RTNG": "Rating",
}

ARTICLES: Final[dict[str, str]] = {
    "PTS": "4.1", "DE": "6", "WIN": "7.1", "WON": "7.2", "BPG": "7.3", "BWG": "7.4", "PS": "7.5",
    "REP": "7.6", "STD": "7.7", "TPN": "7.8", "BH": "8.1", "AOB": "8.2", "FB": "8.3", "SB": "9.1",
    "KS": "9.2", "ARO": "10.1", "TPR": "10.2", "PTP": "10.3", "APRO": "10.4", "APPO": "10.5", "RTNG": "10.6",
}  # fmt: skip
"""Article of C.07 (in force 1 March 2026) for each name."""


class TieBreak(msgspec.Struct, frozen=True, kw_only=True):
    """One element of the list."""

    name: str
    cut: int = 0
    """Least significant values left out (C.07:14.1)."""
    high: int = 0
    """Most significant values left out as well: /M1, /M2."""
    forfeits: bool = False
    """/P: a forfeited game counts as a game against the scheduled opponent."""
    fore: bool = False
    """/F: Fore Buchholz instead of Buchholz."""
    reverse: bool = False
    """/R: the other order."""
    limit: int = 0
    """/L: half points by which the Koya limit is moved."""
    unrated: int | None = None
    """/U: rating that stands for none; 0 leaves those games out; None drops the tie-break."""

    @property
    def code(self) -> str:
        """The code as a report file writes it."""
        parts = [self.name]
        if self.high:
            parts.append(f"M{self.high}")
        elif self.cut:
            parts.append(f"C{self.cut}")
        if self.limit:
            parts.append(f"L{self.limit}")
        if self.unrated is not None:
            parts.append(f"U{self.unrated or ''}")
        parts += [
            letter for letter, on in (("P", self.forfeits), ("F", self.fore), ("R", self.reverse)) if on
        ]
        return "/".join(parts)

    @property
    def kind(self) -> Kind:
        """The type of C.07:4.3, or ``points`` or ``external``."""
        return KINDS.get(self.name, "external")

    @property
    def title(self) -> str:
        """What the code means, for people."""
        words = [TITLES.get(self.name, self.name.removeprefix("OTHER_").replace("_", " ").capitalize())]
        if self.kind == "external":
            words.append("from outside")
        if self.high:
            words.append(f"median {self.high}")
        elif self.cut:
            words.append(f"cut {self.cut}")
        if self.limit:
            words.append(f"limit moved by {self.limit:+d} half points")
        if self.unrated is not None:
            words.append(f"unrated as {self.unrated}" if self.unrated else "without unrated opponents")
        if self.forfeits:
            words.append("forfeits as games")
        if self.fore:
            words.append("Fore Buchholz")
        if self.reverse:
            words.append("reversed")
        return ", ".join(words)

    @property
    def ascending(self) -> bool:
        """Whether the lower value is the better one."""
        return (self.name in ASCENDING) != self.reverse


POINTS: Final = TieBreak(name="PTS")


def parse_code(text: str) -> TieBreak:
    """One code, such as ``BH/C1/P``; says what is wrong with it if it is none."""
    written = text.strip()
    code = written.upper()
    if re.fullmatch(r"[A-Z]+-[CM]\d+", code):
        code = code.replace("-", "/")  # the handbook's prose writes BH-C1
    name, *modifiers = code.split("/")
    name, _, suffix = name.partition(":")
    name = {"GE": "REP"}.get(name, name)  # the name of C.07:7.6 before August 2024
    if name in TEAM or suffix:
        raise BadTieBreak(
            f"{written!r} is a tie-break of team events: name one for individuals, such as BH or SB"
        )
    if name.startswith("OTHER_") and len(name) > len("OTHER_"):
        if modifiers:
            raise BadTieBreak(f"{written!r}: values brought from outside take no modifier, write {name}")
        return TieBreak(name=name)
    if name not in KINDS:
        known = " ".join(KINDS)
        listed = f"known are {known}, and OTHER_… for values from outside"
        if meant := _code_of_title(written):
            raise BadTieBreak(f"{written!r} is not a tie-break: write {meant}; {listed}")
        raise BadTieBreak(f"{written!r} is not a tie-break: {listed}")
    settings: dict[str, int | bool] = {}
    for modifier in modifiers:
        for key, value in _modifier(written, name, modifier).items():
            if key in settings:
                raise BadTieBreak(
                    f"{written!r} says {modifier[:1]!r} after something that already settles it: keep one"
                )
            settings[key] = value
    return msgspec.convert({"name": name, **settings}, TieBreak)


def _code_of_title(written: str) -> str:
    """The code of a tie-break that was written in words, like ``Buchholz``; empty if none is meant."""
    titles = {title.casefold(): code for code, title in TITLES.items()}
    word = written.casefold()
    near = [title for title in titles if len(word) > 3 and title.startswith(word)]
    near += get_close_matches(word, titles, n=1, cutoff=0.8)
    return titles[near[0]] if near else ""


def _modifier(written: str, name: str, modifier: str) -> dict[str, int | bool]:
    allowed = MODIFIERS.get(name, "")
    letter, rest = modifier[:1], modifier[1:]
    if not letter or letter not in allowed:
        takes = " ".join(f"/{each}" for each in allowed) or "no modifier"
        raise BadTieBreak(f"{written!r}: {name} does not take /{modifier}, it takes {takes}")
    if letter in "CM":
        if not re.fullmatch(r"[1-9]", rest):
            raise BadTieBreak(f"{written!r}: /{letter} needs how many values to cut, such as /{letter}1")
        return {"cut": int(rest)} if letter == "C" else {"cut": int(rest), "high": int(rest)}
    if letter == "L":
        if not re.fullmatch(r"[+-]?\d{1,2}", rest) or not 0 < abs(int(rest)) <= 20:
            raise BadTieBreak(
                f"{written!r}: /L moves the limit by 1 to 20 half points, such as KS/L1 or KS/L-2"
            )
        return {"limit": int(rest)}
    if letter == "U":
        if rest and not re.fullmatch(r"[1-9]\d{2,3}", rest):
            raise BadTieBreak(
                f"{written!r}: /U takes a rating, such as /U1400, or stands alone to leave those games out"
            )
        return {"unrated": int(rest or SKIP_UNRATED)}
    if rest:
        raise BadTieBreak(f"{written!r}: /{letter} stands alone, without {rest!r}")
    return {{"P": "forfeits", "F": "fore", "R": "reverse"}[letter]: True}


def parse_list(text: str, *, predetermined: bool = False) -> tuple[TieBreak, ...]:
    """The announced list, always with PTS in it: first unless the list says otherwise (TRF26 202, 212).

    ``predetermined`` is a round robin or another event whose pairings do not depend on results (C.07:15).
    """
    codes = [piece for piece in re.split(r"[,\s]+", text.strip()) if piece]
    breaks = [parse_code(piece) for piece in codes]
    seen = set()
    for each in breaks:
        if each.kind != "A" and each in seen:
            raise BadTieBreak(f"{each.code} stands in the list twice: only direct encounter may (C.07:4.3)")
        if predetermined and each.name in NOT_IN_A_ROUND_ROBIN:
            raise BadTieBreak(f"{each.code} is not for a round robin (C.07:8): use SB, KS or DE")
        seen.add(each)
    return tuple(breaks) if POINTS in seen else (POINTS, *breaks)


def headings(text: str, breaks: tuple[TieBreak, ...]) -> list[str]:
    """The codes of a list as it was written, in capitals: ``KS/L+1`` keeps its sign."""
    codes = [piece.upper() for piece in re.split(r"[,\s]+", text.strip()) if piece]
    return codes if len(codes) == len(breaks) else [POINTS.code, *codes]


def render_list(breaks: tuple[TieBreak, ...]) -> str:
    """The list as record 202 holds it, or as 212 if points are not first."""
    rest = breaks[1:] if breaks[:1] == (POINTS,) else breaks
    return ",".join(each.code for each in rest)
