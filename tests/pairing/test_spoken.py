"""No sentence about a round is false by its own words, in any edition and language."""

import os
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import combinations, count, product
from pathlib import Path
from random import Random

import pytest

from paircard.domain.messages import Message
from paircard.domain.speaking import ENGLISH, LANGUAGES, Choice, Sentence, sentences, template
from paircard.pairing import NoLegalRound, pair
from paircard.pairing.explain import Bars, Candidate, Values
from paircard.pairing.explain.speaking import RoundSpeaker, Who
from paircard.projections.round.snapshot import snapshot
from tests.pairing.spoken import harvest
from tests.pairing.spoken.facts import Facts, facts_of, same_pairs
from tests.pairing.spoken.predicates import PREDICATES, holds
from tests.pairing.spoken.scenes import all_scenes
from tests.pairing.spoken.words import ABSOLUTE, met
from tests.pairing.spoken.wrong import failing

EDITIONS = ("dutch-2026", "dutch-2017", "dutch-2012", "dutch-2012-javafo")
MANY = 1_000_000
OTHERS = [code for code in LANGUAGES if code != ENGLISH]


def said(first: int, edition: str, many: int) -> Iterator[tuple[Facts, harvest.Line]]:
    """At least so many sentences about random histories; each is drawn by a number of its own."""
    seen = 0
    for seed in count(first):
        for facts, line in harvest.sentences(Random(seed), edition):
            seen += 1
            yield facts, line
        if seen >= many:
            return


def spoken(facts: Facts, message: Message) -> dict[str, str]:
    """A sentence in every language."""
    people = {player.id: Who(player.number, f"P{player.id}") for player in facts.snapshot.players}
    return {code: RoundSpeaker(people, code).say(message) for code in LANGUAGES}


def test_every_template_has_a_predicate_and_no_predicate_is_left_over() -> None:
    assert set(PREDICATES) == set(sentences(ENGLISH, "explain"))


@pytest.mark.parametrize("edition", EDITIONS)
def test_what_is_said_about_random_rounds_is_true_by_its_words(edition: str) -> None:
    codes = set()
    for facts, line in said(29, edition, 2_500):
        codes.add(line.message.code)
        assert holds(facts, line.message.code, line.message.fields, line.about), (
            spoken(facts, line.message),
            line.about,
            facts.snapshot,
        )
    assert len(codes) > 100, sorted(codes)


FALSE_ONCE = {"dutch-2026": (170, 2332, 2432), "dutch-2012": (11, 1546, 2862, 6174)}
"""Numbers of random histories about which something false was said once."""


def test_what_was_false_once_is_true_by_its_words_now() -> None:
    for edition, seeds in FALSE_ONCE.items():
        for facts, line in (one for seed in seeds for one in harvest.sentences(Random(seed), edition)):
            about = spoken(facts, line.message), line.about, facts.snapshot
            assert holds(facts, line.message.code, line.message.fields, line.about), about


SIBLINGS = (
    ("note.altered", "note.altered.why"),
    ("note.manual", "note.import"),
    ("note.stands.bye", "note.stands.none"),
    ("note.stands.white", "note.stands.black"),
    ("absent.withdrawn", "absent.expelled", "absent.removed", "absent.late", "absent.H", "absent.F"),
)
"""Templates of which one at most is true of a player or a round."""


def test_what_random_rounds_do_not_say_is_true_by_its_words(tmp_path: Path) -> None:
    codes = set()
    for facts, line in all_scenes(tmp_path):
        code, fields = line.message.code.removeprefix("explain."), {"reason": "", **line.message.fields}
        codes.add(code)
        assert holds(facts, code, fields, line.about), spoken(facts, line.message)
        rivals = [one for family in SIBLINGS if code in family for one in family if one != code]
        assert not [one for one in rivals if holds(facts, one, fields, line.about)], line.message
    assert codes >= {
        "pair.collapsed-in-order", "cause.stands.helpers", "contrast.found", "unproven",
        "note.altered", "note.altered.why", "note.manual", "note.import", "note.played", "note.stands.none",
        "absent.withdrawn", "absent.expelled", "absent.removed", "absent.late",
    }  # fmt: skip


@pytest.mark.soak
def test_a_million_sentences_are_true_in_every_edition_and_language() -> None:
    """``-s`` shows the count by edition, and what was never said."""
    codes: Counter[str] = Counter()
    false: Counter[str] = Counter()
    many = int(os.environ.get("PAIRCARD_SENTENCES", MANY)) // len(LANGUAGES) // len(EDITIONS)
    for edition in EDITIONS:
        before = sum(codes.values())
        for facts, line in said(2029, edition, many):
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
OFTEN = 12
"""Sentences of which one at least must be seen to become false."""
TELLING: dict[str, tuple[int, ...]] = {
    "dutch-2026": (
        *range(1, 13), 15, 17, 18, 20, 22, 24, 30, 31, 41, 43, 54, 56, 89, 111, 156, 198, 248, 305, 337, 461,
        481, 535, 540, 652, 676, 879, 1002, 1180,
    ),
    "dutch-2017": (1, 5, 8, 9, 11, 54, 79, 89, 138, 318, 531, 882, 1172),
    "dutch-2012": (1, 2, 3, 5, 8, 9, 54, 79, 156, 222, 236, 273, 396, 420, 652, 777),
    "dutch-2012-javafo": (1, 4, 14, 307),
}  # fmt: skip
"""Numbers of random histories in which, with the scenes, every template is said."""


def words_of(language: str, code: str) -> list[Sentence]:
    """The sentences of a code, in their order."""
    found = template(language, f"explain.{code}")
    return list(found.sentences.values()) if isinstance(found, Choice) else [found]


def says(code: str, field: str) -> bool:
    """Whether a template says a field; some are given that it does not need."""
    return any(name == field for sentence in words_of(ENGLISH, code) for _, name, _ in sentence)


def killed_by(first: int, edition: str, many: int) -> dict[str, Counter[str]]:
    """What made true sentences false, by code; "said" counts the sentences."""
    killed: dict[str, Counter[str]] = defaultdict(Counter)
    for facts, line in said(first, edition, many):
        code = line.message.code.removeprefix("explain.")
        if killed[code]["said"] >= TRIED or not holds(facts, code, line.message.fields, line.about):
            continue
        killed[code]["said"] += 1
        for what, failed in failing(facts, line, Random(killed[code]["said"])):
            killed[code][f"{what} tried"] += 1
            killed[code][what] += failed
    return killed


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_predicate_fails_on_a_wrong_answer(edition: str) -> None:
    """Boards, colours, byes, floats or points exchanged in the answer; each field of the sentence changed."""
    alive = []
    for code, kills in killed_by(3, edition, 3_500).items():
        tried = {name.removesuffix(" tried"): many for name, many in kills.items() if name.endswith(" tried")}
        if kills["said"] >= OFTEN and not any(kills[name] for name in tried):
            alive.append(code)
        alive += [
            f"{code} {name}"
            for name, many in tried.items()
            if many >= OFTEN and not kills[name] and says(code, name)
        ]
    assert not alive, "; ".join(alive)


def all_alive() -> dict[str, set[str]]:
    """Each template, and each field that it says, to be taken out once a wrong one was seen to be false."""
    alive = {}
    for code in PREDICATES:
        fields = {name for sentence in words_of(ENGLISH, code) for _, name, _ in sentence if name}
        alive[code] = {code, *(f"{code} {name}" for name in fields)}
    return alive


def strike(alive: dict[str, set[str]], lines: Iterable[tuple[Facts, harvest.Line]]) -> bool:
    """Take out what a wrong answer or field made false in these sentences; whether there was anything."""
    before = sum(map(len, alive.values()))
    for facts, line in lines:
        code = line.message.code.removeprefix("explain.")
        if alive[code] and holds(facts, code, line.message.fields, line.about):
            false = [what for what, failed in failing(facts, line, Random(1)) if failed]
            alive[code] -= {code, *(f"{code} {what}" for what in false)} if false else set()
    return sum(map(len, alive.values())) < before


def test_no_template_and_no_field_is_without_a_wrong_answer_that_its_predicate_refuses(
    tmp_path: Path,
) -> None:
    alive = all_alive()
    strike(alive, all_scenes(tmp_path))
    for edition, seeds in TELLING.items():
        for seed in seeds:
            strike(alive, harvest.sentences(Random(seed), edition))
    left = sorted(set().union(*alive.values()))
    assert not left, f"said in no round of TELLING, or always true: {'; '.join(left)}"


VERDICTS = ("first", "better", "worse", "rest", "accepted")


def some_rounds(edition: str, many: int) -> Iterator[Facts]:
    """Random rounds by number."""
    for seed in range(many):
        table = harvest.a_table(Random(seed))
        state = snapshot(table, table.paired + 1, edition)
        with suppress(NoLegalRound):
            if facts := facts_of(state, pair(state)):
                yield facts


@pytest.mark.parametrize("edition", EDITIONS)
def test_of_a_candidate_in_a_lesson_one_verdict_alone_is_true(edition: str) -> None:
    told: Counter[str] = Counter()
    for facts in some_rounds(edition, 60):
        for line in harvest.of_slides(facts):
            verdict = line.message.code.removeprefix("explain.slide.")
            if verdict in VERDICTS:
                told[verdict] += 1
                values = facts.values(line.about.other, line.about.index)  # type: ignore[arg-type]
                unmet = Values(tuple((name, value, None) for name, value in values.items() if not met(value)))
                fields = {"bars": Bars(()), "values": unmet, "criterion": ABSOLUTE[edition]["C4"]}
                fields |= line.message.fields
                true = [one for one in VERDICTS if holds(facts, f"slide.{one}", fields, line.about)]
                assert verdict in true, (line.message, facts.snapshot)
                assert len({*true} - {"rest"}) < 2, (line.message, true, facts.snapshot)
    assert set(told) >= {"first", "worse", "accepted"}, told


@pytest.mark.parametrize("edition", EDITIONS)
def test_no_candidate_but_the_best_other_one_is_called_that(edition: str) -> None:
    refused = 0
    for facts in some_rounds(edition, 60):
        for line in (
            one for a, b in combinations(facts.truth.rank, 2) for one in harvest.of_why_not(facts, a, b)
        ):
            about = line.about
            if line.message.code == "explain.contrast.best" and about.other and len(about.other.members) < 6:
                for pairs in facts.candidates(about.other, about.index):
                    other = facts.made(about.other, pairs)
                    fields = {"candidate": Candidate(pairs, other.floaters)}
                    best = same_pairs(pairs, about.other.pairs)
                    assert holds(facts, "contrast.best", fields, replace(about, other=other)) == best
                    refused += not best
    assert refused > 100


@pytest.mark.soak
def test_rounds_that_are_enough_to_refuse_a_wrong_answer_for_every_template(tmp_path: Path) -> None:
    """``-s`` prints them for ``TELLING``."""
    alive, telling = all_alive(), defaultdict(list)
    strike(alive, all_scenes(tmp_path))
    for seed, edition in product(range(int(os.environ.get("PAIRCARD_ROUNDS", 4_000))), EDITIONS):
        if any(alive.values()) and strike(alive, harvest.sentences(Random(seed), edition)):
            telling[edition].append(seed)
    print(dict(telling))
    left = sorted(set().union(*alive.values()))
    assert not left, "; ".join(left)


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
