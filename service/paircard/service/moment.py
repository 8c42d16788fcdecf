"""A tournament at one moment: everything that can be read from its facts up to there."""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Final, TypeVar

import msgspec

from paircard.domain.commands import CorrectBoards
from paircard.domain.deciding.decision import board_of, need_type, player_of, round_of, signed
from paircard.domain.errors import Invalid, Unknown
from paircard.domain.events import TAGS, PairingsAltered, Recorded, RoundPaired
from paircard.domain.log.reader import Memory, entry_of
from paircard.domain.state import Tournament as State
from paircard.domain.state import state_after
from paircard.domain.values.prizes import Category
from paircard.domain.values.regulations import Regulations
from paircard.projections.log_lines import LogLine, at_board, concerning, log_lines, of_kinds
from paircard.projections.norms import Norms, norms_of
from paircard.projections.prizes import Basis, basis_of
from paircard.projections.ratings import Ratings, ratings_of
from paircard.projections.round.cards import Card, card_of, cards, scores_before
from paircard.projections.round.crosstable import Crosstable, Row, who_came
from paircard.projections.standings.standings import Comparison, Ranking, final_table, ranking
from paircard.projections.standings.tiebreaks import Explanation
from paircard.projections.views import last_published, table_after, table_for_rating
from paircard.service.desk import Person, trying
from paircard.service.explaining import (
    Explained,
    Reasons,
    explain_round,
    explain_why,
    explain_why_not,
    round_of_log,
)
from paircard.service.explaining import Round as Asked
from paircard.service.finding import PlayerMeant, find_player, roster
from paircard.service.pairing import (
    Change,
    PlayedBoard,
    propose_boards_as_played,
    propose_exchange_as_played,
)
from paircard.service.pairing_sheets import Round, people_on_sheet, view_round
from paircard.service.prizes import (
    Group,
    PlayerPrizes,
    Prizes,
    announced_category,
    category_asked,
    group_of,
    player_prizes,
    prizes_of,
)
from paircard.service.reports import Dialect, export_report
from paircard.service.review.replay import Replayed, ReplayedPrizes, replay, replay_prizes
from paircard.service.review.what_if import (
    Alteration,
    Correction,
    Preview,
    Supposed,
    WhatIf,
    preview,
    preview_alteration,
    what_if,
)
from paircard.service.views import (
    Overview,
    Players,
    Standings,
    Summary,
    round_meant,
    summary_of,
    view_players,
    view_standings,
)

T = TypeVar("T")
EVERY_FACT: Final = 1_000_000
"""Rounds that a view rests on which any fact may change."""


class Moment:
    """The facts up to a moment, and every view of them. Nothing here writes.

    A view is made once, and remembered for later moments that it is the same in.
    """

    def __init__(
        self, id: str, state: State, facts: Callable[[], Sequence[Recorded]], memory: Memory | None = None
    ) -> None:
        self.id: Final = id
        """Of the tournament."""
        self.state: Final = state
        """The facts, folded: what deciding sees, and what every view is cut from."""
        self._read_facts: Final = facts
        self._memory: Final = memory or Memory()

    @classmethod
    def of(cls, facts: Sequence[Recorded]) -> "Moment":
        """The moment after these facts."""
        return cls(facts[0].tournament, state_after(facts), lambda: facts)

    def followed_by(self, facts: Sequence[Recorded]) -> "Moment":
        """The moment after some more facts, which remembers what they do not touch."""
        if not facts:
            return self
        state, all_facts = state_after(facts, self.state), [*self.facts, *facts]
        return Moment(self.id, state, lambda: all_facts, self._memory.after(self.state, state))

    @cached_property
    def facts(self) -> Sequence[Recorded]:
        """In order; the first opened the tournament. Read when they are first asked for."""
        return self._read_facts()

    def once(self, name: str, make: Callable[[], T]) -> T:
        """What somebody makes of the moment as a whole under a name; made once for all who ask."""
        return self._memory.once(name, make, rounds=EVERY_FACT)

    def keep(self, name: Hashable, make: Callable[[], T], *, rounds: int, names: bool = True) -> T:
        """What somebody makes of the results of so many first rounds, kept until a fact changes them."""
        return self._memory.once(name, make, rounds=rounds, names=names)

    @property
    def version(self) -> int:
        """How many facts there are."""
        return self.state.version

    @property
    def regulations(self) -> Regulations:
        return self.state.regulations

    def summary(self) -> Summary:
        """How far the tournament has come."""
        return summary_of(entry_of(self.state, self.id))

    def overview(self) -> Overview:
        """How far it has come, with its regulations."""
        return Overview(**msgspec.structs.asdict(self.summary()), regulations=self.regulations)

    def players(self) -> Players:
        """Everyone registered, with their pairing numbers."""
        return view_players(self.state)

    def player(self, text: PlayerMeant) -> int:
        """The id of the player meant: by id (1, ``p1``), pairing number (``"1"``), name, or a part of it."""
        return player_of(self.state, find_player(roster(self.state), text)).id

    def boards(self, round: int | None = None) -> Round:
        """A paired round; the one people are in by default."""
        try:
            number = round_of(self.state, self.state.current if round is None else round).number
        except Unknown as refusal:
            taken_back = [
                one.version
                for one in self.facts
                if isinstance(one.fact, RoundPaired) and one.fact.round == round
            ]
            if not taken_back:
                raise
            raise Unknown("round-taken-back", what=refusal.said, version=taken_back[-1]) from None
        sheet = self.keep(("sheet", number), lambda: people_on_sheet(self.state, number), rounds=number - 1)
        return self.keep(("round", number), lambda: view_round(self.state, number, sheet), rounds=number)

    def standings(self, after: int | None = None, *, final: bool = False) -> Standings:
        """The standings after a round; the last finished one by default."""
        if final:
            return view_standings(self.state, final_table(self.state))
        round = round_meant(self.state, after)
        return self.keep(
            ("standings", round),
            lambda: view_standings(self.state, self._table(round)),
            rounds=round,
        )

    def seats(self, round: int) -> dict[int, int]:
        """The board of everybody who had one in a round, by id."""
        games = round_of(self.state, round).games
        return self.keep(
            ("seats", round),
            lambda: {id: at for at, game in enumerate(games(), start=1) for id in (game.white, game.black)},
            rounds=round,
        )

    def places(self, round: int) -> dict[int, int]:
        """Everybody's place after a round, by id; 0 for none."""
        round = round_meant(self.state, round)
        by_number = any("TPN" in code for code in self.regulations.tiebreaks)  # which may follow from names
        return self.keep(
            ("places", round),
            lambda: {line.id: line.rank for line in ranking(self.state, self._table(round)).lines()},
            rounds=round,
            names=by_number,
        )

    def explain_standing(self, player: int, after: int | None = None) -> tuple[Explanation, ...]:
        """The arithmetic of one player's points and tie-breaks."""
        need_type("player", player, int)
        return self._ranking(round_meant(self.state, after)).explanations(player)

    def compare_standings(self, one: int, other: int, after: int | None = None) -> Comparison:
        """Why one of two players is placed above the other, tie-break by tie-break."""
        need_type("player", one, int)
        need_type("player", other, int)
        return self._ranking(round_meant(self.state, after)).compare(one, other)

    def crosstable(self, after: int | None = None, *, for_rating: bool = False) -> Crosstable:
        """Opponent, colour and result of every player's rounds; or as the rating report has them."""
        if for_rating:
            return who_came(table_for_rating(self.state))
        round = last_published(self.state) if after is None else round_meant(self.state, after)
        return self.keep(("came", round), lambda: who_came(self._table(round)), rounds=round)

    def _table(self, round: int) -> Crosstable:
        """The crosstable after a round; made once."""
        return self.keep(("table", round), lambda: table_after(self.state, round), rounds=round)

    def _ranking(self, round: int) -> Ranking:
        """That crosstable ranked; made once for all who ask for its arithmetic."""
        return self.keep(("ranking", round), lambda: ranking(self.state, self._table(round)), rounds=round)

    def cards(self) -> dict[int, Card]:
        """Every player's pairing card, by id."""
        table = self._table(self.state.paired)
        return self.once("cards", lambda: cards(table, self.regulations.edition))

    def card(self, player: int) -> Card:
        """A player's pairing card."""
        row = self.rows()[player_of(self.state, player).id]
        last = self.state.paired
        table = self._table(last)
        scores = self.keep(("scores", last), lambda: scores_before(table), rounds=last - 1)
        return card_of(row, table, scores, self.regulations.edition)

    def rows(self) -> dict[int, Row]:
        """Everybody's row of the crosstable after the last paired round, by id."""
        table = self._table(self.state.paired)
        return self.once("rows", lambda: {row.id: row for row in table.rows})

    def ratings(self) -> Ratings:
        """Everybody's rating change or first rating, game by game (B.02)."""
        return self.once("ratings", lambda: ratings_of(self.state))

    def prizes(self) -> Prizes:
        """Who gets which prize by the standings as they are, and whether the list given out is proven."""
        return self.once("prizes", lambda: prizes_of(self.state, self.facts, self._basis()))

    def player_prizes(self, player: int) -> PlayerPrizes:
        """One player's prizes, why not the others, and what the games to come may bring."""
        id = player_of(self.state, player).id
        lines = self.standings(last_published(self.state)).standings
        groups = next((line.groups for line in lines if line.id == id), {})
        return player_prizes(self.state, self._basis(), id, groups)

    def _basis(self) -> Basis:
        """What the prizes follow from, made once for all players."""
        after = last_published(self.state)
        lines = self.standings(after).standings
        return self.once("basis", lambda: basis_of(self.state, self._table(after), lines))

    def group(self, category: str, after: int | None = None) -> Group:
        """A category after a round: places within it, and of all."""
        need_type("category", category, str)
        return self._group(announced_category(self.state, category), after)

    def group_where(self, conditions: Sequence[str], after: int | None = None) -> Group:
        """A group that nobody announced, of those who meet every condition: ``women``, ``rating<1800``."""
        need_type("conditions", conditions, list[str])
        return self._group(category_asked(conditions, self.regulations.starts), after)

    def _group(self, category: Category, after: int | None) -> Group:
        round = round_meant(self.state, after)
        return group_of(self.state, category, round, self.standings(round).standings)

    def norms(self) -> Norms:
        """Everybody's verdict for each title, requirement by requirement (B.01)."""
        return self.once("norms", lambda: norms_of(self.state))

    def log(
        self,
        *,
        player: int = 0,
        round: int = 0,
        board: int = 0,
        kinds: Iterable[str] = (),
        versions: Iterable[int] | None = None,
        last: int = 0,
    ) -> list[LogLine]:
        """The facts in words: all, or those about a player, a round, a board of it, or of some kinds.

        Or those with some versions, or the last of what is left.
        """
        wanted = set(range(1, self.version + 1) if versions is None else versions)
        if player:
            wanted &= concerning(self.facts, player)
        if round:
            self.need_board(round, board)
            wanted &= at_board(self.facts, round, board)
        if words := tuple(kinds):
            named = of_kinds(words)
            wanted &= {one.version for one in self.facts if TAGS[type(one.fact)] in named}
        if last:
            wanted = set(sorted(wanted)[-last:])
        return log_lines(self.facts, wanted=wanted)

    def need_board(self, round: int, board: int) -> None:
        """Refuse a round that was never paired, or a board that none of its pairings had."""
        sheets = [
            fact.fact.boards
            for fact in self.facts
            if isinstance(fact.fact, RoundPaired | PairingsAltered) and fact.fact.round == round
        ]
        if not sheets:
            round_of(self.state, round)
        elif board > max(map(len, sheets)):
            board_of(round_of(self.state, round), board)

    def report(self, after: int | None = None, *, dialect: Dialect = "trf26", newline: str = "\n") -> str:
        """The tournament as a report file (TRF)."""
        need_type("after", after, int | None)
        need_type("dialect", dialect, Dialect)
        need_type("newline", newline, str)
        return export_report(self.facts, self.state, after, dialect=dialect, newline=newline)

    def about(self, round: int | None = None) -> Asked:
        """A paired round, to ask why it is as it is; default: the last one."""
        return round_of_log(self.facts, self.state, round)

    def why(self, player: PlayerMeant, round: int | None = None) -> Reasons:
        """Why a player has this opponent and this colour; the player by id, or as people type it."""
        asked = self.about(round)
        return explain_why(asked, asked.player(player))

    def why_not(self, one: PlayerMeant, other: PlayerMeant, round: int | None = None) -> Reasons:
        """Why two players do not meet; ``bye`` for one of them asks about the bye."""
        asked = self.about(round)
        return explain_why_not(asked, asked.player_or_bye(one), asked.player_or_bye(other))

    def explain(self, round: int | None = None) -> Explained:
        """A whole round, bracket by bracket."""
        return explain_round(self.about(round))

    def replay(self, round: int | None = None) -> list[Replayed]:
        """Every recorded round made again from the facts alone, and compared."""
        return replay(self.facts, round)

    def replay_prizes(self) -> list[ReplayedPrizes]:
        """Every list of prizes on record computed again from the facts alone, and compared."""
        return replay_prizes(self.facts)

    def what_if(self, supposed: Sequence[Supposed]) -> WhatIf:
        """Other results from the start, and every later round paired again."""
        need_type("supposed", supposed, list[Supposed])
        return what_if(self.facts, supposed)

    def boards_as_played(
        self, round: int, boards: Mapping[int, PlayedBoard], pab: PlayerMeant = 0
    ) -> CorrectBoards:
        """The command that puts on record who really met; players by id, or as people type them."""
        need_type("boards", boards, dict[int, tuple[PlayerMeant, ...]])
        need_type("pab", pab, PlayerMeant)
        for board, seats in boards.items():
            if len(seats) not in (2, 3):
                raise Invalid("board-not-three", board=board, count=len(seats))
        return propose_boards_as_played(self.state, round, boards, pab)

    def seats_exchanged(self, round: int, one: int, other: int, results: tuple[str, str]) -> CorrectBoards:
        """The command for two players who sat in each other's seats; the first one's result comes first."""
        return propose_exchange_as_played(self.state, round, one, other, results)

    def preview(self, command: Correction, *, by: Person) -> Preview:
        """What a correction would change, and what stands although it was wrong."""
        return preview(self.facts, signed(command, trying(by)))

    def preview_alteration(self, change: Change, one: int, other: int, *, by: Person) -> Alteration:
        """The boards of the last round if two players changed seats or met, and each breach of the rules."""
        return preview_alteration(self.state, change, one, other, trying(by))
