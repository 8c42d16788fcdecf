"""The page behind the ``type`` of a problem: status, what it means, and each of its codes with an example."""

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

import msgspec

import paircard
from paircard.domain.deciding.decision import CAUTIONS
from paircard.domain.errors import IdTaken, NeedsAcknowledgement, PaircardError, StoreRefused
from paircard.domain.messages import KINDS, Message
from paircard.domain.speaking import Choice, Speaker, kind_of, template
from paircard.domain.values.results import parse_outcome
from paircard.projections.trf.notes import TrfError
from paircard.web.calls import Answer, Call, language_of
from paircard.web.looking import making
from paircard.web.pages.page import Pages, fresh, plain_frame, render
from paircard.web.problems import NotAllowed, NotFound, of_the_store, status_of
from paircard.web.site import Site

PAGES: Final = Pages()
EXAMPLES: Final[Mapping[str, Any]] = {
    "player": 1, "players": [1, 2], "number": 3, "count": 2, "numbers": [1, 2], "games": [(1, 3)],
    "points": 15, "result": parse_outcome("1-0"), "results": [parse_outcome("1-0")], "name": "Ada",
    "names": ["Ada", "Ben"], "flag": True, "messages": [], "phrases": [], "lines": [], "words": [],
    "plains": ["…"], "places": ["…"], "message": Message("page.shell.made"),
}  # fmt: skip
"""A value for each kind of field; all others are text."""
FAULTS: Final = ("faults", "fault", "fault-in-line", "fault-in-column", "more-faults")
"""What is said of a report that cannot be read, and of each of its faults."""


class Case(msgspec.Struct, frozen=True):
    """One code of a kind of refusal."""

    code: str
    fields: tuple[tuple[str, str], ...]
    """Name and kind of each."""
    example: str


@cache
def kinds() -> dict[str, type[PaircardError]]:
    """Every kind of refusal, by its name in ``type``."""
    found, waiting = {}, [PaircardError]
    while waiting:
        kind = waiting.pop()
        found[kind_of(kind)] = kind
        waiting.extend(kind.__subclasses__())
    return found


@cache
def codes() -> dict[str, list[str]]:
    """The codes each kind of refusal is answered with, read from where it is raised.

    Some kinds are answered with codes of their own: warnings, reports, and what says where the store is.
    """
    names = "|".join(kind.__name__ for kind in kinds().values())
    code = '"([a-z][a-z0-9.-]*)"'
    raised = re.compile(rf"\b(?:({names})\(|refused\(login, )\s*{code}(?: if [^\"\n]+ else {code})?")
    chosen = re.compile(rf"code = {code} if [^\"\n]+ else {code}\n +raise ({names})\(\s*code\b")
    found = {
        kind_of(NeedsAcknowledgement): {"acknowledgement-missing", *CAUTIONS},
        kind_of(TrfError): {f"trf.{one}" for one in FAULTS},
    }
    by_class = {kind.__name__: name for name, kind in kinds().items()} | {"": kind_of(NotAllowed)}
    for root in paircard.__path__:
        for path in Path(root).rglob("*.py"):
            text = path.read_text(encoding="utf-8")
            for name, one, other in raised.findall(text):
                found.setdefault(by_class[name], set()).update({one, other} - {""})
            for one, other, name in chosen.findall(text):
                found.setdefault(by_class[name], set()).update({one, other})
    for name, kind in kinds().items():
        if issubclass(kind, StoreRefused):
            found[name] = {of_the_store(kind, to_program=True).code}
        elif issubclass(kind, IdTaken):
            found[name] = {"http.key-taken"}
    return {kind: sorted(those) for kind, those in found.items()}


def case_of(code: str, language: str) -> Case | None:
    """A code with the fields of its sentence, and the sentence of an example; of a warning, what it means."""
    if code in CAUTIONS:
        return Case(code, (), Speaker(language).word("meaning", code))
    try:
        found = template(language, code)
    except KeyError:
        return None
    by = found.by if isinstance(found, Choice) else ""
    several = list(found.sentences.values()) if isinstance(found, Choice) else [found]
    names = sorted({name for one in several for _, name, _ in one if name} | ({by} if by else set()))
    values = {name: EXAMPLES.get(KINDS.get(name, ""), "…") for name in names}
    if isinstance(found, Choice) and KINDS.get(by) in ("word", "plain"):
        values[by] = next(iter(found.sentences))
    said = Speaker(language, {1: "Ada", 2: "Ben"}).say(Message(code, values))
    return Case(code, tuple((name, KINDS.get(name, "plain")) for name in names), said)


@PAGES.get("/problems/{kind}")
def problem(site: Site, call: Call) -> Answer:
    """What a type of problem means, its codes, and the way out."""
    name, language = str(call.path["kind"]), language_of(call.request.headers)
    if name not in codes():
        raise NotFound("http.nothing-there", id=call.request.url.path[:120])
    kind = kinds()[name]
    with making(site, call):
        cases = [case for code in codes().get(name, ()) if (case := case_of(code, language))]
    status = status_of(kind)
    frame = plain_frame(site, call.request.headers, here=call.request.url.path)
    meaning = Speaker(language).word("answer", str(status))
    return fresh(render("problem.html", frame, kind=name, status=status, meaning=meaning, cases=cases))
