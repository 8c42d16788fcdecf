"""A variable that a script forgot to set: an empty name means no other file, key or id."""

import pytest

from tests.cli.session import Terminal


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        (("verify", "--trust", ""), "'--trust': it is empty, a key is expected"),
        (("verify", "--trust", " "), "'--trust': it is empty, a key is expected"),
        (("verify", "--bundle", ""), "'--bundle': it is empty, a file is expected"),
        (("verify", "--keys", ""), "'--keys': it is empty, a file is expected"),
        (("--db", "", "list"), "'--db': it is empty, a file is expected"),
        (("list", "--db", ""), "'--db': it is empty, a file is expected"),
        (("pair", "--boards", ""), "'--boards': it is empty, a file is expected"),
        (("number", "--file", ""), "'--file': it is empty, a file is expected"),
        (("result", "1", "1", "1-0", "--id", ""), "'--id': it is empty, an id is expected"),
        (("result", "1", "1", "1-0", "--sign-with", ""), "'--sign-with': it is empty, a file is expected"),
        (("result", "1", "1", "1-0", "--as", ""), "'--as': it is empty, a name is expected"),
        (("trf", "export", "-o", ""), "'-o' / '--output': it is empty, a file is expected"),
        (("tree", "publish", "--to", ""), "'--to': it is empty, a folder is expected"),
        (("player", "import", ""), "'FILE': it is empty, a file is expected"),
        (("announce", ""), "'FILE': it is empty, a file is expected"),
        (("move", "", "new.db"), "'FROM': it is empty, a file or an address is expected"),
    ],
)
def test_an_empty_name_is_refused(playing: Terminal, command: tuple[str, ...], expected: str) -> None:
    assert f"invalid value for {expected} (see " in playing.refused(*command, code=2)
