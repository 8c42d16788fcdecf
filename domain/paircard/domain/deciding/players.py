"""Deciding about players: entering, correcting, leaving, and their numbers."""

from typing import Final

from msgspec import UNSET
from msgspec.structs import replace

from paircard.domain.commands import (
    AssignNumbers,
    CorrectPlayer,
    ErasePerson,
    ExchangeNumbers,
    ExpelPlayer,
    ListRating,
    MergePlayers,
    RegisterPlayer,
    ReinstatePlayer,
    RemovePlayer,
    ReturnPlayer,
    WithdrawPlayer,
)
from paircard.domain.deciding.byes import half_byes
from paircard.domain.deciding.cautions import caution
from paircard.domain.deciding.decision import (
    Decision,
    need_no_session,
    need_reason,
    need_running,
    player_of,
    regulations_of,
)
from paircard.domain.deciding.numbering import numbers_in_force, order_afresh, order_in_force
from paircard.domain.errors import Caution, Duplicate, Invalid, NotNow, NumbersFrozen
from paircard.domain.events import (
    Cause,
    Event,
    PairingNumbersAssigned,
    PersonErased,
    PlayerDetailsCorrected,
    PlayerExpelled,
    PlayerMerged,
    PlayerRegistered,
    PlayerReinstated,
    PlayerRemoved,
    PlayerReturned,
    PlayerWithdrawn,
    RatingCorrected,
    RatingListed,
    Scope,
)
from paircard.domain.rounds import Round
from paircard.domain.state import REMOVED, Tournament, called, entered, evolve
from paircard.domain.values.editions import ARTICLES, FREEZING_ROUND
from paircard.domain.values.names import word_keys
from paircard.domain.values.players import MANUAL, Changes, Details, check_details, corrected, likeness, rated
from paircard.domain.values.regulations import given, lists_of
from paircard.domain.values.text import counted, named


def register(state: Tournament, command: RegisterPlayer) -> Decision:
    """Enter a player; after round 1 is paired this is a late entry (C.04.2:2.4)."""
    regulations = need_running(state)
    check_details(command.details)
    if state.paired >= regulations.rounds:
        raise NotNow(f"the last round is paired: {command.details.name} would never play")
    if state.paired:  # C.04.2:4.1: the chief arbiter decides
        need_reason(command.meta, f"the late entry of {command.details.name}")
    missed = command.missed or "Z" * state.paired
    if len(missed) != state.paired or not set(missed) <= {"H", "Z"}:
        if not state.paired:
            raise Invalid("no round is paired yet, so nobody has missed one: grant byes instead")
        raise Invalid(
            f"missed rounds {command.missed[:20]!r}: give {counted(state.paired, 'letter')} H or Z, "
            "one for each round that is paired"
        )
    warnings = _twins(state, command.details, besides=0)
    halves = [round for round, letter in enumerate(missed, start=1) if letter == "H"]
    if halves:
        warnings += half_byes(regulations, command.details.name, command.details, halves[-1], len(halves))
    details = rated(command.details, lists_of(regulations))
    event = PlayerRegistered(player=len(state.players) + 1, details=details, missed=missed)
    return Decision((event,), warnings + _moved_by(state, event))


def _moved_by(state: Tournament, event: PlayerRegistered) -> tuple[Caution, ...]:
    """Frozen numbers that a late entry moves (C.04.2:2.4; seed B.7: say so)."""
    if not state.frozen:
        return ()
    before = dict(numbers_in_force(state, state.paired + 1, playing=()))
    after = dict(numbers_in_force(evolve(state, event), state.paired + 1, playing={event.player}))
    moved = sum(1 for id, number in before.items() if after.get(id) != number)
    if not moved:
        return ()
    name = event.details.name
    message = f"{name} enters as number {after[event.player]}: {counted(moved, 'frozen number')} would move"
    return (caution("late-entry", message, event.player),)


def correct(state: Tournament, command: CorrectPlayer) -> Decision:
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
        raise Duplicate(f"{called(state, player.id)} already has these data: nothing to correct")
    if state.paired:
        need_reason(command.meta, f"a correction of {called(state, player.id)} after round 1 was paired")
    warnings: tuple[Caution, ...] = ()
    if news & {"name", "birth", "fide_id", "national_id"}:
        warnings = _twins(state, details, besides=player.id)
    events: list[Event] = []
    if "rating" in news and standing:
        # C.04.2:2.3: after round 4 is paired the number stays, of whoever has one; taken back, it may move
        scope: Scope = "rating-report-only" if state.closed else "pairing-next"
        corrected_rating = RatingCorrected(
            player=player.id, rating=details.rating, was=before.rating, scope=scope
        )
        events.append(corrected_rating)
        news.remove("rating")
    if news:
        changes = Changes(**{name: getattr(details, name) for name in news})
        events.append(PlayerDetailsCorrected(player=player.id, changes=changes))
    return Decision(tuple(events), warnings)


def list_rating(state: Tournament, command: ListRating) -> Decision:
    """A rating from a round on: round 1 has the one the player was entered with (C.07:10)."""
    regulations = need_running(state)
    player = player_of(state, command.player)
    if not 2 <= command.first <= regulations.rounds:
        raise Invalid(
            f"a later rating must start in rounds 2 to {regulations.rounds}, not in round {command.first}: "
            "to change the first rating, correct the player"
        )
    check_details(replace(player.details, rating=command.rating))
    known = dict(player.ratings)
    if known.get(command.first) == command.rating:
        raise Duplicate(
            f"{called(state, player.id)} already has rating {command.rating} from round {command.first} on"
        )
    if command.first <= state.paired or command.first in known:
        need_reason(command.meta, f"another rating of {called(state, player.id)} for round {command.first}")
    return Decision((RatingListed(player=player.id, rating=command.rating, first=command.first),))


def _twins(state: Tournament, details: Details, besides: int) -> tuple[Caution, ...]:
    """Refuse a second entry of the same FIDE id; warn of whoever is probably the same person."""
    warnings: list[Caution] = []
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
            raise Duplicate(
                f"FIDE id {fide_id} belongs to {called(state, other.id)}: each player is entered once"
            )
        if not likeness(details, d):
            continue
        who = called(state, other.id)
        if d.name.casefold() == details.name.casefold():
            what = "the same name and birth" if d.birth and details.birth else "the same name"
            message = f"{who} has {what}"
        else:
            entry = f"rating {d.rating}" if d.rating else "no rating"
            message = f"{details.name} is probably {who}, registered with {entry}"
        warnings.append(caution("same-person", message, other.id))
    return tuple(warnings)


def withdraw(state: Tournament, command: WithdrawPlayer) -> Decision:
    """From the next pairing on the player is not paired (C.04.2:3.2)."""
    need_running(state)
    player = player_of(state, command.player)
    if player.status:
        raise Duplicate(f"{called(state, player.id)} is already {player.status}")
    return Decision((PlayerWithdrawn(player=player.id, round=state.paired + 1),))


def remove(state: Tournament, command: RemovePlayer) -> Decision:
    """Take an entry off the list that was made by mistake, before the player is ever paired."""
    need_running(state)
    player = player_of(state, command.player)
    who = called(state, player.id)
    _need_never_paired(state, player.id, "removed")
    if state.paired:
        need_reason(command.meta, f"removing the entry of {who} after round 1 was paired")
    return Decision((PlayerRemoved(player=player.id),))


def _need_never_paired(state: Tournament, id: int, deed: str) -> None:
    who = called(state, id)
    sat = [round.number for round in state.rounds if id in _paired_in(round)]
    if sat:
        raise NotNow(
            f"{who} is paired in {named('round', sat)}, so the entry cannot be {deed}: withdraw the player"
        )
    if state.imported and id in state.order:
        raise NotNow(f"{who} has a number of the imported file, so the entry cannot be {deed}: withdraw them")


def _paired_in(round: Round) -> set[int]:
    """Everybody who sits at a board or has the pairing-allocated bye."""
    return {id for board in round.boards for id in board} | ({round.pab} if round.pab else set())


FILLED: Final = ("sex", "birth", "federation", "fide_id", "national_id", "club")
"""What the entry that stays takes over where it has nothing."""


def merge(state: Tournament, command: MergePlayers) -> Decision:
    """Two entries are one person: the double, which has no game, goes; the other takes over what it lacks."""
    need_running(state)
    double, kept = player_of(state, command.player), player_of(state, command.into)
    if double.id == kept.id:
        raise Invalid(f"{called(state, kept.id)} cannot be merged into the same entry: name two entries")
    who, other = called(state, double.id), called(state, kept.id)
    for round in state.rounds:
        if {double.id, kept.id} <= _paired_in(round):
            met = (double.id, kept.id) in round.boards or (kept.id, double.id) in round.boards
            how = "are paired with each other" if met else "both sit at boards"
            raise NotNow(
                f"{who} and {other} {how} in round {round.number}, so they count as two players: "
                "withdraw the one who is not there"
            )
    if any(double.id in _paired_in(round) for round in state.rounds):
        if not any(kept.id in _paired_in(round) for round in state.rounds):
            raise NotNow(f"{who} has games and {other} has none: merge them the other way round")
        raise NotNow(f"{who} and {other} both have games, which stay with each: withdraw one of them")
    _need_never_paired(state, double.id, "merged")
    if state.paired:
        need_reason(command.meta, f"merging two entries of {other} after round 1 was paired")
    warnings: tuple[Caution, ...] = ()
    if not likeness(double.details, kept.details):
        message = f"{who} and {other} do not look like one person"
        warnings = (caution("not-alike", message, double.id, kept.id),)
    events: list[Event] = [PlayerMerged(player=double.id, into=kept.id)]
    lacking = [name for name in FILLED if not getattr(kept.details, name) and getattr(double.details, name)]
    if lacking:
        changes = Changes(**{name: getattr(double.details, name) for name in lacking})
        events.append(PlayerDetailsCorrected(player=kept.id, changes=changes))
    return Decision(tuple(events), warnings)


def bring_back(state: Tournament, command: ReturnPlayer) -> Decision:
    """A withdrawn player is paired again, or at least no longer shown as withdrawn."""
    need_running(state)
    player = player_of(state, command.player)
    if player.status == "expelled":
        raise NotNow(
            f"{called(state, player.id)} was expelled: only reversing the expulsion brings them back"
        )
    if not player.status:
        raise Duplicate(f"{called(state, player.id)} is in the tournament: nothing to return from")
    return Decision((PlayerReturned(player=player.id, round=state.paired + 1),))


def expel(state: Tournament, command: ExpelPlayer) -> Decision:
    """Not paired any more; results stay for the opponents (VCL 197, 198)."""
    need_running(state)
    player = player_of(state, command.player)
    if player.status == "expelled":
        raise Duplicate(f"{called(state, player.id)} is already expelled")
    need_reason(command.meta, f"the expulsion of {called(state, player.id)}")
    event = PlayerExpelled(player=player.id, round=state.paired + 1, ranked=command.ranked)
    return Decision((event,))


def erase(state: Tournament, command: ErasePerson) -> Decision:
    """Remove a player's personal data; boards and results stay for the opponents."""
    if not 1 <= command.player <= len(state.players):
        player_of(state, command.player)
    player = state.players[command.player - 1]  # of an entry that was removed, too
    who = called(state, player.id)
    if not command.pieces:
        raise NotNow(
            f"nothing of {who} can be erased: it was erased before, or it stands in the facts "
            "themselves, as earlier versions of paircard recorded it; share a pseudonymous copy instead"
        )
    need_reason(command.meta, f"erasing the personal data of {who}")
    warnings = []
    if not state.closed:
        message = f"the tournament is not closed: {who} has no name on any list from now on"
        warnings.append(caution("erase-while-running", message, player.id))
    return Decision((PersonErased(player=player.id, pieces=command.pieces),), tuple(warnings))


def reinstate(state: Tournament, command: ReinstatePlayer) -> Decision:
    """Reverse an expulsion: an appeal was upheld, or the wrong player was named."""
    need_running(state)
    player = player_of(state, command.player)
    if player.status != "expelled":
        raise NotNow(f"{called(state, player.id)} is not expelled: there is nothing to reverse")
    need_reason(command.meta, f"reversing the expulsion of {called(state, player.id)}")
    return Decision((PlayerReinstated(player=player.id, round=state.paired + 1),))


def assign_numbers(state: Tournament, command: AssignNumbers) -> Decision:
    """Number the players, or number them again until round 4 is paired (C.04.2:2.3)."""
    regulations = need_running(state)
    need_no_session(state)
    if not entered(state):
        raise NotNow("nobody is registered: there is nothing to number")
    cause: Cause = "regenerated" if state.paired else "initial"
    order = order_afresh(state)
    if command.order:
        if "declared" not in regulations.initial_order and not state.imported:
            criteria = ", ".join(regulations.initial_order)
            raise Invalid(f"the initial order follows {criteria}: a list needs regulations that declare one")
        everybody = [one.id for one in entered(state)]
        if sorted(command.order) != everybody:
            raise Invalid(f"the list must name each of the {len(everybody)} players once")
        cause, order = "declared", command.order
    if order == state.order:
        raise Duplicate("the numbers are already as they would be assigned: nothing to do")
    return _renumbered(state, order, cause)


def exchange_numbers(state: Tournament, command: ExchangeNumbers) -> Decision:
    """Two players of equal rating change places (VCL 148, 150)."""
    need_running(state)
    need_no_session(state)
    one, other = player_of(state, command.one), player_of(state, command.other)
    if one.id == other.id:
        raise Invalid(f"{called(state, one.id)} cannot change places with themselves")
    if one.details.rating != other.details.rating:
        theirs = f"{called(state, other.id)} {other.details.rating}"
        raise Invalid(
            f"{called(state, one.id)} has rating {one.details.rating}, {theirs}: "
            "only equal ratings may change places"
        )
    places = {one.id: other.id, other.id: one.id}
    order = tuple(places.get(id, id) for id in order_in_force(state))
    return _renumbered(state, order, "exchanged")


def _renumbered(state: Tournament, order: tuple[int, ...], cause: Cause) -> Decision:
    warnings = []
    if state.paired:
        before = dict(numbers_in_force(state, state.paired + 1))
        after = dict(numbers_in_force(replace(state, order=order), state.paired + 1))
        moved = sum(1 for id, number in after.items() if before.get(id) != number)
        if state.frozen:
            if state.fide_mode:
                edition = regulations_of(state).edition
                article = ARTICLES[edition]["numbers-after-freeze"]
                if state.paired == FREEZING_ROUND.get(edition) and not state.rounds[-1].published:
                    raise NumbersFrozen(
                        f"round 4 is paired, so pairing numbers no longer change ({article}); "
                        "it is not published: take its pairing back, then number the players again"
                    )
                raise NumbersFrozen(
                    f"round 4 is paired, so pairing numbers no longer change ({article}); "
                    "ratings can still be corrected"
                )
            message = f"round 4 is paired, {counted(moved, 'number')} would move"
            warnings.append(caution("numbers-after-freeze", message))
        elif moved >= 2:  # VCL 154
            warnings.append(caution("renumbering", f"{moved} pairing numbers would change"))
    if cause == "exchanged" and not warnings:
        warnings.append(caution("exchange", "two pairing numbers would be exchanged by hand"))
    return Decision((PairingNumbersAssigned(order=order, cause=cause),), tuple(warnings))
