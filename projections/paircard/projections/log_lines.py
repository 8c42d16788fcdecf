"""The log as people read it: one line per fact, players by name, boards by who sat there."""

from collections import Counter
from collections.abc import Container, Iterable, Sequence
from typing import Any

from msgspec import UNSET
from msgspec.structs import asdict

from paircard.domain import events
from paircard.domain.deciding.boards import differing
from paircard.domain.deciding.numbering import numbers_drawn, numbers_in_force, thaw_with_pairing
from paircard.domain.deciding.results import seats_told
from paircard.domain.errors import Unknown
from paircard.domain.events import Board, Event, Recorded
from paircard.domain.messages import KINDS, Fields, Message, say
from paircard.domain.rounds import CURRENT, RATING_REPORT
from paircard.domain.speaking import Remark, Speaker
from paircard.domain.state import NOTHING, Tournament, evolve, name_among
from paircard.domain.values.players import ERASED, REMOVED, shown_id
from paircard.domain.values.prizes import money
from paircard.domain.values.regulations import cycles_of, given
from paircard.domain.values.results import Scoring
from paircard.domain.values.text import enumerated


class LogLine(Remark, frozen=True, kw_only=True):
    """One fact for people."""

    version: int
    when: str
    who: str
    kind: str
    """The stored name of the fact."""
    why: str = ""
    acknowledged: tuple[str, ...] = ()
    """The warnings that were accepted, as they are stored: ``3:rematch #4 #7``, by id."""
    accepted: tuple[str, ...] = ()
    """The warnings with names: ``3:rematch (Ada, Ben)``."""
    hash: str = ""


class AlreadyRecorded(Remark, frozen=True, kw_only=True):
    """A result that was asked to be entered and stands there already."""

    round: int
    board: int


class Names:
    """Who is meant: the names of players and boards in one state of the tournament."""

    def __init__(self, state: Tournament, earlier: "Names | None" = None) -> None:
        self.state = state
        same = earlier is not None and earlier.state.players is state.players
        self.bearers: Counter[str] = earlier.bearers if earlier and same else Counter()
        """How many have a name: counted at the first question, for one line needs few of them."""
        self.asked: dict[int, str] = {}
        """The names a speaker asked for."""

    def get(self, player: int) -> str:
        """The name a sentence needs; it is kept with the line."""
        self.asked[player] = name = self.name(player)
        return name

    def of(self, player: int) -> str:
        """A player by name, in English where there is none."""
        return self.name(player) or Speaker(names={player: ""}).person(player)

    def name(self, player: int) -> str:
        """The name of a player; empty if it was erased."""
        if not 1 <= player <= len(self.state.players):
            return shown_id(player)
        if not self.bearers:
            self.bearers.update([one.details.name for one in self.state.players if one.status != REMOVED])
        mine = self.state.players[player - 1]
        name = mine.details.name
        if self.bearers[name] == 1 and mine.status != REMOVED and not name.startswith(ERASED):
            return name
        alike = [one for one in self.state.players if one.details.name == name and one.status != REMOVED]
        return name_among([*alike, mine], player)

    def pair(self, board: Board) -> str:
        return f"{self.of(board[0])} – {self.of(board[1])}"


def log_lines(
    facts: Sequence[Recorded],
    state: Tournament = NOTHING,
    last: Tournament | None = None,
    wanted: Container[int] | None = None,
) -> list[LogLine]:
    """The facts of one tournament in words, from the first one on or from those that follow a state.

    ``last`` is the state after all of them, where it is known already; ``wanted`` are the versions that are
    asked for, where not all are.
    """
    names, lines = Names(state), list[LogLine]()
    for recorded in facts:
        known = last if last is not None and last.version == recorded.version else None
        before, names = names, Names(known or evolve(names.state, recorded.fact), names)
        if wanted is not None and recorded.version not in wanted:
            continue
        message = told(recorded.fact, names, before)
        text = Speaker(names=names).say(message)
        lines.append(
            LogLine(
                version=recorded.version,
                when=recorded.when,
                who=recorded.who,
                kind=events.TAGS[type(recorded.fact)],
                text=text,
                message=message,
                people=names.asked,
                why=recorded.why,
                acknowledged=recorded.acknowledged,
                accepted=tuple([accepted(one, names) for one in recorded.acknowledged]),
                hash=recorded.hash,
            )
        )
    return lines


def remark_on(state: Tournament, message: Message) -> Remark:
    """A message in English words, with the names of its players as this state has them."""
    names = Names(state)
    return Remark(text=Speaker(names=names).say(message), message=message, people=names.asked)


def accepted(warning: str, names: Names) -> str:
    """A warning as it is stored, with the names of the players instead of their ids."""
    code, *players = warning.split()
    called = enumerated(names.of(int(id[1:])) for id in players)
    return f"{code} ({called})" if called else code


def told(fact: Event, names: Names, before: Names) -> Message:
    """What happened: the stored name of the fact is the code, its own fields are the fields.

    ``before`` has the names as they were until this fact.
    """
    return Message(f"log.{events.TAGS[type(fact)]}", {**_own(fact), **_further(fact, names.state, before)})


def _own(fact: Event) -> dict[str, Any]:
    values = ((name, getattr(fact, name)) for name in fact.__struct_fields__ if name in KINDS)
    return {name: value for name, value in values if value is not UNSET and not isinstance(value, dict)}


def _further(fact: Event, state: Tournament, before: Names) -> Fields:
    """What the sentence of a fact needs that is not one of its fields, or has another name there."""
    match fact:
        case events.TournamentOpened(regulations=r):
            return Fields(name=r.name, rounds=r.rounds, edition=r.edition, count=cycles_of(r))
        case events.TournamentImported(source=source, format=format):
            return Fields(file=source, kind=format)
        case events.TournamentDetailsChanged(changes=changes):
            return Fields(changes=changes_told(given(changes)))
        case events.PlayerRegistered(details=d):
            return Fields(name=f"{d.title} {d.name}".lstrip(), rating=d.rating)
        case events.PlayerDetailsCorrected(player=player, changes=changes):
            return Fields(name=before.of(player), changes=changes_told(given(changes)))
        case events.RatingCorrected(scope=scope, was=was):
            waits = scope != "rating-report-only" and thaw_with_pairing(state)
            cause = "closed" if state.closed else "unpublished" if waits else ""
            return Fields(cause=cause, earlier=was, was=None)
        case events.PlayerMerged(player=player):
            byes = state.players[player - 1].byes
            return Fields(byes=[say("log.bye-lost", letter=letter, round=round) for round, letter in byes])
        case events.PrizesPublished(awards=awards):
            return Fields(count=len(awards), value=money(sum(award.amount for award in awards)))
        case events.PersonErased(player=player, pieces=pieces):
            return Fields(id=shown_id(player), parts=len(pieces))
        case events.PairingProhibited(first=first, last=last):
            return Fields(always=(first, last) == (1, 999))
        case events.PairingNumbersAssigned():
            return Fields(entered=len(numbers_in_force(state, state.paired + 1)))
        case events.PairingNumbersFrozen(numbers=numbers):
            return Fields(last=len(numbers or ()), numbers=())
        case events.RoundPaired(boards=boards, origin=origin, engine=engine):
            return Fields(count=len(boards), boards=(), numbers=(), engine=engine or origin)
        case events.PairingsAltered():
            return altered(fact)
        case (
            events.ResultRecorded(round=round, board=board, outcome=outcome)
            | events.ResultCorrected(round=round, board=board, outcome=outcome)
        ):
            game = state.rounds[round - 1].game(board)
            return Fields(white=game.white, black=game.black, result=outcome)
        case events.GameAdjourned(round=round, board=board) | events.ResultCleared(round=round, board=board):
            game = state.rounds[round - 1].game(board)
            return Fields(white=game.white, black=game.black)
        case events.ColoursCorrected(round=round, board=board, scope=scope):
            view = RATING_REPORT if scope == "rating-report-only" else CURRENT
            return Fields(result=state.rounds[round - 1].game(board, view).outcome)
        case events.BoardsCorrected(boards=boards, was=was, pab=pab, pab_was=pab_was):
            moved = pab != pab_was
            now, instead = seats_told(boards, pab * moved), seats_told(was, pab_was * moved)
            return Fields(boards=(), was=None, now=now, instead=instead)
        case events.ExternalTiebreakSet(value=value):
            return Fields(value=f"{value / 100:g}")
        case events.FideModeLeft(round=round):
            return Fields(rounds=round)
        case _:
            return Fields()


def altered(fact: events.PairingsAltered) -> Fields:
    """The arbiter's boards that the engine did not give, and the engine's that were dropped."""
    new, old = differing(fact)
    cause = "" if new or old else "same" if fact.boards == fact.engine_boards else "order"
    nothing = [say("log.nothing")]
    return Fields(boards=(), cause=cause, now=new or nothing, instead=old or nothing)


def how_numbered(log: Sequence[Recorded], state: Tournament) -> Message:
    """How the numbers of a table came about, with the seed of lots."""
    if not numbers_drawn(state):
        return say("log.numbers-undrawn")
    fact = log[state.order_at - 1].fact
    assert isinstance(fact, events.PairingNumbersAssigned)
    order = ", ".join(state.regulations.initial_order)
    return say("log.numbers-by", cause=fact.cause, value=fact.seed or order)


def changes_told(values: dict[str, object]) -> list[Message]:
    """New values of fields, one by one, and what each result is worth."""
    scoring = values.get("scoring")
    worth = asdict(scoring) if isinstance(scoring, Scoring) else {}
    told = [_changed(name, value) for name, value in values.items() if value is not scoring or not worth]
    return [*told, *(say("log.worth", worth=name, points=tenths) for name, tenths in worth.items())]


def _changed(name: str, value: object) -> Message:
    if isinstance(value, bool):
        return say("log.yes-or-no", label=name, yes=value)
    text = " ".join(map(str, value)) if isinstance(value, tuple) else str(value)
    return say("log.changed", label=name, value=text)


def concerning(log: Iterable[Recorded], player: int) -> set[int]:
    """Versions of the facts that name a player, or a board the player sat at."""
    state = NOTHING
    versions = set()
    for recorded in log:
        fact = recorded.fact
        state = evolve(state, fact)
        match fact:
            case events.RoundPaired(boards=boards, pab=pab) | events.PairingsAltered(boards=boards, pab=pab):
                named = {pab, *(id for board in boards for id in board)}
            case events.PlayerMerged(player=double, into=into):
                named = {double, into}
            case _ if isinstance(fact, events.OnBoard):
                game = state.rounds[fact.round - 1].game(fact.board)
                named = {game.white, game.black}
            case events.BoardsCorrected(boards=played, pab=pab, pab_was=pab_was):
                named = {id for one in played for id in (one.white, one.black)} | {pab, pab_was}
            case _:
                named = {getattr(fact, "player", 0), *getattr(fact, "players", ())}
        if player in named:
            versions.add(recorded.version)
    return versions


def at_board(log: Iterable[Recorded], round: int, board: int = 0) -> set[int]:
    """Versions of the facts about a round, or about one board of it and who sits there."""
    versions = set()
    for recorded in log:
        fact = recorded.fact
        if getattr(fact, "round", 0) != round or hasattr(fact, "player"):
            continue
        boards = (
            [one.board for one in fact.boards]
            if isinstance(fact, events.BoardsCorrected)
            else [getattr(fact, "board", board)]
        )
        if not board or board in boards:
            versions.add(recorded.version)
    return versions


def of_kinds(words: Iterable[str]) -> set[str]:
    """Stored names of the kinds meant: ``result-corrected``, or a word that several share, ``result``."""
    known = set(events.TAGS.values())
    found = set()
    for word in words:
        meant = {name for name in known if word == name or any(p.startswith(word) for p in name.split("-"))}
        if not meant:
            raise Unknown("no-such-fact", text=word, known=sorted(known))
        found |= meant
    return found
