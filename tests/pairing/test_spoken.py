"""No sentence about a round is false by its own words, in any edition and language."""

import os
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random

import pytest

from paircard.domain.commands import ExpelPlayer, RegisterPlayer, WithdrawPlayer
from paircard.domain.messages import Message
from paircard.domain.speaking import ENGLISH, LANGUAGES, Choice, Sentence, sentences, template
from paircard.domain.values.players import Details
from paircard.pairing import pair
from paircard.pairing.explain import why_not
from paircard.pairing.explain.answers import answer_why_not
from paircard.pairing.explain.speaking import RoundSpeaker, Who
from paircard.service import Tournament
from paircard.service.explaining import absence, round_of_log
from tests.pairing.spoken import harvest
from tests.pairing.spoken.facts import Facts
from tests.pairing.spoken.predicates import PREDICATES, holds
from tests.pairing.spoken.wrong import elsewhere, wrong_answers, wrong_sentences
from tests.pairing.test_unproven import ASKED, crowded
from tests.service.given import ANNA, club_open

EDITIONS = ("dutch-2026", "dutch-2017", "dutch-2012", "dutch-2012-javafo")
MANY = 1_000_000
OTHERS = [code for code in LANGUAGES if code != ENGLISH]


def said(draw: Random, edition: str, many: int) -> Iterator[tuple[Facts, harvest.Line]]:
    """At least so many sentences about random histories."""
    seen = 0
    while seen < many:
        for facts, line in harvest.sentences(draw, edition):
            seen += 1
            yield facts, line


def spoken(facts: Facts, message: Message) -> dict[str, str]:
    """A sentence in every language."""
    people = {player.id: Who(player.number, f"P{player.id}") for player in facts.snapshot.players}
    return {code: RoundSpeaker(people, code).say(message) for code in LANGUAGES}


def test_every_template_has_a_predicate_and_no_predicate_is_left_over() -> None:
    assert set(PREDICATES) == set(sentences(ENGLISH, "explain"))


@pytest.mark.parametrize("edition", EDITIONS)
def test_what_is_said_about_random_rounds_is_true_by_its_words(edition: str) -> None:
    codes, draw = set(), Random(29)
    for facts, line in said(draw, edition, 5_000):
        codes.add(line.message.code)
        assert holds(facts, line.message.code, line.message.fields, line.about), (
            spoken(facts, line.message),
            line.about,
            facts.snapshot,
        )
    assert len(codes) > 100, sorted(codes)


# --- what random rounds do not say


def recorded(tournament: Tournament) -> tuple[Facts, harvest.About]:
    """Round 1 of a log."""
    log = tuple(tournament.facts())
    asked = round_of_log(log, tournament.now().state, 1)
    return Facts(asked.snapshot, pair(asked.snapshot)), harvest.About(round=asked, log=log)


def judged(facts: Facts, about: harvest.About, messages: Iterable[Message]) -> list[str]:
    """Codes of sentences that are all true, and false of another round."""
    codes = []
    for one in messages:
        assert holds(facts, one.code, one.fields, about), one
        wrong = {name: value + 1 if isinstance(value, int) else "" for name, value in one.fields.items()}
        assert not holds(facts, one.code, wrong, about), one
        codes.append(one.code.removeprefix("explain."))
    return codes


def test_what_was_done_by_hand_is_said_as_it_was_recorded(tmp_path: Path) -> None:
    office, tournament = club_open(tmp_path)
    with office:
        tournament.pair(by=ANNA)
        tournament.begin_alteration(1, by=ANNA)
        by = ANNA.because("club tradition").accepting("manual-pairing")
        tournament.end_alteration(1, ((1, 2), (3, 4)), by=by)
        facts, about = recorded(tournament)
        assert about.round is not None
        assert judged(facts, about, about.round.notes) == ["note.altered.why"]

        tournament.publish(by=ANNA)
        tournament.record(1, {1: "1-0", 2: "0-1"}, by=ANNA)
        tournament.pair(by=ANNA)
        tournament.publish(by=ANNA)
        sure = by.accepting("boards-as-played", "correction")
        tournament.correct_boards(1, {1: (1, 3, "1-0"), 2: (2, 4, "0-1")}, by=sure)
        facts, about = recorded(tournament)
        assert about.round is not None
        assert judged(facts, about, about.round.played) == ["note.played"]


@pytest.mark.parametrize("edition", EDITIONS[:2])
def test_what_is_not_proven_is_said_with_the_number_of_sets(edition: str) -> None:
    state = crowded(edition)
    a, b = ASKED[edition]
    found = why_not(state, a, b)
    about = harvest.against(harvest.About(), found, asked=(a, b))
    facts = Facts.without_round(state)

    said = [
        one
        for one in answer_why_not(found, a, b, edition, 1).detail
        if one.code in ("explain.contrast.found", "explain.unproven")
    ]
    assert judged(facts, about, said) == ["contrast.found", "unproven"]


def test_who_left_or_came_late_is_said_so(tmp_path: Path) -> None:
    office, tournament = club_open(tmp_path, players=6)
    with office:
        tournament.ask(WithdrawPlayer(player=5), by=ANNA)
        tournament.ask(ExpelPlayer(player=6), by=ANNA.because("cheating"))
        tournament.pair(by=ANNA)
        tournament.publish(by=ANNA)
        late = ANNA.because("train").accepting("late-entry")
        tournament.ask(RegisterPlayer(details=Details(name="Gus", rating=1500)), by=late)
        facts, about = recorded(tournament)
        assert about.round is not None

        told = [one for id in (5, 6, 7) for one in absence(about.round, id)]
        assert judged(facts, about, told) == ["absent.withdrawn", "absent.expelled", "absent.late"]


@pytest.mark.soak
def test_a_million_sentences_are_true_in_every_edition_and_language() -> None:
    """``-s`` shows the count by edition, and what was never said."""
    codes: Counter[str] = Counter()
    false: Counter[str] = Counter()
    many = int(os.environ.get("PAIRCARD_SENTENCES", MANY)) // len(LANGUAGES) // len(EDITIONS)
    for edition in EDITIONS:
        before = sum(codes.values())
        for facts, line in said(Random(2029), edition, many):
            codes[line.message.code.removeprefix("explain.")] += 1
            if not holds(facts, line.message.code, line.message.fields, line.about):
                false[line.message.code] += 1
                print(edition, spoken(facts, line.message), line.about.index, facts.snapshot)
            assert len(spoken(facts, line.message)) == len(LANGUAGES)
        print(edition, (sum(codes.values()) - before) * len(LANGUAGES), "sentences")
    print(len(codes), "templates said; never:", sorted(set(PREDICATES) - set(codes)), "false:", dict(false))
    assert not false


# --- every predicate is seen to fail

TRIED = 30
"""Sentences of each code that are made wrong in every way."""


def words_of(language: str, code: str) -> list[Sentence]:
    """The sentences of a code, in their order."""
    found = template(language, f"explain.{code}")
    return list(found.sentences.values()) if isinstance(found, Choice) else [found]


def says(code: str, field: str) -> bool:
    """Whether a template says a field; some are given that it does not need."""
    return any(name == field for sentence in words_of(ENGLISH, code) for _, name, _ in sentence)


def needs(code: str, field: str) -> bool:
    """Whether another value makes a template false; any others may share a place, too."""
    return says(code, field) and not (code == "place.shared" and field in ("player", "other"))


def killed_by(draw: Random, edition: str, many: int) -> dict[str, Counter[str]]:
    """What made true sentences false, by code; "said" counts the sentences."""
    killed: dict[str, Counter[str]] = defaultdict(Counter)
    elder: list[Facts] = []
    for facts, line in said(draw, edition, many):
        if not elder or elder[-1] is not facts:
            elder = [*elder[-2:], facts]
        message, about = line.message, line.about
        code = message.code.removeprefix("explain.")
        if killed[code]["said"] >= TRIED or not holds(facts, code, message.fields, about):
            continue
        killed[code]["said"] += 1
        for kind, other in wrong_answers(facts, draw):
            killed[code]["answer"] += not holds(other, code, message.fields, about)
            killed[code][kind] += not holds(other, code, message.fields, about)
        for name, wrong in wrong_sentences(facts, message, draw):
            killed[code][f"{name} tried"] += 1
            killed[code][name] += not holds(facts, code, wrong.fields, about)
        for other in elder[:-1]:
            killed[code]["another round"] += not holds(other, code, message.fields, about)
        killed[code]["elsewhere"] += not holds(facts, code, message.fields, elsewhere(about))
    return killed


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_predicate_fails_on_a_wrong_answer(edition: str) -> None:
    """Boards, colours, byes, floats or points exchanged in the answer; each field of the sentence changed."""
    alive = []
    for code, kills in killed_by(Random(3), edition, 3_500).items():
        wrong = {
            name for name, many in kills.items() if many and name != "said" and not name.endswith("tried")
        }
        if not wrong:
            alive.append(code)
        for tried, many in kills.items():
            name = tried.removesuffix(" tried")
            if tried.endswith(" tried") and many >= 12 and not kills[name] and needs(code, name):
                alive.append(f"{code} {name}")
    assert not alive, "; ".join(alive)


# --- a translation says what its predicate says

CONCEPTS = {
    "paired": (r"\bpair(ed|s|ing)?\b", r"abbin|coppi|coppia"),
    "going down": (
        r"\b(go|went|came|come|going|float)\w* (down|further)|down|float",
        r"scend|sces|float|giù",
    ),
    "the bye": (r"\bbye\b", r"\bbye\b"),
    "order": (r"\border\b", r"\bordine\b"),
    "an opponent": (r"nobody (left )?to play|opponent", r"avversari|giocare solo"),
    "White": (r"\bWhite\b", r"\bBianco\b"),
    "Black": (r"\bBlack\b", r"\bNero\b"),
    "topscorer": (r"topscorer", r"topscorer"),
    "again": (r"already|second time|twice in a row|again, as", r"già|seconda volta|due volte di fila"),
    "a colour": (r"colour", r"color"),
    "higher": (r"ranks higher", r"più in alto"),
    "the rule": (r"\brules?\b", r"regol"),
}
"""Words that must be in both languages or in neither."""
LOOSE = {
    ("going down", "bracket.lowered"), ("going down", "bracket.lowered.Z1"),
    ("White", "key.colours"), ("Black", "key.colours"),
}  # fmt: skip
"""Where the other language needs the word for its grammar."""


def text_of(sentence: Sentence) -> str:
    """A sentence as it is written."""
    fields = [f"{name}:{noun}" if noun else name for _, name, noun in sentence]
    texts = [words for words, _, _ in sentence]
    return "".join(
        f"{words}{{{field}}}" if field else words for words, field in zip(texts, fields, strict=True)
    )


@pytest.mark.parametrize("language", OTHERS)
def test_a_translation_has_the_fields_nouns_numbers_and_concepts_of_its_code(language: str) -> None:
    wrong = []
    for code in PREDICATES:
        pairs = zip(words_of(ENGLISH, code), words_of(language, code), strict=True)
        for english, other in pairs:
            said, meant = text_of(other), text_of(english)
            if fields_in(english) - fields_in(other) - {("player", "")}:
                wrong.append(f"{code}: {fields_in(english) ^ fields_in(other)}")
            if numerals(said) != numerals(meant):
                wrong.append(f"{code}: {numerals(meant)} {numerals(said)}")
            plain, theirs = (re.sub(r"\{\w+:?|\}", " ", text) for text in (meant, said))
            for concept, (here, there) in CONCEPTS.items():
                found = re.search(here, plain), re.search(there, theirs)
                if bool(found[0]) != bool(found[1]) and (concept, code) not in LOOSE:
                    wrong.append(f"{code}: {concept}: {meant} / {said}")
    assert not wrong, "\n".join(wrong)


def fields_in(sentence: Sentence) -> set[tuple[str, str]]:
    return {(name, noun) for _, name, noun in sentence if name}


def numerals(text: str) -> list[str]:
    return re.findall(r"\d+(?:\.\d+)*|[A-E]\.\d+", text)
