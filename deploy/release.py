"""Make a release by one command: wheel, sdist, folder for Windows, components, checksums, checkpoint, tag.

    python deploy/release.py --key release.key     # make dist/, start what was made, set the tag
    python deploy/release.py --dry-run             # the same from any clean commit, without key and tag
    python deploy/release.py --check dist --trust release.pub

Everything is made from the last commit alone, and twice the same: times are those of the commit.
"""

import argparse
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import venv
import zipfile
from io import BytesIO
from pathlib import Path
from typing import Any, NoReturn

from windows.build import LOCKED, bill  # beside this script

from paircard.domain.errors import PaircardError
from paircard.domain.proof.note import Head, Signer, parse_key, parse_note, parse_signer, signed_by
from paircard.domain.version import VERSION

TOP = Path(__file__).parents[1]
SUMS, NOTE, COMPONENTS = "SHA256SUMS", "SHA256SUMS.note", f"paircard-{VERSION}.cdx.json"


def stop(why: str) -> NoReturn:
    sys.exit(f"release: {why}")


def told(*words: str, **more: Any) -> bytes:
    """What a program prints; one that fails ends the release."""
    done: subprocess.CompletedProcess[bytes] = subprocess.run(
        words, cwd=more.pop("cwd", TOP), stdout=subprocess.PIPE, **more
    )
    if done.returncode:
        stop(f"{' '.join(words[:3])} … failed with code {done.returncode}")
    return done.stdout


def need_ready(tag: str, dry: bool) -> None:
    """Refuse a tree that is not committed, a release that is there already, or one nobody wrote about."""
    if told("git", "status", "--porcelain"):
        stop("there are changes that are not committed: commit them, or put them away")
    if not dry and told("git", "tag", "--list", tag):
        stop(f"{tag} is there already: raise VERSION in domain/paircard/domain/version.py")
    newest = (TOP / "CHANGELOG.md").read_text(encoding="utf-8").partition("\n## ")[2]
    if not dry and not newest.startswith(f"[{VERSION}]"):
        stop(
            f"CHANGELOG.md begins with {newest.split()[0]}: give that section the name [{VERSION}] and a day"
        )


def build(out: Path, source: Path, moment: str) -> None:
    """Wheel and sdist, and the wheel of the client alone, by the build backend of their pyproject.toml."""
    client = source / "deploy" / "client"
    for target, where in (("wheel", source), ("sdist", source), ("wheel", client)):
        words = f"import hatchling.build as b; b.build_{target}({str(out)!r})"
        told(sys.executable, "-c", words, cwd=where, env={**os.environ, "SOURCE_DATE_EPOCH": moment})


def components(lock: str) -> bytes:
    """What is in the image."""
    return bill(
        (name, version, f"pkg:pypi/{name}@{version}", re.findall("[0-9a-f]{64}", hashes))
        for name, version, _, hashes in LOCKED.findall(lock)
    )


def try_wheel(wheel: Path, folder: Path, *words: str) -> bytes:
    """Install a wheel by itself; what a program says that it brings."""
    venv.create(folder, with_pip=True)
    programs = folder / ("Scripts" if sys.platform == "win32" else "bin")
    told(str(programs / "pip"), "install", "-q", "--no-warn-script-location", str(wheel))
    return told(str(programs / words[0]), *words[1:])


def make_folder(out: Path, source: Path, wheel: Path, aside: Path) -> None:
    """The folder for Windows; it is started under wine, and without wine there is no release."""
    told(sys.executable, "deploy/windows/build.py", "--out", str(out), "--wheel", str(wheel), cwd=source)
    [made] = out.glob("*-windows.zip")
    if not (wine := shutil.which("wine64") or shutil.which("wine64", path="/usr/lib/wine")):
        stop("the folder for Windows cannot be started here: install wine64, or leave it --without-windows")
    with zipfile.ZipFile(made) as files:
        files.extractall(aside)
    there = {**os.environ, "WINEPREFIX": str(aside / "prefix"), "WINEDEBUG": "-all", "DISPLAY": ""}
    told(
        wine,
        "wineboot",
        "-i",
        cwd=aside,
        env={**there, "WINEDLLOVERRIDES": "mscoree,mshtml="},
        stderr=subprocess.DEVNULL,
    )
    lacking = aside / "prefix" / "drive_c" / "windows" / "system32" / "bcryptprimitives.dll"
    if not lacking.exists():  # wine 8; every Windows has it
        words = "import sys; from tests.windows.prng import library; sys.stdout.buffer.write(library())"
        lacking.write_bytes(told(sys.executable, "-c", words, cwd=source))
    python = str(aside / "Paircard" / "python" / "python.exe")
    if b"tournament closed" not in told(wine, python, "-m", "paircard.cli", "demo", cwd=aside, env=there):
        stop("the demo of the folder for Windows did not come to its end")


def sums(out: Path) -> str:
    """A line for each file, as sha256sum writes it."""
    names = sorted(file.name for file in out.iterdir() if file.name not in (SUMS, NOTE))
    return "".join(f"{hashlib.sha256((out / name).read_bytes()).hexdigest()}  {name}\n" for name in names)


def checkpoint(listed: str) -> Head:
    """What is signed: which release, how many files, and the hash of their list."""
    return Head(f"paircard-{VERSION}", listed.count("\n"), hashlib.sha256(listed.encode()).digest())


def check(out: Path, trusted: str) -> None:
    """Compare a folder with its list, and the list with what the key signed."""
    listed = (out / SUMS).read_text(encoding="utf-8")
    if sums(out) != listed:
        stop(f"{out} holds other files than {SUMS} says")
    note = parse_note((out / NOTE).read_text(encoding="utf-8"))
    names = signed_by(note, [parse_key(trusted)])
    if not names:
        stop(f"{NOTE} is not signed by that key")
    if note.head.root != hashlib.sha256(listed.encode()).digest():
        stop(f"{NOTE} was signed for another list")
    print(f"{note.head.origin}: {note.head.size} files, as {names[0]} signed them")


def make(out: Path, signer: Signer | None, windows: bool) -> None:
    """Make all files of a release from the last commit."""
    out = out.resolve()
    if out.exists() and any(out.iterdir()):
        stop(f"{out} is not empty: take another folder, or empty it")
    out.mkdir(parents=True, exist_ok=True)
    moment = told("git", "log", "-1", "--format=%ct").decode().strip()
    with tempfile.TemporaryDirectory() as aside:
        source = Path(aside) / "source"
        with tarfile.open(fileobj=BytesIO(told("git", "archive", "HEAD"))) as tree:
            tree.extractall(source, filter="data")
        build(out, source, moment)
        [wheel], [client] = out.glob("paircard-*.whl"), out.glob("paircard_client-*.whl")
        if b"tournament closed" not in try_wheel(wheel, Path(aside) / "whole", "paircard", "demo"):
            stop("the demo of the wheel did not come to its end")
        try_wheel(client, Path(aside) / "client", "python", "-c", "import paircard.web.client")
        if windows:
            make_folder(out, source, wheel, Path(aside))
        lock = (source / "deploy" / "requirements.lock").read_text(encoding="utf-8")
    (out / COMPONENTS).write_bytes(components(lock))
    listed = sums(out)
    (out / SUMS).write_text(listed, encoding="utf-8")
    if signer:
        (out / NOTE).write_text(signer.sign(checkpoint(listed)).text(), encoding="utf-8")
    print(listed, end="")


def main(words: list[str] | None = None) -> None:
    """Make a release, or check one."""
    options = argparse.ArgumentParser(prog="release", description=(__doc__ or "").partition("\n")[0])
    options.add_argument("--out", type=Path, default=TOP / "dist", help="an empty folder; default: dist")
    options.add_argument("--key", type=Path, help="file of the private key that signs the checkpoint")
    options.add_argument(
        "--dry-run", action="store_true", help="make and try everything, sign and tag nothing"
    )
    options.add_argument("--without-windows", action="store_true", help="leave the folder for Windows out")
    options.add_argument("--check", type=Path, metavar="FOLDER", help="check the files of a release")
    options.add_argument("--trust", type=Path, metavar="FILE", help="with --check: the public key")
    asked = options.parse_args(words)
    try:
        if asked.check:
            if not asked.trust:
                stop("whose release it is: name the public key with --trust FILE")
            return check(asked.check, asked.trust.read_text(encoding="utf-8").strip())
        if not asked.dry_run and not asked.key:
            stop("a release is signed: name the key with --key FILE, or try with --dry-run")
        signer = parse_signer(asked.key.read_text(encoding="utf-8").strip()) if asked.key else None
        need_ready(f"v{VERSION}", asked.dry_run)
        make(asked.out, signer, not asked.without_windows)
        if not asked.dry_run:
            told("git", "tag", "-a", f"v{VERSION}", "-m", f"Paircard {VERSION}")
            print(f"v{VERSION} is tagged; publish it with: git push origin v{VERSION}")
    except (PaircardError, OSError) as trouble:
        stop(str(trouble))


if __name__ == "__main__":
    main()
