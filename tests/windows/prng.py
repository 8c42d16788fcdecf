"""A library that wine 8 lacks and every Windows since 7 has: ``bcryptprimitives.dll`` with ``ProcessPrng``.

It holds no code: its one name leads to the generator of random numbers that wine has.
"""

import struct

NAME, FUNCTION, MEANS = b"bcryptprimitives.dll\0", b"ProcessPrng\0", b"ADVAPI32.SystemFunction036\0"
HERE = 0x1000


def library() -> bytes:
    """The file: headers, and one section that holds the table of exports."""
    functions, names, ordinals = HERE + 40, HERE + 44, HERE + 48
    means = HERE + 50
    function = means + len(MEANS)
    name = function + len(FUNCTION)
    size = name + len(NAME) - HERE
    table = struct.pack("<IIHHIIIIIII", 0, 0, 0, 0, name, 1, 1, 1, functions, names, ordinals)
    section = table + struct.pack("<IIH", means, function, 0) + MEANS + FUNCTION + NAME
    dos = b"MZ" + bytes(58) + struct.pack("<I", 64)
    coff = b"PE\0\0" + struct.pack("<HHIIIHH", 0x8664, 1, 0, 0, 0, 240, 0x2022)
    optional = struct.pack("<HBBIIIII", 0x20B, 14, 0, 0, 0x200, 0, 0, HERE)
    optional += struct.pack(
        "<QIIHHHHHHIIIIHH", 0x180000000, HERE, 0x200, 6, 0, 0, 0, 6, 0, 0, 0x2000, 0x200, 0, 3, 0x100
    )
    optional += struct.pack("<QQQQII", 0x100000, HERE, 0x100000, HERE, 0, 16)
    optional += struct.pack("<II", HERE, size) + bytes(15 * 8)
    about = struct.pack("<8sIIIIIIHHI", b".edata", size, HERE, 0x200, 0x200, 0, 0, 0, 0, 0x40000040)
    return (dos + coff + optional + about).ljust(0x200, b"\0") + section.ljust(0x200, b"\0")
