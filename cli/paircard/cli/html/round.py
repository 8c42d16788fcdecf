"""A round, explained on one HTML page: no network, no script; for screen, phone and A4."""

from collections.abc import Mapping, Sequence
from functools import cache
from html import escape
from importlib.resources import files

from paircard.cli.html.standings import Heading, page
from paircard.cli.round_text import NOBODY, absentees, due, floats, met
from paircard.domain.values.text import counted
from paircard.pairing.explain.rules import COLOURS, EDITIONS
from paircard.pairing.explain.why import BracketStory, Floated, Seat, Story
from paircard.pairing.explain.words import Words, plural, points
from paircard.pairing.outcome import Board

SMALL = 12
"""Boards up to which a bracket is not broken between two sheets of paper."""


def prose(text: str) -> str:
    """A sentence for the page; a pair stays on one line."""
    return escape(text.replace("–", "\u2060–\u2060"))


@cache
def style() -> str:
    """The style of this page, beside that of all pages."""
    return files("paircard.cli.html").joinpath("round.css").read_text(encoding="utf-8")


class Page:
    """Writes the page of one round."""

    def __init__(self, story: Story, words: Words, gone: Mapping[int, str]) -> None:
        self.story = story
        self.gone = gone
        self.words = words
        self.seats: Mapping[int, Seat] = {seat.id: seat for seat in story.players}
        self.brought: dict[int, int] = {}
        """By player: the bracket they floated down from last."""

    def body(self) -> str:
        """All brackets, who was absent, and the key."""
        parts = []
        for number, bracket in enumerate(self.story.brackets):
            parts.append(self.bracket(number, bracket))
            parts.append(self.drop(bracket, number == len(self.story.brackets) - 1))
            self.brought |= dict.fromkeys(bracket.candidate.downfloaters, number)
        return "".join(parts) + self.absent() + self.key()

    def bracket(self, number: int, bracket: BracketStory) -> str:
        """One bracket: its players face to face, who leaves it, and the reasons."""
        made = bracket.candidate
        many = len(made.moved_down) + len(made.residents)
        pairs = len(made.pairs) + len(made.mdp_pairs)
        counts = [counted(many, "player"), counted(pairs, "pair")]
        if made.moved_down:
            counts.insert(1, f"{len(made.moved_down)} moved down")
        tag = f'<span class="tag">{made.role}</span>' if made.role else ""
        title = (
            "Collapsed last bracket" if made.role == "CLB" else f"{points(made.score)} {plural(made.score)}"
        )
        small = " small" if len(bracket.boards) <= SMALL else ""
        return (
            f'<section class="bracket{small}" id="b{number + 1}">\n'
            f"<h3>{title} {tag}<small>{' · '.join(counts)}</small></h3>\n"
            f"{self.subgroups(bracket)}{self.pairs(bracket)}"
            f"{''.join(map(self.leaving, bracket.floats))}"
            f"{self.reasons(bracket)}{self.values(bracket)}</section>\n"
        )

    def drop(self, bracket: BracketStory, last: bool) -> str:
        """Arrows from this bracket to the next."""
        who = bracket.candidate.downfloaters
        if not who or last:
            return ""
        arrows = "".join(
            f'<span><span class="game unplayed">{self.words.people[id].number}</span> '
            f"{escape(self.words.people[id].name)}</span>"
            for id in who
        )
        return f'<div class="drop"><span class="arrow">↓</span>{arrows}</div>\n'

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
        exchanged = (*made.moved_to_s1, *made.moved_to_s2)
        listed = []
        for label, ids in rows:
            if ids:
                tags = " ".join(self.tag(id, exchanged) for id in ids)
                listed.append(f"<div><dt>{label}</dt><dd>{tags}</dd></div>")
        return f'<dl class="groups">{"".join(listed)}</dl>\n'

    def tag(self, id: int, exchanged: Sequence[int]) -> str:
        """A player as a small card: number, colour due, floats."""
        seat = self.seats[id]
        told = f"{self.words.who(id)}: {self.preferred(seat)}"
        marked = " swapped" if id in exchanged else ""
        arrows = f"<i>{floats(seat)}</i>" if floats(seat) else ""
        return (
            f'<span class="mini{marked}" title="{escape(told)}"><b>{seat.number}</b>'
            f"{escape(due(seat.preference))}{arrows}</span>"
        )

    def preferred(self, seat: Seat) -> str:
        one = seat.preference
        if not one.colour:
            return "no colour preference"
        side = "White" if one.colour == "w" else "Black"
        return f"{one.strength} preference for {side}"

    def pairs(self, bracket: BracketStory) -> str:
        """Boards: White on the left, Black on the right."""
        if not bracket.boards:
            return ""
        rows = "".join(self.board(number, self.story.boards[number - 1]) for number in bracket.boards)
        return f'<div class="boards">\n{rows}</div>\n'

    def board(self, number: int, board: Board) -> str:
        told = f"{board.rule}: {COLOURS[board.rule[-1]]}"
        return (
            f'<div class="board"><span class="at">{number}</span>{self.player(board.white, "w")}'
            f"{self.player(board.black, 'b')}"
            f'<span class="rule" title="{escape(told)}">{board.rule}</span></div>\n'
        )

    def player(self, id: int, colour: str) -> str:
        """A player on a board, or leaving a bracket."""
        seat, who = self.seats[id], self.words.people[id]
        name = escape(who.name or f"Number {who.number}")
        facts = [points(seat.score), due(seat.preference), floats(seat)]
        if id in self.brought:
            before = self.story.brackets[self.brought[id]].candidate
            facts.append(f"<em>↓ from {points(before.score)}</em>")
        side = f' <span class="game {colour}">{who.number}</span>'
        return (
            f'<span class="seat {colour}side">{side}<span class="name">{name}</span>'
            f'<span class="soft">{" ".join(fact for fact in facts if fact)}</span></span>'
        )

    def leaving(self, floated: Floated) -> str:
        """A downfloater, with the reason."""
        who = self.words.people[floated.player]
        mark = "bye" if floated.bye else "↓"
        return (
            f'<p class="floats"><span class="arrow">{mark}</span> '
            f'<span class="game unplayed">{who.number}</span> {prose(self.words.floated(floated))}</p>\n'
        )

    def reasons(self, bracket: BracketStory) -> str:
        """The natural candidate, what excluded it, how the chosen one was found."""
        lines = []
        if bracket.attempt is not None:
            lines.append(self.words.collapsed(bracket.attempt))
        if bracket.boards:
            lines += self.words.natural(bracket.natural, bracket.candidate)
        return f'<p class="why">{prose(" ".join(lines))}</p>\n' if lines else ""

    def values(self, bracket: BracketStory) -> str:
        """Each criterion's value; those fully met are faint."""
        cells = []
        for name, value in bracket.candidate.values.items():
            good = met(value)
            shown = "0" if good else self.words.value(name, value)
            told = escape(f"{self.words.rule(name)}: {self.words.value(name, value)}")
            kind = "met" if good else "failed"
            cells.append(f'<li class="{kind}" title="{told}"><b>{name}</b> {escape(shown)}</li>')
        return f'<ul class="values">{"".join(cells)}</ul>\n'

    def absent(self) -> str:
        if not self.story.absent:
            return ""
        return f'<p class="why">{escape(absentees(self.story, self.words, self.gone))}</p>\n'

    def key(self) -> str:
        """What the signs mean, and the criteria that failed somewhere."""
        failed = {
            name
            for bracket in self.story.brackets
            for name, value in bracket.candidate.values.items()
            if not met(value)
        }
        rules = "".join(
            f"<dt>{name}</dt><dd>{escape(text)}</dd>"
            for name, text in self.words.rules.items()
            if name in failed
        )
        used = sorted({board.rule for board in self.story.boards})
        colours = "".join(f"<dt>{rule}</dt><dd>{escape(COLOURS[rule[-1]])}</dd>" for rule in used)
        return (
            '<dl class="key"><dt>W B</dt><dd>an absolute preference for White, for Black; '
            "Ww Bb a strong one, w b a mild one</dd>"
            "<dt>dashed</dt><dd>in S1 or S2: exchanged between the two</dd>"
            "<dt>↓ ↑</dt><dd>downfloat, upfloat of the last round, then of the one before</dd>"
            f"{colours}{rules}</dl>\n"
        )


def round_page(
    heading: Heading,
    story: Story,
    words: Words,
    notes: Sequence[str],
    gone: Mapping[int, str] = NOBODY,
) -> str:
    """The page of a round; ``gone`` are those who had withdrawn or were expelled."""
    what = f"Round {story.round} of {story.rounds}, explained"
    rules = EDITIONS[story.edition]
    above = Heading(name=heading.name, facts=(*heading.facts, rules))
    return page(above, what, notes, Page(story, words, gone).body(), css=style(), foot=f"Pairing by {rules}.")
