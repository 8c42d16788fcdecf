"""Errors as the command line words them: the one place that adds the names of options and commands."""

from paircard.domain.errors import NeedsAcknowledgement, PaircardError, ReasonMissing


def in_a_line(error: PaircardError) -> str:
    """What is so and the way out, with the option that takes it."""
    match error:
        case ReasonMissing():
            return f"{error}, with --why TEXT"
        case NeedsAcknowledgement(warnings=cautions):
            text = "; ".join(f"{caution.message} (level {caution.level})" for caution in cautions)
            codes = " ".join(dict.fromkeys(f"--ack {caution.code}" for caution in cautions))
            return f"{text}: if that is meant, repeat with {codes}"
        case _:
            return str(error)
