"""Pages of 300 players on a slow phone: ``python -m tests.bench.bench_phone``.

A real Chromium with the screen of a phone, a processor six times slower and slow 3G (400 kbit/s, 400 ms there
and back), through the DevTools protocol. Each page is opened in a browser that has seen nothing, then again
with style sheet and script in its cache: compressed bytes of the page, first paint, and when it can be used
(the document is parsed and its script has run).
"""

import random
import tempfile
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

from playwright.sync_api import Browser

from paircard.cli.main import run
from paircard.service import Office
from tests.chromium import started
from tests.web.browsing import MODES
from tests.web.running import running

PLAYERS, ROUNDS = 300, 5
PAGES = {
    "pairings": "", "by name": "/rounds/5?by=name", "find": "/rounds/5?find=number+17",
    "standings": "/standings", "crosstable": "/crosstable", "start list": "/players", "card": "/players/p17",
    "why": "/rounds/5/why?player=17", "candidates": "/rounds/5/candidates?bracket=3",
    "explanation": "/rounds/5/explanation", "sheet": "/rounds/5/sheet", "slips": "/rounds/5/slips",
    "corrections": "/corrections", "screen": "/screen",
}  # fmt: skip
SLOW_3G = {"offline": False, "latency": 400, "downloadThroughput": 50_000, "uploadThroughput": 50_000}
SLOWER = 6


def fill(file: Path) -> str:
    """A tournament in its last round but four; its id."""
    chance = random.Random(300)
    names = "name,rating\n" + "".join(f'"Player, Number {k}",{2600 - 3 * k}\n' for k in range(PLAYERS))
    (file.parent / "p.csv").write_text(names)

    def paircard(*words: str) -> None:
        with redirect_stdout(StringIO()):
            assert run(["--db", str(file), *words]) == 0, words

    paircard("new", "Large", "--rounds", "9", "--tiebreaks", "BH/C1,BH,SB")
    paircard("player", "import", str(file.parent / "p.csv"))
    paircard("draw", "--colour", "white")
    for round in range(1, ROUNDS + 1):
        paircard("pair")
        paircard("publish")
        boards = range(1, PLAYERS // 2 + 1)
        played = [word for board in boards for word in (str(board), chance.choice(["1-0", "½-½", "0-1"]))]
        paircard("result", str(round), *(played if round < ROUNDS else played[: len(played) // 2]))
    with Office.open(file) as office:
        [id] = office.ids()
    return id


def visit(browser: Browser, address: str, *, again: bool) -> tuple[int, float, float]:
    """Compressed bytes, seconds to the first paint, seconds until the page can be used."""
    context = browser.new_context(**MODES["phone"], bypass_csp=True)
    page = context.new_page()
    if again:
        page.goto(address.partition("/tournaments")[0] + "/tournaments/" + address.split("/")[4] + "/players")
        page.goto("about:blank")
    tools = context.new_cdp_session(page)
    tools.send("Network.enable")
    tools.send("Network.emulateNetworkConditions", SLOW_3G)
    tools.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    page.goto(address, wait_until="load", timeout=120_000)
    page.wait_for_function("performance.getEntriesByName('first-contentful-paint').length")
    size, painted, usable = page.evaluate(
        """(() => { const [page] = performance.getEntriesByType("navigation");
        return [page.encodedBodySize, performance.getEntriesByName("first-contentful-paint")[0].startTime,
                page.domContentLoadedEventEnd]; })()"""
    )
    context.close()
    return size, painted / 1000, usable / 1000


def main() -> None:
    with tempfile.TemporaryDirectory() as place, started() as browser:
        file = Path(place) / "large.db"
        id = fill(file)
        with running(str(file), Path(place) / "server.log") as server:
            print("| page | kB compressed | first visit: paint, usable (s) | then: paint, usable (s) |")
            print("|---|---:|---:|---:|")
            for name, path in PAGES.items():
                address = f"{server.base}/tournaments/{id}{path}"
                size, painted, usable = visit(browser, address, again=False)
                _, then_painted, then_usable = visit(browser, address, again=True)
                print(
                    f"| {name} | {size / 1000:.1f} | {painted:.1f}, {usable:.1f} |"
                    f" {then_painted:.1f}, {then_usable:.1f} |",
                    flush=True,
                )


if __name__ == "__main__":
    main()
