"""Key files: private, under a passphrase if wanted, and named plainly."""

import os

from tests.cli.session import Terminal
from tests.refusals import sentence


def test_a_key_that_others_can_read_is_refused(terminal: Terminal) -> None:
    terminal.ok("key", "new", "anna.example", "-o", "a.key")
    terminal.ok("new", "Open", "--rounds", "3")
    for mode in (0o644, 0o640, 0o604, 0o660):
        os.chmod(terminal.folder / "a.key", mode)
        for words in (
            ("checkpoint", "--key", "a.key"),
            ("key", "show", "a.key"),
            ("player", "add", "Ada", "--sign-with", "a.key"),
        ):
            terminal.refuses("cli.key-not-private", *words)
    os.chmod(terminal.folder / "a.key", 0o600)
    terminal.ok("checkpoint", "--key", "a.key")


def test_a_device_is_no_key_and_is_not_to_be_made_private(terminal: Terminal) -> None:
    terminal.ok("new", "Open", "--rounds", "3")
    for device in ("/dev/null", "/dev/zero"):
        said = terminal.refused("checkpoint", "--key", device)
        assert sentence("cli.key-is-a-device", path=device) in said
        assert "chmod" not in said


def test_a_key_may_be_locked_under_a_passphrase(terminal: Terminal) -> None:
    secret = {"PAIRCARD_PASSPHRASE": "correct horse"}
    made = terminal.run("key", "new", "anna.example", "-o", "a.key", "--passphrase", **secret)
    assert made.code == 0
    content = (terminal.folder / "a.key").read_text()
    assert content.startswith("LOCKED+KEY+anna.example+")
    assert "PRIVATE" not in content

    shown = terminal.run("key", "show", "a.key", **secret)
    assert (shown.code, shown.out) == (0, made.out)
    for wrong in ("wrong horse", ""):
        done = terminal.run("key", "show", "a.key", PAIRCARD_PASSPHRASE=wrong)
        assert done.code == 1
        assert sentence("proof.passphrase-wrong") in done.err
    short = terminal.run("key", "new", "b", "-o", "b.key", "--passphrase", PAIRCARD_PASSPHRASE="short")
    assert sentence("cli.passphrase-short") in short.err
    assert not (terminal.folder / "b.key").exists()


def test_the_file_of_a_key_is_named_plainly(terminal: Terminal) -> None:
    terminal.ok("key", "new", "../w/../esc")

    assert [path.name for path in terminal.folder.glob("*.key")] == ["w-esc.key"]
