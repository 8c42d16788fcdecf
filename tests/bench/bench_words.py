"""How easy answers to why are to read: words of a sentence and of an answer, over a few hundred of them.

Run by hand: ``python -m tests.bench.bench_words [ANSWERS]``. The player's half, in English and Italian: the
three plain sentences, what stands first with the rest, and the answer in one piece.
"""

import re
import sys
from collections.abc import Iterable
from random import Random

from paircard.domain.messages import Message
from paircard.domain.speaking import LANGUAGES
from paircard.pairing import NoLegalRound
from paircard.pairing.explain import Answer, explain, why
from paircard.pairing.explain.answers import answer_why
from paircard.pairing.explain.speaking import RoundSpeaker, Who
from paircard.projections.round.snapshot import Snapshot
from tests.pairing.rounds import random_round

NAMES = (
    "Alice", "Bruno", "Carla", "Davide", "Elisa", "Franco", "Giorgia",
    "Hugo", "Irene", "Kevin", "Luisa", "Marco", "Nancy", "Oscar",
)  # fmt: skip


def answers(many: int) -> list[tuple[Snapshot, Answer]]:
    """Answers for players of random rounds of 2026."""
    draw, found = Random(29), list[tuple[Snapshot, Answer]]()
    while len(found) < many:
        state = random_round(draw, "dutch-2026", most=14)
        try:
            ids = [seat.id for seat in explain(state).players]
        except NoLegalRound:
            continue
        found += [(state, answer_why(why(state, id))) for id in draw.sample(ids, min(2, len(ids)))]
    return found[:many]


def measure(texts: Iterable[str]) -> str:
    """Words of a sentence, and of an answer."""
    said = [text for text in texts if text]
    sentences = [one for text in said for one in re.split(r"(?<=[.:;]) ", text)]
    words = sum(len(text.split()) for text in said)
    return f"{words / len(sentences):5.1f} words a sentence, {words / len(said):5.1f} words an answer"


def main() -> None:
    """Print the table."""
    many = int(sys.argv[1]) if len(sys.argv) > 1 else 400
    found = answers(many)
    for language in LANGUAGES:
        for label, part, numbers in (
            ("plain sentences", lambda one: one.plain, False),
            ("plain and more", lambda one: (*one.plain, *one.more), False),
            ("in one piece", lambda one: one.short, True),
        ):
            texts = []
            for state, answer in found:
                people = {p.id: Who(p.number, NAMES[p.id - 1]) for p in state.players}
                speaker = RoundSpeaker(people, language, numbers=numbers)
                lines: tuple[Message, ...] = part(answer)
                texts.append(" ".join(speaker.say_all(lines)))
            print(f"{language}  {label:<16} {measure(texts)}")


if __name__ == "__main__":
    main()
