"""``paircard-engine --serve``: an engine that stays, for programs that pair often.

One request a line on standard input, one answer a line on standard output, both JSON, in the same order:

    {"report": "012 Open\\n…", "edition": "dutch-2017", "baku": true, "id": 7}
    {"id": 7, "round": 3, "edition": "dutch-2017", "boards": [[1, 4], [5, 2]], "pab": 3}
    {"id": 7, "problem": {"code": "pairing.report-all-paired", "fields": {"rounds": 5}, "detail": "…"}}

Only ``report`` is needed; what stands under ``id`` comes back as it was. A line that is no request, or is too
long, is answered with a problem, and the next one is read. The end of the input is the end.
"""

import os
from typing import Any, BinaryIO, Final

import msgspec
from msgspec import UNSET
from msgspec.structs import asdict

from paircard.cli.engine.request import LARGEST, accelerated
from paircard.domain.errors import PaircardError
from paircard.domain.messages import Message, say
from paircard.domain.speaking import Speaker
from paircard.pairing.reports import next_round
from paircard.projections.trf.text import parse

STEP: Final = 2**16


class Asked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A round to be paired."""

    report: str
    edition: str = ""
    """Before that of the report."""
    baku: bool = False
    """Baku acceleration, whatever the report says."""
    id: Any = UNSET


_read: Final = msgspec.json.Decoder(Asked).decode
_written: Final = msgspec.json.Encoder().encode


def serve(requests: BinaryIO, answers: BinaryIO) -> None:
    """Answer every line until there is none."""
    while line := requests.readline(LARGEST + 1):
        if len(line) > LARGEST and not line.endswith(b"\n"):
            while (rest := requests.readline(STEP)) and not rest.endswith(b"\n"):
                pass
            answer = refused(say("cli.engine.line-too-long", last=LARGEST))
        else:
            answer = answered(line)
        answers.write(_written(answer) + b"\n")
        answers.flush()


def answered(line: bytes) -> dict[str, Any]:
    """The answer to one line."""
    try:
        asked = _read(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as reason:
        return refused(say("cli.engine.not-a-request", reason=str(reason)))
    return ({} if asked.id is UNSET else {"id": asked.id}) | found(asked)


def found(asked: Asked) -> dict[str, Any]:
    """A round with White and Black by their starting ranks, or why there is none."""
    try:
        report = parse(asked.report, strict=False)
        return asdict(next_round(accelerated(report) if asked.baku else report, edition=asked.edition))
    except PaircardError as refusal:
        return refused(refusal.said)
    except (MemoryError, RecursionError):
        return refused(say("cli.engine.too-large"))
    except Exception as trouble:  # the next request must not pay for this one
        if os.environ.get("PAIRCARD_DEBUG"):
            raise
        return refused(say("cli.engine.internal", kind=type(trouble).__name__, reason=str(trouble)))


def refused(said: Message) -> dict[str, Any]:
    """A problem, for programs and in English."""
    return {"problem": {"code": said.code, "fields": said.fields, "detail": Speaker().say(said)}}
