"""What the rooms say in English is said on the pages in the reader's language, down to the last clause."""

import ast
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from paircard.domain import commands as c
from paircard.domain.deciding.decider import weigh
from paircard.domain.errors import PaircardError
from paircard.domain.events import EVENT_TYPES
from paircard.domain.values.players import Details
from paircard.domain.values.regulations import Regulations
from paircard.domain.values.text import label
from paircard.projections.log_lines import log_lines
from paircard.service.print.rendering import language, sentences
from paircard.service.print.sentences import FIELD, Pattern, Sentences
from tests.audit.lives import Life
from tests.roots import LAYERS, ROOT

ITALIAN = sentences("it")
ROOMS = (
    "domain/paircard/domain/deciding",
    "domain/paircard/domain/values",
    "domain/paircard/domain/log/conflict.py",
    "domain/paircard/domain/log/request.py",
    "projections/paircard/projections/log_lines.py",
    "projections/paircard/projections/moments.py",
    "projections/paircard/projections/standings",
    "projections/paircard/projections/views.py",
    "pairing/paircard/pairing/dutch/pairing.py",
    "service/paircard/service/finding.py",
    "service/paircard/service/print",
    "service/paircard/service/pairing.py",
    "service/paircard/service/tournament.py",
    "web/paircard/web/access/roles.py",
    "web/paircard/web/access/signing_in.py",
    "web/paircard/web/calls.py",
    "web/paircard/web/guards.py",
    "web/paircard/web/pages",
    "web/paircard/web/limits.py",
    "web/paircard/web/looking.py",
    "web/paircard/web/reviewer.py",
    "web/paircard/web/serving.py",
)
"""Where sentences come from that somebody with a browser may read."""
SAYS = {"caution": 1, "need_reason": 1, "refused": 1, "level_five": 2, "need_results": 1}
"""Functions that take a sentence, and at which place."""


def said_in(module: Path) -> Iterator[tuple[str, ...]]:
    """The sentences of a module, each as the words around its values."""
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        match node:
            case ast.Raise(exc=ast.Call(args=[text, *_])):
                yield from words_of(text)
            case ast.Call(func=ast.Name(id=name), args=args) if len(args) > SAYS.get(name, 99):
                yield from words_of(args[SAYS[name]])
            case ast.Assign(targets=[ast.Name(id="message" | "effect")], value=text):
                yield from words_of(text)
            case ast.FunctionDef(name="in_words" | "altered_in_words" | "_news" | "_not_expected", body=body):
                for inner in (one for statement in body for one in ast.walk(statement)):
                    if isinstance(inner, ast.Return) and inner.value is not None:
                        yield from words_of(inner.value)


def words_of(text: ast.expr) -> Iterator[tuple[str, ...]]:
    """A text of the source, if it is one: the words before, between and behind its values."""
    match text:
        case ast.IfExp(body=one, orelse=other):
            yield from words_of(one)
            yield from words_of(other)
        case ast.Constant(value=str(words)) if re.search("[a-z]", words) and " " in words:
            yield (words,)
        case ast.JoinedStr(values=parts):
            fixed = [""]
            for part in parts:
                if isinstance(part, ast.Constant):
                    fixed[-1] += str(part.value)
                else:
                    fixed.append("")
            if re.search("[a-z]{2}", "".join(fixed)):
                yield tuple(fixed)


ELSEWHERE = {
    "the body is nested too deeply",
    "the body is not UTF-8",
    "the caller went away before the body arrived",
    "the process that explains rounds ended by itself",
    'If-Match {} names no version of a tournament, like "120"',
    "no fact is called {}: they are {}",
    "no tournament in {}",
    "{} holds {} tournaments",
    "no tournament in {} called {}",
    "{} may be {}{} in {}",
    "{} has no value of its own: it depends on who is tied",
}
"""Said to programs and at the terminal alone."""


def covers(pattern: Pattern, words: tuple[str, ...]) -> bool:
    """Whether a pattern is one of this sentence: it has its words, in order."""
    at, text = 0, "{}".join(pattern.fixed)
    for piece in words:
        at = text.find(piece.strip(), at)
        if at < 0:
            return False
    return True


def all_said() -> dict[tuple[str, ...], str]:
    """Every sentence of the rooms that a browser reaches, with its module."""
    places = [ROOT / room for room in ROOMS]
    modules = [file for place in places for file in (place.rglob("*.py") if place.is_dir() else [place])]
    return {words: file.name for file in modules for words in said_in(file)}


def test_every_sentence_a_browser_may_show_has_its_words_in_italian() -> None:
    patterns = [pattern for table in ITALIAN.tables.values() for pattern in table]
    said = {words: file for words, file in all_said().items() if "{}".join(words) not in ELSEWHERE}
    assert [
        (file, "{}".join(words))
        for words, file in said.items()
        if not any(covers(pattern, words) for pattern in patterns)
    ] == []


def test_templates_say_what_other_rooms_wrote() -> None:
    folders = [ROOT / "service/paircard/service/print/templates", ROOT / "web/paircard/web/pages/templates"]
    english = re.compile(r"\{\{ ((?:refusal|reason|[\w.]+\.(?:message|next_note|line\.text))\b[^(}]*)\}\}")
    found = {
        file.name: english.findall(file.read_text(encoding="utf-8"))
        for folder in folders
        for file in folder.iterdir()
    }
    assert {name: words for name, words in found.items() if words} == {}


def test_nothing_is_translated_that_nobody_says_any_more() -> None:
    files = [file for layer in LAYERS for file in (ROOT / layer).rglob("*.py")]
    nodes = [node for file in files for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))]
    source = "\n".join(
        node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)
    )
    english = ROOT / "domain/paircard/domain/languages/en"
    source += "".join(file.read_text(encoding="utf-8") for file in english.iterdir())
    names = {label(name) for kind in (Details, Regulations) for name in kind.__struct_fields__}
    names |= {str(kind.__struct_config__.tag).replace("-", " ") for kind in EVENT_TYPES}

    def is_said(pattern: Pattern) -> bool:
        """Whether two of its words that follow on each other stand so in the source."""
        words = max(pattern.fixed, key=len).strip(" ;:,()")
        pairs = [" ".join(pair).removesuffix("s") for pair in pairwise(words.split())] or [words]
        return words in {*names, "adjournment cleared"} or any(pair in source for pair in pairs)

    patterns = [pattern for table in ITALIAN.tables.values() for pattern in table]
    assert ["{}".join(pattern.fixed) for pattern in patterns if not is_said(pattern)] == []


def test_a_translation_has_the_fields_of_the_sentence_and_knows_its_tables() -> None:
    for table in ITALIAN.tables.values():
        for pattern in table:
            names = [field.name for field in pattern.fields]
            assert sorted(names) == sorted(found[1] for found in FIELD.finditer(pattern.said)), pattern
            assert {field.table for field in pattern.fields} <= {"", *ITALIAN.tables}, pattern


class Talkative(Life):
    """A tournament in which everything is asked without a reason first, and once more when it is done."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.said: set[str] = set()

    def ask(self, kind: type[c.Asked], why: str = "", **fields: Any) -> bool:
        self.listen(kind, "", fields)
        self.listen(kind, why, fields)
        done = super().ask(kind, why, **fields)
        self.listen(kind, "again", fields)
        return done

    def listen(self, kind: type[c.Asked], why: str, fields: dict[str, Any]) -> None:
        """What would be said to a command."""
        try:
            decision = weigh(self.state, kind(meta=self.meta(why), **fields))  # type: ignore[arg-type]
        except PaircardError as refusal:
            self.said.add(str(refusal))
        else:
            self.said |= {warning.message for warning in decision.warnings}


@pytest.mark.parametrize("seed", range(6))
def test_whatever_happens_in_a_tournament_is_said_in_italian(seed: int) -> None:
    life = Talkative(seed)
    life.live(players=14, rounds=7)
    life.said |= {line.text for line in log_lines(life.log)}
    assert len(life.said) > 60
    assert [text for text in sorted(life.said) if ITALIAN.find(text) is None] == []


def test_names_stay_as_they_are_and_phrases_are_translated_where_they_are_phrases() -> None:
    say = language("it").say
    assert (
        say("lot drawn: number 1 begins with White") == "sorteggio fatto: il numero 1 comincia con il Bianco"
    )
    assert say("White withdrawn from round 2 on") == "White ritirato dal turno 2 in poi"
    assert say("Rossi (junior) and Black have met before (C.04.1:2)") == (
        "Rossi (junior) e Black si sono già incontrati (C.04.1:2)"
    )
    assert say("{0} withdrawn from round 2 on") == "{0} ritirato dal turno 2 in poi"


def test_what_has_no_translation_is_said_in_english() -> None:
    assert language("it").say("the clock stopped") == "the clock stopped"
    assert language("en").say("round 1 published") == "round 1 published"
    assert language("it").say("round 1 published" + " " * 5000) == "round 1 published" + " " * 5000


def test_a_list_of_phrases_is_translated_one_by_one() -> None:
    sentences = Sentences({"since then: {news:news;}": "dopo: {news}", "news": {"{name} left": "via {name}"}})
    assert sentences.find("since then: Ada left; Ben left") == "dopo: via Ada; via Ben"
    assert sentences.find("since then: Ada left; Ben sang") is None


@pytest.mark.parametrize(
    ("absent", "said"),
    [
        ("Rossi, Anna", "Rossi, Anna"),
        ("Ada, Ben (born 1990)", "Ada, Ben (nato nel 1990)"),
        (
            "Rossi, A.; a player whose data was erased (id p7)",
            "Rossi, A.; un giocatore con i dati cancellati (id p7)",
        ),
    ],
)
def test_players_are_listed_with_or_without_commas_in_their_names(absent: str, said: str) -> None:
    sentence = f"pairing {absent} after an absence needs a reason: say why"
    assert (
        language("it").say(sentence) == f"l’abbinamento di {said} dopo un’assenza: serve un motivo, scrivilo"
    )
