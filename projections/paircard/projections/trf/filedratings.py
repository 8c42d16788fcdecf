"""Ratings as a report files them: FIDE's in 001, national ones in records of their own, the method in 172."""

from collections.abc import Mapping, Sequence

from paircard.domain.players import NATIONAL, Details, rated
from paircard.domain.regulations import Regulations, lists_of
from paircard.domain.state import Player
from paircard.projections.trf.national import chosen
from paircard.projections.trf.records import Line


def method_of(regulations: Regulations) -> str:
    """The method of 172 that these lists make; empty where no national list is asked."""
    lists = lists_of(regulations)
    if "national" not in lists:
        return ""
    if lists == ("national",):
        return "NRO"
    return {0: "NIDOF", len(lists) - 1: "FIDON"}.get(lists.index("national"), "OTHER")


def fide_rating(details: Details, regulations: Regulations) -> int:
    """What stands in 001: the rating of the event, or FIDE's where that one is national."""
    if details.rating_source != NATIONAL:
        return details.rating
    lists = tuple(name for name in lists_of(regulations) if name != "national")
    bare = Details(
        name=details.name,
        fide_rating=details.fide_rating,
        rapid_rating=details.rapid_rating,
        blitz_rating=details.blitz_rating,
    )
    return rated(bare, lists).rating


def filed(
    method: str, players: Sequence[Player], used: Mapping[int, int], regulations: Regulations
) -> dict[int, int] | None:
    """Ratings for 001 by id, from which the method gives everyone the rating used; None if it cannot."""
    ratings = {player.id: fide_rating(player.details, regulations) for player in players}
    for player in players:
        if chosen(method, ratings[player.id], player.details.national_rating) != used[player.id]:
            return None
    return ratings


def national_records(
    players: Sequence[Player], numbers: Mapping[int, int], federation: str
) -> list[tuple[int, Line]]:
    """A record for everyone with a national rating or number, by starting rank (TRF26 §3.2)."""
    records = []
    for player in players:
        d = player.details
        if d.national_rating or d.national_id:
            member = d.national_id if len(d.national_id) <= 11 else ""
            head = f"{federation} {numbers[player.id]:>4}      {d.name[:33]:<33} {d.national_rating or '':>4}"
            line = f"{head} {d.federation:<3} {member:>11} {d.birth.replace('-', '/'):<10}"
            records.append((numbers[player.id], Line(line.rstrip())))
    return sorted(records, key=lambda record: record[0])
