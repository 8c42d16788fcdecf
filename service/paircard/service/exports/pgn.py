"""The games of a round as PGN, headers only: what relays, databases and broadcasts start from."""

from paircard.domain.values.results import FORFEITS
from paircard.projections.history import History
from paircard.service.views import Round, view_round

RESULTS = {("1", "0"): "1-0", ("0", "1"): "0-1", ("=", "="): "1/2-1/2"}
"""PGN knows these and ``*``; anything else is written as unknown and named in a tag."""

RATED_AS = {"W": "1", "D": "=", "L": "0", "+": "1", "-": "0"}


def pgn_of(history: History, round: int | None = None) -> str:
    """Every board of a round, the last paired one by default; games won by forfeit say so."""
    shown = view_round(history, round)
    return "\n".join(game(history, shown, board) for board in range(1, len(shown.boards) + 1))


def game(history: History, shown: Round, number: int) -> str:
    """One game: its tags, and the result in place of the moves."""
    rules = history.regulations
    board = shown.boards[number - 1]
    seen = history.rounds[shown.round - 1].game(number)
    letters = seen.white_letter, seen.black_letter
    white, black = (history.state.players[seat.id - 1].details for seat in (board.white, board.black))
    result = RESULTS.get((RATED_AS.get(letters[0], letters[0]), RATED_AS.get(letters[1], letters[1])), "*")
    dates = rules.dates
    day = dates[shown.round - 1] if shown.round <= len(dates) else rules.starts
    tags = [
        ("Event", rules.name),
        ("Site", " ".join(filter(None, (rules.place, rules.federation))) or "?"),
        ("Date", day.replace("-", ".") or "????.??.??"),
        ("Round", f"{shown.round}.{number}"),
        ("White", white.name),
        ("Black", black.name),
        ("Result", result),
        ("WhiteTitle", white.title),
        ("BlackTitle", black.title),
        ("WhiteElo", str(white.rating or "")),
        ("BlackElo", str(black.rating or "")),
        ("WhiteFideId", str(white.fide_id or "")),
        ("BlackFideId", str(black.fide_id or "")),
        ("EventDate", rules.starts.replace("-", ".")),
        ("EventRounds", str(rules.rounds)),
    ]
    if set(letters) & FORFEITS:
        tags.append(("Termination", "unplayed"))
    elif result == "*" and letters[0] not in ("", "?"):
        tags.append(("Termination", f"result {board.result}"))
    lines = [f'[{name} "{escaped(value)}"]' for name, value in tags if value]
    return "\n".join([*lines, "", result, ""])


def escaped(text: str) -> str:
    """A tag's value: backslashes and quotes take a backslash before them."""
    return text.replace("\\", "\\\\").replace('"', '\\"')


def broadcast_players(history: History) -> str:
    """The players in the text that lichess broadcasts take: ``name / FIDE id``, else rating and title."""
    lines = []
    for player in history.state.players:
        d = player.details
        known = [str(d.fide_id)] if d.fide_id else [str(d.rating or ""), d.title]
        lines.append(" / ".join([d.name, *known]).rstrip(" /"))
    return "\n".join(lines) + "\n" if lines else ""
