"""The log as people read it: one line per fact, players by name, boards by who sat there."""

from collections.abc import Iterable, Iterator
from typing import assert_never

import msgspec

from paircard.domain.deciding.numbering import numbers_in_force
from paircard.domain.errors import Unknown
from paircard.domain.events import (
    EVENT_TYPES,
    Board,
    BoardsCorrected,
    ByeGranted,
    ByeRevoked,
    ColoursCorrected,
    Event,
    ExternalTiebreakSet,
    FideModeLeft,
    GameAdjourned,
    InitialColourDrawn,
    LotsDrawn,
    ManualPairingBegun,
    ManualPairingEnded,
    PairingNumbersAssigned,
    PairingNumbersFrozen,
    PairingProhibited,
    PairingsAltered,
    PersonErased,
    Played,
    PlayerDetailsCorrected,
    PlayerExpelled,
    PlayerMerged,
    PlayerRegistered,
    PlayerReinstated,
    PlayerRemoved,
    PlayerReturned,
    PlayerWithdrawn,
    ProhibitionLifted,
    RatingCorrected,
    RatingListed,
    Recorded,
    ResultCleared,
    ResultCorrected,
    ResultRecorded,
    RoundCompleted,
    RoundPaired,
    RoundPublished,
    RoundReopened,
    RoundUnpaired,
    Scope,
    TournamentClosed,
    TournamentDetailsChanged,
    TournamentImported,
    TournamentOpened,
    TournamentReopened,
    tag_of,
)
from paircard.domain.rounds import ADJOURNED, CURRENT, RATING_REPORT, outcome_in_words
from paircard.domain.state import NOTHING, Player, Tournament, entered, evolve, name_among
from paircard.domain.values.players import Details, shown_id
from paircard.domain.values.regulations import given
from paircard.domain.values.results import BYE_NAMES, spell
from paircard.domain.values.text import counted, enumerated, label

EFFECTS: dict[Scope, str] = {
    "pairing-next": "counts for the standings of the round and the next pairing",
    "pairing-after-next": "counts for the pairings yet to be made",
    "rating-report-only": "counts for the rating report only",
}
"""The three windows of C.04.2:4.3 in words."""

CAUSES = {
    "initial": " in the initial order",
    "late-entry": ", late entries included",
    "regenerated": " ranked again",
    "exchanged": ", two of them exchanged",
    "declared": " in the declared order",
}
"""Why numbers were assigned."""


class LogLine(msgspec.Struct, frozen=True, kw_only=True):
    """One fact for people."""

    version: int
    when: str
    who: str
    kind: str
    """The stored name of the fact."""
    text: str
    why: str = ""
    acknowledged: tuple[str, ...] = ()
    """The warnings that were accepted, as they are stored: ``3:rematch #4 #7``, by id."""
    accepted: tuple[str, ...] = ()
    """The same with names: ``3:rematch (Ada, Ben)``."""
    hash: str = ""


class Names:
    """Who is meant: the names of players and boards in one state of the tournament."""

    def __init__(self, state: Tournament, earlier: "Names | None" = None) -> None:
        self.state = state
        same = earlier is not None and earlier.state.players is state.players
        self._by_name: dict[str, list[Player]] = earlier._by_name if earlier and same else {}

    def of(self, player: int) -> str:
        if not 1 <= player <= len(self.state.players):
            return shown_id(player)
        if not self._by_name:
            for one in entered(self.state):
                self._by_name.setdefault(one.details.name, []).append(one)
        mine = self.state.players[player - 1]
        return name_among([*self._by_name.get(mine.details.name, ()), mine], player)

    def at(self, round: int, board: int) -> str:
        game = self.state.rounds[round - 1].game(board)
        return self.pair((game.white, game.black))

    def pair(self, board: Board) -> str:
        return f"{self.of(board[0])} – {self.of(board[1])}"


def log_lines(facts: Iterable[Recorded], state: Tournament = NOTHING) -> Iterator[LogLine]:
    """The facts of one tournament in words, from the first one on or from those that follow a state."""
    names = Names(state)
    for recorded in facts:
        before, names = names, Names(evolve(names.state, recorded.fact), names)
        yield LogLine(
            version=recorded.version,
            when=recorded.when,
            who=recorded.who,
            kind=tag_of(recorded.fact),
            text=in_words(recorded.fact, names, before),
            why=recorded.why,
            acknowledged=recorded.acknowledged,
            accepted=tuple(accepted(recorded.acknowledged, names)),
            hash=recorded.hash,
        )


def accepted(acknowledged: Iterable[str], names: Names) -> Iterator[str]:
    """Warnings as they are stored, with the names of the players instead of their ids."""
    for text in acknowledged:
        code, *players = text.split()
        called = enumerated(names.of(int(id[1:])) for id in players)
        yield f"{code} ({called})" if called else code


def in_words(fact: Event, names: Names, before: Names) -> str:
    """What happened, in one line; ``before`` has the names as they were until this fact."""
    match fact:
        case TournamentOpened(regulations=r):
            return f"{r.name} opened: {counted(r.rounds, 'round')}, {r.edition}"
        case TournamentImported(source=source, format=format):
            return f"imported from {source} ({format})"
        case TournamentDetailsChanged(changes=changes):
            return f"regulations changed: {listed(given(changes))}"
        case PlayerRegistered(details=details):
            return f"{described(details)} registered"
        case PlayerDetailsCorrected(player=player, changes=changes):
            return f"{before.of(player)} corrected: {listed(given(changes))}"
        case RatingCorrected(player=player, rating=rating, was=was, scope=scope):
            effect = "the pairing number stays, tie-breaks follow"
            if names.state.closed:
                effect = EFFECTS[scope]
            elif scope != "rating-report-only" and not names.state.rounds[-1].published:
                effect = "the pairing number stays unless the pairing is taken back, tie-breaks follow"
            return f"rating of {names.of(player)} corrected from {was} to {rating}: {effect}"
        case RatingListed(player=player, rating=rating, first=first):
            return f"rating of {names.of(player)} is {rating} from round {first} on"
        case PlayerWithdrawn(player=player, round=round):
            return f"{names.of(player)} withdrawn from round {round} on"
        case PlayerRemoved(player=player):
            return f"entry of {names.of(player)} removed"
        case PlayerMerged(player=player, into=into):
            byes = names.state.players[player - 1].byes
            lost = ", ".join(f"{BYE_NAMES[letter]} in round {round}" for round, letter in byes)
            noted = f"; not carried over: {lost}" if lost else ""
            return f"entry of {names.of(player)} merged into that of {names.of(into)}{noted}"
        case PlayerReturned(player=player, round=round):
            return f"{names.of(player)} back from round {round} on"
        case PlayerExpelled(player=player, round=round, ranked=ranked):
            standing = "stays in the standings" if ranked else "out of the standings"
            return f"{names.of(player)} expelled from round {round} on, {standing}"
        case PlayerReinstated(player=player, round=round):
            return f"expulsion of {names.of(player)} reversed, plays again from round {round} on"
        case PersonErased(player=player, pieces=pieces):
            return f"personal data of a player (id {shown_id(player)}) erased, {counted(len(pieces), 'part')}"
        case ByeGranted(player=player, round=round, letter=letter):
            return f"{BYE_NAMES[letter]} for {names.of(player)} in round {round}"
        case ByeRevoked(player=player, round=round):
            return f"bye of {names.of(player)} in round {round} revoked"
        case PairingProhibited(players=players, first=first, last=last):
            span = "" if (first, last) == (1, 999) else f" in rounds {first} to {last}"
            return f"{enumerated(map(names.of, players))} must not meet{span}"
        case ProhibitionLifted(players=players, round=round):
            return f"{enumerated(map(names.of, players))} may meet again from round {round} on"
        case InitialColourDrawn(colour=colour, method=method):
            how = "lot entered" if method == "entered" else "lot drawn"
            return f"{how}: number 1 begins with {colour_name(colour)}"
        case PairingNumbersAssigned(cause=cause):
            state = names.state
            numbered = len(numbers_in_force(state, state.paired + 1))
            return f"pairing numbers: {counted(numbered, 'player')}{CAUSES[cause]}"
        case PairingNumbersFrozen(round=round, numbers=numbers):
            which = f"pairing numbers 1 to {len(numbers)}" if numbers else "pairing numbers"
            return f"{which} frozen, round {round} is paired"
        case RoundPaired(round=round, boards=boards, pab=pab, edition=edition, origin=origin, engine=engine):
            bye = f", bye for {names.of(pab)}" if pab else ""
            by = engine or origin
            return f"round {round} paired: {counted(len(boards), 'board')}{bye} ({edition}, {by})"
        case RoundUnpaired(round=round):
            return f"round {round} unpaired"
        case RoundPublished(round=round):
            return f"round {round} published"
        case ManualPairingBegun(round=round):
            return f"round {round} taken into the arbiter's hands"
        case PairingsAltered():
            return altered_in_words(fact, names)
        case ManualPairingEnded(round=round, altered=altered):
            return f"manual pairing of round {round} ended, {'altered' if altered else 'nothing altered'}"
        case ResultRecorded(round=round, board=board, outcome=outcome):
            return f"round {round} board {board}: {names.at(round, board)} {spell(outcome)}"
        case GameAdjourned(round=round, board=board):
            return f"round {round} board {board}: {names.at(round, board)} adjourned"
        case ResultCleared(round=round, board=board, was=was):
            gone = "adjournment" if was == ADJOURNED else f"result {spell(was)}"
            return f"round {round} board {board}: {names.at(round, board)}, {gone} cleared"
        case ResultCorrected(round=round, board=board, outcome=outcome, was=was, scope=scope):
            return (
                f"round {round} board {board}: {names.at(round, board)} corrected from {spell(was)} "
                f"to {spell(outcome)}, {EFFECTS[scope]}"
            )
        case ColoursCorrected(round=round, board=board, white=white, black=black, scope=scope):
            view = RATING_REPORT if scope == "rating-report-only" else CURRENT
            now = outcome_in_words(names.state.rounds[round - 1].game(board, view).outcome)
            game = f"{names.pair((white, black))} {now}".rstrip()
            return f"round {round} board {board}: colours were {game}, {EFFECTS[scope]}"
        case BoardsCorrected(round=round, scope=scope):
            return f"round {round} played otherwise: {played_in_words(fact, names)}, {EFFECTS[scope]}"
        case RoundCompleted(round=round):
            return f"round {round} completed"
        case RoundReopened(round=round):
            return f"round {round} goes on: it was completed too early"
        case LotsDrawn(players=players, method=method):
            how = "lots drawn" if method == "lots" else "ranked by hand"
            return f"{how}: {enumerated(map(names.of, players))}"
        case ExternalTiebreakSet(player=player, name=name, value=value):
            return f"{name} of {names.of(player)} set to {value / 100:g}"
        case FideModeLeft(round=round):
            return f"FIDE mode left after {counted(round, 'round')}"
        case TournamentClosed(rounds=rounds):
            return f"tournament closed after {counted(rounds, 'round')}"
        case TournamentReopened(rounds=rounds):
            return f"tournament reopened after {counted(rounds, 'round')}"
        case _:
            assert_never(fact)


def altered_in_words(fact: PairingsAltered, names: Names) -> str:
    """The arbiter's boards that the engine did not give, and the engine's that were dropped."""
    new = [names.pair(board) for board in fact.boards if board not in fact.engine_boards]
    old = [names.pair(board) for board in fact.engine_boards if board not in fact.boards]
    if fact.pab != fact.engine_pab:
        new += [f"{names.of(fact.pab)} bye"] if fact.pab else []
        old += [f"{names.of(fact.engine_pab)} bye"] if fact.engine_pab else []
    if not new and not old:
        order = "" if fact.boards == fact.engine_boards else ", in another order"
        return f"round {fact.round} by hand: the engine's boards{order}"
    return (
        f"round {fact.round} altered: {'; '.join(new) or 'nothing'} instead of {'; '.join(old) or 'nothing'}"
    )


def played_in_words(fact: BoardsCorrected, names: Names) -> str:
    """The boards as they were played, in place of those on record."""

    def seats(boards: Iterable[Played], pab: int) -> str:
        found = [f"board {one.board} {game_in_words(one, names)}" for one in boards]
        return "; ".join([*found, *([f"{names.of(pab)} bye"] if fact.pab != fact.pab_was else [])])

    return f"{seats(fact.boards, fact.pab)} instead of {seats(fact.was, fact.pab_was)}"


def game_in_words(played: Played, names: Names) -> str:
    """Who met, and the result."""
    return f"{names.pair((played.white, played.black))} {outcome_in_words(played.outcome)}".rstrip()


def described(details: Details) -> str:
    """Title, name and rating."""
    rating = str(details.rating) if details.rating else "unrated"
    return " ".join(word for word in (details.title, details.name, rating) if word)


def listed(values: dict[str, object]) -> str:
    return "; ".join(f"{label(name)} {plain(value)}" for name, value in values.items())


def plain(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return " ".join(map(str, value)) or "none"
    return str(value) if value != "" else "none"


def colour_name(colour: str) -> str:
    return {"w": "White", "b": "Black"}[colour]


def concerning(log: Iterable[Recorded], player: int) -> set[int]:
    """Versions of the facts that name a player, or a board the player sat at."""
    state = NOTHING
    versions = set()
    for recorded in log:
        fact = recorded.fact
        state = evolve(state, fact)
        match fact:
            case RoundPaired(boards=boards, pab=pab) | PairingsAltered(boards=boards, pab=pab):
                named = {pab, *(id for board in boards for id in board)}
            case (
                PairingProhibited(players=players)
                | ProhibitionLifted(players=players)
                | LotsDrawn(players=players)
            ):
                named = set(players)
            case PlayerMerged(player=double, into=into):
                named = {double, into}
            case (
                ResultRecorded(round=round, board=board)
                | GameAdjourned(round=round, board=board)
                | ResultCleared(round=round, board=board)
                | ResultCorrected(round=round, board=board)
                | ColoursCorrected(round=round, board=board)
            ):
                game = state.rounds[round - 1].game(board)
                named = {game.white, game.black}
            case BoardsCorrected(boards=played, pab=pab, pab_was=pab_was):
                named = {id for one in played for id in (one.white, one.black)} | {pab, pab_was}
            case _:
                named = {getattr(fact, "player", 0)}
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
            if isinstance(fact, BoardsCorrected)
            else [getattr(fact, "board", board)]
        )
        if not board or board in boards:
            versions.add(recorded.version)
    return versions


def of_kinds(words: Iterable[str]) -> set[str]:
    """Stored names of the kinds meant: ``result-corrected``, or a word that several share, ``result``."""
    known = {str(kind.__struct_config__.tag) for kind in EVENT_TYPES}
    found = set()
    for word in words:
        meant = {name for name in known if word == name or any(p.startswith(word) for p in name.split("-"))}
        if not meant:
            raise Unknown(f"no fact is called {word[:40]!r}: they are {', '.join(sorted(known))}")
        found |= meant
    return found
