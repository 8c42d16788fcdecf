"""[C.04.2:3.6] The boards of a round in the order of publication, with their colours."""

from collections.abc import Iterable

from paircard.pairing.dutch.colours import numbering, white_of
from paircard.pairing.dutch.field import Field
from paircard.pairing.dutch.paired import Paired
from paircard.pairing.dutch.preferences import BLACK, WHITE
from paircard.pairing.outcome import Board
from paircard.projections.round.board_order import board_order
from paircard.projections.round.snapshot import Snapshot


def publish(snapshot: Snapshot, field: Field, brackets: Iterable[Paired]) -> tuple[Board, ...]:
    """The boards of all brackets in order."""
    pairs = [pair for bracket in brackets for pair in bracket.pairs]
    numbers = numbering(snapshot, field.edition)
    players = field.players
    odd = [numbers[player.id] % 2 == 1 for player in players]
    initial = WHITE if snapshot.initial_colour == "w" else BLACK
    articles = field.edition.colour_articles
    ranks = [(score, place) for place, score in enumerate(field.score)]
    boards = []
    for i, j in sorted(pairs, key=lambda pair: board_order(ranks[pair[0]], ranks[pair[1]])):
        white, rule = white_of(field, i, j, odd, initial)
        a, b = players[i].id, players[j].id
        boards.append(Board(a, b, articles[rule]) if white else Board(b, a, articles[rule]))
    return tuple(boards)
