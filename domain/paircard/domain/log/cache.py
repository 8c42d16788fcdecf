"""A log as far as it was read: enough to decide without reading it again."""

from collections.abc import Sequence

import msgspec

from paircard.domain.errors import CorruptFile
from paircard.domain.events import Recorded
from paircard.domain.log.chain import GENESIS, decode_chain, decode_fact, rows_after
from paircard.domain.log.conflict import LastFacts, note_last_facts
from paircard.domain.log.rows import Row, Rows
from paircard.domain.state import NOTHING, Tournament, fold

NONSENSE = (LookupError, ValueError, TypeError, AssertionError)
"""What a fold raises on facts that no desk recorded."""


class CachedLog(msgspec.Struct, frozen=True):
    """State and head after the facts that were read."""

    state: Tournament = NOTHING
    head: str = GENESIS
    answers: dict[str, list[int]] = msgspec.field(default_factory=dict)
    """Versions of the facts of each command id: only ever added to, so older states may share it."""
    last_facts: LastFacts = msgspec.field(default_factory=dict)
    """The last fact about a board, a player, a round: shared in the same way."""

    @property
    def last_seen(self) -> int:
        """Where to read on: the last fact is read again, to see that it is still there."""
        return max(0, self.state.version - 1)

    def read_further(self, tournament: str, rows: Sequence[Row]) -> "CachedLog":
        """The log with the facts from ``last_seen`` on; refuses a store that lost the last one."""
        end = self.state.version, self.head
        return self.apply_facts(decode_chain(tournament, rows_after(tournament, rows, *end), *end))

    def is_part_of(self, facts: Sequence[Recorded]) -> bool:
        """Whether these facts begin with those that were read."""
        version = self.state.version
        return not version or (version <= len(facts) and facts[version - 1].hash == self.head)

    def apply_facts(self, facts: Sequence[Recorded]) -> "CachedLog":
        """The log with the next facts."""
        if not facts:
            return self
        try:
            state = fold([fact.fact for fact in facts], self.state)
        except NONSENSE:
            raise CorruptFile(
                f"a fact of tournament {facts[0].tournament} does not follow from the facts before it: "
                "the log is forged or damaged, see paircard verify"
            ) from None
        self.note(facts)
        return CachedLog(state, facts[-1].hash, self.answers, self.last_facts)

    def note(self, facts: Sequence[Recorded]) -> None:
        """Remember whose facts these are."""
        for fact in facts:
            self.answers.setdefault(fact.command_id, []).append(fact.version)
        note_last_facts(self.last_facts, facts)

    def facts_of(self, tournament: str, id: str, rows: Rows) -> tuple[Recorded, ...]:
        """The facts recorded under a command id."""
        versions = self.answers[id]
        between = rows(tournament, min(versions) - 1, max(versions))
        return tuple(decode_fact(tournament, *row) for row in between if row[0] in versions)

    def state_before(self, tournament: str, version: int, rows: Rows) -> Tournament:
        """The state a fact met."""
        return fold(decode_fact(tournament, *row).fact for row in rows(tournament, 0, version - 1))
