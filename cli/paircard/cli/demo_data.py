"""The worked example: fourteen players, six rounds under the Dutch rules of Baku 2016.

A published teaching example; here only its facts: who played, in which order they registered, who
was absent and how the games ended. Boards stand as the example publishes them, by pairing number.
"""

from typing import Final

PLAYERS: Final = (
    ("Kevin", "FM", 2250, "m"),
    ("Elisa", "WIM", 2350, "w"),
    ("Nancy", "WFM", 2100, "w"),
    ("Francesco", "FM", 2300, "m"),
    ("Davide", "FM", 2400, "m"),
    ("Bruno", "IM", 2500, "m"),
    ("Oscar", "", 2100, "m"),
    ("Patrizia", "", 2050, "w"),
    ("Roberto", "", 2000, "m"),
    ("Carla", "WGM", 2400, "w"),
    ("Giorgia", "FM", 2250, "w"),
    ("Marco", "CM", 2150, "m"),
    ("Luisa", "WIM", 2150, "w"),
    ("Alice", "GM", 2500, "w"),
)
"""Name, title, rating, sex, in order of registration."""

ABSENT: Final = ((2, "Oscar"),)
"""Round and player of each zero-point bye."""

ROUNDS: Final = (
    (
        (1, 8, "1-0"), (9, 2, "0-1"), (3, 10, "1-0"), (11, 4, "½-½"), (5, 12, "1-0"), (13, 6, "0-1"),
        (7, 14, "1-0"),
    ),
    (
        (5, 1, "1-0"), (2, 7, "1-0"), (6, 3, "½-½"), (4, 9, "1-0"), (8, 11, "0-1"), (10, 13, "1-0"),
    ),
    (
        (2, 5, "½-½"), (3, 4, "½-½"), (11, 6, "0F-1F"), (14, 1, "0-1"), (7, 10, "1-0"), (12, 8, "½-½"),
        (9, 13, "1-0"),
    ),
    (
        (6, 2, "0-1"), (4, 5, "½-½"), (1, 3, "1-0"), (11, 7, "1-0"), (10, 14, "½-½"), (8, 9, "½-½"),
        (13, 12, "1-0"),
    ),
    (
        (2, 1, "½-½"), (5, 11, "1-0"), (4, 6, "½-½"), (3, 7, "0-1"), (9, 10, "0-1"), (14, 12, "1-0"),
        (13, 8, "0-1"),
    ),
    (
        (2, 4, "½-½"), (7, 5, "½-½"), (1, 6, "1-0"), (11, 14, "0-1"), (10, 8, "0-1"), (3, 13, "1-0"),
        (12, 9, "½-½"),
    ),
)  # fmt: skip
"""White, black, result of every board; numbers are pairing numbers. Round 2 leaves number 14 the PAB."""

FINAL: Final = {
    "Alice": 45, "Bruno": 45, "Elisa": 45, "Davide": 35, "Giorgia": 35, "Roberto": 35, "Carla": 30,
    "Francesco": 30, "Kevin": 30, "Marco": 25, "Nancy": 25, "Luisa": 20, "Oscar": 10, "Patrizia": 10,
}  # fmt: skip
"""Final scores in tenths."""
