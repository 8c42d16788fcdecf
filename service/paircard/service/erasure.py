"""Erasing a person: the personal data of a player goes, every fact, chain and proof stays."""

from collections.abc import Iterator
from hashlib import sha256
from typing import Final

import msgspec

from paircard.domain.commands import ErasePerson
from paircard.domain.events import (
    ColoursCorrected,
    Event,
    GameAdjourned,
    PairingProhibited,
    PersonErased,
    ResultCorrected,
    ResultRecorded,
    TournamentImported,
)
from paircard.domain.log.privacy import pieces_of
from paircard.domain.log.store import Tournaments
from paircard.projections.history import History
from paircard.service.people import Person
from paircard.service.tournament import Done, Tournament

OUT_OF_REACH: Final = (
    "backups and copies of the file",
    "bundles, reports and pages that were handed out or cached",
    "read tables: write them again",
    "FIDE's and the federation's own lists",
)
"""What no command here can reach; rating, results and opponents still tell who it was to those who know."""


class Erased(msgspec.Struct, frozen=True, kw_only=True):
    """What an erasure did."""

    player: int
    parts: int
    done: Done
    unfinished: str
    """What is left to do on this machine, empty if nothing."""
    out_of_reach: tuple[str, ...] = OUT_OF_REACH


def erase_person(store: Tournaments, tournament: Tournament, player: int, *, by: Person) -> Erased:
    """Record that a player is erased, then remove every personal part of facts about them."""
    parts = tuple(parts_about(store, tournament, player))
    done = tournament.ask(ErasePerson(player=player, pieces=parts), by=by)
    unfinished = store.erase_pieces(tournament.id, [hash for _, hash in parts])
    return Erased(player=player, parts=len(parts), done=done, unfinished=unfinished)


def erase_again(store: Tournaments, tournament: Tournament) -> tuple[int, str]:
    """Remove what a restored backup or an old bundle brought back: how many parts, and what is left to do."""
    erased = {
        hash
        for recorded in tournament.facts()
        if isinstance(recorded.fact, PersonErased)
        for _, hash in recorded.fact.pieces
    }
    there = [hash for _, hash in present_parts(store, tournament.id) if hash in erased]
    return len(there), store.erase_pieces(tournament.id, there) if erased else ""


def parts_about(store: Tournaments, tournament: Tournament, player: int) -> Iterator[tuple[int, str]]:
    """Version and commitment of the personal parts of all facts about a player."""
    history, facts = tournament.now().history, tournament.facts()
    for version, hash in present_parts(store, tournament.id):
        if concerns(facts[version - 1].fact, player, history):
            yield version, hash


def present_parts(store: Tournaments, id: str) -> Iterator[tuple[int, str]]:
    """Version and hash of every personal part that is there."""
    for version, _, stored in store.raw_log(id):
        for piece in pieces_of(stored):
            yield version, sha256(piece).hexdigest()


def concerns(fact: Event, player: int, history: History) -> bool:
    """Whether a fact is about a player: named in it, or sitting at its board."""
    match fact:
        case (
            ResultRecorded(round=round, board=board)
            | ResultCorrected(round=round, board=board)
            | ColoursCorrected(round=round, board=board)
            | GameAdjourned(round=round, board=board)
        ):
            boards = history.rounds[round - 1].boards if round <= history.paired else ()
            return board <= len(boards) and player in boards[board - 1]
        case PairingProhibited(players=players):
            return player in players
        case TournamentImported():
            return True  # lines of the file may name anybody
        case PersonErased():
            return False  # why it was done stays on record
        case _:
            return getattr(fact, "player", 0) == player
