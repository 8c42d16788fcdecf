"""The README's demo of the proof, typed where its first session ends."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

from tests.roots import PYTHONPATH
from tests.test_readme import README, timeless, typed


def lasting(told: str) -> str:
    """The same text whenever it is typed: heads depend on the time of the facts."""
    return re.sub(r"(?<=head )[0-9a-f]{20,64}", "hash", timeless(told))


def test_the_demo_of_the_proof_prints_what_the_readme_says(tmp_path: Path) -> None:
    [session] = re.findall(r"^```console\n(.*?)^```", README, flags=re.MULTILINE | re.DOTALL)
    [section] = re.findall(r"^## Proof\n(.*?)^## ", README, flags=re.MULTILINE | re.DOTALL)
    [demo] = re.findall(r"^```text\n(.*?)^```", section, flags=re.MULTILINE | re.DOTALL)
    python = shlex.quote(sys.executable)
    for name, module in (("paircard", " -m paircard.cli"), ("python3", "")):
        command = tmp_path / "bin" / name
        command.parent.mkdir(exist_ok=True)
        command.write_text(f'#!/bin/sh\nexec {python}{module} "$@"\n')
        command.chmod(0o755)
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PAIRCARD_")}
    environment |= {
        "PATH": f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": PYTHONPATH,
        "PYTHONUTF8": "1",
    }

    for line, told in [*typed(session), *typed(demo)]:
        done = subprocess.run(
            ["bash", "-c", line],
            cwd=tmp_path,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=600,
        )
        assert lasting(done.stdout.decode().rstrip("\n")) == lasting(told), line
