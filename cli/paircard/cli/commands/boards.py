"""Looking at a tournament: ``boards slips card``. Nothing here writes."""

from typing import Any

import click

from paircard.cli.options import reads
from paircard.cli.output import CENTRE, LEFT, RIGHT, points, say, show_json, show_table
from paircard.cli.session import Session
from paircard.domain.deciding.decision import round_of
from paircard.domain.rounds import Game
from paircard.domain.values.results import Outcome, spell
from paircard.projections.history import History
from paircard.projections.round.cards import cards
from paircard.projections.round.scoregroups import points_before
from paircard.projections.views import table_after
from paircard.service.pages.sheets import boards_page, cards_page, names_page, slips_page

BYE_WORDS = {"H": "half-point bye", "F": "full-point bye", "Z": "absent"}


@click.command()
@click.argument("round", type=int, required=False)
@click.option("--html", is_flag=True, help="Print a pairing sheet as a web page, for the screen or for A4.")
@click.option("--by-name", is_flag=True, help="With --html: everybody in alphabetical order.")
@reads
def boards(session: Session, round: int | None, html: bool, by_name: bool) -> None:
    """Show the boards of a round; default: the last round.

    Numbers are the pairing numbers the round was paired with, scores those before it.

    \b
    Example:
      paircard boards 1
    """
    view = session.view()
    history = view.history
    number = history.paired if round is None else round
    if by_name and not html:
        raise click.UsageError("--by-name is for the web page: add --html")
    if html:
        page = names_page if by_name else boards_page
        click.echo(page(view, number), nl=False)
    elif session.json:
        show_json(boards_as_data(history, number))
    else:
        print_boards(history, number)


def need_round(history: History, round: int) -> None:
    """Refuse a round that is not paired."""

    round_of(history.state, round)


def boards_as_data(history: History, round: int) -> dict[str, Any]:
    """A round as plain values."""

    need_round(history, round)
    paired = history.rounds[round - 1]
    numbers = dict(paired.numbers)

    def who(id: int) -> dict[str, Any]:
        return {"id": id, "number": numbers.get(id), "name": history.state.players[id - 1].details.name}

    def result(game: Game) -> str | None:
        if game.white_letter in ("", "?"):
            return "adjourned" if game.white_letter else None
        return spell(Outcome(game.white_letter, game.black_letter))

    return {
        "round": round,
        "state": round_state(history, round),
        "edition": paired.fact.edition,
        "engine": paired.fact.engine,
        "snapshot": paired.fact.snapshot,
        "boards": [
            {"board": at, "white": who(game.white), "black": who(game.black), "result": result(game)}
            for at, game in enumerate(paired.games(), start=1)
        ],
        "pab": who(paired.pab) if paired.pab else None,
        "absent": [who(id) | {"letter": letter} for id, letter in paired.absent],
    }


def round_state(history: History, round: int) -> str:
    """How far a paired round has come."""
    paired = history.rounds[round - 1]
    if history.state.manual == round:
        return "in the arbiter's hands"
    if paired.completed:
        return "completed"
    if not paired.published:
        return "not published"
    waiting = len(paired.open_boards())
    return f"{waiting} to play" if waiting else "all results in"


def outside_fide(history: History) -> str:
    """The sign that no sheet may lack once FIDE mode is left (VCL 46)."""
    return "" if history.state.fide_mode else ", OUT OF FIDE MODE"


def print_boards(history: History, round: int) -> None:
    """A round as a pairing sheet."""

    data = boards_as_data(history, round)
    before = points_before(table_after(history, round - 1), round)

    def side(one: dict[str, Any]) -> str:
        player = history.state.players[one["id"] - 1].details
        return f"{player.title} {player.name}".strip() + f" ({points(before[one['id']])})"

    rows = [
        (
            b["board"],
            b["white"]["number"],
            side(b["white"]),
            b["result"] or "–",
            side(b["black"]),
            b["black"]["number"],
        )
        for b in data["boards"]
    ]
    if data["pab"]:
        rows.append(("", data["pab"]["number"], side(data["pab"]), "bye", "", ""))
    notes = (", altered by hand" if history.rounds[round - 1].altered else "") + outside_fide(history)
    show_table(
        (("Bd", RIGHT), ("No", RIGHT), ("White", LEFT), ("Result", CENTRE), ("Black", LEFT), ("No", RIGHT)),
        rows,
        title=f"Round {round} of {history.regulations.rounds}, {data['state']}{notes}",
    )
    for absent in data["absent"]:
        say(f"not playing: {absent['name']} ({why_absent(history, round, absent['id'], absent['letter'])})")


def why_absent(history: History, round: int, id: int, letter: str) -> str:
    """A bye; or withdrawn or expelled, of whoever is gone and had no bye in the round."""
    player = history.state.players[id - 1]
    if letter == "Z" and player.status and round not in dict(player.byes):
        return player.status
    return BYE_WORDS[letter]


@click.command()
@click.argument("round", type=int, required=False)
@reads
def slips(session: Session, round: int | None) -> None:
    """Print the result slips of a round as a web page for A4; default: the last round.

    \b
    Example:
      paircard slips 1
    """
    click.echo(slips_page(session.view(), round), nl=False)


@click.command()
@click.argument("who", required=False)
@click.option("--html", is_flag=True, help="Print a web page; without a player, the cards of everybody.")
@reads
def card(session: Session, who: str | None, html: bool) -> None:
    """Show a player's pairing card: opponent, colour, float, result and score of each round.

    \b
    Example:
      paircard card 1
    """

    view = session.view()
    history = view.history
    if html:
        click.echo(cards_page(view, [view.player(who)] if who else []), nl=False)
        return
    if who is None:
        raise click.UsageError("name a player; or add --html for the cards of everybody")
    table = table_after(history)
    mine = cards(table, history.regulations.edition)[view.player(who)]
    if session.json:
        show_json(mine)
        return
    rows = {row.id: row for row in table.rows}
    words = [mine.title, mine.name, str(mine.rating or "unrated"), mine.federation, mine.status]
    show_table(
        (
            ("Round", RIGHT),
            ("No", RIGHT),
            ("Opponent", LEFT),
            ("Colour", CENTRE),
            ("Float", CENTRE),
            ("Result", CENTRE),
            ("Score", RIGHT),
        ),
        [
            (
                line.round,
                rows[line.opponent].number if line.opponent else "",
                rows[line.opponent].name if line.opponent else BYE_WORDS.get(line.letter, "bye"),
                {"w": "white", "b": "black"}.get(line.colour, ""),
                {"d": "↓", "u": "↑"}.get(line.float, ""),
                line.letter.replace("=", "½") or "–",
                points(line.score),
            )
            for line in mine.lines
        ],
        title=f"{mine.number or '–'}  {' '.join(word for word in words if word)}",
    )
