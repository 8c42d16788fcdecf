"""How long a program waits for ``paircard-engine`` to pair one round, process start included.

    python tests/bench/bench_startup.py [OTHER ENGINE ...]

Prints the least processor time of up to twenty runs in milliseconds, beside an empty Python process. Other
engines are called as ``ENGINE --dutch IN -p OUT``. Modules are copied into one folder and compiled first,
as an installation has them.
"""

import compileall
import os
import platform
import resource
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
LAYERS = ("domain", "projections", "pairing", "service", "cli")
RUNS = 20


def installed(folder: Path) -> Path:
    """The four roots as one package."""
    for layer in LAYERS:
        shutil.copytree(ROOT / layer / "paircard" / layer, folder / "paircard" / layer)
    compileall.compile_dir(folder, quiet=2)
    return folder


def milliseconds(command: list[str], environment: dict[str, str]) -> float:
    """Least processor time of a process; one that takes a second or more is run once."""
    times: list[float] = []
    while len(times) < RUNS and (not times or times[0] < 1):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, env=environment, capture_output=True, check=False)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        times.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return 1000 * min(times)


def before_round_six(players: int, folder: Path, environment: dict[str, str]) -> Path:
    """A tournament with five rounds played out of nine."""
    whole = folder / f"{players}.trf"
    options = ["--players", str(players), "--rounds", "5", "--seed", "6", "--zero-point-byes", "0"]
    command = [
        sys.executable,
        "-m",
        "paircard.cli",
        "generate",
        str(whole),
        *options,
        "--half-point-byes",
        "0",
    ]
    subprocess.run(command, env=environment, check=True, capture_output=True)
    text = whole.read_text().replace("142 5\n", "142 9\n").replace("FIDE_DUTCH_2026", "FIDE_DUTCH")
    whole.write_text(text)
    return whole


def main() -> None:
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        environment = dict(os.environ) | {"PYTHONPATH": str(installed(folder / "site"))}
        start = "from paircard.cli.engine.main import main; main()"
        print(f"Python {platform.python_version()}, {platform.machine()}; milliseconds of processor time")
        empty = milliseconds([sys.executable, "-c", "pass"], environment)
        print(f"{'python -c pass':<40}{empty:8.1f}")
        for players in (30, 100, 300, 1000):
            source = before_round_six(players, folder, environment)
            rest = ["--dutch", str(source), "-p", str(folder / "out.txt")]
            ours = milliseconds([sys.executable, "-c", start, *rest], environment)
            print(f"{f'paircard-engine, {players} players, round 6':<40}{ours:8.1f}{ours / empty:8.2f} times")
            for engine in sys.argv[1:]:
                theirs = milliseconds([engine, *rest], environment)
                print(f"{f'{Path(engine).name}, {players} players, round 6':<40}{theirs:8.1f}")


if __name__ == "__main__":
    main()
