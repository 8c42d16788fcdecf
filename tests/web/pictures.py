"""Pictures of the pages for the documentation: ``python -m tests.web.pictures docs/pictures``.

A server with the worked example and an open of 40 players is started, and a real Chromium looks at it.
"""

import random
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from paircard.cli.main import run
from paircard.service import Office
from tests.web.running import running
from tests.web.test_browser import CHROMIUM, EXAMPLE, OPEN, Site, sign_in

FIRST = ("Anselm", "Hesper", "Casimir", "Tamsin", "Ludovic")
LAST = (
    "Brackwater", "Marrowgate", "Windlestraw", "Quillfeather", "Oakenhurst", "Kestrelby", "Bellwether",
    "Sallowby",
)  # fmt: skip
DESKTOP, PHONE, HALL = (1120, 800), (390, 800), (1600, 900)
PUBLIC = {
    "pairings": (OPEN, "", DESKTOP),
    "pairings-phone": (OPEN, "", PHONE),
    "standings": (OPEN, "/standings?after=2", DESKTOP),
    "player": (EXAMPLE, "/players/14", DESKTOP),
    "why": (EXAMPLE, "/rounds/6/why?player=Alice&not=Giorgia", DESKTOP),
    "explanation": (EXAMPLE, "/rounds/6/explanation", DESKTOP),
    "sheet": (OPEN, "/rounds/3/sheet", DESKTOP),
    "screen": (OPEN, "/screen", HALL),
}
ARBITER = {
    "desk": (OPEN, "/desk", DESKTOP),
    "phone": (OPEN, "/phone/2", PHONE),
    "record": (EXAMPLE, "/record?at=57", DESKTOP),
}


def fill(file: Path) -> None:
    """The worked example, and an open in round 3."""
    chance = random.Random(5)
    names = [f"{last}, {first}" for last in LAST for first in FIRST]
    chance.shuffle(names)
    players = "name,title,rating,federation\n" + "".join(
        f'"{name}",{chance.choice(["", "", "FM", "IM", "CM"])},{chance.randint(1600, 2450)},'
        f"{chance.choice(['ENG', 'ITA', 'IRL', 'NOR'])}\n"
        for name in names
    )
    (file.parent / "players.csv").write_text(players, encoding="utf-8")
    assert run(["demo", "--db", str(file)]) == 0
    assert run(["--db", str(file), "new", OPEN, "--rounds", "7", "--tiebreaks", "BH/C1,BH,SB"]) == 0

    def paircard(*words: str) -> None:
        assert run(["--db", str(file), "-t", OPEN, "--as", "Mara Vale", *words]) == 0, words

    paircard("player", "import", str(file.parent / "players.csv"))
    paircard("draw", "--colour", "white")
    for round in (1, 2, 3):
        paircard("pair")
        paircard("publish")
        with Office.open(file) as office:
            boards = len(office.tournament(OPEN).now().boards().boards)
        entered = [
            word
            for board in range(1, boards + 1)
            if round < 3 or board % 3 == 0
            for word in (str(board), chance.choice(["1-0", "½-½", "0-1"]))
        ]
        paircard("result", str(round), *entered)


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as place, sync_playwright() as play:
        file = Path(place) / "events.db"
        fill(file)
        browser = play.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        with running(str(file), Path(place) / "server.log") as server:
            site = Site(server, file)
            for shots, link in ((PUBLIC, ""), (ARBITER, site.link("arbiter", "Mara Vale"))):
                context = browser.new_context(device_scale_factor=0.75)
                if link:
                    sign_in(context, link)
                page = context.new_page()
                for name, (event, path, (wide, high)) in shots.items():
                    page.set_viewport_size({"width": wide, "height": high})
                    page.goto(site.address(event, path))
                    page.screenshot(path=folder / f"{name}.png")
                context.close()
        browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
