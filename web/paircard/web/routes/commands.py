"""Asking something of a tournament: commands, previews, and opening one."""

import re
from typing import Any, Final

from paircard.service import Done, Person
from paircard.service.erasure import Erased, erase_person
from paircard.service.office import new_id
from paircard.service.views import Overview
from paircard.web import wire
from paircard.web.access.roles import need_opener, need_verbs
from paircard.web.calls import Answer, Call, as_json
from paircard.web.endpoints import API, IF_MATCH, KEY, Endpoint
from paircard.web.looking import etag, expected_version, need_id
from paircard.web.messages import Outcome
from paircard.web.problems import IdempotencyKeyMissing, UnreadableBody, VersionMissing, WrongParameter
from paircard.web.site import Site

NEED_VERSION: Final = frozenset(
    {
        "pair-round",
        "unpair-round",
        "publish-round",
        "begin-manual-pairing",
        "end-manual-pairing",
        "close-tournament",
        "correct-result",
        "correct-colours",
        "correct-boards",
    }
)
"""Verbs that mean a certain state of the tournament; results commute and need none."""


def idempotency_key(call: Call) -> str:
    """The key of a request, as the caller gave it."""
    key = call.header("idempotency-key").strip()
    if not key:
        raise IdempotencyKeyMissing("http.key-missing")
    if len(key) > 2 and key[0] == key[-1] == '"':
        key = key[1:-1]
    if not re.fullmatch(r"[!-~]{1,64}", key):
        raise WrongParameter("http.key-unreadable")
    return key


def send(site: Site, call: Call) -> Answer:
    """Carry out commands, all or none."""
    id = need_id(call.tournament)
    order = call.read(wire.read_order)
    login = need_verbs(call.login, id, order.commands)
    key = idempotency_key(call)
    expected = expected_version(call)
    verbs = [wire.verb_name(verb) for verb in order.commands]
    if expected is None and (careful := [verb for verb in verbs if verb in NEED_VERSION]):
        raise VersionMissing("http.version-missing", code=careful[0])
    site.commands.take(login.grant.id)
    by = login.person(key, why=order.why, accepts=order.ack, expects=expected)
    done = carry_out(site, id, order, by)
    found = Outcome(
        version=done.version,
        repeated=done.repeated,
        facts=done.facts,
        lines=done.lines,
        already=done.already,
        advice=done.advice,
        remains=done.remains if isinstance(done, Erased) else None,
    )
    status = 201 if done.facts and not done.repeated else 200
    return as_json(found, status, {"etag": etag(site, str(done.version))})


def carry_out(site: Site, id: str, order: Any, by: Person) -> Done:
    """What an order comes to; what the server computes stands alone."""
    tournament = site.tournament(id)
    if not any(wire.is_intent(verb) for verb in order.commands):
        return tournament.ask(*(wire.command_of(verb) for verb in order.commands), by=by)
    if len(order.commands) > 1:
        names = [wire.verb_name(verb) for verb in order.commands if wire.is_intent(verb)]
        raise UnreadableBody("http.computed-alone", code=names[0]).at("commands")
    match order.commands[0]:
        case wire.PairRound(round=round):
            return tournament.pair(round, by=by)
        case wire.DrawInitialColour(colour=colour):
            return tournament.draw_colour(colour, by=by)
        case wire.EndManualPairing(round=round, boards=boards, pab=pab):
            return tournament.end_alteration(round, boards or None, pab, by=by)
        case wire.DrawLots(players=players, by_hand=by_hand):
            return tournament.draw_lots(players, by_hand=by_hand, by=by)
        case wire.ErasePerson(player=player, facts=facts):
            return erase_person(site.office.store(), tournament, player, facts, by=by)
        case wire.Undo():
            return tournament.undo(by=by)
        case other:
            raise AssertionError(f"{wire.verb_name(other)} is no intent")


def open_tournament(site: Site, call: Call) -> Answer:
    """Open a tournament with these regulations."""
    opening = call.read(wire.read_opening)
    login = need_opener(call.login)
    key = idempotency_key(call)
    site.commands.take(login.grant.id)
    by = login.person(key, why=opening.why, accepts=opening.ack)
    repeated = site.office.store().version(new_id(by.id)) > 0
    made = site.office.new(wire.regulations_of(opening), by=by)
    found = made.now().overview()
    return as_json(
        found,
        200 if repeated else 201,
        {"location": f"{API}/tournaments/{made.id}", "etag": etag(site, str(found.version))},
    )


ENDPOINTS: Final = (
    Endpoint(
        method="POST",
        path="/tournaments",
        handler=open_tournament,
        summary="Open a tournament",
        who="opener",
        parameters=(KEY,),
        takes=wire.Opening,
        gives=Overview,
        status=201,
        also=(200,),
        refusals=(401, 403, 409, 422, 429),
        writes=True,
    ),
    Endpoint(
        method="POST",
        path="/tournaments/{tournament}/commands",
        handler=send,
        summary="Carry out commands in order, all or none",
        who="deputy",
        parameters=(KEY, IF_MATCH),
        takes=wire.Order,
        gives=Outcome,
        status=201,
        also=(200,),
        refusals=(401, 403, 404, 409, 412, 422, 428, 429),
        writes=True,
    ),
)
