"""[C.04.2:3.6] The boards of a round in the order of publication, with their colours."""

from collections.abc import Iterable

from paircard.pairing.dutch.colours import numbering, white_of
from paircard.pairing.dutch.field import Field
from paircard.pairing.dutch.paired import Paired
from paircard.pairing.dutch.preferences import BLACK, WHITE
from paircard.pairing.outcome import Board
from paircard.projections.round.snapshot import Snapshot


def board_order(higher_score: int, lower_score: int, higher_rank: int) -> tuple[int, int, int]:
    """[C.04.2:3.6] Score of the higher-ranked player, sum of both scores, rank of the higher one."""
    return -higher_score, -higher_score - lower_score, higher_rank


def publish(snapshot: Snapshot, field: Field, brackets: Iterable[Paired]) -> tuple[Board, ...]:
    """The boards of all brackets in order."""
    pairs = [pair for bracket in brackets for pair in bracket.pairs]
    numbers = numbering(snapshot, field.edition)
    players, score = field.players, field.score
    odd = [numbers[player.id] % 2 == 1 for player in players]
    initial = WHITE if snapshot.initial_colour == "w" else BLACK
    articles = field.edition.colour_articles
    boards = []
    for i, j in sorted(pairs, key=lambda pair: board_order(score[pair[0]], score[pair[1]], pair[0])):
        white, rule = white_of(field, i, j, odd, initial)
        a, b = players[i].id, players[j].id
        boards.append(Board(a, b, articles[rule]) if white else Board(b, a, articles[rule]))
    return tuple(boards)
