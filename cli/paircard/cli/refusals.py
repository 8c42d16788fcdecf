"""Errors as the command line words them: the one place that adds the names of options and commands."""

import shlex
from collections.abc import Sequence
from typing import Final

from paircard.domain.errors import (
    Caution,
    ManualSessionOpen,
    NeedsAcknowledgement,
    NoSuchPlayer,
    NoSuchTournament,
    OutcomeUnknown,
    PaircardError,
    ReasonMissing,
)
from paircard.domain.log.location import shown

EARLY_END: Final = "paircard close --why TEXT --ack rounds-unplayed"
NEED_REASONS: Final = ("no-show",)
"""Warnings that need a reason only once they are accepted (C.05:6.5)."""


class Asked:
    """What a run was asked, as far as a refusal repeats it."""

    typed: Sequence[str] = ()
    """The words of the command line."""
    why: str = ""


def in_a_line(error: PaircardError, session: Asked | None = None) -> str:
    """What is so and the way out, with the option or command that takes it.

    One line; of warnings one line for each, and last the whole command that accepts them.
    """
    match error:
        case ReasonMissing():
            return f"{error}, with --why TEXT"
        case NeedsAcknowledgement(warnings=cautions):
            lines = dict.fromkeys(f"{caution.message} (level {caution.level})" for caution in cautions)
            return "\n".join((*lines, f"if that is meant: {accepting(cautions, session or Asked())}"))
        case ManualSessionOpen():
            return f"{error} (paircard alter end ROUND --boards FILE, or --give-up)"
        case NoSuchTournament(there=0):
            return f"{error}: open one with paircard new NAME --rounds N"
        case NoSuchTournament():
            return f"{error}: give name or id with -t, paircard list shows them"
        case NoSuchPlayer(found=0):
            return f"{error}: paircard player list shows them"
        case OutcomeUnknown(id=id):
            return f"{error} (--id {id})"
        case _:
            return f"{error}{of_other_rooms(error)}"


def of_other_rooms(error: PaircardError) -> str:
    """The way out of errors whose rooms a run may not have loaded, by the name of their kind."""
    round = getattr(error, "round", 0)
    match type(error).__name__:
        case "NoLegalRound" if round:
            by_hand = f"paircard alter begin {round}, then alter end {round} --boards FILE"
            return f": pair it by hand ({by_hand}), or end the tournament before it ({EARLY_END})"
        case "BadTieBreak":
            return "; paircard manual tie-breaks explains them"
        case "RulesUnknown":
            return " (--edition)"
        case _:
            return ""


def accepting(cautions: Sequence[Caution], session: Asked) -> str:
    """The command as it was typed with what accepts these warnings; an address in it without its password."""
    typed = [without_password(word) for word in session.typed] or ["…"]
    reason = not session.why.strip() and any(caution.code in NEED_REASONS for caution in cautions)
    codes = dict.fromkeys(f"--ack {caution.answer}" for caution in cautions)
    return " ".join(("paircard", shlex.join(typed), *(["--why TEXT"] if reason else []), *codes))


def without_password(word: str) -> str:
    """A word of the command line that may be shown."""
    option, address = ("--db=", word[5:]) if word.startswith("--db=") else ("", word)
    return option + shown(address) if address.startswith(("postgres:", "postgresql:")) else word
