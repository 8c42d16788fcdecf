"""Every refusal has an answer: a status, a kind and the sentence for the person who must act."""

import ast
import inspect
import pickle
from collections.abc import Iterator

import msgspec
import pytest

from paircard.domain import errors
from paircard.domain.messages import Message, say
from paircard.domain.speaking import Speaker, dashed
from paircard.pairing import PairingError
from paircard.web import problems
from paircard.web.messages import Fault
from tests.refusals import sentence
from tests.roots import ROOT
from tests.web.hall import Hall


def leaves(root: type[BaseException]) -> Iterator[type[BaseException]]:
    below = root.__subclasses__()
    yield root
    for kind in below:
        yield from leaves(kind)


ROOTS = (errors.PaircardError, errors.Refused, problems.HttpRefused)
"""Never raised themselves."""
OURS = [kind for kind in leaves(errors.PaircardError) if kind not in ROOTS]


@pytest.mark.parametrize("kind", OURS, ids=lambda kind: kind.__name__)
def test_every_kind_of_refusal_has_a_status(kind: type[BaseException]) -> None:
    assert 400 <= problems.status_of(kind) <= 503


def test_every_kind_of_refusal_has_a_name_of_its_own() -> None:
    names = [dashed(kind) for kind in dict.fromkeys(OURS)]

    assert len(names) == len(set(names))


def test_all_of_errors_py_is_covered() -> None:
    named = {kind for _, kind in inspect.getmembers(errors, inspect.isclass)}

    assert {kind for kind in named if issubclass(kind, errors.PaircardError)} <= {*OURS, *ROOTS}


SURE = errors.Caution(4, "leave-fide-mode", Message("leave-fide-mode"), proof="a1")


def made(kind: type[BaseException]) -> errors.PaircardError:
    """A refusal of this kind, as the domain words it for a terminal."""
    words = "/srv/open.db is damaged: see paircard doctor"
    more: dict[type[BaseException], tuple[object, ...]] = {
        errors.NeedsAcknowledgement: ((SURE,),),
        errors.IdTaken: (
            "grant/key",
            say(
                "used-for",
                version=3,
                who="Anna",
                when="now",
                what=say("of-a-kind", fact="result-recorded"),
                count=0,
            ),
        ),
    }
    if kind is errors.OutcomeUnknown:
        return errors.OutcomeUnknown("outcome-unknown", reason=words, id="grant/key")
    if kind is errors.SetBack:
        return errors.SetBack("outcome-unknown", reason=words, id="grant/key", tournament="0" * 32, version=3)
    if kind in more:
        return kind(*more[kind])  # type: ignore[return-value]
    if kind is errors.NoSuchTournament:
        return errors.NoSuchTournament("meets-themself", there=0)
    if issubclass(kind, errors.StoreRefused):
        return kind("outcome-unknown", reason=words, id="grant/key", tournament="0" * 32, version=3)
    if kind.__module__ not in (errors.__name__, problems.__name__):
        refusal = kind.__new__(kind, "meets-themself")
        errors.PaircardError.__init__(refusal, "meets-themself")  # type: ignore[arg-type]
        return refusal  # type: ignore[return-value]
    return kind("meets-themself")  # type: ignore[return-value]


@pytest.mark.parametrize("kind", OURS, ids=lambda kind: kind.__name__)
def test_every_kind_of_refusal_speaks_of_http_and_tells_nothing_of_the_store(
    kind: type[BaseException],
) -> None:
    answer = problems.problem_of(made(kind))

    for word in ("/srv", "paircard doctor", "--", " id grant", "grant/key"):
        assert word not in answer.detail, answer.detail
    assert not answer.detail.endswith(".")


@pytest.mark.parametrize("kind", OURS, ids=lambda kind: kind.__name__)
def test_every_kind_of_refusal_comes_whole_from_another_process(kind: type[BaseException]) -> None:
    refusal = made(kind)
    again = pickle.loads(pickle.dumps(refusal))

    assert (type(again), str(again), vars(again)) == (kind, str(refusal), vars(refusal))


def test_a_warning_that_must_be_read_is_accepted_by_what_only_its_reader_knows() -> None:
    refusal = errors.NeedsAcknowledgement((SURE,))
    answer = problems.problem_of(refusal)

    sure = Speaker().warning(SURE)
    reasons = [say("http.warning", value=sure, level=4)]
    assert answer.detail == sentence("http.acknowledge", reasons=reasons, codes=['"leave-fide-mode-a1"'])
    assert answer.warnings == (Fault(level=4, code="leave-fide-mode-a1", message=sure),)


def test_a_warning_says_what_has_to_be_accepted() -> None:
    refusal = errors.NeedsAcknowledgement((errors.Caution(3, "exchange", Message("exchange")),))
    answer = problems.problem_of(refusal)

    assert answer.status == 409
    assert answer.type == "/problems/needs-acknowledgement"
    assert answer.warnings == (Fault(level=3, code="exchange", message=sentence("exchange")),)


def test_a_program_reads_code_and_fields_and_a_person_the_sentence_in_their_language() -> None:
    refusal = PairingError("pairing.record-too-short", player=7, round=2)
    refusal.names = {7: "Rossi, Anna"}
    english, italian = problems.problem_of(refusal), problems.problem_of(refusal, "it")

    assert (english.code, english.fields) == ("pairing.record-too-short", {"player": 7, "round": 2})
    assert (italian.code, italian.fields, italian.people) == (english.code, english.fields, english.people)
    assert english.people == {7: "Rossi, Anna"}
    assert english.detail == sentence(
        "pairing.record-too-short", player=7, round=2, people={7: "Rossi, Anna"}
    )
    assert italian.detail != english.detail
    assert "Rossi, Anna" in italian.detail


SAYS = {kind.__name__ for kind in (*OURS, *ROOTS)} | {"echo", "ClickException", "UsageError"}
"""What takes the words of a refusal, or prints some."""


def test_no_sentence_is_written_where_the_server_refuses() -> None:
    """Words are in the catalogue: what is raised or printed is a code, or was spoken from one."""
    wrong: list[tuple[str, int, object]] = []
    for path in sorted((ROOT / "web/paircard/web").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name), args=[words, *_]):
                    sentences = [one.value for one in ast.walk(words) if isinstance(one, ast.Constant)]
                    wrong += [
                        (path.name, node.lineno, one) for one in sentences if name in SAYS and " " in str(one)
                    ]
    assert not wrong


def test_a_mistake_of_ours_is_told_in_the_language_of_the_caller(hall: Hall) -> None:
    def mistaken() -> bytes:
        raise AssertionError

    hall.site.describe = mistaken
    answers = [hall.call("GET", "/openapi.json", accept_language=code) for code in ("en", "it")]

    assert [answer.status_code for answer in answers] == [500, 500]
    for answer, tongue in zip(answers, ("en", "it"), strict=True):
        problem = answer.json()
        assert problem["type"] == "/problems/mistake-of-the-server"
        assert problem["code"] == "http.mistake"
        assert problem["detail"] == Speaker(tongue).say(say("http.mistake"))


def test_what_a_busy_store_says_in_italian_has_the_same_code() -> None:
    answer = problems.problem_of(errors.Busy("store.busy", file="/srv/open.db"), "it")

    assert answer.code == "http.store-busy"
    assert answer.detail == Speaker("it").say(say("http.store-busy"))
    assert answer.detail != sentence("http.store-busy")


def test_a_store_that_is_busy_may_be_asked_again() -> None:
    refusal = errors.Busy("store.busy", file="open.db")
    answer = problems.problem_of(refusal)

    assert answer.status == 503
    assert (answer.code, answer.detail) == ("http.store-busy", sentence("http.store-busy"))
    assert int(problems.headers_of(refusal)["retry-after"]) > 0


def test_a_body_that_cannot_be_read_says_where() -> None:
    with pytest.raises(msgspec.ValidationError) as caught:
        msgspec.json.decode(b'{"a":[1,"x"]}', type=dict[str, list[int]])
    answer = problems.problem_of(problems.of_decoding(caught.value))

    assert answer.status == 422
    assert answer.path == "[...][1]"


def test_where_the_store_is_is_not_told_and_no_other_word_is_changed_for_it() -> None:
    unpaired = problems.without_place(errors.Unknown("round-not-paired", round=9, last=0), "round", "en")
    found = problems.problem_of(unpaired)
    assert (found.code, found.fields) == ("round-not-paired", {"round": 9, "last": 0})
    assert found.detail == sentence("round-not-paired", round=9, last=0)

    nobody = errors.NoSuchTournament("no-tournament-called", file="round", text="round", there=2)
    told = problems.problem_of(problems.without_place(nobody, "round", "en"))
    assert told.fields == {"file": "the store", "text": "round", "there": 2}
    assert told.detail == sentence("no-tournament-called", file="the store", text="round", there=2)

    there = errors.Caution(2, "same-name", say("same-name", name="round", file="round", id="a1"))
    asked = problems.without_place(errors.NeedsAcknowledgement((there,)), "round", "en")
    answer = problems.problem_of(asked)
    assert answer.warnings
    assert answer.warnings[0].fields["file"] == "the store"
    assert answer.warnings[0].fields["name"] == "round"
    named = sentence("same-name", name="round", file="the store", id="a1")
    assert named in answer.detail
