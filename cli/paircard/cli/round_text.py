"""A round, explained in lines of text: bracket by bracket from the top."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from paircard.domain.values.text import counted, enumerated
from paircard.pairing.dutch.criteria import Value
from paircard.pairing.explain.colours import Preference
from paircard.pairing.explain.why import BracketStory, Seat, Story
from paircard.pairing.explain.words import ABSENCES, Words

ARROWS: Final = {"d": "↓", "u": "↑", "-": "-"}

KEY: Final = (
    "Colour preferences: W B absolute, Ww Bb strong, w b mild. Floats of the last two rounds: ↓ down, ↑ up."
)


def due(one: Preference) -> str:
    """A colour preference as on a pairing card: ``W``, ``Ww``, ``w``."""
    if not one.colour:
        return ""
    return {"absolute": one.colour.upper(), "strong": one.colour.upper() + one.colour}.get(
        one.strength, one.colour
    )


def floats(seat: Seat) -> str:
    """Arrows of the last two rounds, the latest first; empty for none."""
    last, before = seat.floats
    if before == "-":
        return "" if last == "-" else ARROWS[last]
    return ARROWS[last] + ARROWS[before]


def tagged(seat: Seat) -> str:
    """``5Bb↓``."""
    return f"{seat.number}{due(seat.preference)}{floats(seat)}"


NOBODY: Mapping[int, str] = MappingProxyType({})


def lines_of(story: Story, words: Words, gone: Mapping[int, str] = NOBODY) -> list[str]:
    """The whole round; ``gone`` are those who had withdrawn or were expelled."""
    seats = {seat.id: seat for seat in story.players}
    lines = [f"Round {story.round} of {story.rounds}: {counted(len(story.boards), 'board')}"]
    if story.pab:
        lines[0] += f", the bye for {words.who(story.pab)}"
    for number, bracket in enumerate(story.brackets):
        lines += ["", *bracket_lines(story, number, bracket, seats, words)]
    if story.absent:
        lines += ["", absentees(story, words, gone)]
    return [*lines, "", KEY]


def absentees(story: Story, words: Words, gone: Mapping[int, str]) -> str:
    """Who was not to be paired, and why."""
    named = (f"{words.who(id)} ({gone.get(id) or ABSENCES[letter]})" for id, letter in story.absent)
    return f"Not to be paired: {enumerated(named)}."


def bracket_lines(
    story: Story, number: int, bracket: BracketStory, seats: Mapping[int, Seat], words: Words
) -> list[str]:
    """One bracket."""
    made = bracket.candidate
    moved = " ".join(tagged(seats[id]) for id in made.moved_down)
    residents = " ".join(tagged(seats[id]) for id in made.residents)
    title = words.bracket(made).removeprefix("the ")
    lines = [f"{title[0].upper()}{title[1:]}: {f'[{moved}] ' if moved else ''}[{residents}]"]
    if bracket.attempt is not None:
        lines.append(f"  {words.collapsed(bracket.attempt)}")
    if made.pairs or made.mdp_pairs:
        lines += [f"  {line}" for line in words.natural(bracket.natural, made)]
    lines += [f"  {line}" for line in boards_of(story, bracket, words)]
    lines += [f"  ↓ {words.floated(floated)}" for floated in bracket.floats]
    told = values_of(bracket, words)
    if told:
        lines.append(f"  {told}")
    return lines


def boards_of(story: Story, bracket: BracketStory, words: Words) -> list[str]:
    """Boards with their colour rules."""
    made = []
    for number in bracket.boards:
        board = story.boards[number - 1]
        made.append(f"Board {number}: {words.who(board.white)} – {words.who(board.black)} ({board.rule})")
    return made


def met(value: Value) -> bool:
    """Whether a criterion is fully met."""
    return value in (0, (), (0,))


def values_of(bracket: BracketStory, words: Words) -> str:
    """Failure values that are not zero."""
    failing = [
        f"{name} {words.value(name, value)}"
        for name, value in bracket.candidate.values.items()
        if not met(value)
    ]
    return (
        f"Failure values: {'; '.join(failing)}; all others 0." if failing else "Perfect: no failure at all."
    )
