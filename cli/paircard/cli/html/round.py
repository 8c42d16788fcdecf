"""A round, explained on one HTML page: no network, no script; for screen, phone and A4."""

from collections.abc import Mapping, Sequence
from functools import cache
from html import escape
from importlib.resources import files

from paircard.cli.html.standings import Heading, page
from paircard.cli.round_text import due, floats
from paircard.domain.values.text import counted
from paircard.pairing.explain.bracket_lines import bracket_lines, criteria_named, met
from paircard.pairing.explain.lines import Line, Rule, line
from paircard.pairing.explain.speaking import PageSpeaker, points
from paircard.pairing.explain.why import BracketStory, Seat, Story
from paircard.pairing.outcome import Board
from paircard.service.explaining import Round, absence

SMALL = 12
"""Boards up to which a bracket is not broken between two sheets of paper."""


@cache
def style() -> str:
    """The style of this page, beside that of all pages."""
    return files("paircard.cli.html").joinpath("round.css").read_text(encoding="utf-8")


class Page:
    """Writes the page of one round."""

    def __init__(self, story: Story, round: Round) -> None:
        self.story = story
        self.round = round
        self.speaker = PageSpeaker(round.people)
        self.seats: Mapping[int, Seat] = {seat.id: seat for seat in story.players}
        self.brought: dict[int, int] = {}
        """By player: the score of the bracket they floated down from last."""

    def body(self) -> str:
        """All brackets, who was absent, and the key."""
        parts = []
        for number, bracket in enumerate(self.story.brackets, 1):
            parts.append(self.bracket(number, bracket))
            if number < len(self.story.brackets):
                parts.append(self.drop(bracket))
            self.brought |= dict.fromkeys(bracket.candidate.downfloaters, bracket.candidate.score)
        away = self.said([each for id, _ in self.story.absent for each in absence(self.round, id)])
        return f"<main>\n{''.join(parts)}{away}{self.key()}</main>\n"

    def say(self, line: Line) -> str:
        """A sentence for the page."""
        return self.speaker.say(line)

    def said(self, lines: Sequence[Line], kind: str = "why") -> str:
        """Sentences in one paragraph."""
        return f'<p class="{kind}">{" ".join(map(self.say, lines))}</p>\n' if lines else ""

    def bracket(self, number: int, bracket: BracketStory) -> str:
        """One bracket: its players face to face, who leaves it, and the reasons."""
        made, lines = bracket.candidate, bracket_lines(self.story, bracket)
        counts = [counted(bracket.numbers.players, "player"), counted(bracket.numbers.max_pairs, "pair")]
        if made.moved_down:
            counts.insert(1, f"{len(made.moved_down)} moved down")
        small = " small" if len(bracket.boards) <= SMALL else ""
        down = "".join(self.leaving(reasons) for reasons in lines.floats)
        rest = self.said([lines.numbers, *([lines.rest] if lines.rest else [])], "why faint")
        return (
            f'<section class="bracket{small}" id="b{number}">\n'
            f"<h3>{self.say(lines.title)} <small>{' · '.join(counts)}</small></h3>\n"
            f"{self.subgroups(bracket)}{self.pairs(bracket)}{down}"
            f"{self.said(lines.reasons)}{self.values(bracket)}{rest}</section>\n"
        )

    def drop(self, bracket: BracketStory) -> str:
        """Arrows from this bracket to the next."""
        who = bracket.candidate.downfloaters
        arrows = "".join(f"<span>{self.speaker.person(id)}</span>" for id in who)
        return f'<div class="drop"><span class="arrow">↓</span>{arrows}</div>\n' if who else ""

    def subgroups(self, bracket: BracketStory) -> str:
        """S1 and S2 as they were before any alteration (2026 3.2, 2017 B.2)."""
        made = bracket.candidate
        rows: list[tuple[str, Sequence[int]]] = []
        if made.moved_down:
            rows.append(("S1", [id for id in made.moved_down if id not in made.limbo]))
            rows.append(("S2", made.residents))
            rows.append(("Limbo", made.limbo))
            if made.s1:
                rows += [("S1R", made.s1), ("S2R", made.s2)]
        else:
            rows += [("S1", made.s1), ("S2", made.s2)]
        exchanged = {*made.moved_to_s1, *made.moved_to_s2}
        groups = "".join(
            f"<div><dt>{label}</dt><dd>{' '.join(self.tag(id, id in exchanged) for id in ids)}</dd></div>"
            for label, ids in rows
            if ids
        )
        return f'<dl class="groups">{groups}</dl>\n'

    def tag(self, id: int, exchanged: bool) -> str:
        """A player as a small card: number, colour due, floats."""
        seat = self.seats[id]
        marked = " swapped" if exchanged else ""
        arrows = f"<i>{floats(seat)}</i>" if floats(seat) else ""
        return f'<span class="mini{marked}"><b>{seat.number}</b>{due(seat.preference)}{arrows}</span>'

    def pairs(self, bracket: BracketStory) -> str:
        """Boards: White on the left, Black on the right."""
        if not bracket.boards:
            return ""
        rows = "".join(self.board(number, self.story.boards[number - 1]) for number in bracket.boards)
        head = "".join(f'<th scope="col">{word}</th>' for word in ("Board", "White", "Black", "Colours by"))
        return f'<table class="boards"><thead><tr>{head}</tr></thead>\n<tbody>\n{rows}</tbody></table>\n'

    def board(self, number: int, board: Board) -> str:
        return (
            f'<tr><th scope="row" class="at">{number}</th><td>{self.player(board.white, "w")}</td>'
            f'<td>{self.player(board.black, "b")}</td><td class="rule">{escape(board.rule)}</td></tr>\n'
        )

    def player(self, id: int, colour: str) -> str:
        """A player on a board: number, name, points, colour due, floats."""
        seat, who = self.seats[id], self.round.people[id]
        facts = [points(seat.score), due(seat.preference), floats(seat)]
        if id in self.brought:
            facts.append(f"<em>↓ {points(self.brought[id])}</em>")
        name = f"<bdi>{escape(who.name)}</bdi>" if who.name else self.speaker.person(id)
        return (
            f'<span class="seat"><span class="game {colour}">{who.number}</span><span class="name">{name}'
            f'</span><span class="soft">{" ".join(fact for fact in facts if fact)}</span></span>'
        )

    def leaving(self, reasons: Sequence[Line]) -> str:
        """A downfloater, with the reason."""
        return f'<p class="floats"><span class="arrow">↓</span> {" ".join(map(self.say, reasons))}</p>\n'

    def values(self, bracket: BracketStory) -> str:
        """Criteria that are not fully met; those above the least possible stand out."""
        cells = []
        if bracket.numbers.perfect:
            cells.append(f'<li class="perfect">{self.say(line("values.perfect"))}</li>')
        for name, value in bracket.candidate.values.items():
            if not met(value):
                least = bracket.numbers.least.get(name)
                kind = "least" if least == value else "failed"
                cells.append(f'<li class="{kind}">{self.speaker.against_least(name, value, least)}</li>')
        return f'<ul class="values">{"".join(cells)}</ul>\n' if cells else ""

    def key(self) -> str:
        """What the signs mean, and what the rules say that are named on the page."""
        colours = sorted({board.rule for board in self.story.boards})
        rules = "".join(
            f"<dt>{name}</dt><dd>{self.speaker.field(Rule(name))}</dd>"
            for name in (*colours, *criteria_named(self.story))
        )
        signs = f"<p>{self.say(line('key.colours'))} {self.say(line('key.numbers'))}</p>"
        return f'<section class="key">{signs}<dl>{rules}</dl></section>\n'


def round_page(heading: Heading, story: Story, round: Round, notes: Sequence[Line]) -> str:
    """The page of a round."""
    made = Page(story, round)
    rules = escape(made.say(line(f"edition.{story.edition}")))
    above = Heading(name=heading.name, facts=(*heading.facts, rules))
    what = f"Round {story.round} of {story.rounds}, explained"
    spoken = [made.say(note) for note in notes]
    return page(above, what, spoken, made.body(), css=style(), foot=f"Pairing by {rules}.")
