"""A rating corrected while a round is paired but not published reaches the numbers after the pairing is
taken back (C.04.2:2.3)."""

import pytest

from paircard.domain.messages import say
from tests.cli.session import Terminal
from tests.refusals import sentence


@pytest.fixture
def sixteen(terminal: Terminal) -> Terminal:
    """Sixteen players, Q01 the strongest; three rounds are played."""
    terminal.ok("new", "Open", "--rounds", "7")
    rows = [f"Q{n:02},{2000 - 20 * n}" for n in range(1, 17)]
    terminal.ok("player", "import", terminal.write("p.csv", "name,rating\n" + "\n".join(rows) + "\n"))
    terminal.ok("draw", "--colour", "white")
    for round in range(1, 4):
        terminal.ok("pair")
        terminal.ok("publish")
        words = [word for board in range(1, 9) for word in (str(board), ("1", "=", "0")[board % 3])]
        terminal.ok("result", str(round), *words)
    return terminal


def number_of(terminal: Terminal, name: str) -> int:
    [line] = [line for line in terminal.ok("player", "list").splitlines() if f" {name} " in line]
    return int(line.split()[0])


def test_after_unpair_the_corrected_rating_moves_the_number(sixteen: Terminal) -> None:
    sixteen.ok("pair")
    told = sixteen.ok("player", "correct", "Q16", "--rating", "1990", "--why", "typed")
    corrected = say("log.rating-corrected", player=16, earlier=1680, rating=1990, cause="unpublished")
    assert sentence(corrected.code, {16: "Q16"}, **corrected.fields) in told
    assert sentence("cli.players.unpair-first", round=4) in told
    sixteen.refuses("numbers-frozen-not-published", "number", article="C.04.2:2.3")
    assert number_of(sixteen, "Q16") == 16

    sixteen.ok("unpair")
    sixteen.warned("numbers-out-of-date", "pair", count=16)
    sixteen.ok("number", "--ack", "renumbering")
    assert number_of(sixteen, "Q16") == 1
    sixteen.ok("pair")
    sixteen.ok("verify")


def test_a_pairing_that_a_rating_has_overtaken_is_not_published_in_silence(sixteen: Terminal) -> None:
    sixteen.ok("pair")
    sixteen.ok("player", "correct", "Q16", "--rating", "1990", "--why", "typed")
    news = (say("news.data-corrected-to-number", player=16),)
    sixteen.warned("pairing-outdated", "publish", players=(16,), round=4, news=news)
    assert "--ack pairing-outdated" in sixteen.refused("publish")

    sixteen.ok("player", "correct", "Q16", "--rating", "1680", "--why", "it was right")
    sixteen.ok("publish")


def test_a_later_pairing_keeps_the_number_whether_it_is_taken_back_or_not(sixteen: Terminal) -> None:
    sixteen.ok("pair")
    sixteen.ok("publish")
    sixteen.ok("result", "4", *[word for board in range(1, 9) for word in (str(board), "1")])
    sixteen.ok("pair")
    told = sixteen.ok("player", "correct", "Q16", "--rating", "1990", "--why", "typed")
    corrected = say("log.rating-corrected", player=16, earlier=1680, rating=1990, cause="")
    assert sentence(corrected.code, {16: "Q16"}, **corrected.fields) in told
    assert "unpair" not in told


def test_an_imported_order_is_not_said_to_be_ranked_again(sixteen: Terminal) -> None:
    sixteen.ok("trf", "import", sixteen.write("open.trf", sixteen.ok("trf", "export")), "--db", "back.db")
    told = sixteen.ok("player", "correct", "Q16", "--rating", "1990", "--why", "typed", "--db", "back.db")
    assert "paircard number" not in told
    sixteen.refuses("numbers-same", "number", "--db", "back.db")


def test_data_that_move_no_number_are_not_asked_about(sixteen: Terminal) -> None:
    sixteen.ok("pair")
    sixteen.ok("player", "correct", "Q16", "--rating", "1681", "--club", "Riva", "--why", "typed")
    sixteen.ok("publish")


def test_once_round_5_is_paired_a_rating_moves_nothing(sixteen: Terminal) -> None:
    sixteen.ok("pair")
    sixteen.ok("publish")
    words = [word for board in range(1, 9) for word in (str(board), "=")]
    sixteen.ok("result", "4", *words)
    sixteen.ok("pair")
    sixteen.ok("player", "correct", "Q16", "--rating", "1990", "--why", "typed")
    sixteen.ok("publish")
    sixteen.refuses("numbers-frozen", "number", article="C.04.2:2.3")


def test_before_round_1_is_published_a_rating_is_asked_about(terminal: Terminal) -> None:
    terminal.ok("new", "Open", "--rounds", "3")
    terminal.ok("player", "import", terminal.write("p.csv", "name,rating\nA,2000\nB,1900\nC,1800\nD,1700\n"))
    terminal.ok("draw", "--colour", "white")
    terminal.ok("pair")
    terminal.ok("player", "correct", "D", "--rating", "2100", "--why", "typed")
    terminal.warned(
        "pairing-outdated", "publish", players=(4,), round=1, news=(say("news.data-corrected", player=4),)
    )
    terminal.ok("unpair")
    terminal.ok("pair")
    assert number_of(terminal, "D") == 1
    terminal.ok("publish")
