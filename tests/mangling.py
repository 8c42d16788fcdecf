"""Files with wounds, of the kinds files get: bytes flipped or lost, lines cut, doubled or moved, another
encoding, numbers of 5,000 digits, archives with one part damaged."""

import io
import random
import zipfile
import zlib

STRANGE_LINES = (
    b"9" * 5000, b'"', b'";";;', b"=cmd|calc", b"\0", b"\xff\xfe", b",,,,,,,,", b"\t" * 50, b"1;" * 400,
    "Ünï;\u202e;\u200b;x".encode(), b"Name;Name;Name", b"1 2 3 4", b"-1 -1", b"1-0 1-0", b"0 0", b"1 1",
    b"99999999999999999999 1-0", b"1 " + b"9" * 5000, b"### x", b'<!DOCTYPE a [<!ENTITY b "c">]>', b"&b;",
    b"<player>" * 20, b"</playerslist>", b"192 NOBODY", b"202 BH/C1,FOO", b"162  W99.9    D 0.0", b"001",
    b"XXA    1 99.9-9.9 01.0", b"250      99.9 001 999 0001 9999", b"260 001 999    1    2    3    4",
    b"240 F 001    1    2", b"142 999", b"042 9999/99/99", b"299 W   1.0   1.0 000", b"XXS =",
    b"013 T                               1    2 xxxx", b"### Ratings @ Round 9999: 1=9999 77=1",
)  # fmt: skip
STRANGE_NUMBERS = (
    b"", b"-", b"9" * 5000, b"1e309", b"NaN", "٣".encode(), b"0x1f", b"1" * 12, b" ", b".5", b"0", b"9",
)  # fmt: skip
ENCODINGS = ("utf-16", "utf-16-be", "cp1252", "mac_roman", "utf-7", "utf-32", "latin-1", "cp437")


def mangled(data: bytes, chance: random.Random) -> bytes:
    """The file with one to three wounds."""
    for _ in range(chance.choice((1, 1, 2, 3))):
        whole = not data.startswith(b"PK") or chance.random() < 0.25
        data = (wounded if whole else part_wounded)(data or b"\n", chance)
    return data


def part_wounded(data: bytes, chance: random.Random) -> bytes:
    """The archive with one of its files damaged, and sometimes one missing."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            parts = {name: archive.read(name) for name in archive.namelist()}
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, OSError, RuntimeError, ValueError):
        return wounded(data, chance)  # the last wound was in the archive itself
    if not parts:
        return wounded(data, chance)
    name = chance.choice(sorted(parts))
    parts[name] = wounded(parts[name] or b"\n", chance)
    if chance.random() < 0.1:
        del parts[chance.choice(sorted(parts))]
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, part in parts.items():
            archive.writestr(name, part)
    return file.getvalue()


def wounded(data: bytes, chance: random.Random) -> bytes:
    """The bytes with one wound."""
    lines = data.split(b"\n")
    at, here = chance.randrange(len(lines)), chance.randrange(len(data))
    match chance.randrange(17):
        case 0:
            flipped = bytearray(data)
            for _ in range(chance.randint(1, 8)):
                flipped[chance.randrange(len(flipped))] = chance.randrange(256)
            return bytes(flipped)
        case 1:
            return data[:here]
        case 2:
            return data[here:]
        case 3:
            lines.insert(at, chance.choice(STRANGE_LINES))
        case 4:
            lines[at] = lines[at][: chance.randrange(len(lines[at]) + 1)]
        case 5:
            lines[at] *= chance.choice((2, 50))
        case 6:
            chance.shuffle(lines)
        case 7:
            del lines[at]
        case 8:
            lines.insert(at, chance.choice(lines))
        case 9:
            return data.decode(errors="replace").encode(chance.choice(ENCODINGS), "replace")
        case 10:
            return data.replace(b"\n", chance.choice((b"\r", b"\r\n", b"\n\n", b"\x0b", "\u2028".encode())))
        case 11:
            digits = [at for at, byte in enumerate(data) if byte in b"0123456789"] or [here]
            digit = chance.choice(digits)
            return data[:digit] + chance.choice(STRANGE_NUMBERS) + data[digit + 1 :]
        case 12:
            old, new = chance.choice((b";", b",", b" ", b"<", b'"')), chance.choice((b";", b"|", b"\t", b"<"))
            return data.replace(old, new, chance.choice((1, 3, -1)))
        case 13:
            return b"\xef\xbb\xbf" * chance.randint(1, 3) + data
        case 14:
            start = chance.randrange(len(data))
            return data[:here] + data[start : start + 60] + data[here:]
        case 15:
            return data + data
        case _:
            strange = (b"\0", b"\xff", b"\xe4", b"\x1b[2J", "\u202e".encode(), b"")
            return data.replace(b"o", chance.choice(strange), 2)
    return b"\n".join(lines)
