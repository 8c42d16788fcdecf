"""A tournament run by nothing but the client that openapi-python-client made of /api/v1/openapi.json."""

import sys
from itertools import count

from api.api.commands import open_tournament, send_commands
from api.api.views import get_boards, get_overview
from api.client import AuthenticatedClient
from api.models import (
    CloseTournament,
    DetailsIn,
    DrawInitialColour,
    Opening,
    Order,
    PairRound,
    PublishRound,
    RecordResult,
    RegisterPlayer,
    RegulationsIn,
)
from api.models.overview import Overview
from api.models.round_ import Round

client = AuthenticatedClient(sys.argv[1], sys.argv[2], raise_on_unexpected_status=True)
keys = count(1)
body = Opening(regulations=RegulationsIn(name="Blitz", rounds=3))
made = open_tournament.sync(client=client, body=body, idempotency_key="open-py")
assert isinstance(made, Overview), made
NAMES = ("Ada", "Ben", "Cleo", "Dag", "Eva", "Finn", "Gil", "Hal")


def send(*commands) -> None:
    now = get_overview.sync(made.id, client=client)
    assert isinstance(now, Overview), now
    done = send_commands.sync_detailed(
        made.id,
        client=client,
        body=Order(commands=list(commands)),
        idempotency_key=f"py-{next(keys)}",
        if_match=f'"{now.version}"',
    )
    assert done.status_code == 201, done.content


for at, name in enumerate(NAMES):
    send(RegisterPlayer(do="register-player", details=DetailsIn(name=name, rating=2100 - 50 * at)))
send(DrawInitialColour(do="draw-initial-colour", colour="w"))
for round in (1, 2, 3):
    send(PairRound(do="pair-round", round_=round))
    send(PublishRound(do="publish-round", round_=round))
    drawn = get_boards.sync(made.id, round, client=client)
    assert isinstance(drawn, Round), drawn
    for board in drawn.boards:
        outcome = "1-0" if board.white.rating > board.black.rating else "½-½"
        send(RecordResult(do="record-result", round_=round, board=board.board, outcome=outcome))
send(CloseTournament(do="close-tournament"))
print(made.id)
