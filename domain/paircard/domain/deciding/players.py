"""Deciding about players: entering, correcting, leaving, numbers, byes, and who is not to meet."""

from collections.abc import Iterator
from typing import Final

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from paircard.domain import commands as ask
from paircard.domain import events
from paircard.domain.deciding.decision import (
    Follows,
    caution,
    level_five,
    need_no_session,
    need_reason,
    need_running,
    need_undisturbed,
    player_of,
    players_of,
    regulations_of,
)
from paircard.domain.deciding.numbering import (
    numbers_in_force,
    order_afresh,
    order_in_force,
    renumbered,
    thaw_with_pairing,
)
from paircard.domain.errors import Caution, Duplicate, Invalid, NotNow, NumbersFrozen
from paircard.domain.events import Cause, Scope
from paircard.domain.messages import Message, say
from paircard.domain.rounds import seated_in
from paircard.domain.speaking import Speaker
from paircard.domain.state import Player, Tournament, entered, evolve
from paircard.domain.values.names import word_keys
from paircard.domain.values.players import (
    LISTS,
    MANUAL,
    REMOVED,
    Changes,
    Details,
    check_details,
    corrected,
    likeness,
    rated,
)
from paircard.domain.values.regulations import Regulations, announced_half_byes, given, lists_of, rounds_for
from paircard.domain.values.results import REQUESTED
from paircard.domain.values.rules import RULES


def register(state: Tournament, command: ask.RegisterPlayer) -> Follows:
    """Enter a player; after round 1 is paired this is a late entry (C.04.2:2.4)."""
    regulations = need_running(state)
    check_details(command.details)
    if state.paired and state.paired >= regulations.rounds:
        raise NotNow("entry-too-late", name=command.details.name)
    if state.paired:  # C.04.2:4.1: the chief arbiter decides
        need_reason(command.meta, "deed.late-entry", name=command.details.name)
    missed = command.missed or "Z" * state.paired
    if len(missed) != state.paired or not set(missed) <= {"H", "Z"}:
        if not state.paired:
            raise Invalid("no-round-missed")
        raise Invalid("missed-rounds-unclear", text=command.missed, count=state.paired)
    yield from _twins(state, command.details, besides=0)
    halves = [round for round, letter in enumerate(missed, start=1) if letter == "H"]
    if halves:
        yield from half_byes(regulations, command.details, halves[-1], len(halves))
    details = rated(command.details, lists_of(regulations))
    event = events.PlayerRegistered(player=len(state.players) + 1, details=details, missed=missed)
    yield event
    if state.frozen:
        yield from _moved_by(state, event)


def _moved_by(state: Tournament, event: events.PlayerRegistered) -> Iterator[Caution]:
    """Frozen numbers that a late entry moves (C.04.2:2.4; seed B.7: say so)."""
    before = numbers_in_force(state, state.paired + 1, playing=())
    after = numbers_in_force(evolve(state, event), state.paired + 1, playing={event.player})
    if moved := renumbered(before, after):
        id, name = event.player, event.details.name
        yield caution("late-entry", player=id, name=name, number=dict(after)[id], count=moved)


def correct(state: Tournament, command: ask.CorrectPlayer) -> Follows:
    """Correct a player's data, which is possible at any time (C.04.2:2.3)."""
    regulations_of(state)
    player = player_of(state, command.player)
    before = player.details
    details = corrected(before, command.changes)
    if details.rating != before.rating and before.rating_source and command.changes.rating_source is UNSET:
        details = replace(details, rating_source=MANUAL)  # no longer that of a list (VCL 134)
    check_details(details)
    asked = {*given(command.changes), "rating_source"}
    news = {name for name in asked if getattr(details, name) != getattr(before, name)}
    standing = (state.frozen and player.id in state.order) or state.closed
    if "rating" in given(command.changes) and player.order_rating is not None and not standing:
        news.add("rating")  # it did not move the number then, and may do so again
    if not news:
        raise Duplicate("data-same", player=player.id)
    if state.paired:
        need_reason(command.meta, "deed.correcting-player", player=player.id)
    if news & {"name", "birth", "fide_id", "national_id"}:
        yield from _twins(state, details, besides=player.id)
    if "rating" in news and standing:
        # C.04.2:2.3: after round 4 is paired a number stays once given; taken back, it may move
        scope: Scope = "rating-report-only" if state.closed else "pairing-next"
        yield events.RatingCorrected(player=player.id, rating=details.rating, was=before.rating, scope=scope)
        news.remove("rating")
    if news:
        changes = Changes(**{name: getattr(details, name) for name in news})
        yield events.PlayerDetailsCorrected(player=player.id, changes=changes)


def list_rating(state: Tournament, command: ask.ListRating) -> Follows:
    """A rating from a round on: round 1 has the one the player was entered with (C.07:10)."""
    regulations = need_running(state)
    player = player_of(state, command.player)
    rounds = regulations.rounds or rounds_for(regulations, len(entered(state)))
    if not 2 <= command.first <= rounds:
        raise Invalid("rating-out-of-rounds", first=command.first, rounds=rounds)
    check_details(replace(player.details, rating=command.rating))
    known = dict(player.ratings)
    if known.get(command.first) == command.rating:
        raise Duplicate("rating-there", player=player.id, rating=command.rating, first=command.first)
    if command.first <= state.paired or command.first in known:
        need_reason(command.meta, "deed.another-rating", player=player.id, first=command.first)
    yield events.RatingListed(player=player.id, rating=command.rating, first=command.first)


def _twins(state: Tournament, details: Details, besides: int) -> Iterator[Caution]:
    """Refuse a second entry of the same FIDE id; warn of players who are probably the same person."""
    words, fide_id, national_id = word_keys(details.name), details.fide_id, details.national_id
    for other in state.players:
        d = other.details
        if (
            words.isdisjoint(word_keys(d.name))
            and not (fide_id and d.fide_id == fide_id)
            and not (national_id and d.national_id == national_id)
        ):
            continue
        if other.id == besides or other.status == REMOVED:
            continue
        if fide_id and d.fide_id == fide_id:
            raise Duplicate("fide-id-taken", player=other.id, id=str(fide_id))
        if not likeness(details, d):
            continue
        if d.name.casefold() == details.name.casefold():
            code = "same-person.birth" if d.birth and details.birth else "same-person.name"
        else:
            code = "same-person.probably"
        yield caution(code, player=other.id, name=details.name, rating=d.rating)


def withdraw(state: Tournament, command: ask.WithdrawPlayer) -> Follows:
    """From the next pairing on the player is not paired (C.04.2:3.2)."""
    need_running(state)
    player = player_of(state, command.player)
    if player.status:
        raise Duplicate("player-gone", player=player.id, status=player.status)
    yield events.PlayerWithdrawn(player=player.id, round=state.paired + 1)


def remove(state: Tournament, command: ask.RemovePlayer) -> Follows:
    """Take an entry off the list that was made by mistake, before the player is ever paired."""
    need_running(state)
    player = player_of(state, command.player)
    _need_never_paired(state, player.id, "removed")
    if state.paired:
        need_reason(command.meta, "deed.removing", player=player.id)
    yield events.PlayerRemoved(player=player.id)


def _need_never_paired(state: Tournament, id: int, cause: str) -> None:
    sat = [round.number for round in state.rounds if id in seated_in([round])]
    if sat:
        raise NotNow("entry-paired", player=id, numbers=sat, cause=cause)
    if state.imported and id in state.order:
        raise NotNow("entry-of-file", player=id, cause=cause)


FILLED: Final = ("sex", "birth", "federation", "fide_id", "national_id", "club")
"""What the entry that stays takes over where it has nothing."""


def merge(state: Tournament, command: ask.MergePlayers) -> Follows:
    """Two entries are one person: the double, which has no game, goes; the other takes over what it lacks."""
    need_running(state)
    double, kept = player_of(state, command.player), player_of(state, command.into)
    if double.id == kept.id:
        raise Invalid("merged-with-itself", player=kept.id)
    for round in state.rounds:
        if {double.id, kept.id} <= seated_in([round]):
            met = (double.id, kept.id) in round.boards or (kept.id, double.id) in round.boards
            code = "entries-met" if met else "entries-both-paired"
            raise NotNow(code, player=double.id, other=kept.id, round=round.number)
    if double.id in seated_in(state.rounds):
        if kept.id not in seated_in(state.rounds):
            raise NotNow("merge-turned", player=double.id, other=kept.id)
        raise NotNow("entries-have-games", player=double.id, other=kept.id)
    _need_never_paired(state, double.id, "merged")
    if state.paired:
        need_reason(command.meta, "deed.merging", player=kept.id)
    if not likeness(double.details, kept.details):
        yield caution("not-alike", player=double.id, other=kept.id)
    yield events.PlayerMerged(player=double.id, into=kept.id)
    lacking = [name for name in FILLED if not getattr(kept.details, name) and getattr(double.details, name)]
    if lacking:
        changes = Changes(**{name: getattr(double.details, name) for name in lacking})
        yield events.PlayerDetailsCorrected(player=kept.id, changes=changes)


def bring_back(state: Tournament, command: ask.ReturnPlayer) -> Follows:
    """A withdrawn player is paired again, or at least no longer shown as withdrawn."""
    need_running(state)
    player = player_of(state, command.player)
    if player.status == "expelled":
        raise NotNow("player-expelled", player=player.id)
    if not player.status:
        raise Duplicate("player-here", player=player.id)
    yield events.PlayerReturned(player=player.id, round=state.paired + 1)


def expel(state: Tournament, command: ask.ExpelPlayer) -> Follows:
    """Not paired any more; results stay for the opponents (VCL 197, 198)."""
    need_running(state)
    player = player_of(state, command.player)
    if player.status == "expelled":
        raise Duplicate("player-gone", player=player.id, status=player.status)
    need_reason(command.meta, "deed.expelling", player=player.id)
    yield events.PlayerExpelled(player=player.id, round=state.paired + 1, ranked=command.ranked)


def erase(state: Tournament, command: ask.ErasePerson) -> Follows:
    """Remove a player's personal data; boards and results stay for the opponents."""
    if not 1 <= command.player <= len(state.players):
        player_of(state, command.player)
    player = state.players[command.player - 1]  # of an entry that was removed, too
    if not command.pieces:
        raise NotNow("nothing-to-erase", player=player.id)
    need_reason(command.meta, "deed.erasing", player=player.id)
    if not state.closed:
        yield caution("erase-while-running", player=player.id)
    yield events.PersonErased(player=player.id, pieces=command.pieces)


def reinstate(state: Tournament, command: ask.ReinstatePlayer) -> Follows:
    """Reverse an expulsion: an appeal was upheld, or the wrong player was named."""
    need_running(state)
    player = player_of(state, command.player)
    if player.status != "expelled":
        raise NotNow("player-not-expelled", player=player.id)
    need_reason(command.meta, "deed.reinstating", player=player.id)
    yield events.PlayerReinstated(player=player.id, round=state.paired + 1)


def assign_numbers(state: Tournament, command: ask.AssignNumbers) -> Follows:
    """Number the players, or number them again until round 4 is paired (C.04.2:2.3)."""
    regulations = need_undisturbed(state)
    if not entered(state):
        raise NotNow("nobody-to-number")
    if command.lots or command.seed:
        raise Invalid("lots-of-a-round-robin")
    cause: Cause = "regenerated" if state.paired else "initial"
    order = order_afresh(state)
    if command.order:
        if "declared" not in regulations.initial_order and not state.imported:
            raise Invalid("order-not-declared", known=regulations.initial_order)
        everybody = [one.id for one in entered(state)]
        if sorted(command.order) != everybody:
            raise Invalid("order-incomplete", count=len(everybody))
        cause, order = "declared", command.order
    if order == state.order:
        raise Duplicate("numbers-same")
    yield from _renumbered(state, order, cause)


def exchange_numbers(state: Tournament, command: ask.ExchangeNumbers) -> Follows:
    """Two players of equal rating change places (VCL 148, 150)."""
    need_undisturbed(state)
    one, other = player_of(state, command.one), player_of(state, command.other)
    if one.id == other.id:
        raise Invalid("exchange-of-one", player=one.id)
    if one.details.rating != other.details.rating:
        raise Invalid(
            "ratings-differ",
            player=one.id,
            rating=one.details.rating,
            other=other.id,
            other_rating=other.details.rating,
        )
    places = {one.id: other.id, other.id: one.id}
    order = tuple(places.get(id, id) for id in order_in_force(state))
    yield from _renumbered(state, order, "exchanged")


def _renumbered(state: Tournament, order: tuple[int, ...], cause: Cause) -> Follows:
    yield events.PairingNumbersAssigned(order=order, cause=cause)
    moved = 0
    if state.paired:
        after = numbers_in_force(replace(state, order=order), state.paired + 1)
        moved = renumbered(numbers_in_force(state, state.paired + 1), after)
    if state.frozen:
        if state.fide_mode:
            article = RULES[state.regulations.edition].articles["numbers-after-freeze"]
            code = "numbers-frozen-not-published" if thaw_with_pairing(state) else "numbers-frozen"
            raise NumbersFrozen(code, article=article)
        yield caution("numbers-after-freeze", count=moved)
    elif moved >= 2:  # VCL 154
        yield caution("renumbering.again", count=moved)
    elif cause == "exchanged":
        yield caution("exchange")


# --- ratings that are known and do not count, since the regulations name other lists


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


# --- byes, and players who are not to meet


def grant_bye(state: Tournament, command: ask.GrantBye) -> Follows:
    """A bye known before the round is paired, or forgotten until then (C.04.2:3.3)."""
    regulations = need_running(state)
    player = player_of(state, command.player)
    round = command.round
    letter = command.letter or ("H" if announced_half_byes(regulations) else "Z")
    if letter not in REQUESTED or len(letter) != 1:
        raise Invalid("bye-unknown", text=letter)
    already = dict(player.byes).get(round)
    if already:
        raise Duplicate("bye-there", player=player.id, round=round, value=already)
    if round == state.paired and state.rounds[-1].published:
        yield _forgotten(state, player, command)
    else:
        _need_open_round(state, round, regulations.rounds)
        if player.status:
            raise NotNow("bye-not-needed", player=player.id, status=player.status)
    if letter == "F":  # VCL 178
        yield caution("full-point-bye", player=player.id)
    if letter == "H":
        halves = 1 + player.missed.count("H") + sum(1 for _, bye in player.byes if bye == "H")
        yield from half_byes(regulations, player.details, round, halves, player.id)
    yield events.ByeGranted(player=player.id, round=round, letter=letter)


def _forgotten(state: Tournament, player: Player, command: ask.GrantBye) -> Caution:
    """A bye for the round that is being played, of somebody who sits at no board."""
    last = state.rounds[-1]
    if player.id not in dict(last.absent):
        code = "player-has-the-bye" if last.pab == player.id else "player-at-board"
        raise NotNow(code, player=player.id, round=last.number)
    need_reason(command.meta, "deed.late-bye", round=last.number)
    return caution("late-bye", player=player.id, round=last.number)


def half_byes(
    regulations: Regulations, details: Details, round: int, count: int, player: int = 0
) -> Iterator[Caution]:
    """Warnings about this number of half-point byes, the last in this round; a late entry has no id yet."""
    if not details.half_byes:  # VCL 176
        raise NotNow("half-bye-barred", player=player, name=details.name)
    end = regulations.last_half_bye
    if not announced_half_byes(regulations):  # C.04.2:3.3: zero points unless the rules say otherwise
        yield caution("half-bye-not-announced", player=player)
    if count > max(1, announced_half_byes(regulations)):  # VCL 174
        yield caution("second-half-bye", player=player, name=details.name, count=count)
    if end and round > end:
        yield caution("late-half-bye", player=player, round=round, last=end)


def revoke_bye(state: Tournament, command: ask.RevokeBye) -> Follows:
    """The player will play after all."""
    regulations = need_running(state)
    player = player_of(state, command.player)
    late = command.round == state.paired and state.rounds[-1].published
    if not (late and player.id in dict(state.rounds[-1].absent)):
        _need_open_round(state, command.round, regulations.rounds)
    if command.round not in dict(player.byes):
        raise NotNow("no-bye-to-revoke", player=player.id, round=command.round)
    if late:
        need_reason(command.meta, "deed.revoking-late", round=command.round)
    yield events.ByeRevoked(player=player.id, round=command.round)


def _need_open_round(state: Tournament, round: int, rounds: int) -> None:
    if not 1 <= round <= rounds:
        raise Invalid("round-out-of-range", round=round, rounds=rounds)
    if round == state.paired and not state.rounds[-1].published:
        raise NotNow("bye-after-pairing", round=round)
    if round <= state.paired:
        raise NotNow("bye-too-late", round=round, next=state.paired + 1)
    if state.manual == round:
        need_no_session(state)


def prohibit(state: Tournament, command: ask.ProhibitPairing) -> Follows:
    """Keep players apart; only before round 1 is paired (VCL 195, 196)."""
    regulations = need_running(state)
    ids = tuple(sorted(set(command.players)))
    players_of(state, ids)
    if len(ids) < 2 or len(ids) != len(command.players):
        raise Invalid("prohibition-of-one")
    if command.first > command.last:
        raise Invalid("rounds-turned", first=command.first, last=command.last)
    if not 1 <= command.first <= regulations.rounds or not (
        command.last <= regulations.rounds or command.last == 999
    ):
        raise Invalid(
            "rounds-out-of-range", rounds=regulations.rounds, first=command.first, last=command.last
        )
    event = events.PairingProhibited(players=ids, first=command.first, last=command.last)
    if event in state.prohibitions:
        raise Duplicate("prohibition-there")
    restored = any(ban.players == ids and ban.last == state.paired for ban in state.prohibitions)
    if state.paired and not (restored and event.first == state.paired + 1):  # lifted by a slip just now
        yield level_five(state, "late-prohibition")
    yield event


def lift_prohibition(state: Tournament, command: ask.LiftProhibition) -> Follows:
    """Take back a prohibition that was entered by mistake; rounds that are paired stay as they are."""
    regulations = need_running(state)
    if state.paired >= regulations.rounds:
        raise NotNow("prohibition-too-late")
    ids = tuple(sorted(set(command.players)))
    players_of(state, ids)
    coming = state.paired + 1
    lifted = [ban for ban in state.prohibitions if ban.players == ids and ban.last >= coming]
    if not lifted:
        raise NotNow("no-prohibition-to-lift", players=ids)
    if state.paired:
        need_reason(command.meta, "deed.lifting")
        yield caution("prohibition-lifted", players=ids, last=state.paired)
    for ban in lifted:
        yield events.ProhibitionLifted(players=ban.players, first=ban.first, last=ban.last, round=coming)
