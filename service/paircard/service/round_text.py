"""A round, explained in lines of text: bracket by bracket from the top."""

from collections.abc import Mapping

from paircard.pairing.explain.bracket_lines import bracket_lines, criteria_named, numbers_key, signs_key
from paircard.pairing.explain.lines import Person, Rule, line
from paircard.pairing.explain.signs import tagged
from paircard.pairing.explain.speaking import Speaker
from paircard.pairing.explain.topscorers import topscorers_line
from paircard.pairing.explain.why import BracketStory, Seat, Story
from paircard.service.explaining import Round, absence


def lines_of(story: Story, round: Round, speaker: Speaker) -> list[str]:
    """The whole round."""
    seats = {seat.id: seat for seat in story.players}
    many = len(story.boards)
    title = line(
        "round.title.bye" if story.pab else "round.title",
        round=story.round,
        rounds=story.rounds,
        boards=many,
        count=many,
        player=Person(story.pab),
    )
    lines = [speaker.say(title)]
    if story.last_round is not None:
        lines.append(speaker.say(topscorers_line(story.last_round)))
    for bracket in story.brackets:
        lines += ["", *lines_of_bracket(story, bracket, seats, speaker)]
    if story.absent:
        lines += ["", *(speaker.say(each) for id, _ in story.absent for each in absence(round, id))]
    rules = [f"{name}: {speaker.field(Rule(name))}." for name in criteria_named(story)]
    return [*lines, "", *speaker.say_all((*signs_key(story), numbers_key(story))), *rules]


def lines_of_bracket(
    story: Story, bracket: BracketStory, seats: Mapping[int, Seat], speaker: Speaker
) -> list[str]:
    """One bracket: who is in it, what was tried, boards, who leaves it, values, and the rest."""
    made, said = bracket.candidate, bracket_lines(story, bracket)
    moved = " ".join(tagged(seats[id]) for id in made.moved_down)
    residents = " ".join(tagged(seats[id]) for id in made.residents)
    lines = [f"{speaker.say(said.title)}: {f'[{moved}] ' if moved else ''}[{residents}]"]
    lines.append(f"  {speaker.say(said.numbers)}")
    if said.parts is not None:
        lines.append(f"  {speaker.say(said.parts)}")
    lines += [f"  {text}" for text in speaker.say_all(said.reasons)]
    for number in bracket.boards:
        board = story.boards[number - 1]
        seated = line(
            "board", board=number, white=Person(board.white), black=Person(board.black), article=board.rule
        )
        lines.append(f"  {speaker.say(seated)}")
    lines += [f"  {text}" for text in speaker.say_all(said.topscorers)]
    lines += [f"  ↓ {' '.join(speaker.say_all(reasons))}" for reasons in said.floats]
    lines.append(f"  {speaker.say(said.values)}")
    if said.rest is not None:
        lines.append(f"  {speaker.say(said.rest)}")
    return lines
