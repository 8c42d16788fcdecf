"""Errors as the command line words them: the one place that adds the names of options and commands."""

import shlex
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final, Unpack

import click

from paircard.domain import errors
from paircard.domain.log.location import shown
from paircard.domain.messages import Fields, Message, say
from paircard.domain.speaking import Speaker, problem_of

SPEAKER: Final = Speaker()
"""The terminal speaks English."""
EARLY_END: Final = "paircard close --why TEXT --ack rounds-unplayed"
BUILT_AGAIN: Final = ("tables.another-log", "tables.newer")
"""Refusals of read tables that have to be built again."""
NEED_REASONS: Final = ("no-show",)
"""Warnings that need a reason only once they are accepted (C.05:6.5)."""


def spoken(message: Message) -> str:
    """A message as the terminal prints it."""
    return SPEAKER.say(message)


class Misused(click.UsageError):
    """A command line that means nothing.

    The exit code is 2.
    """

    def __init__(self, code: str, /, **fields: Unpack[Fields]) -> None:
        self.said: Final = Message(code, fields)
        super().__init__(spoken(self.said), click.get_current_context(silent=True))


class BadValue(click.BadParameter):
    """A value that an option or an argument does not take.

    The exit code is 2.
    """

    def __init__(self, code: str, /, **fields: Unpack[Fields]) -> None:
        self.said: Final = Message(code, fields)
        super().__init__(spoken(self.said))


class Stopped(errors.PaircardError):
    """The run could not go on."""


@contextmanager
def found_in(place: object, *added: Message) -> Iterator[None]:
    """Let what is refused inside name a file, a line of it or an id, and say what did not happen."""
    try:
        yield
    except errors.PaircardError as refusal:
        refusal.place, refusal.added = refusal.place or str(place), refusal.added or added
        raise


def in_a_line(error: errors.PaircardError, typed: Sequence[str] = (), why: str = "") -> str:
    """An error in words, with the option or command that helps, given the words that were typed.

    One line; of warnings one line for each, and last the whole command that accepts them.
    """
    text = "; ".join((in_words(error, typed, why), *map(spoken, error.added)))
    if isinstance(error, errors.NeedsAcknowledgement) or not error.place:
        return f"{error.place}: {text}" if error.place else text
    return "\n".join(f"{error.place}: {line}" for line in text.split("\n"))


def in_words(error: errors.PaircardError, typed: Sequence[str], why: str) -> str:
    """An error in words, with the way out for its kind."""
    value, code = SPEAKER.refusal(error), error.said.code
    kind = type(error).__name__  # for errors of rooms that a run may not have loaded
    match error:
        case errors.ReasonMissing():
            said = say("cli.reason-missing", value=value)
        case errors.NeedsAcknowledgement(warnings=cautions):
            lines = [say("cli.warning", value=one.message, level=one.level) for one in cautions]
            lines.append(say("cli.acknowledge", value=accepting(cautions, typed, why)))
            return "\n".join(dict.fromkeys(map(spoken, lines)))
        case errors.ManualSessionOpen():
            said = say("cli.manual-session-open", value=value)
        case errors.NoSuchTournament(there=there):
            said = say("cli.which-tournament" if there else "cli.no-tournament", value=value)
        case errors.NoSuchPlayer(found=0):
            said = say("cli.no-such-player", value=value)
        case errors.OutcomeUnknown(id=id):
            said = say("cli.outcome-unknown", value=value, id=id)
        case _ if code in BUILT_AGAIN:
            said = say("cli.build-again", value=value)
        case _ if code == "lists.without-day":
            said = say("cli.valid-from", value=value)
        case _ if kind == "BadTieBreak":
            said = say("cli.bad-tie-break", value=value)
        case _ if kind == "RulesUnknown":
            said = say("cli.rules-unknown", value=value)
        case _ if kind == "NoLegalRound" and (round := getattr(error, "round", 0)):
            said = say("cli.no-legal-round", value=value, round=round, code=EARLY_END)
        case _:
            return value
    return spoken(said)


def accepting(cautions: Sequence[errors.Caution], typed: Sequence[str], why: str) -> str:
    """The command as it was typed with what accepts these warnings; an address in it without its password."""
    words = [without_password(word) for word in typed] or ["…"]
    reason = not why.strip() and any(caution.code in NEED_REASONS for caution in cautions)
    codes = dict.fromkeys(f"--ack {caution.answer}" for caution in cautions)
    return " ".join(("paircard", shlex.join(words), *(["--why TEXT"] if reason else []), *codes))


def without_password(word: str) -> str:
    """A word of the command line that may be shown."""
    option, address = ("--db=", word[5:]) if word.startswith("--db=") else ("", word)
    return option + shown(address) if address.startswith(("postgres:", "postgresql:")) else word


def as_data(error: Exception, detail: str) -> dict[str, Any]:
    """A refusal for programs, with the members that a problem has over HTTP."""
    return problem_of(error, getattr(error, "said", None), detail, SPEAKER)
