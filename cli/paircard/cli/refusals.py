"""Errors as the command line words them: the one place that adds the names of options and commands."""

from paircard.domain.errors import (
    NeedsAcknowledgement,
    NoSuchPlayer,
    NoSuchTournament,
    OutcomeUnknown,
    PaircardError,
    ReasonMissing,
)
from paircard.pairing import NoLegalRound
from paircard.service.reports import RulesUnknown


def in_a_line(error: PaircardError) -> str:
    """What is so and the way out, with the option or command that takes it."""
    match error:
        case ReasonMissing():
            return f"{error}, with --why TEXT"
        case NeedsAcknowledgement(warnings=cautions):
            text = "; ".join(f"{caution.message} (level {caution.level})" for caution in cautions)
            codes = " ".join(dict.fromkeys(f"--ack {caution.answer}" for caution in cautions))
            return f"{text}: if that is meant, repeat with {codes}"
        case NoLegalRound(round=round) if round:
            return f"{error}: paircard alter begin {round}"
        case NoSuchTournament(there=0):
            return f"{error}: open one with paircard new NAME --rounds N"
        case NoSuchTournament():
            return f"{error}: give name or id with -t, paircard list shows them"
        case NoSuchPlayer(found=0):
            return f"{error}: paircard player list shows them"
        case OutcomeUnknown(id=id):
            return f"{error} (--id {id})"
        case RulesUnknown():
            return f"{error} (--edition)"
        case _:
            return str(error)
