"""``why``, ``why-not`` and ``explain``: the reasons for a round, in the rules' own words."""

from typing import TYPE_CHECKING, Any

import click

from paircard.cli.options import reads, with_options
from paircard.cli.output import line_width, show_json
from paircard.cli.session import Desk
from paircard.domain.values.regulations import EDITIONS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from paircard.cli.round_question import Asked
    from paircard.pairing.explain import Story, Why
    from paircard.pairing.explain.words import Words
    from paircard.pairing.outcome import Board

REPORT = (
    click.option("--round", type=int, help="Round of a report file; the last one unless told."),
    click.option(
        "--edition",
        type=click.Choice(EDITIONS),
        help="Rules for a report file; else its record 192, else dutch-2026.",
    ),
    click.option("--latin-1", is_flag=True, help="Read an old report file that is not UTF-8."),
)


@click.command()
@click.argument("what", metavar="ROUND")
@click.argument("player")
@with_options(*REPORT)
@reads
def why(desk: Desk, what: str, player: str, round: int | None, edition: str | None, latin_1: bool) -> None:
    """Say why a player has this opponent and this colour.

    ROUND is a round of the tournament; or a report file, with --round.

    \b
    Example:
      paircard why 1 Carlsen
    """
    from paircard.cli.round_question import asked
    from paircard.pairing import NoLegalRound
    from paircard.pairing import explain as reasons

    meant = asked(desk, what, round, edition, latin_1)
    id = meant.player(player)
    lines, data = notices(meant, id), None
    if not lines:
        try:
            data = reasons.why(meant.snapshot, id)
            lines = words(meant).why(data, score_of(meant, id), virtual_of(meant, id))
            lines = [*made_by_hand(meant, data), *lines]
        except NoLegalRound as none:
            lines = [*meant.notes, f"The rules give no round here: {none}."]
    tell(desk, meant, {"player": id, "why": data}, lines)


@click.command(name="why-not")
@click.argument("what", metavar="ROUND")
@click.argument("one", metavar="PLAYER")
@click.argument("other", metavar="PLAYER")
@with_options(*REPORT)
@reads
def why_not(
    desk: Desk, what: str, one: str, other: str, round: int | None, edition: str | None, latin_1: bool
) -> None:
    """Say why two players do not meet: the rule that forbids it, or what would get worse.

    ROUND is a round of the tournament; or a report file, with --round. "bye" in the place of a player asks
    about the bye.

    \b
    Example:
      paircard why-not 1 Carlsen Anand
    """
    from paircard.cli.round_question import BYE_WORDS, asked
    from paircard.pairing import NoLegalRound
    from paircard.pairing import explain as reasons

    meant = asked(desk, what, round, edition, latin_1)
    a, b = (reasons.BYE if text.casefold() in BYE_WORDS else meant.player(text) for text in (one, other))
    if a == b:
        raise click.ClickException("nobody meets themself: name two players")
    lines = [line for id in (a, b) if id for line in notices(meant, id)]
    data = None
    if not lines:
        spoken = words(meant)
        try:
            data = reasons.why_not(meant.snapshot, a, b)
            lines = spoken.why_not(data, a, b, {})
            if data.outcome in ("worse", "later"):
                lines += changed(meant, data.boards, data.pab)
            if together(meant.boards or (), a, b) and data.outcome != "real":
                lines = [
                    *meant.notes,
                    f"{spoken.who(a)} and {spoken.who(b)} do meet. By the rules not:",
                    *lines,
                ]
            apart = a and b and meant.boards is not None and not together(meant.boards, a, b)
            if data.outcome == "real" and apart:
                lines = [
                    *meant.notes,
                    f"{spoken.who(a)} and {spoken.who(b)} do not meet. By the rules they would.",
                ]
        except NoLegalRound as none:
            lines = [*meant.notes, f"The rules give no round here: {none}."]
    tell(desk, meant, {"players": [a, b], "why_not": data}, lines)


@click.command()
@click.argument("what", metavar="[ROUND]", required=False)
@with_options(*REPORT)
@click.option("--html", is_flag=True, help="Print a web page, to be read on screen, on a phone or on paper.")
@reads
def explain(
    desk: Desk, what: str | None, round: int | None, edition: str | None, latin_1: bool, html: bool
) -> None:
    """Explain a round bracket by bracket, the last one unless told.

    ROUND is a round of the tournament; or a report file, with --round.

    \b
    Example:
      paircard explain 1 --html
    """
    from paircard.cli.round_question import asked
    from paircard.pairing import NoLegalRound
    from paircard.pairing import explain as reasons

    meant = asked(desk, what, round, edition, latin_1)
    try:
        story = reasons.explain(meant.snapshot)
    except NoLegalRound as none:
        tell(desk, meant, {"story": None}, [*meant.notes, f"The rules give no round here: {none}."])
        return
    notes = notes_on(meant, story)
    if html:
        from paircard.cli.html.round import round_page

        click.echo(
            round_page(meant.heading, story, words(meant), [*notes, *accelerated(meant)], meant.gone),
            nl=False,
        )
        return
    from paircard.cli.round_text import lines_of

    tell(desk, meant, {"notes": notes, "story": story}, [*notes, *lines_of(story, words(meant), meant.gone)])


def words(meant: "Asked") -> "Words":
    """Sentences for the round meant."""
    from paircard.pairing.explain.words import Words

    return Words(meant.snapshot.edition, meant.people)


def score_of(meant: "Asked", id: int) -> int:
    return next(player.score for player in meant.snapshot.players if player.id == id)


def virtual_of(meant: "Asked", id: int) -> int:
    return next(player.score - player.points for player in meant.snapshot.players if player.id == id)


def accelerated(meant: "Asked") -> list[str]:
    """Whose scores are higher in this round than on the pairing sheet (C.04.7)."""
    from paircard.pairing.explain.words import plural, points, ranges

    having: dict[int, list[int]] = {}
    for player in meant.snapshot.players:
        if player.score > player.points and not player.absent:
            having.setdefault(player.score - player.points, []).append(player.number)
    return [
        f"Scores are those of the pairing: {points(worth)} virtual {plural(worth)} (C.04.7) "
        f"for {ranges(numbers)}."
        for worth, numbers in sorted(having.items(), reverse=True)
    ]


def notices(meant: "Asked", id: int) -> list[str]:
    """What there is to say of a player who was not to be paired."""
    from paircard.pairing.explain.words import ABSENCES

    round, who = meant.snapshot.round, meant.people[id]
    if meant.late(id):
        return [f"{who.name or who} entered after round {round} was paired."]
    absent = next(player.absent for player in meant.snapshot.players if player.id == id)
    if not absent:
        return []
    reason = meant.gone.get(id) or ABSENCES[absent]
    return [f"{who} was not to be paired in round {round}: {reason}."]


def made_by_hand(meant: "Asked", data: "Why") -> list[str]:
    """What to say first where another board stands than that of the rules."""
    if meant.boards is None:
        return list(meant.notes)
    by_rules: list[tuple[int, int]] = []
    if data.colours:
        by_rules = [(data.colours.white.player, data.colours.black.player)]
    stands = next((board for board in meant.boards if data.player in board), None)
    if data.pab and meant.pab == data.player:
        return []
    if stands and meant.same(stands, by_rules):
        return []
    who = words(meant)
    now = "is not paired"
    if stands:
        side = "White" if stands[0] == data.player else "Black"
        now = f"has {side} against {who.who(sum(stands) - data.player)}"
    elif meant.pab == data.player:
        now = "has the bye"
    return [*meant.notes, f"{who.who(data.player)} {now}. By the rules it would be:"]


def notes_on(meant: "Asked", story: "Story") -> list[str]:
    """Notes where other boards stand than those of the rules."""
    if meant.boards is None:
        return list(meant.notes)
    ours = tuple((board.white, board.black) for board in story.boards)
    others = meant.strangers(ours, story.pab)
    if not others:
        return []
    boards = "1 board is" if others == 1 else f"{others} boards are"
    return [*meant.notes, f"{boards} not those of the rules; explained is the round of the rules."]


def changed(meant: "Asked", boards: "tuple[Board, ...]", pab: int) -> list[str]:
    """The best round with the two together, as far as it differs."""
    from paircard.pairing.dutch.pairing import pair

    real = pair(meant.snapshot)
    kept = {(board.white, board.black) for board in real.boards}
    people = meant.people
    new = [
        f"{people[board.white].number}–{people[board.black].number}"
        for board in boards
        if (board.white, board.black) not in kept
    ]
    if pab != real.pab:
        new.append(f"bye {people[pab].number}")
    same = len(boards) - sum((b.white, b.black) not in kept for b in boards)
    more = f", {len(new) - 24} more" if len(new) > 24 else ""
    rest = f"; {same} {'board as it is' if same == 1 else 'boards as they are'}" if same else ""
    return [f"That round: {', '.join(new[:24])}{more}{rest} (White first)."]


def tell(desk: Desk, meant: "Asked", data: dict[str, Any], lines: list[str]) -> None:
    """Sentences, or the same as data for programs."""
    from paircard.pairing.explain.rules import EDITIONS as TEXTS

    state = meant.snapshot
    lines = [*lines, *accelerated(meant)]
    if not desk.json:
        from textwrap import fill

        for line in (*lines, f"({TEXTS[state.edition]}.)"):
            deep = " " * (len(line) - len(line.lstrip()) + 2)
            click.echo(fill(line, line_width(), subsequent_indent=deep, break_on_hyphens=False))
        return
    people = [{"id": id, "number": who.number, "name": who.name} for id, who in meant.people.items()]
    show_json({"round": state.round, "edition": state.edition, **data, "text": lines, "people": people})


def together(boards: "Iterable[tuple[int, int]]", a: int, b: int) -> bool:
    """Whether two players meet on one of these boards."""
    return any({a, b} == set(board) for board in boards)
