"""Sheets of other programs: CSV and Excel, players and results."""

import io
import os
import random
import struct
import zipfile
from typing import Any

import pytest

from paircard.domain.errors import Invalid, PaircardError
from paircard.domain.messages import say
from paircard.service.sheets.players import names_people, players_of
from paircard.service.sheets.table import between_remarks, read_table, results_of
from tests.refusals import refuses

OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
BOOK = (
    '<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" '
    f'xmlns:r="{OFFICE}">'
    '<sheets><sheet name="Players" sheetId="1" r:id="rId1"/></sheets></workbook>'
)
STYLES = '<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>'


def relation(kind: str, target: str) -> str:
    return (
        '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
        f'<Relationship Id="rId1" Type="{OFFICE}/{kind}" Target="{target}"/></Relationships>'
    )


def xlsx(sheet: str, strings: str = "", book: str = BOOK) -> bytes:
    """A workbook as Excel writes it, made by hand."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("_rels/.rels", relation("officeDocument", "xl/workbook.xml"))
        archive.writestr("xl/workbook.xml", book)
        archive.writestr("xl/_rels/workbook.xml.rels", relation("worksheet", "worksheets/sheet1.xml"))
        archive.writestr("xl/styles.xml", STYLES)
        archive.writestr("xl/sharedStrings.xml", f"<sst>{strings}</sst>")
        archive.writestr("xl/worksheets/sheet1.xml", f"<worksheet><sheetData>{sheet}</sheetData></worksheet>")
    return file.getvalue()


SHEET = xlsx(
    '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c><c r="D1" t="s"><v>2</v></c></row>'
    '<row r="3"><c r="A3" t="inlineStr"><is><r><t xml:space="preserve">Rossi, </t></r>'
    "<r><t>Anna</t></r></is></c>"
    '<c r="B3"><v>2010</v></c>'
    '<c r="D3" s="1"><v>32874</v></c></row>'
    '<row r="4"><c r="A4" t="str"><v>Verdi, Ugo</v></c><c r="B4"><v>0</v></c></row>',
    "<si><t>Name</t></si><si><r><t>Rt</t></r><r><t>g</t></r></si><si><t>Birthday</t></si>",
)


KINDS = ["xlsx", "ods", "xls"]


@pytest.mark.parametrize("kind", KINDS)
def test_the_sheet_of_a_workbook_is_read_as_people_see_it(kind: str) -> None:
    sheet = players_of(read_table({"xlsx": SHEET, "ods": ODS, "xls": XLS}[kind]))

    assert [(line, one.name, one.fide_rating, one.birth) for line, one in sheet.players] == [
        (3, "Rossi, Anna", 2010, "1990-01-01"),
        (4, "Verdi, Ugo", 0, ""),
    ]


SPACES = (
    'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" '
    'xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" '
    'xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"'
)
EMPTY_REST = '<table:table-cell table:number-columns-repeated="16000"/>'


def ods(rows: str) -> bytes:
    """A spreadsheet as LibreOffice writes it, made by hand."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr("META-INF/manifest.xml", "<manifest/>")
        archive.writestr(
            "content.xml",
            f"<office:document-content {SPACES}><office:body><office:spreadsheet>"
            f'<table:table table:name="Players">{rows}</table:table>'
            "</office:spreadsheet></office:body></office:document-content>",
        )
    return file.getvalue()


def ods_row(*cells: str, times: int = 1) -> str:
    return f'<table:table-row table:number-rows-repeated="{times}">{"".join(cells)}</table:table-row>'


def ods_cell(text: str, kind: str = "string", value: str = "", times: int = 1) -> str:
    named = f'office:{"date-value" if kind == "date" else "value"}="{value}"' if value else ""
    return (
        f'<table:table-cell office:value-type="{kind}" {named} table:number-columns-repeated="{times}">'
        f"<text:p>{text}</text:p></table:table-cell>"
    )


ODS = ods(
    ods_row(ods_cell("Name"), ods_cell("Rtg"), "<table:table-cell/>", ods_cell("Birthday"), EMPTY_REST)
    + ods_row(EMPTY_REST)
    + ods_row(
        ods_cell("Rossi, Anna"),
        ods_cell("2.010", "float", "2010"),
        "<table:table-cell/>",
        ods_cell("1 gen 1990", "date", "1990-01-01"),
    )
    + ods_row(ods_cell("Verdi, Ugo"), ods_cell("0", "float", "0"))
    + ods_row(EMPTY_REST, times=1_048_000)
)


def record(kind: int, *values: bytes) -> bytes:
    body = b"".join(values)
    return struct.pack("<HH", kind, len(body)) + body


def label(row: int, column: int, text: str) -> bytes:
    return record(0x204, struct.pack("<HHHHB", row, column, 0, len(text), 0), text.encode("latin-1"))


def value(row: int, column: int, number: float, style: int = 0) -> bytes:
    return record(0x203, struct.pack("<HHHd", row, column, style, number))


def xls(*cells: bytes) -> bytes:
    """A workbook of Excel 97, made by hand: one stream of records in a compound file."""
    styles = b"".join(record(0xE0, struct.pack("<HH", 0, each), bytes(16)) for each in (0, 14))
    begin = record(0x809, struct.pack("<HHHHII", 0x600, 5, 0, 0, 0, 0)) + styles
    name = b"\x01\x00P"
    at = len(begin) + 4 + 6 + len(name) + 4
    book = begin + record(0x85, struct.pack("<IBB", at, 0, 0), name) + record(0x0A)
    sheet = record(0x809, struct.pack("<HHHHII", 0x600, 0x10, 0, 0, 0, 0)) + b"".join(cells) + record(0x0A)
    stream = (book + sheet).ljust(4096, b"\0")
    stream += bytes(-len(stream) % 512)
    count = len(stream) // 512
    chain = [0xFFFFFFFD, 0xFFFFFFFE, *range(3, count + 2), 0xFFFFFFFE]
    free = 0xFFFFFFFF
    head = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(16)
    head += struct.pack("<HHHHH6x", 0x3E, 3, 0xFFFE, 9, 6)
    head += struct.pack("<IIIIIIIII", 0, 1, 1, 0, 4096, 0xFFFFFFFE, 0, 0xFFFFFFFE, 0)
    head += struct.pack("<109I", 0, *[free] * 108)

    def entry(name: str, kind: int, child: int, start: int, size: int) -> bytes:
        text = (name + "\0").encode("utf-16-le")
        return struct.pack("<64sHBBIII36xIQ", text, len(text), kind, 1, free, free, child, start, size)

    folder = entry("Root Entry", 5, 1, 0xFFFFFFFE, 0) + entry("Workbook", 2, free, 2, len(stream))
    fat = struct.pack("<128I", *chain, *[free] * (128 - len(chain)))
    return head + fat + folder.ljust(512, b"\0") + stream


XLS = xls(
    label(0, 0, "Name"),
    label(0, 1, "Rtg"),
    label(0, 3, "Birthday"),
    label(2, 0, "Rossi, Anna"),
    value(2, 1, 2010),
    value(2, 3, 32874, style=1),
    label(3, 0, "Verdi, Ugo"),
    value(3, 1, 0),
)


SHEETS = {
    "Swiss-Manager": (
        "No.;Name;Title;Rtg Int;Fed;FIDE-No.;Birth;sex",
        "1;Rossi, Anna;WFM;2010;ITA;800;1990/00/00;w",
    ),
    "chess-results": (
        "No.,,Name,FideID,FED,Rtg,Tit,Birth,Sex",
        '1,,"Rossi, Anna",800,ITA,2010,WFM,1990,F',
    ),
    "Papi": ("Nom;Prenom;Elo;Fede;FideCode;NeLe;Sexe;Titre", "Rossi;Anna;2010;ITA;800;1990;F;WFM"),
    "Vega": ("Name;Country;BirthDay;Sex;Title;IDFIDE;RatFIDE", "Rossi, Anna;ITA;1990;f;WFM;800;2010"),
    "FIDE": ("Name\tFed\tSex\tTit\tFIDE ID\tStd\tB-day", "Rossi, Anna\tITA\tF\twf\t800\t2010\t1990"),
    "SwissChess": (
        "TNr;Teilnehmer;Titel;ELO;NWZ;Attr.;Verein/Ort;Land;Geburt;FideKenn.;PKZ;Geschlecht",
        "1;Rossi, Anna;WFM;2010;1990;;Roma;ITA;1990;800;77;W",
    ),
    "Tornelo": (
        "Lastname,Firstname,Federation,FIDE ID,FIDE Std,FIDE Rapid,Title,Birth Year,Gender,Email",
        "Rossi,Anna,ITA,800,2010,1900,WFM,1990,F,",
    ),
    "Sharly": (
        "last_name;first_name;date_of_birth;gender;federation;fide_id;standard_rating;title",
        "Rossi;Anna;1990;F;ITA;800;2010;WFM",
    ),
    "FIDE, all ratings": (
        "ID Number,Name,Fed,Sex,Tit,WTit,OTit,FOA,SRtng,SGm,SK,RRtng,RGm,Rk,BRtng,BGm,BK,B-day,Flag",
        '800,"Rossi, Anna",ITA,F,WFM,WFM,,,2010,0,20,1900,0,20,1800,0,20,1990,',
    ),
    "Papi, ratings marked": (
        "Nom;Prénom;Sexe;Né Le;Cat;Aff.;Elo;Rapide;Fede;Ligue;Club;Fide Code;Fide Titre;N° FFE",
        "Rossi;Anna;F;1990;SenF;A;2010 F;1900 F;ITA;IDF;Paris;800;WFM;A12345",
    ),
    "Paircard": (
        "name,federation,sex,title,fide_id,fide_rating,birth",
        '"Rossi, Anna",ITA,w,WFM,800,2010,1990',
    ),
}
"""Headings in the manner of each program, and one made-up player; written by hand for these tests."""


@pytest.mark.parametrize("program", SHEETS)
def test_the_columns_of_other_programs_are_understood(program: str) -> None:
    sheet = players_of(read_table("\n".join(SHEETS[program]).encode()))

    assert (sheet.faults, sheet.skipped) == ((), ())
    [(_, anna)] = sheet.players
    assert (anna.name, anna.federation, anna.sex, anna.title) == ("Rossi, Anna", "ITA", "w", "WFM")
    assert (anna.fide_id, anna.fide_rating, anna.birth) == (800, 2010, "1990")


def test_titles_above_and_remarks_below_a_list_of_chess_results_are_left_out_with_a_note() -> None:
    sheet = players_of(
        read_table(
            b"From the Tournament-Database of Chess-Results;;;\nClub Open;;;\nStarting rank;;;\n"
            b"No.;;Name;Rtg\n1;WFM;Rossi, Anna;2010\n2;;Verdi, Ugo;0\nProgram Swiss-Manager;;;\n"
        )
    )

    assert [(line, one.name, one.title) for line, one in sheet.players] == [
        (5, "Rossi, Anna", "WFM"),
        (6, "Verdi, Ugo", ""),
    ]
    [note] = sheet.notes
    assert (note.code, note.fields["count"]) == ("import.remarks", 4)
    assert list(note.fields["places"]) == [
        "1 'From the Tournament-Database of Chess-Re'",
        "2 'Club Open'",
        "3 'Starting rank'",
        "7 'Program Swiss-Manager'",
    ]


def test_ratings_that_papi_marks_as_national_or_estimated_stay_so() -> None:
    sheet = players_of(read_table(b"Nom;Elo;Rapide\nRossi;1850 N;1800 N\nVerdi;1399 E;\n"))

    [(_, rossi), (_, verdi)] = sheet.players
    assert (rossi.fide_rating, rossi.national_rating, rossi.rapid_rating) == (0, 1850, 0)
    assert (verdi.fide_rating, verdi.rating, verdi.estimated) == (0, 1399, True)
    [note] = sheet.notes
    assert note == say("import.rating-not-fides", label="rapid_rating", code="N", numbers=[2])


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_text_is_read_in_the_encodings_that_excel_saves(encoding: str) -> None:
    table = read_table("name\nMüller\n".encode(encoding))

    assert table.lines[0].cells == ("Müller",)


def test_every_fault_of_a_sheet_is_said_in_one_go() -> None:
    text = b"name,rating,sex,birth\nA,strong,,\nB,1,x,\nC,unr,,1990-02-30\nD,-,f,1990\n"
    sheet = players_of(read_table(text))

    assert [(fault.said.fields["line"], fault.said.fields["what"].code) for fault in sheet.faults] == [
        (2, "import.not-a-number"),
        (3, "import.sex-unknown"),
        (4, "birth-unknown"),
    ]
    assert [details.name for _, details in sheet.players] == ["D"]


def test_unknown_columns_are_named_and_known_but_useless_ones_are_not() -> None:
    assert players_of(read_table(b"No.,Name,Ratng\n1,A,2000\n")).skipped == ("Ratng",)
    with refuses(Invalid, "import.column-twice", line=1, label="name", text="player"):
        players_of(read_table(b"name,player\nA,B\n"))
    with refuses(Invalid, "import.no-name-column", line=1):
        players_of(read_table(b"rating\n1\n"))


def test_results_come_by_board_or_by_name() -> None:
    by_board = results_of(read_table(b"Bo.;White;Black;Result\n1;Ada;Ben;1 - 0\n2;Cleo;Dag;\n"))
    by_name = results_of(read_table("White,Black,Result\nAda,Ben,½-½\n".encode()))

    assert [(one.line, one.board, one.result) for one in by_board] == [(2, 1, "1-0")]
    assert [(one.board, one.white, one.black, one.result) for one in by_name] == [(0, "Ada", "Ben", "½-½")]
    with refuses(Invalid, "import.not-results", line=1):
        results_of(read_table(b"a,b\n1,2\n"))


def named(text: str, row: int, rest: str, how: str = "") -> str:
    """A row with a name, and more cells."""
    return f'<row r="{row}" {how}><c r="A{row}" t="inlineStr"><is><t>{text}</t></is></c>{rest}</row>'


ELO = '<c r="B1" t="inlineStr"><is><t>Elo</t></is></c>'
NO_VALUE = '<table:table-cell table:formula="of:=[.A1]"/>'
ERROR = (
    '<table:table-cell xmlns:c="urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0" '
    'table:formula="of:=NA()" office:value-type="string" office:string-value="" c:value-type="error">'
    "<text:p>#N/A</text:p></table:table-cell>"
)
NOT_COMPUTED = {
    "xlsx": xlsx(
        named("Name", 1, ELO)
        + named("Ada", 2, '<c r="B2" t="e"><f>NA()</f><v>#N/A</v></c>')
        + named("Ben", 3, '<c r="B3"><f>A1</f><v></v></c><c r="D3"><f>A1</f></c>')
        + named("Cleo", 4, '<c r="B4"><f>2000+1</f><v>2001</v></c>')
        + named("Dag", 5, '<c r="B5" t="str"><f>IF(A1,1,"")</f><v></v></c>')
    ),
    "ods": ods(
        ods_row(ods_cell("Name"), ods_cell("Elo"))
        + ods_row(ods_cell("Ada"), ERROR)
        + ods_row(ods_cell("Ben"), NO_VALUE)
        + ods_row(ods_cell("Cleo"), ods_cell("2001", "float", "2001"))
    ),
    "csv": b"Name,Elo\nAda,#N/A\nBen,#REF!\nCleo,2001\n",
}


@pytest.mark.parametrize("kind", NOT_COMPUTED)
def test_a_cell_whose_formula_has_no_result_is_a_fault_and_not_an_empty_cell(kind: str) -> None:
    sheet = players_of(read_table(NOT_COMPUTED[kind]))

    assert [(one.said.fields["line"], one.said.fields["what"].code) for one in sheet.faults] == [
        (2, "import.no-result"),
        (3, "import.no-result"),
    ]
    assert [(line, one.fide_rating) for line, one in sheet.players][:1] == [(4, 2001)]


HIDDEN = {
    "xlsx": xlsx(
        named("Name", 1, ELO)
        + named("Ada", 2, "", 'hidden="1"')
        + named("Ben", 3, "")
        + named("Cleo", 4, "", 'hidden="true"')
    ),
    "ods": ods(
        ods_row(ods_cell("Name"), ods_cell("Elo"))
        + ods_row(ods_cell("Ada")).replace("<table:table-row", '<table:table-row table:visibility="filter"')
        + ods_row(ods_cell("Ben"))
        + ods_row(ods_cell("Cleo")).replace(
            "<table:table-row", '<table:table-row table:visibility="collapse"'
        )
        + ods_row(EMPTY_REST, times=900_000).replace(" ", ' table:visibility="collapse" ', 1)
    ),
}


@pytest.mark.parametrize("kind", HIDDEN)
def test_hidden_rows_are_read_and_a_note_says_so(kind: str) -> None:
    sheet = players_of(read_table(HIDDEN[kind]))

    assert [one.name for _, one in sheet.players] == ["Ada", "Ben", "Cleo"]
    assert [(note.code, note.fields) for note in sheet.notes] == [("import.hidden", {"numbers": [2, 4]})]


def two_sheets(first: str) -> bytes:
    """An OpenDocument file with a list of players after another sheet, and an empty one."""
    info = ods_row(ods_cell(first), ods_cell("Elo"))
    players = ods_row(ods_cell("Name"), ods_cell("Elo")) + ods_row(ods_cell("Ada"), ods_cell("2000"))
    between = '</table:table><table:table table:name="{}">'.format
    return ods(f"{info}{ods_row(ods_cell('Ben'))}{between('Second')}{players}{between('Empty')}")


def test_the_sheets_of_a_workbook_that_were_not_read_are_named() -> None:
    sheet = players_of(read_table(two_sheets("Name")))

    assert [one.name for _, one in sheet.players] == ["Ben"]
    assert [(note.code, note.fields) for note in sheet.notes] == [
        ("import.sheets-unread", {"names": ("Second",)})
    ]
    with refuses(Invalid, "import.no-name-in-first", names=("Second",)):
        players_of(read_table(two_sheets("Prizes")))


def bomb(size: int) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/worksheets/sheet1.xml", bytes(size))
    return file.getvalue()


ROWS = {"cause": "rows", "most": 20_000}
COLUMNS = {"cause": "columns", "most": 200}
LAUGHS = '<!DOCTYPE l [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]><workbook>&b;</workbook>'


@pytest.mark.parametrize(
    ("data", "code", "fields"),
    [
        (bomb(100 << 20), "import.would-grow", {"count": 100 << 20}),
        (xlsx("", book=LAUGHS), "import.damaged", {}),
        (xlsx("<c>" * 40), "import.damaged", {}),
        (xlsx('<row r="1">'), "import.damaged", {}),
        (xlsx('<row r="1"><c r="ZZ1"><v>1</v></c></row>'), "import.too-many", COLUMNS),
        (xlsx("<row><c><v>1</v></c></row>" * 20_001), "import.too-many", ROWS),
        (xlsx(""), "import.empty", {}),
        (xlsx('<row r="1"><c r="XFD1048576"><v>1</v></c></row>'), "import.too-many", ROWS),
        (
            xlsx('<row r="1000000"><c r="A1"><v>1</v></c></row><row><c><v>1</v></c></row>'),
            "import.too-many",
            ROWS,
        ),
        (xlsx('<row r="1"><c r="$A$1"><v>1</v></c></row>'), "import.damaged", {}),
        (ods(ods_row(ods_cell("A"), times=1_000_000_000)), "import.too-many", ROWS),
        (ods(ods_row(ods_cell("A", times=1_000_000_000))), "import.too-many", COLUMNS),
        (ods(ods_row(EMPTY_REST, times=30_000) + ods_row(ods_cell("A"))), "import.too-many", ROWS),
        (ods(ods_row(EMPTY_REST, ods_cell("A"))), "import.too-many", COLUMNS),
        (ods(ods_row(ods_cell('<text:s text:c="4000000000"/>'))), "import.damaged", {}),
        (ods("<!DOCTYPE a>"), "import.damaged", {}),
        (xls(label(0, 0, "Name"), label(65535, 0, "A")), "import.too-many", ROWS),
        (xls(label(0, 0, "Name"), label(0, 60000, "A")), "import.too-many", COLUMNS),
        (xls(label(0, 0, "Name"), label(65535, 65535, "A")), "import.damaged", {}),
        (b"PK\x03\x04 and nothing more", "import.damaged", {}),
        (b"\xd0\xcf\x11\xe0" + bytes(600), "import.damaged", {}),
        (b"", "import.empty", {}),
        (b"name\n" + b"A" * 200_000, "import.not-csv", {"line": 2}),
        (b"name\n" + b"A\n" * 30_000, "import.too-many", {"cause": "lines", "most": 20_000}),
        (bytes(21 << 20), "import.too-large", {"most": 20}),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_is_no_sheet_is_refused_at_once(data: bytes, code: str, fields: dict[str, Any]) -> None:
    start = sum(os.times()[:4])
    with refuses(Invalid, code, **fields):
        players_of(read_table(data))

    assert sum(os.times()[:4]) - start < 3, "seconds of the processor, here and in the process that reads"


@pytest.mark.slow
@pytest.mark.parametrize("count", [500, pytest.param(20_000, marks=pytest.mark.soak)])
def test_mangled_sheets_are_read_or_refused_and_nothing_else(count: int) -> None:
    chance = random.Random(14)
    text = b"No.;Name;Rtg;Birth;Result\n1;Rossi, Anna;2010;1990;1-0\n2;Verdi;;1985/01/02;\n"
    outcomes = {"read": 0, "refused": 0}
    for _ in range(count):
        data = bytearray(chance.choice((SHEET, text)))
        for _ in range(chance.randint(1, 12)):
            at = chance.randrange(len(data))
            data[at : at + chance.randint(0, 3)] = chance.randbytes(chance.randint(0, 4))
        try:
            table = read_table(bytes(data))
            sheet = players_of(table)
            named = len(between_remarks(table, names_people).around)
            assert len(sheet.players) + len(sheet.faults) + named >= len(table.lines)
            outcomes["read"] += 1
        except PaircardError:
            outcomes["refused"] += 1

    assert min(outcomes.values()) > 50
