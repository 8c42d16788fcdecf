"""Who may do what: one place for every route.

Anybody sees what is published. A deputy enters results of given rounds and boards, an arbiter does everything
in their tournaments and lets others in, an officer reads everything and opens tournaments.
"""

from collections.abc import Iterable
from typing import Any, Final

from paircard.domain.values.results import Outcome, parse_outcome
from paircard.web.access.book import Grant, Login, Role
from paircard.web.problems import NotAllowed, NotSignedIn
from paircard.web.wire import VERBS, verb_name

DEPUTY_VERBS: Final = frozenset({"record-result"})
ORDINARY: Final = frozenset({Outcome("1", "0"), Outcome("=", "="), Outcome("0", "1")})
"""Results a deputy may enter; forfeits and the like are the arbiter's."""


def verbs_of(login: Login | None) -> tuple[str, ...]:
    """The verbs a login may send."""
    if login is None or login.grant.role == "officer":
        return ()
    return tuple(sorted(DEPUTY_VERBS)) if login.grant.role == "deputy" else tuple(VERBS)


def sees_all(login: Login | None, tournament: str) -> bool:
    """Whether a login sees more of a tournament than the public."""
    if login is None or login.grant.role == "deputy":
        return False
    return login.grant.role == "officer" or covers(login.grant, tournament)


def covers(grant: Grant, tournament: str) -> bool:
    """Whether a grant is for this tournament."""
    return grant.tournament in ("", tournament)


def need(login: Login | None, what: str) -> Login:
    """The login, which is needed for this."""
    if login is None:
        refusal = NotSignedIn(f"{what} is not public: sign in, or send a key")
        refusal.what = what
        raise refusal
    return login


def need_reader(login: Login | None, tournament: str, what: str) -> Login:
    """An arbiter of the tournament, or an officer."""
    login = need(login, what)
    if not sees_all(login, tournament):
        raise refused(login, f"{what} is for the arbiters of this tournament and for officers")
    return login


def need_arbiter(login: Login | None, tournament: str, what: str) -> Login:
    """An arbiter of the tournament."""
    login = need(login, what)
    if login.grant.role != "arbiter" or not covers(login.grant, tournament):
        raise refused(login, f"{what} is for the arbiters of this tournament")
    return login


def need_opener(login: Login | None) -> Login:
    """Who may open a tournament: an officer, or an arbiter of the whole store."""
    login = need(login, "opening a tournament")
    if login.grant.role == "deputy" or login.grant.tournament:
        raise refused(login, "opening a tournament is for officers and for arbiters of the whole store")
    return login


def need_verbs(login: Login | None, tournament: str, verbs: Iterable[Any]) -> Login:
    """Whoever may send these commands to the tournament."""
    login = need(login, "sending commands")
    grant = login.grant
    if not covers(grant, tournament):
        raise refused(login, f"{grant.who} is no {grant.role} of this tournament")
    for verb in verbs:
        name = verb_name(verb)
        if name not in verbs_of(login):
            raise refused(login, f"{name} is not for a {grant.role}")
        if grant.role == "deputy":
            need_own_board(login, verb.round, verb.board)
            if parse_outcome(verb.outcome) not in ORDINARY:
                raise refused(
                    login, f"{verb.outcome} is entered by the arbiter: a deputy enters 1-0, ½-½ and 0-1"
                )
    return login


def need_own_board(login: Login, round: int, board: int) -> None:
    """Refuse a round or a board that the grant is not for."""
    grant = login.grant
    if grant.rounds and round not in grant.rounds:
        rounds = ", ".join(map(str, grant.rounds))
        raise refused(login, f"{grant.who} enters results of round {rounds}, not of round {round}")
    first, last = grant.boards
    if last and not first <= board <= last:
        raise refused(login, f"{grant.who} enters boards {first} to {last}, not board {board}")


def need_granter(login: Login | None, tournament: str, role: Role) -> Login:
    """Whoever may let others in as this."""
    login = need(login, "letting others in")
    grant = login.grant
    whole = not grant.tournament
    allowed = {
        "arbiter": ("deputy", "arbiter", *(("officer",) if whole and not tournament else ())),
        "officer": ("arbiter",) if tournament else (),
        "deputy": (),
    }[grant.role]
    if role not in allowed or not (covers(grant, tournament) if tournament else whole):
        raise refused(login, f"a {grant.role} may not let others in as {role} here")
    return login


def refused(login: Login, message: str) -> NotAllowed:
    """The refusal, with what the login may do instead."""
    refusal = NotAllowed(message)
    refusal.may = verbs_of(login)
    return refusal
