"""VCL 48, 50, 52: whatever a reader changes, assumes or leaves out of a report, it says so.

Every field of a report is damaged in turn. What is read must come back in the export, or a note says why not.
"""

import re
from collections.abc import Iterator

import pytest

from paircard.domain.errors import PaircardError
from paircard.projections.trf import render
from paircard.projections.trf.export import export
from paircard.service import person
from paircard.service.reports import decide_beforehand, read_report

ANNA = person("Anna Arbiter")

REPORT = """\
012 Every Field Open
022 Graz
032 AUT
042 2026/03/01
052 2026/03/05
062 5
072 5
082 0
092 Individual: Swiss-System
102 Maier, Anna
112 Huber, Karl
112 Weiss, Eva
122 90 min + 30 s
132                                                                                        26/03/01  26/03/02
142 4
152 W
162  P 0.5
172 AUT FIDON
182 Paircard
192 FIDE_DUTCH_2026
202 BH/C1,SB,DE
222 90/40+30
013 Club Graz                          1    2    3
### a comment
001    1 m GM Albrecht, Ida                     2300 GER     4000000 1980/01/02  2.0    1     3 w 1     2 b 1
001    2 w    Bernard, Lou                      2260 FRA     4000001 1981        1.0    2     4 b 1     1 w 0
001    3 m    Costa, Rui                        2220 POR     4000002 1982/01/02  1.0    3     1 b 0     5 w 1
001    4 m FM Dahl, Ove                         2180 NOR     4000003 1983/01/02  0.5    4     2 w 0  0000 - H
001    5 m    Esposito, Pio                     2140 ITA     4000004 1984/01/02  0.5    5  0000 - U     3 b 0
AUT    1 m    Albrecht, Ida                     2001 AUT         101 1980/01/02
240 H 003    1    2
260 001 004    1    5
299           0.5  002    1
"""
POINTS = REPORT.replace(" 2.0    1     3", " 2.5    1     3")


def damaged(report: str) -> Iterator[str]:
    """The report with one field or one line wrong."""
    lines = report.splitlines()
    for at, line in enumerate(lines):
        before, after = lines[:at], lines[at + 1 :]
        for word in re.finditer(r"\S+", line):
            for other in sorted(wrong_words(word.group())):
                new = f"{line[: word.start()]}{other.ljust(len(word.group()))}{line[word.end() :]}"
                yield "\n".join([*before, new, *after])
        for those in (
            [line, line],
            [],
            [f"{line} junk"],
            [f"{line}junk"],
            [f" {line}"],
            [f"{line[:4]} {line[4:]}"],
            [f"{line[:4]}{line[5:]}"],
            [line, f"{line[:4]}other"],
            [line[: len(line) // 2]],
            [line[:-1]],
        ):
            yield "\n".join([*before, *those, *after])


def wrong_words(word: str) -> set[str]:
    width = len(word)
    same_length = {sign * width for sign in ("x", "?", "9", "0", "1", " ", "é")}
    return same_length | {
        word.lower(),
        word.upper(),
        f"-{word[1:]}",
        f"\t{word[1:]}",
        f"\u200b{word[1:]}",
        word[1:],
        word[:-1],
        f"{word[:-1]}7",
    } - {word}


def test_the_report_itself_comes_back_without_a_note() -> None:
    report = read_report(POINTS.encode(), source="open.trf", name="open", by=ANNA)

    assert [note for note in report.notes if not note.startswith("Round")] == []
    assert set(POINTS.splitlines()) <= set(exported(POINTS)[0])


def exported(text: str) -> tuple[list[str], tuple[str, ...]]:
    """Lines of the export of an import, and the notes of the import."""
    report = read_report(text.encode(), source="open.trf", name="open", by=ANNA)
    _, facts = decide_beforehand((report.opening, *report.commands), ANNA)
    return render(export(facts)).splitlines(), report.notes


@pytest.mark.parametrize("part", [0, *(pytest.param(part, marks=pytest.mark.soak) for part in range(1, 12))])
def test_no_field_of_a_report_changes_silently(part: int) -> None:
    expected = read_report(POINTS.encode(), source="open.trf", name="open", by=ANNA).notes
    read = 0
    for text in list(damaged(POINTS))[part::12]:
        try:
            lines, notes = exported(text)
        except PaircardError:
            continue  # refused, with its reason
        read += 1
        written = {" ".join(line.split()) for line in lines}
        lost = [
            line for line in text.splitlines() if line[4:].strip() and " ".join(line.split()) not in written
        ]
        if set(notes) <= set(expected):
            assert lost == [], text
    assert read > 50
