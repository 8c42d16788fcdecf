"""Errors: what stands in the way, what was asked, and the way out, for the person who must act.

An error holds a message, a code with typed fields; ``str`` says it in English, a door in any language.
A message names no option of any program: each door adds its own.

PaircardError
├── Refused                         a request that changes nothing
│   ├── Invalid                     a value that no tournament could take
│   │   └── RulesUnknown            a report names a system that is not the Dutch one (service)
│   ├── Unknown                     a player, round, board or tournament that does not exist
│   │   ├── NoSuchPlayer            nobody, or more than one, is meant by a name
│   │   └── NoSuchTournament        none, or more than one, is meant by a name
│   ├── Duplicate                   it already exists
│   │   └── IdTaken                 the id was used for another command
│   ├── NotNow                      right in itself, but not at this point of the tournament
│   │   ├── RegulationsLocked       round 1 is paired
│   │   ├── NumbersFrozen           round 4 is paired (C.04.2:2.3)
│   │   ├── NotNumbered             pairing numbers are not assigned yet
│   │   ├── RoundIncomplete         results are missing
│   │   ├── ManualSessionOpen       a round is being paired by hand
│   │   └── TournamentOver          the tournament is closed
│   ├── StaleDecision               decided on an older version of the log
│   ├── IllegalPairing              these boards are not a round
│   ├── ReasonMissing               a correction needs a reason
│   ├── Prohibited                  level 5: not in FIDE mode
│   ├── NeedsAcknowledgement        levels 2 to 4: may be repeated with the acknowledgement
│   ├── LibraryMissing              an optional package is not installed
│   └── StoreRefused                the database file
│       ├── ForeignFile             not a file of ours
│       ├── CorruptFile             damaged, or changed by hand
│       ├── SetBack                 facts that were there are gone
│       ├── NewerFile               written by a newer version
│       ├── Busy                    somebody else is writing
│       └── Unreachable             cannot be opened or created
│           ├── Replaced            another file is in its place, or none
│           └── OutcomeUnknown      it went away: what was asked may be recorded, or not
├── StandingsError                  a list of tie-breaks, or the moment standings are asked for (projections)
├── TrfError                        a report file that cannot be read (projections)
├── PairingError                    a snapshot that contradicts itself (pairing)
├── NoLegalRound                    no round complies with the absolute criteria (pairing)
└── ImpossibleSettings              a random tournament that cannot exist (pairing)
"""

from collections.abc import Mapping
from typing import Any, Final, Unpack

import msgspec

from paircard.domain.messages import Fields, Message, say

__all__ = [
    "Busy", "Caution", "CorruptFile", "Deed", "Duplicate", "ForeignFile", "IdTaken", "IllegalPairing",
    "Invalid", "LibraryMissing", "ManualSessionOpen", "NeedsAcknowledgement", "NewerFile",
    "NoSuchPlayer", "NoSuchTournament", "NotNow", "NotNumbered", "NumbersFrozen", "OutcomeUnknown",
    "PaircardError", "Prohibited", "ReasonMissing", "Refused", "RegulationsLocked", "Replaced",
    "RoundIncomplete", "SetBack", "StaleDecision", "StoreRefused", "TournamentOver", "Unknown",
    "Unreachable",
]  # fmt: skip


class Deed(msgspec.Struct, frozen=True):
    """What somebody did, as far as a refusal needs it."""

    version: int
    who: str
    when: str
    what: str
    """The stored name of the fact."""


class PaircardError(Exception):
    """Anything Paircard says no to. Never raised directly; its text is a line for people."""

    said: Message
    """What it says: a code and its fields."""
    names: Mapping[int, str] = {}
    """Names of the players it speaks of."""
    article: str = ""
    """The article of the regulations it rests on."""
    place: str = ""
    """The file, the line or the id it is about; a door that read one says it first."""
    added: tuple[Message, ...] = ()
    """What a door says after it, such as that nothing was recorded."""

    def __init__(self, code: str, /, **fields: Unpack[Fields]) -> None:
        super().__init__(code)
        self.said = Message(code, fields)

    def __str__(self) -> str:
        from paircard.domain.speaking import Speaker  # words are made when asked for, and speaking knows us

        return Speaker().refusal(self)

    def __reduce__(self) -> tuple[Any, ...]:
        """As it is sent to another process, whatever it takes to make one."""
        return _made_again, (type(self), self.args, self.__dict__)


def _made_again(kind: type[PaircardError], args: tuple[Any, ...], fields: dict[str, Any]) -> PaircardError:
    made = kind.__new__(kind, *args)
    made.__dict__.update(fields)
    return made


class Refused(PaircardError):
    """A request that was refused; nothing was written. Never raised directly."""

    other: Deed | None = None
    """What somebody else did that stands in the way, if that is known."""
    command: int | None = None
    """Which of several commands was refused, counted from 0; None where that says nothing."""
    line: int = 0
    """Which line of a sheet was refused; 0 where there is no sheet."""


class Invalid(Refused):
    """A value that no tournament could take."""


class Unknown(Refused):
    """A player, round, board or tournament that does not exist."""


class NoSuchPlayer(Unknown):
    """Nobody is meant by what was typed, or several players may be."""

    @property
    def found(self) -> int:
        """How many may be meant, where there are players to choose from."""
        return int(self.said.fields.get("candidates", 1))


class NoSuchTournament(Unknown):
    """No tournament is meant by what was typed, or several may be."""

    @property
    def there(self) -> int:
        """How many tournaments the store holds."""
        return int(self.said.fields["there"])


class Duplicate(Refused):
    """It already exists."""


class IdTaken(Duplicate):
    """The id was used for another command, which is what would be answered."""

    def __init__(self, id: str, deed: Message, versions: tuple[int, ...] = ()) -> None:
        self.id: Final = id
        self.deed: Final = deed
        """What was recorded under it."""
        self.versions: Final = versions
        """The facts that were recorded under the id."""
        super().__init__("id-taken", id=id[:40], deed=deed)


class NotNow(Refused):
    """Right in itself, but not at this point of the tournament."""


class RegulationsLocked(NotNow):
    """Round 1 is paired, the regulations of the event stand."""


class NumbersFrozen(NotNow):
    """Round 4 is paired, pairing numbers stand (C.04.2:2.3)."""


class NotNumbered(NotNow):
    """Pairing numbers are assigned when round 1 is paired; until then they name nobody."""


class RoundIncomplete(NotNow):
    """Results are missing."""


class ManualSessionOpen(NotNow):
    """A round is being paired by hand."""


class TournamentOver(NotNow):
    """The tournament is closed."""


class StaleDecision(Refused):
    """The log has moved on since the decision was made."""

    @property
    def version(self) -> int | None:
        """Where the tournament is now, if that is known."""
        return self.said.fields.get("version")


class IllegalPairing(Refused):
    """These boards are not a round of this tournament."""


class ReasonMissing(Refused):
    """A correction or an alteration needs a reason."""


class Prohibited(Refused):
    """Level 5: refused in FIDE mode (VCL §1.1)."""


class Caution(msgspec.Struct, frozen=True):
    """What the regulations tolerate but do not want, with its level (VCL §1.1)."""

    level: int
    """2 take note · 3 confirm · 4 confirm twice, the consequences stated."""
    code: str
    """Short name by which it is acknowledged."""
    said: Message
    players: tuple[int, ...] = ()
    """Ids of the players it concerns."""
    proof: str = ""
    """If there is one, it is acknowledged by the code and this, so only after reading the warning."""
    article: str = ""
    """The article of the regulations it rests on."""
    names: Mapping[int, str] = {}
    """Names of the players it speaks of."""

    @property
    def message(self) -> str:
        """The warning in English."""
        from paircard.domain.speaking import Speaker  # words are made when asked for, and speaking knows us

        return Speaker().warning(self)

    @property
    def answer(self) -> str:
        """What acknowledges it."""
        return f"{self.code}-{self.proof}" if self.proof else self.code


class NeedsAcknowledgement(Refused):
    """Levels 2 to 4: the same command is accepted once these warnings are acknowledged."""

    warnings: tuple[Caution, ...]

    def __init__(self, warnings: tuple[Caution, ...]) -> None:
        self.warnings = warnings
        gravest = max(warnings, key=lambda w: w.level)
        self.level: Final = gravest.level
        self.code: Final = gravest.code
        super().__init__(
            "acknowledgement-missing",
            reasons=[say("warned", what=one.said, article=one.article, level=one.level) for one in warnings],
            codes=list(dict.fromkeys(one.answer for one in warnings)),
        )
        self.names = {id: name for one in warnings for id, name in one.names.items()}

    @property
    def message(self) -> str:
        """The gravest warning in English."""
        return max(self.warnings, key=lambda one: one.level).message


class LibraryMissing(Refused):
    """An optional package is not installed; the message says how."""


class StoreRefused(Refused):
    """The database file cannot serve."""


class ForeignFile(StoreRefused):
    """Not a file of ours; nothing in it was touched."""


class CorruptFile(StoreRefused):
    """Damaged, or changed by hand."""


class SetBack(StoreRefused):
    """Facts that were there are gone: a backup was restored, or a standby took over that lacked them."""

    @property
    def tournament(self) -> str:
        return str(self.said.fields["tournament"])

    @property
    def version(self) -> int:
        """The last fact that was known."""
        return int(self.said.fields["version"])


class NewerFile(StoreRefused):
    """Written by a newer version of this program."""


class Busy(StoreRefused):
    """Somebody else is writing."""


class Unreachable(StoreRefused):
    """Cannot be opened or created."""


class Replaced(Unreachable):
    """Replaced, renamed, deleted or cut off while it was open."""


class OutcomeUnknown(Unreachable):
    """The database went away before it answered: the same request may be sent again, it counts once."""

    @property
    def id(self) -> str:
        return str(self.said.fields["id"])


def need_kind(name: str, value: object, *kinds: type) -> None:
    """Refuse a value that a call was given, by its name, if it is of no such class."""
    if not isinstance(value, kinds):
        got = f"the class {value.__name__}" if isinstance(value, type) else type(value).__name__
        expected = " or ".join(kind.__name__ for kind in kinds)
        raise Invalid("wrong-type", path=name, reason=f"expected {expected}", kind=got)
