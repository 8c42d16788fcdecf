"""What a report says of the regulations of an event: code of the rules (192), kind (092), ratings (172)."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

import msgspec
from msgspec.structs import replace

from paircard.domain.state import Player
from paircard.domain.values.players import NATIONAL, Details, rated
from paircard.domain.values.regulations import LISTS_OF_TEMPO, Regulations, cycles_of, exchanges, lists_of
from paircard.domain.values.rules import RULES
from paircard.projections.trf.ratings import chosen, split_method
from paircard.projections.trf.records import BY_HAND, CODES, Line

# --- the rules


def code_of(regulations: Regulations) -> str:
    """The code of an event's rules, without ``_BAKU``."""
    return SAID[RULES[regulations.edition].family][0](regulations)


def kind_of(regulations: Regulations) -> str:
    """The kind of event as record 092 names it, in words."""
    return SAID[RULES[regulations.edition].family][1](regulations)


def _kind_of_table(regulations: Regulations) -> str:
    cycles = cycles_of(regulations)
    return {1: "Round Robin", 2: "Double Round Robin"}.get(cycles, f"Round Robin, {cycles} cycles")


def _code_of_table(regulations: Regulations) -> str:
    if regulations.table == "hand":
        return BY_HAND
    cycles = cycles_of(regulations)
    if cycles == 2:
        return "FIDE_DOUBLEROUNDROBIN" if exchanges(regulations) else "BERGER_DOUBLEROUNDROBIN"
    return "FIDE_ROUNDROBIN" if cycles == 1 else f"BERGER_ROUNDROBIN_G{cycles}"


SAID: Final[dict[str, tuple[Callable[[Regulations], str], Callable[[Regulations], str]]]] = {
    "dutch": (lambda regulations: CODES[regulations.edition], lambda _: "Swiss-System"),
    "round-robin": (_code_of_table, _kind_of_table),
}
"""What records 192 and 092 say of an event, by the family of its rules."""


# --- the ratings


class Filing(msgspec.Struct, frozen=True):
    """The ratings of a report."""

    in_001: Mapping[int, int]
    """By player id."""
    method: str
    """Federation and method, for 172; empty for none."""
    national: Sequence[Line] = ()


def filing(
    regulations: Regulations,
    players: Sequence[Player],
    numbers: Mapping[int, int],
    used: Mapping[int, int],
    imported: str,
) -> Filing:
    """How the ratings used are filed: by the imported 172, which has its records, or by the lists."""
    if imported:
        named, method = split_method(imported)
        text = imported if named else f"{regulations.federation} {method}".strip()
        return Filing(filed(method, players, used, regulations) or used, text)
    method, federation = method_of_lists(regulations), regulations.federation
    if not federation or not method:
        return Filing(used, "")
    ratings = filed(method, players, used, regulations)
    national = national_records(players, numbers, federation)
    return Filing(ratings or used, f"{federation} {method if ratings else 'OTHER'}", national)


def method_of_lists(regulations: Regulations) -> str:
    """The method of 172 that these lists make; empty where no national list is asked."""
    lists = lists_of(regulations)
    if lists[0] in ("higher", "lower"):
        return {"higher": "HBFN", "lower": "LBFN"}[lists[0]]
    if "national" not in lists:
        return ""
    if lists == ("national",):
        return "NRO"
    return {0: "NIDOF", len(lists) - 1: "FIDON"}.get(lists.index("national"), "OTHER")


def fide_rating(details: Details, regulations: Regulations) -> int:
    """What stands in 001: the rating of the event, or FIDE's where that one is national."""
    if details.rating_source != NATIONAL:
        return details.rating
    lists = tuple(name for name in lists_of(regulations) if name not in ("national", "higher", "lower"))
    lists = lists or LISTS_OF_TEMPO[regulations.tempo]  # 001 has FIDE's rating under a national list too
    return rated(replace(details, rating=0, rating_source=""), lists).rating


def filed(
    method: str, players: Sequence[Player], used: Mapping[int, int], regulations: Regulations
) -> dict[int, int] | None:
    """Ratings for 001 by id, from which the method gives everyone the rating used; None if it cannot."""
    ratings = {player.id: fide_rating(player.details, regulations) for player in players}
    for player in players:
        if chosen(method, ratings[player.id], player.details.national_rating) != used[player.id]:
            return None
    return ratings


def national_records(players: Sequence[Player], numbers: Mapping[int, int], federation: str) -> list[Line]:
    """A record for everyone with a national rating or number, by starting rank (TRF26 §3.2)."""
    records = []
    for player in sorted(players, key=lambda player: numbers[player.id]):
        d = player.details
        if d.national_rating or d.national_id:
            member = d.national_id if len(d.national_id) <= 11 else ""
            head = f"{federation} {numbers[player.id]:>4}      {d.name[:33]:<33} {d.national_rating or '':>4}"
            line = f"{head} {d.federation:<3} {member:>11} {d.birth.replace('-', '/'):<10}"
            records.append(Line(line.rstrip()))
    return records
