"""A variable that a script forgot to set: an empty name means no other file, key or id."""

import pytest

from tests.cli.session import Terminal
from tests.refusals import sentence


@pytest.mark.parametrize(
    ("command", "option", "kind"),
    [
        (("verify", "--trust", ""), "'--trust'", "key"),
        (("verify", "--trust", " "), "'--trust'", "key"),
        (("verify", "--bundle", ""), "'--bundle'", "file"),
        (("verify", "--keys", ""), "'--keys'", "file"),
        (("--db", "", "list"), "'--db'", "file"),
        (("list", "--db", ""), "'--db'", "file"),
        (("pair", "--boards", ""), "'--boards'", "file"),
        (("number", "--file", ""), "'--file'", "file"),
        (("result", "1", "1", "1-0", "--id", ""), "'--id'", "id"),
        (("result", "1", "1", "1-0", "--sign-with", ""), "'--sign-with'", "file"),
        (("result", "1", "1", "1-0", "--as", ""), "'--as'", "name"),
        (("trf", "export", "-o", ""), "'-o' / '--output'", "file"),
        (("tree", "publish", "--to", ""), "'--to'", "folder"),
        (("player", "import", ""), "'FILE'", "file"),
        (("announce", ""), "'FILE'", "file"),
        (("move", "", "new.db"), "'FROM'", "file-or-address"),
    ],
)
def test_an_empty_name_is_refused(
    playing: Terminal, command: tuple[str, ...], option: str, kind: str
) -> None:
    empty = f"invalid value for {option}: {sentence('cli.empty', kind=kind)}"
    assert f"{empty} (see " in playing.refused(*command, code=2)
