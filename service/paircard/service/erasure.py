"""Erasing a person: the personal data of a player goes, every fact, chain and proof stays."""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Final

import msgspec

from paircard.domain import events
from paircard.domain.commands import Command, ErasePerson
from paircard.domain.errors import Invalid, StoreRefused, Unknown
from paircard.domain.events import Recorded
from paircard.domain.log.store import Tournaments
from paircard.domain.log.stored import erased_parts
from paircard.domain.messages import Message, say
from paircard.domain.proof.bundles import words_in
from paircard.domain.speaking import Speaker
from paircard.domain.state import Tournament as State
from paircard.domain.values.names import fold_name
from paircard.projections.log_lines import concerning
from paircard.service.desk import Done, Person
from paircard.service.finding import find_player, roster
from paircard.service.moment import Moment
from paircard.service.tournament import Tournament
from paircard.service.views import Remains

OUT_OF_REACH: Final = (
    say("remains.backups"),
    say("remains.handed-out"),
    say("remains.tables"),
    say("remains.lists"),
)
"""What no command here can reach."""


class Erased(Done, frozen=True, kw_only=True):
    """What an erasure did."""

    parts: int
    remains: Remains


class Part(msgspec.Struct, frozen=True):
    """A personal part that is there."""

    version: int
    hash: str
    text: str

    @property
    def place(self) -> tuple[int, str]:
        return self.version, self.hash


def erase_person(
    store: Tournaments, tournament: Tournament, player: int, facts: Collection[int] = (), *, by: Person
) -> Erased:
    """Record that a player is erased, then remove every personal part about them, or with their whole name.

    ``facts`` names further facts whose personal parts go: a reason that mentions the player.
    """
    doubles = doubles_of(tournament.facts(), player)
    names = [name for id in (player, *doubles) for name in names_of(tournament.facts(), id)]
    family = [name.partition(",")[0] for name in names]
    if any(mentions(by.why, name) for name in family):
        raise Invalid("name-in-reason")

    def parts(now: Moment) -> Sequence[Command]:
        there = present_parts(store, tournament)
        log = tournament.facts()[: now.state.version]
        about = {id: parts_about(log, id, there, names if id == player else ()) for id in (player, *doubles)}
        about[player] |= {part.place for part in there if part.version in facts}
        for id in doubles:
            about[id] -= about[player]
        wanted = [id for id in about if id == player or about[id]]
        return [ErasePerson(player=id, pieces=tuple(sorted(about[id]))) for id in wanted]

    def again(_: State, first: tuple[events.Event, ...]) -> Sequence[Command]:
        return [
            ErasePerson(player=fact.player, pieces=fact.pieces)
            for fact in first
            if isinstance(fact, events.PersonErased)
        ]

    done = tournament.propose(parts, by=by, again=again)
    pieces = sorted(erased_parts(done.facts))
    try:
        unfinished = store.erase_pieces(tournament.id, [hash for _, hash in pieces])
    except StoreRefused as trouble:
        unfinished = say("parts-still-there", what=trouble.said)
    parts_there = [(part.version, part.text) for part in present_parts(store, tournament)]
    facts_there = [(row.originator_version, text_in(row.state)) for row in store.raw_log(tournament.id)]
    elsewhere = {id for name in names for id in store.backend.naming(name)} - {tournament.id}
    remains = Remains(
        unfinished=said(unfinished),
        searched=bool(names),
        mentions=tuple(dict.fromkeys(naming(parts_there, family))),
        recorded=tuple(naming(facts_there, family)),
        out_of_reach=tuple(map(Speaker().say, OUT_OF_REACH)),
        elsewhere=tuple(sorted(elsewhere)),
        messages=(*([unfinished] if unfinished else []), *OUT_OF_REACH),
    )
    return Erased(**msgspec.structs.asdict(done), parts=len(pieces), remains=remains)


def player_to_erase(store: Tournaments, tournament: Tournament, text: str) -> int:
    """The id of the player meant; says of somebody who is no player where the name is on record."""
    try:
        return find_player(roster(tournament.now().state), text)
    except Unknown:
        named_in = [
            row.originator_version
            for row in store.rows(tournament.id)
            if mentions(" ".join(map(text_in, (row.state, *row.parts))), whole_name(text))
        ]
        if not named_in:
            raise
    raise Unknown("not-a-player-to-erase", name=text, versions=named_in)


def erase_again(store: Tournaments, tournament: Tournament) -> tuple[int, str]:
    """Remove what a restored backup or an old bundle brought back: how many parts, and what is left to do."""
    erased = erased_parts(tournament.facts())
    there = [part.hash for part in present_parts(store, tournament) if part.place in erased]
    return len(there), said(store.erase_pieces(tournament.id, there)) if erased else ""


def said(unfinished: Message | None) -> str:
    """What is left to do, in words; empty if nothing."""
    return Speaker().say(unfinished) if unfinished else ""


def doubles_of(facts: Sequence[Recorded], player: int) -> list[int]:
    """Ids of entries that were merged into a player: the same person."""
    return [
        one.fact.player
        for one in facts
        if isinstance(one.fact, events.PlayerMerged) and one.fact.into == player
    ]


def names_of(facts: Sequence[Recorded], player: int) -> list[str]:
    """Every name a player had."""
    found = []
    for recorded in facts:
        match recorded.fact:
            case events.PlayerRegistered(player=id, details=details) if id == player:
                found.append(details.name)
            case events.PlayerDetailsCorrected(player=id, changes=changes) if id == player and changes.name:
                found.append(changes.name)
    return [name for name in found if not name.startswith("(erased ")]


def text_in(stored: bytes) -> str:
    """What people wrote in a fact or in a personal part."""
    whole = msgspec.json.decode(stored)
    whole.get("fact", {}).pop("type", None)
    return " ".join(words_in([whole.get(name) for name in ("fact", "who", "why")]))


def whole_name(name: str) -> str:
    """Family and given names, as words that all have to be there."""
    return name.replace(",", " ")


def mentions(text: str, name: str) -> bool:
    """Whether all words of a name are words of a text, in whatever case, accents and possessives."""
    words = set(fold_name(name).split())
    return bool(words) and words <= set(fold_name(re.sub(r"['’]s\b", "", text)).split())


def naming(texts: Iterable[tuple[int, str]], names: Sequence[str]) -> Iterator[int]:
    """Versions of the texts in which one of these names stands, in the order of the log."""
    return (version for version, text in texts if any(mentions(text, name) for name in names))


def parts_about(
    facts: Sequence[Recorded], player: int, there: Sequence[Part], names: Sequence[str]
) -> set[tuple[int, str]]:
    """The personal parts of facts about a player, and of others that hold the whole name."""
    about = facts_about(facts, player)
    return {
        part.place
        for part in there
        if part.version <= len(facts) and not isinstance(facts[part.version - 1].fact, events.PersonErased)
        if part.version in about or any(mentions(part.text, whole_name(name)) for name in names)
    }


def facts_about(facts: Sequence[Recorded], player: int) -> set[int]:
    """Versions of the facts about a player: named in them, or sitting at their board then.

    A pairing is about no one player; the lines of a file may name anybody.
    """
    pairings = events.RoundPaired | events.PairingsAltered
    of_all = {one.version for one in facts if isinstance(one.fact, pairings)}
    files = {one.version for one in facts if isinstance(one.fact, events.TournamentImported)}
    return concerning(facts, player) - of_all | files


def present_parts(store: Tournaments, tournament: Tournament) -> list[Part]:
    """Every personal part that is there."""
    return [
        Part(row.originator_version, hash, text_in(part))
        for row in store.raw_log(tournament.id)
        for hash, part in row.by_hash().items()
    ]
