"""A decision: the facts that follow from a command, and the warnings to be accepted first.

Here are also the questions every part of the decider asks: is there such a player, such a round,
a reason, and is this allowed in FIDE mode.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any, Final, Literal, TypeAlias, TypeVar, Unpack, get_args
from uuid import UUID

import msgspec
from msgspec.structs import replace

from paircard.domain import events
from paircard.domain.commands import UNSIGNED, Asked, Meta, OpenTournament
from paircard.domain.errors import (
    Caution,
    Invalid,
    ManualSessionOpen,
    NeedsAcknowledgement,
    NotNow,
    Prohibited,
    ReasonMissing,
    Refused,
    RoundIncomplete,
    TournamentOver,
    Unknown,
)
from paircard.domain.events import (
    Event,
    GameAdjourned,
    ManualPairingEnded,
    PairingNumbersAssigned,
    PairingNumbersFrozen,
    RoundCompleted,
)
from paircard.domain.messages import Fields, Message, concerned_by, people_of, say
from paircard.domain.rounds import Game, Round
from paircard.domain.speaking import Speaker
from paircard.domain.state import Player, Tournament, names_of
from paircard.domain.values.players import REMOVED, shown_id
from paircard.domain.values.regulations import Regulations
from paircard.domain.values.rules import RULES
from paircard.domain.values.text import checked_text

Noted = Literal[
    "same-name", "initial-order", "too-many-rounds", "ratings-not-used", "missing-results",
    "adjourned-games", "no-show", "numbers-out-of-date", "full-point-bye", "colours-reversed",
    "no-published-table", "varma-meet",
]  # fmt: skip
Confirmed = Literal[
    "edition-not-in-force", "same-person", "not-alike", "not-yours", "late-entry", "half-bye-not-announced",
    "second-half-bye", "late-half-bye", "late-bye", "redraw", "renumbering", "exchange", "rematch",
    "prohibited-pair", "ineligible-bye", "bye-too-high", "colour", "left-out", "bye-ignored",
    "irregular-import", "erase-while-running", "pairing-outdated", "correction", "rating-report-only",
    "prizes-given", "adjourned-not-drawn", "draw-void", "numbers-again", "met-too-often", "third-colour",
    "not-completable",
]  # fmt: skip
Grave = Literal[
    "manual-pairing", "boards-as-played", "published-pairing", "prohibition-lifted", "late-prohibition",
    "late-tiebreaks", "late-change", "late-prizes", "prizes-again", "numbers-after-freeze",
    "rounds-unplayed", "reopened", "leave-fide-mode",
]  # fmt: skip
WarningCode = Noted | Confirmed | Grave
"""The codes of warnings: a type for those who check theirs."""

CAUTIONS: Final[dict[str, int]] = {
    code: level for level, codes in ((2, Noted), (3, Confirmed), (4, Grave)) for code in get_args(codes)
}
"""The level of every warning; what each means is in ``languages``, the table ``meaning`` of words."""


def meaning(code: str, edition: str) -> str:
    """What a warning means, in English, with the article of the edition."""
    words, article = Speaker().word("meaning", code), RULES[edition].articles.get(code)
    return f"{words} ({article})" if article else words


def caution(code: str, /, *, proof: str = "", **fields: Unpack[Fields]) -> Caution:
    """A warning; the players it concerns are those of its own fields, in their order.

    The code that acknowledges it ends at the first dot; what follows tells its sentences apart.
    """
    said, name = Message(code, fields), code.partition(".")[0]
    return Caution(CAUTIONS[name], name, said, concerned_by(said), proof)


class Decision(msgspec.Struct, frozen=True):
    """What a command comes to."""

    events: tuple[Event, ...]
    warnings: tuple[Caution, ...] = ()

    def is_about(self, event: Event) -> bool:
        """Whether reason and acknowledgements stand on this fact, not on one that came along with another."""
        return not isinstance(event, ALONG) or all(isinstance(one, ALONG) for one in self.events)


ALONG: Final = (
    GameAdjourned,
    RoundCompleted,
    PairingNumbersAssigned,
    PairingNumbersFrozen,
    ManualPairingEnded,
)
"""Facts that come along with another one: a pairing ends the round before it, settles missing results as
adjourned and assigns or freezes numbers; closing ends the last round; a cleared game is adjourned again."""


MOVING: Final = (
    events.ResultCorrected, events.ResultCleared, events.ColoursCorrected, events.BoardsCorrected,
    events.PlayerDetailsCorrected, events.RatingCorrected, events.PlayerRemoved, events.PlayerMerged,
    events.PlayerExpelled, events.PlayerReinstated, events.LotsDrawn, events.ExternalTiebreakSet,
)  # fmt: skip
"""Facts after which somebody else may have won a prize."""

C = TypeVar("C", bound=Asked)
S = TypeVar("S", bound=msgspec.Struct)
Follows: TypeAlias = Iterator[Event | Caution]
"""What follows from a command, as it comes up: facts, and warnings about them; after a refusal, nothing."""
Decide: TypeAlias = Callable[[Tournament, Any], Follows]
"""Decides one kind of command."""


def decided(
    decide: Decide | None, state: Tournament, command: C, meta: Meta
) -> list[tuple[Event, str, tuple[str, ...]]]:
    """The facts of a command as somebody asks it, each with its reason and the accepted warnings."""
    command = signed(command, meta)
    decision = weighed(decide, state, command)
    why, accepted = command.meta.why, settle(decision, command.meta) if decision.warnings else ()
    if len(decision.events) == 1:
        return [(decision.events[0], why, accepted)]
    return [(fact, why, accepted) if decision.is_about(fact) else (fact, "", ()) for fact in decision.events]


def weighed(decide: Decide | None, state: Tournament, command: Asked) -> Decision:
    """The facts that would follow, with the warnings that must be accepted; refuses what is no command.

    Here a refusal or a warning learns the names of the players it speaks of.
    """
    if decide is None:
        raise Invalid("not-a-command", kind=type(command).__name__)
    command = well_typed(command)
    check_meta(command.meta)
    try:
        follows = list(decide(state, command))
    except Refused as refusal:
        refusal.names = names_of(state, people_of(refusal.said))
        raise
    facts = tuple([one for one in follows if not isinstance(one, Caution)])
    warned = [one for one in follows if isinstance(one, Caution)]
    if state.prizes is not None and any(
        isinstance(one, MOVING) and getattr(one, "scope", "") != "rating-report-only" for one in facts
    ):
        warned.append(caution("prizes-given"))
    if not warned:
        return Decision(facts)
    under = command.regulations if isinstance(command, OpenTournament) else regulations_of(state)
    articles = RULES[under.edition].articles
    warnings = tuple(
        replace(each, article=articles.get(each.code, ""), names=names_of(state, people_of(each.said)))
        for each in warned
    )
    return Decision(facts, warnings)


_AS_THEY_ARE: Final = (bytes, bytearray, memoryview, datetime, date, time, timedelta, UUID, Decimal)
"""What no field holds: left alone it is refused, else a date would become a text."""


def well_typed(asked: S) -> S:
    """The command with every field of its declared type; a value of another type is refused by its field."""
    checked: S = _converted(asked, type(asked), "")
    return checked


def need_type(name: str, value: object, kind: Any) -> None:
    """Refuse a value that a call was given, by its name, if it is of another type."""
    _converted(value, kind, name)


def _converted(value: object, kind: Any, name: str) -> Any:
    try:
        plain = msgspec.to_builtins(value, builtin_types=_AS_THEY_ARE, enc_hook=_refusable)
        return msgspec.convert(plain, kind)
    except msgspec.ValidationError as reason:
        raise _wrong_type(value, str(reason), name) from None
    except (TypeError, ValueError, RecursionError) as reason:
        raise Invalid("not-recordable", path=name or type(value).__name__, reason=str(reason)) from None


def _refusable(value: object) -> bytes:
    """Stands for a value that cannot be written down: no field takes bytes."""
    return b""


def _wrong_type(value: Any, reason: str, name: str) -> Invalid:
    """What the decoder says, with the name of the field first and the type of what is really there."""
    words, _, path = reason.replace("`", "").partition(" - at $")
    where = (name + path).lstrip(".")
    try:
        for field, index in re.findall(r"\.(\w+)|\[(\d+)\]", path):
            value = getattr(value, field) if field else value[int(index)]
    except (AttributeError, LookupError, TypeError):
        return Invalid("wrong-type", path=where, reason=words.lower(), kind="")
    expected = words.partition(", got ")[0].lower()
    return Invalid("wrong-type", path=where, reason=expected, kind=type(value).__name__)


def signed(command: C, meta: Meta) -> C:
    """The command with who, when and why; a reason or an acknowledgement of its own stays."""
    if not isinstance(command, Asked):
        raise Invalid("not-a-command", kind=type(command).__name__)
    own = command.meta if command.meta is UNSIGNED else well_typed(command.meta)
    acknowledge = (*meta.acknowledge, *own.acknowledge)
    return replace(command, meta=replace(meta, why=own.why or meta.why, acknowledge=acknowledge))


def check_meta(meta: Meta) -> None:
    """Refuse a command that does not say who asks, when, and under which id."""
    for label, text, longest, required in (
        ("who_asks", meta.who, 100, True),
        ("the_reason", meta.why, 500, False),
        ("command_id", meta.command_id, 100, True),
        ("through", meta.through, 100, False),
    ):
        plain = text.isascii() and text.isprintable() and text == text.strip()  # as nearly all are
        if not plain or len(text) > longest or (required and not text):
            checked_text(label, text, required=required, limit=longest)
    if not is_utc(meta.when):
        raise Invalid("time-not-utc", text=meta.when)
    for code in meta.acknowledge:
        if code not in CAUTIONS and not code.startswith("leave-fide-mode-"):
            raise Invalid("warning-unknown", text=code)


def is_utc(when: str) -> bool:
    """Whether this is a moment as the log writes it."""
    if not re.fullmatch(r"[0-9]{4}(-[0-9]{2}){2}T[0-9]{2}(:[0-9]{2}){2}(\.[0-9]{1,6})?Z", when):
        return False
    try:
        datetime.fromisoformat(when)
    except ValueError:
        return False
    return True


def settle(decision: Decision, meta: Meta) -> tuple[str, ...]:
    """The warnings that were accepted, as they are stored; refuses if one was not (VCL §1.1)."""
    open_warnings = tuple(w for w in decision.warnings if w.answer not in meta.acknowledge)
    if open_warnings:
        raise NeedsAcknowledgement(open_warnings)
    return tuple(
        " ".join((f"{w.level}:{w.code}", *(f"#{id}" for id in w.players))) for w in decision.warnings
    )


def level_five(state: Tournament, code: str, /, **fields: Unpack[Fields]) -> Caution:
    """Refused in FIDE mode; after leaving it, a warning of level 4."""
    if state.fide_mode:
        raise Prohibited("not-in-fide-mode", what=Message(code, fields))
    return caution(code, **fields)


def need_reason(meta: Meta, deed: str, /, **fields: Unpack[Fields]) -> None:
    """Corrections and exceptions say why."""
    if not meta.why:
        raise ReasonMissing("reason-missing", deed=Message(deed, fields))


def some(messages: list[Message]) -> list[Message]:
    """The first few of many."""
    if len(messages) <= MOST_TOLD:
        return messages
    return [*messages[:MOST_TOLD], say("and-more", count=len(messages) - MOST_TOLD)]


MOST_TOLD: Final = 6
"""Boards that a warning tells one by one."""


def regulations_of(state: Tournament) -> Regulations:
    """The regulations of an open tournament."""
    if not state.version:
        raise Unknown("tournament-not-open")
    return state.regulations


def need_running(state: Tournament) -> Regulations:
    """The regulations, while facts other than rating corrections are still possible."""
    regulations = regulations_of(state)
    if state.closed:
        raise TournamentOver("tournament-closed", name=regulations.name)
    return regulations


def need_no_session(state: Tournament) -> None:
    """Nothing else happens to rounds while one is in the arbiter's hands."""
    if state.manual:
        raise ManualSessionOpen("manual-session-open", round=state.manual)


def need_undisturbed(state: Tournament) -> Regulations:
    """The regulations, while the event runs and no round is in the arbiter's hands."""
    regulations = need_running(state)
    need_no_session(state)
    return regulations


def player_of(state: Tournament, id: int) -> Player:
    if type(id) is not int:
        need_type("player", id, int)
    if not 1 <= id <= len(state.players):
        raise Unknown("no-such-player", id=shown_id(id), last=len(state.players))
    player = state.players[id - 1]
    if player.status == REMOVED:
        removed = Unknown("entry-removed", player=id)
        removed.names = names_of(state, (id,))  # asked for outside a command, too
        raise removed
    return player


def players_of(state: Tournament, ids: Iterable[int]) -> list[Player]:
    """These players, who must all be there."""
    return [player_of(state, id) for id in ids]


def round_of(state: Tournament, number: int) -> Round:
    """The paired round with this number."""
    if type(number) is not int:
        need_type("round", number, int)
    if not 1 <= number <= len(state.rounds):
        regulations_of(state)
        raise Unknown("round-not-paired", round=number, last=len(state.rounds))
    return state.rounds[number - 1]


def open_round(state: Tournament, number: int, *, closed: bool = False) -> Round:
    """A published round that is not in the arbiter's hands; of a closed tournament only for corrections."""
    if state.closed and not closed:
        need_running(state)
    round = round_of(state, number)
    if state.manual == number:
        need_no_session(state)
    if not round.published:
        raise NotNow("round-not-published", round=number)
    return round


def last_round(state: Tournament, number: int, cause: str) -> Round:
    """The round with this number, which must be the last one paired."""
    round = round_of(state, number)
    if number != state.paired:
        raise Invalid("round-not-last", round=number, last=state.paired, cause=cause)
    return round


def board_of(round: Round, board: int) -> Game:
    if not 1 <= board <= len(round.histories):
        raise Unknown("no-such-board", round=round.number, board=board, last=len(round.histories))
    return round.game(board)


def open_board(state: Tournament, number: int, board: int, *, closed: bool = False) -> tuple[Round, Game]:
    """A board of a published round, and the round."""
    round = open_round(state, number, closed=closed)
    return round, board_of(round, board)


# --- games still to be finished, and what waits for them


def missing_results(round: Round) -> list[int]:
    """Boards without a result and not adjourned."""
    return [board for board, outcome in enumerate(round.outcomes, start=1) if outcome is None]


def adjourned_games(state: Tournament) -> list[tuple[int, int]]:
    """Round and board of every game whose result is still to come."""
    return [game for game in open_games(state) if state.rounds[game[0] - 1].game(game[1]).outcome]


def open_games(state: Tournament) -> list[tuple[int, int]]:
    """Round and board of every game without a result, adjourned or not over."""
    return [(round.number, board) for round in state.rounds for board in round.open_boards()]


def need_results(state: Tournament, cause: str) -> None:
    """Refuse what makes standings final while a game of the event is open (VCL 161, 169)."""
    if waiting := open_games(state):
        raise RoundIncomplete("games-open", games=waiting, cause=cause)
