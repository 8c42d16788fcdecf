"""An event with categories and prizes, for tests of its end: long names, other scripts, one unknown."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from paircard.domain.commands import ChangeRegulations, RegisterPlayer
from paircard.domain.values.players import Details
from paircard.domain.values.regulations import Regulations
from paircard.service import Office, Tournament, person
from paircard.service.prizes import announcement

NAME: Final = "Saltmarsh Harbour Open"
ANNOUNCED: Final = """
sharing = "hort"
unit = 1
[[category]]
name = "women"
sex = "w"
[[category]]
name = "U16"
youth = 16
[[category]]
name = "under 1800"
rating_below = 1800
[[prize]]
name = "Main"
amounts = [200, 100, 51]
[[prize]]
name = "Best woman"
category = "women"
amounts = [60, 40]
[[prize]]
name = "Best U16"
category = "U16"
amount = 30
thing = "chess set"
[[prize]]
name = "Best under 1800"
category = "under 1800"
amount = 20
"""
PLAYERS: Final = (
    ("Brackwater, Anselm", 2310, "m", "1980", "IM"),
    ("ענן, נועה", 2250, "w", "1991", "WIM"),
    ("Nightjar-Ottersholm-Featherstonehaugh, Philippa Wilhelmina", 2100, "w", "2011-05-02", ""),
    ("Харбор, Снежана", 2050, "w", "1975", ""),
    ("Kestrelby, Joss", 1950, "m", "2012", ""),
    ("القمر, ليلى", 1790, "w", "2013", ""),
    ("Oakenhurst, Oriel", 1700, "", "", ""),
    ("Sallowby, Petra", 1650, "w", "2010-01-01", ""),
)
MARA: Final = person("Mara Vale")


@contextmanager
def event(path: Path, rounds: int = 2, announced: str = ANNOUNCED) -> Iterator[Tournament]:
    """The event before round 1, announced."""
    with Office.create(path) as office:
        rules = Regulations(name=NAME, rounds=rounds, starts="2026-11-14", ends="2026-11-20")
        made = office.new(rules, by=MARA)
        made.ask(
            *(
                RegisterPlayer(details=Details(name=name, rating=rating, sex=sex, birth=birth, title=title))
                for name, rating, sex, birth, title in PLAYERS
            ),
            by=MARA,
        )
        if announced:
            made.ask(ChangeRegulations(changes=announcement(announced)), by=MARA)
        yield made


def play(made: Tournament, *results: str) -> None:
    """A round is paired, published and played, on its first boards with these results."""
    if not made.now().state.paired:
        made.draw_colour("w", by=MARA)
    paired = made.pair(by=MARA).round
    made.publish(by=MARA)
    made.record(paired.round, dict(enumerate(results, start=1)), by=MARA)


@contextmanager
def ended(path: Path) -> Iterator[Tournament]:
    """The event after its last result, with the prizes given."""
    with event(path) as made:
        play(made, "1-0", "½-½", "1-0", "0-1")
        play(made, "½-½", "1-0", "0-1", "½-½")
        made.award(by=MARA)
        yield made
