"""Pictures of every page for the documentation: ``python -m tests.web.pictures docs/pictures``.

A server with the worked example and an open of 60 players is started, and a real Chromium looks at it. The
open has byes, a forfeit, an adjourned game, corrections, a late entry, a withdrawal and a hand pairing.
"""

import random
import sys
import tempfile
from pathlib import Path

from paircard.cli.main import run
from paircard.service import Office
from tests.chromium import started
from tests.web.browsing import EXAMPLE, OPEN, Site
from tests.web.running import running

FIRST = ("Anselm", "Hesper", "Casimir", "Tamsin", "Ludovic", "Oriel", "Petra")
LAST = (
    "Brackwater", "Marrowgate", "Windlestraw", "Quillfeather", "Oakenhurst", "Kestrelby", "Bellwether",
    "Sallowby",
)  # fmt: skip
OTHERS = (
    "ענן, נועה", "القمر, ليلى", "Харбор, Снежана",
    "Nightjar-Ottersholm-Featherstonehaugh, Philippa Wilhelmina",
)  # fmt: skip
DESKTOP, PHONE, HALL = (1120, 800), (390, 800), (1600, 900)
PUBLIC = {
    "events": ("", "/", DESKTOP),
    "pairings": (OPEN, "", DESKTOP),
    "pairings-phone": (OPEN, "", PHONE),
    "names-phone": (OPEN, "/rounds/6?by=name", PHONE),
    "standings": (OPEN, "/standings", DESKTOP),
    "standings-phone": (OPEN, "/standings", PHONE),
    "crosstable": (OPEN, "/crosstable", DESKTOP),
    "players": (OPEN, "/players", DESKTOP),
    "player": (EXAMPLE, "/players/p14", DESKTOP),
    "why": (EXAMPLE, "/rounds/6/why?player=Alice&not=Giorgia", (1120, 1600)),
    "candidates": (EXAMPLE, "/rounds/6/candidates?bracket=3", DESKTOP),
    "explanation": (EXAMPLE, "/rounds/6/explanation", (1120, 1200)),
    "corrections": (OPEN, "/corrections", DESKTOP),
    "sheet": (OPEN, "/rounds/6/sheet", DESKTOP),
    "slips": (OPEN, "/rounds/6/slips", DESKTOP),
    "screen": (OPEN, "/screen", HALL),
}
ARBITER = {
    "desk": (OPEN, "/desk", DESKTOP),
    "desk-phone": (OPEN, "/desk", PHONE),
    "desk-players": (OPEN, "/desk/players", DESKTOP),
    "desk-player": (OPEN, "/desk/players/p12", DESKTOP),
    "desk-import": (OPEN, "/desk/import", DESKTOP),
    "desk-alter": (OPEN, "/desk/alter?do=swap&one={one}&other={other}&why=asked+for", DESKTOP),
    "desk-correct": (OPEN, "/desk/correct?round=5&board=2&result=0-1&why=scoresheets", DESKTOP),
    "desk-grants": (OPEN, "/desk/grants", DESKTOP),
    "desk-regulations": (OPEN, "/desk/regulations", DESKTOP),
    "phone": (OPEN, "/phone/2", PHONE),
    "phone-boards": (OPEN, "/phone", PHONE),
    "phone-confirm": (OPEN, "/phone/2?result=1-0", PHONE),
    "record": (EXAMPLE, "/record?at=57", DESKTOP),
    "record-phone": (EXAMPLE, "/record?at=57", PHONE),
    "what-if": (EXAMPLE, "/record/what-if?round=1&board=1&result=½-½", DESKTOP),
    "replay": (OPEN, "/record/replay", DESKTOP),
}


def fill(file: Path) -> None:
    """The worked example, and an open in round 6."""
    chance = random.Random(5)
    names = [f"{last}, {first}" for last in LAST for first in FIRST] + list(OTHERS)
    chance.shuffle(names)
    sheet = file.parent / "players.csv"
    sheet.write_text(
        "name,title,rating,federation\n"
        + "".join(
            f'"{name}",{chance.choice(["", "", "FM", "IM", "CM", "WGM"])},{chance.randint(1600, 2450)},'
            f"{chance.choice(['ENG', 'ITA', 'IRL', 'NOR'])}\n"
            for name in names
        ),
        encoding="utf-8",
    )
    assert run(["demo", "--db", str(file)]) == 0

    def paircard(*words: str) -> None:
        assert run(["--db", str(file), "-t", OPEN, "--as", "Mara Vale", *words]) == 0, words

    opening = "new --rounds 7 --tiebreaks BH/C1,BH,SB --half-byes 1 --starts 2026-11-14 --ends 2026-11-20"
    assert run(["--db", str(file), *opening.split(), OPEN, "--place", "Saltmarsh Harbour"]) == 0
    paircard("player", "import", str(sheet))
    paircard("draw", "--colour", "white")
    paircard("bye", "grant", "Oakenhurst, Oriel", "2", "--half")
    for round in range(1, 7):
        if round == 2:
            paircard("player", "add", "Latecomer, Ivo", "--rating", "2105", "--why", "train")
        if round == 3:
            paircard("player", "withdraw", "Sallowby, Petra")
        paircard("pair", *ANSWERS.get(round, ()))
        with Office.open(file) as office:
            boards = office.tournament(OPEN).now().boards().boards
        if round == 5:
            one, other = (f"#{boards[at].black.id}" for at in (6, 7))
            paircard("alter", "swap", one, other, "--why", "travel together", "--ack", "manual-pairing")
        paircard("publish")
        entered = {board.board: chance.choice(["1-0", "½-½", "0-1"]) for board in boards}
        entered |= {2: {5: "+-"}, 3: {4: "adjourned"}}.get(round, {})
        shown = [at for at in entered if round < 6 or at % 3 == 0]
        paircard("result", str(round), *(word for at in shown for word in (str(at), entered[at])))
        if round == 4:
            paircard("correct", "3", "2", "1-0", "--why", "slip misread", "--ack", "correction")
            paircard("result", "3", "4", "0-1", "--ack", "adjourned-not-drawn")


ANSWERS = {
    3: ("--ack", "no-show", "--why", "excused"),
    4: ("--ack", "adjourned-games"),
}
"""What the arbiter is asked before the pairing of a round."""


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as place, started() as browser:
        file = Path(place) / "events.db"
        fill(file)
        with running(str(file), Path(place) / "server.log") as server:
            site = Site(server, file)
            with Office.open(file) as office:
                first, second, *_ = office.tournament(OPEN).now().boards().boards
            for shots, role in ((PUBLIC, ""), (ARBITER, "arbiter")):
                context = browser.new_context(device_scale_factor=0.75)
                page = site.come_in(context, "arbiter", "Mara Vale") if role else context.new_page()
                for name, (event, path, (wide, high)) in shots.items():
                    page.set_viewport_size({"width": wide, "height": high})
                    path = path.format(one=first.black.id, other=second.black.id)
                    page.goto(site.address(event, path) if event else server.base + path)
                    if name == "desk-grants":
                        page.fill("#g-who", "Ines\nFinn\nOla")
                        page.fill("#g-first", "1")
                        page.fill("#g-last", "30")
                        page.get_by_role("button", name="Make links").click()
                        page.locator(".cards").wait_for()
                    page.screenshot(path=folder / f"{name}.png")
                context.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
