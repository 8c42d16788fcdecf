"""From the announcement to the prize-giving at the terminal, and a correction after it."""

from tests.cli.session import Terminal

FILE = """
sharing = "hort"
unit = 1
[[category]]
name = "women"
sex = "w"
[[category]]
name = "under 2000"
rating_below = 2000
[[prize]]
name = "main"
amounts = [100, 51]
[[prize]]
name = "best woman"
category = "women"
amount = 20
thing = "book"
"""


def announced(terminal: Terminal) -> None:
    terminal.write("prizes.toml", FILE)
    terminal.ok("new", "Open", "--rounds", "1")
    for name, rating, sex in (("Ada", "2100", "w"), ("Ben", "2000", "m"), ("Cleo", "1900", "w")):
        terminal.ok("player", "add", name, "--rating", rating, "--sex", sex)
    terminal.ok("player", "add", "Dag", "--rating", "1800")
    terminal.ok("announce", "prizes.toml")


def played(terminal: Terminal) -> None:
    terminal.ok("draw", "--colour", "white")
    terminal.ok("pair", "1")
    terminal.ok("publish", "1")
    terminal.ok("result", "1", "1", "1-0")
    terminal.ok("result", "1", "2", "1-0")


def test_the_walk_of_an_organiser(terminal: Terminal) -> None:
    announced(terminal)
    terminal.refuses("prizes-too-early", "award", last=0, rounds=1)
    played(terminal)

    shown = terminal.ok("prizes")
    assert "announced 171, given 171, kept 0 EUR" in shown
    assert "Hort" in shown
    assert "Dag" in shown  # of whom nobody knows the sex
    group = terminal.ok("standings", "--category", "under 2000", "--csv").splitlines()
    assert [line.split(",")[2] for line in group[1:]] == ["Dag", "Cleo"]

    assert "prizes published" in terminal.ok("award")
    assert "follows from the record" in terminal.ok("prizes")
    assert "main" in terminal.ok("prizes", "Ada")

    terminal.warned("prizes-given", "correct", "1", "1", "0-1", "--why", "signed")
    terminal.ok("correct", "1", "1", "0-1", "--why", "signed", "--ack", "prizes-given")
    told = terminal.ok("prizes")
    assert "Ada: given 'main 1 88', by the record of now 'best woman 20 book'" in told
    assert "follows from the record" in told
    terminal.warned("prizes-again", "award", "--why", "a result was wrong")


def test_a_file_with_a_word_that_is_not_known_changes_nothing(terminal: Terminal) -> None:
    terminal.ok("new", "Open", "--rounds", "1")
    for text, code in (
        ("[[prize", "prizes.not-toml"),
        ("prize = 3", "prizes.not-a-table"),
        ('[[prize]]\nname = "x"\nsum = 3', "prizes.key-unknown"),
        ('[[prize]]\nname = "x"\namount = "1.234"', "not-an-amount"),
        ('[[category]]\nname = "x"\nyouth = "old"', "prizes.not-understood"),
        ('[[category]]\nname = "x"\nyouth = 16', "age-without-day"),
    ):
        terminal.write("prizes.toml", text)
        terminal.refuses(code, "announce", "prizes.toml")
