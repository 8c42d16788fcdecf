"""Ratings that are known and do not count, since the regulations name other lists."""

import msgspec
from msgspec.structs import replace

from paircard.domain.messages import Message, say
from paircard.domain.speaking import Speaker
from paircard.domain.state import Tournament
from paircard.domain.values.players import LISTS, MANUAL, Changes, Details, rated
from paircard.domain.values.regulations import Regulations, lists_of


class UnusedRatings(msgspec.Struct, frozen=True, kw_only=True):
    """Players who count as unrated although a rating of theirs is known."""

    players: tuple[int, ...] = ()
    lists: tuple[str, ...] = ()
    """The rating lists to name, those in force first, for every one of them to have a rating."""

    @property
    def message(self) -> str:
        """The advice in English; empty if there is none."""
        return Speaker().say(self.said) if self.players else ""

    @property
    def said(self) -> Message:
        """The advice for every language."""
        return say("ratings-not-used", count=len(self.players), lists=self.lists)


def unused_ratings(state: Tournament) -> UnusedRatings:
    """Who counts as unrated only because the regulations do not name the list."""
    found = {
        one.id: [name for name, (field, _) in LISTS.items() if getattr(one.details, field)]
        for one in state.players
        if not one.details.rating and not one.details.rating_source and not one.status
    }
    players = tuple(id for id, names in found.items() if names)
    in_force = tuple(name for name in lists_of(state.regulations) if name in LISTS)
    more = (name for name in LISTS if any(name in found[id] for id in players))
    return UnusedRatings(players=players, lists=tuple(dict.fromkeys((*in_force, *more))) if players else ())


def rating_by(details: Details, regulations: Regulations) -> Changes | None:
    """The rating that the lists of the regulations give; None if it stays, or was typed in."""
    if details.rating_source == MANUAL or (details.rating and not details.rating_source):
        return None
    found = rated(replace(details, rating=0, rating_source=""), lists_of(regulations))
    if (found.rating, found.rating_source) == (details.rating, details.rating_source):
        return None
    return Changes(rating=found.rating, rating_source=found.rating_source)
