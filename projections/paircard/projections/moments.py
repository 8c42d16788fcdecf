"""Moments of a tournament as people name them: a round, a fact by its number, a time.

A moment is a length of the log: everything is computed from the facts up to there, so what was shown at
a moment can be shown again.
"""

import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from paircard.domain.deciding.decision import round_of
from paircard.domain.errors import Invalid, Unknown
from paircard.domain.events import Recorded
from paircard.domain.state import state_after
from paircard.projections.views import version_at_end


def moment(log: Sequence[Recorded], text: str) -> int:
    """The length of the log at a moment; refuses what is not one, and a moment with nothing on record."""
    word = " ".join(text.split()).lower()
    if match := re.fullmatch(r"(before )?r(?:ound)? ?(\d{1,3})", word):
        return at_round(log, int(match[2]), before=bool(match[1]))
    if re.fullmatch(r"#?\d{1,9}", word):
        return at_fact(log, int(word.removeprefix("#")))
    if re.match(r"\d{4}-\d{2}-\d{2}", word):
        return at_time(log, text.strip())
    if word == "now":
        return len(log)
    raise Invalid("moment-unclear", text=text)


def at_round(log: Sequence[Recorded], round: int, *, before: bool) -> int:
    """The end of a round, completed as far as it was; or all that the round's own pairing saw.

    That includes what the pairing recorded before its boards: games it counted as adjourned, the end of the
    round before it, numbers.
    """
    whole = state_after(log)
    if round < 1:
        raise Invalid("round-below-one", round=round)
    last = round - 1 if before else round
    if last:
        round_of(whole, last)
    if not before:
        return version_at_end(whole, log, round)
    return whole.rounds[last].version - 1 if last < whole.paired else len(log)


def is_time(text: str) -> bool:
    """Whether a moment is named by a time, which means the same in every tournament."""
    return bool(re.match(r"\s*\d{4}-\d{2}-\d{2}", text))


def at_fact(log: Sequence[Recorded], version: int) -> int:
    """The log with this many facts."""
    if not 1 <= version <= len(log):
        raise Unknown("fact-unknown", version=version, last=len(log))
    return version


def at_time(log: Sequence[Recorded], text: str) -> int:
    """What was on record at a time: all before the first fact that is later. A bare day is its end."""
    wanted = read_time(text)
    length = next((at for at, fact in enumerate(log) if read_time(fact.when) > wanted), len(log))
    if not length:
        raise Unknown("nothing-on-record", day=text, when=log[0].when)
    return length


def read_time(text: str) -> datetime:
    """A time in UTC unless it says otherwise."""
    try:
        time = datetime.fromisoformat(text)
    except ValueError:
        raise Invalid("time-unclear", text=text) from None
    if len(text) == 10:
        time += timedelta(days=1, microseconds=-1)
    return time if time.tzinfo else time.replace(tzinfo=UTC)
