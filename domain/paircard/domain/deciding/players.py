"""Deciding about players: entering, correcting, leaving, byes, and their order."""

from msgspec import UNSET
from msgspec.structs import replace

from paircard.domain.commands import (
    AssignNumbers,
    CorrectPlayer,
    ExchangeNumbers,
    ExpelPlayer,
    GrantBye,
    ListRating,
    ProhibitPairing,
    RegisterPlayer,
    ReturnPlayer,
    RevokeBye,
    WithdrawPlayer,
)
from paircard.domain.deciding.decision import (
    Decision,
    called,
    level_five,
    need_no_session,
    need_reason,
    need_running,
    player_of,
    regulations_of,
)
from paircard.domain.deciding.numbering import numbers_in_force, order_afresh, order_in_force
from paircard.domain.errors import Caution, Duplicate, Invalid, NotNow, NumbersFrozen
from paircard.domain.events import (
    ByeGranted,
    ByeRevoked,
    Cause,
    Event,
    PairingNumbersAssigned,
    PairingProhibited,
    PlayerDetailsCorrected,
    PlayerExpelled,
    PlayerRegistered,
    PlayerReturned,
    PlayerWithdrawn,
    RatingCorrected,
    RatingListed,
)
from paircard.domain.state import Tournament
from paircard.domain.values.players import MANUAL, Changes, Details, check_details, corrected, rated
from paircard.domain.values.regulations import given, lists_of
from paircard.domain.values.results import REQUESTED
from paircard.domain.values.text import counted


def register(state: Tournament, command: RegisterPlayer) -> Decision:
    """Enter a player; after round 1 is paired this is a late entry (C.04.2:2.4)."""
    regulations = need_running(state)
    check_details(command.details)
    if state.paired >= regulations.rounds:
        raise NotNow(f"the last round is paired: {command.details.name} would never play")
    missed = command.missed or "Z" * state.paired
    if len(missed) != state.paired or not set(missed) <= {"H", "Z"}:
        if not state.paired:
            raise Invalid("no round is paired yet: nobody has missed one, grant byes instead")
        raise Invalid(
            f"missed rounds {command.missed[:20]!r} are not {counted(state.paired, 'letter')} H or Z, "
            "one for each round already paired"
        )
    warnings = _twins(state, command.details, besides=0)
    halves = [round for round, letter in enumerate(missed, start=1) if letter == "H"]
    if halves:
        name = command.details.name
        warnings += _half_byes(name, command.details, regulations.last_half_bye, halves[-1], len(halves))
    details = rated(command.details, lists_of(regulations))
    event = PlayerRegistered(player=len(state.players) + 1, details=details, missed=missed)
    return Decision((event,), warnings)


def correct(state: Tournament, command: CorrectPlayer) -> Decision:
    """Put a player's data right, which is possible at any time (C.04.2:2.3)."""
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
        news.add("rating")  # it was for the report alone, and may count for the order again
    if not news:
        raise Duplicate(f"{called(player)} has these data already: nothing to correct")
    if state.paired:
        need_reason(command.meta, f"a correction of {called(player)} after round 1 was paired")
    warnings: tuple[Caution, ...] = ()
    if news & {"name", "birth", "fide_id"}:
        warnings = _twins(state, details, besides=player.id)
    events: list[Event] = []
    if "rating" in news and standing:
        # C.04.2:2.3: after round 4 is paired the number stays, of whoever has one
        events.append(RatingCorrected(player=player.id, rating=details.rating, was=before.rating))
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
            f"a rating from round {command.first} on was given: further ratings begin with a round of 2 to "
            f"{regulations.rounds}, the first one is corrected instead"
        )
    check_details(replace(player.details, rating=command.rating))
    known = dict(player.ratings)
    if known.get(command.first) == command.rating:
        raise Duplicate(f"{called(player)} has rating {command.rating} from round {command.first} on already")
    if command.first <= state.paired or command.first in known:
        need_reason(command.meta, f"another rating of {called(player)} for round {command.first}")
    return Decision((RatingListed(player=player.id, rating=command.rating, first=command.first),))


def _twins(state: Tournament, details: Details, besides: int) -> tuple[Caution, ...]:
    """Refuse a second entry of the same FIDE id; warn of the same name, unless birth or FIDE id differ."""
    name = details.name.casefold()
    warnings: tuple[Caution, ...] = ()
    for other in state.players:
        d = other.details
        if other.id == besides:
            continue
        if details.fide_id and d.fide_id == details.fide_id:
            raise Duplicate(f"FIDE id {details.fide_id} belongs to {called(other)}: entered twice?")
        if d.name.casefold() != name or (d.fide_id and details.fide_id):
            continue
        if d.birth[:4] == details.birth[:4] or not (d.birth and details.birth):
            what = "the same name and birth" if d.birth and details.birth else "the same name"
            warnings = (Caution(3, "same-person", f"{called(other)} has {what}"),)
    return warnings


def withdraw(state: Tournament, command: WithdrawPlayer) -> Decision:
    """From the next pairing on the player is not paired (C.04.2:3.2)."""
    need_running(state)
    player = player_of(state, command.player)
    if player.status:
        raise Duplicate(f"{called(player)} is {player.status} already")
    return Decision((PlayerWithdrawn(player=player.id, round=state.paired + 1),))


def bring_back(state: Tournament, command: ReturnPlayer) -> Decision:
    """A withdrawn player is paired again."""
    regulations = need_running(state)
    player = player_of(state, command.player)
    if player.status == "expelled":
        raise NotNow(f"{called(player)} was expelled and cannot return")
    if not player.status:
        raise Duplicate(f"{called(player)} is in the tournament, there is nothing to return from")
    if state.paired >= regulations.rounds:
        raise NotNow(f"the last round is paired: {called(player)} would never play")
    return Decision((PlayerReturned(player=player.id, round=state.paired + 1),))


def expel(state: Tournament, command: ExpelPlayer) -> Decision:
    """Not paired any more; results stay for the opponents (VCL 197, 198)."""
    need_running(state)
    player = player_of(state, command.player)
    if player.status == "expelled":
        raise Duplicate(f"{called(player)} is expelled already")
    need_reason(command.meta, f"the expulsion of {called(player)}")
    event = PlayerExpelled(player=player.id, round=state.paired + 1, ranked=command.ranked)
    return Decision((event,))


def grant_bye(state: Tournament, command: GrantBye) -> Decision:
    """A bye known before the round is paired (C.04.2:3.3)."""
    regulations = need_running(state)
    player = player_of(state, command.player)
    round, letter = command.round, command.letter
    if letter not in REQUESTED or len(letter) != 1:
        raise Invalid(f"bye {letter[:10]!r} is unknown: H half, F full, Z zero points")
    _need_open_round(state, round, regulations.rounds)
    if player.status:
        raise NotNow(f"{called(player)} is {player.status}: no bye is needed")
    already = dict(player.byes).get(round)
    if already:
        raise Duplicate(f"{called(player)} has a bye ({already}) in round {round} already: revoke it first")
    warnings = []
    if letter == "F":  # VCL 178
        warnings.append(Caution(2, "full-point-bye", "full-point byes are deprecated"))
    if letter == "H":
        halves = 1 + player.missed.count("H") + sum(1 for _, bye in player.byes if bye == "H")
        warnings += _half_byes(called(player), player.details, regulations.last_half_bye, round, halves)
    event = ByeGranted(player=player.id, round=round, letter=letter)
    return Decision((event,), tuple(warnings))


def _half_byes(who: str, details: Details, end: int, round: int, count: int) -> tuple[Caution, ...]:
    """What the event's rules say to half-point byes, so many and the last in this round."""
    if not details.half_byes:  # VCL 176
        raise NotNow(f"{who} is barred from half-point byes: grant Z instead")
    warnings: tuple[Caution, ...] = ()
    if count > 1:  # VCL 174
        warnings += (Caution(3, "second-half-bye", f"{who} would have {count} half-point byes"),)
    if end and round > end:
        message = f"half-point byes end with round {end}, this is round {round}"
        warnings += (Caution(3, "late-half-bye", message),)
    return warnings


def revoke_bye(state: Tournament, command: RevokeBye) -> Decision:
    """The player will play after all."""
    regulations = need_running(state)
    player = player_of(state, command.player)
    _need_open_round(state, command.round, regulations.rounds)
    if command.round not in dict(player.byes):
        raise NotNow(f"{called(player)} has no bye in round {command.round}: nothing to revoke")
    return Decision((ByeRevoked(player=player.id, round=command.round),))


def _need_open_round(state: Tournament, round: int, rounds: int) -> None:
    if not 1 <= round <= rounds:
        raise Invalid(f"the tournament has rounds 1 to {rounds}, not {round}")
    if round <= state.paired:
        raise NotNow(f"round {round} is paired: byes can be changed from round {state.paired + 1} on")
    if state.manual == round:
        need_no_session(state)


def prohibit(state: Tournament, command: ProhibitPairing) -> Decision:
    """Keep players apart; only before round 1 is paired (VCL 195, 196)."""
    need_running(state)
    ids = tuple(sorted(set(command.players)))
    for id in ids:
        player_of(state, id)
    if len(ids) < 2 or len(ids) != len(command.players):
        raise Invalid("a prohibition names two or more different players")
    if not 1 <= command.first <= command.last:
        raise Invalid(f"rounds {command.first} to {command.last} are no range of rounds")
    event = PairingProhibited(players=ids, first=command.first, last=command.last)
    if event in state.prohibitions:
        raise Duplicate("this prohibition is on record already")
    warnings: tuple[Caution, ...] = ()
    if state.paired:
        message = "round 1 is paired, prohibited pairings were to be announced before"
        warnings = (level_five(state, "late-prohibition", message),)
    return Decision((event,), warnings)


def assign_numbers(state: Tournament, command: AssignNumbers) -> Decision:
    """Number the players, or number them again until round 4 is paired (C.04.2:2.3)."""
    regulations = need_running(state)
    need_no_session(state)
    if not state.players:
        raise NotNow("nobody is registered: there is nothing to number")
    cause: Cause = "regenerated" if state.paired else "initial"
    order = order_afresh(state)
    if command.order:
        if "declared" not in regulations.initial_order and not state.imported:
            criteria = ", ".join(regulations.initial_order)
            raise Invalid(
                f"the initial order follows {criteria}: a list can only be given if that says declared"
            )
        if sorted(command.order) != list(range(1, len(state.players) + 1)):
            raise Invalid(f"the declared order must name each of the players 1 to {len(state.players)} once")
        cause, order = "declared", command.order
    if order == state.order:
        raise Duplicate("the numbers stand as they would be assigned: nothing to do")
    return _renumbered(state, order, cause)


def exchange_numbers(state: Tournament, command: ExchangeNumbers) -> Decision:
    """Two players of equal rating change places (VCL 148, 150)."""
    need_running(state)
    need_no_session(state)
    one, other = player_of(state, command.one), player_of(state, command.other)
    if one.id == other.id:
        raise Invalid(f"{called(one)} cannot change places with themselves")
    if one.details.rating != other.details.rating:
        raise Invalid(
            f"{called(one)} has rating {one.details.rating}, {called(other)} {other.details.rating}: "
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
                raise NumbersFrozen(
                    "round 4 is paired, pairing numbers stand (C.04.2:2.3); ratings can still be corrected"
                )
            warnings.append(
                Caution(
                    4, "numbers-after-freeze", f"round 4 is paired, {counted(moved, 'number')} would move"
                )
            )
        elif moved >= 2:  # VCL 154
            warnings.append(Caution(3, "renumbering", f"{moved} pairing numbers would change"))
    if cause == "exchanged" and not warnings:
        warnings.append(Caution(3, "exchange", "two pairing numbers would be exchanged by hand"))
    return Decision((PairingNumbersAssigned(order=order, cause=cause),), tuple(warnings))
