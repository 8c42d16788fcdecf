"""The tree over all facts of a store: ``tree publish verify head``, ``prove`` and ``witness``."""

from datetime import UTC, datetime
from http import HTTPStatus
from pathlib import Path

import click

from paircard.cli.commands.keys import KEY_FILE, need_signer
from paircard.cli.key_files import public_key
from paircard.cli.output import bar, print_line
from paircard.cli.refusals import Misused
from paircard.cli.session import Session, examines_store, names_tournament
from paircard.cli.usage import finish
from paircard.domain.errors import Invalid
from paircard.domain.proof.note import COSIGNATURE, SIGNATURE
from paircard.domain.proof.publishing import Witness, tree_entry
from paircard.domain.values.text import is_number
from paircard.domain.whole_files import hand_out
from paircard.service import transparency

FOLDER = click.Path(file_okay=False, path_type=Path)


@click.group()
def tree() -> None:
    """Publish one signed tree over all facts of the store, and check it."""


@tree.command(short_help="Bring the published tree up to the newest fact.")
@click.option("--to", "folder", type=FOLDER, required=True, help="Folder of the published tree.")
@KEY_FILE
@click.option(
    "--witness",
    "witnesses",
    nargs=2,
    multiple=True,
    metavar="KEY PLACE",
    help="A witness: its public key or a file with it, and its address or a folder for requests; repeatable.",
)
@examines_store
def publish(
    session: Session, folder: Path, key_file: Path | None, witnesses: tuple[tuple[str, str], ...]
) -> None:
    """Bring the published tree up to the newest fact, in a folder that any web server can serve.

    The folder holds tiles, entries and the signed checkpoint in the formats of C2SP. An entry names a
    tournament, a version and the hash of that fact, nothing else. The name of the key is the name of the
    tree, such as fsi.it/record. A store that was set back, cut or changed is refused.

    Example: paircard tree publish --to tree --key federation.key
    """
    signer = need_signer(key_file)
    contacts = [transparency.witness_contact(public_key(key, COSIGNATURE), place) for key, place in witnesses]
    with bar("publishing") as progress:
        done = transparency.publish_tree(session.office.store(), folder, signer, contacts, progress)
    finish()
    head, witnessed = done.note.head, {"cosigned_by": done.cosigned_by, "refused_by": done.refused_by}
    if session.shown({"size": head.size, "added": done.added, "root": head.root.hex(), **witnessed}):
        return
    print_line("cli.tree.published", path=str(folder), facts=head.size, count=done.added, name=signer.name)
    for name in done.cosigned_by:
        print_line("cli.tree.cosigned", name=name)
    for reason in done.refused_by:
        print_line("cli.tree.not-cosigned", reason=reason)


@tree.command("verify", short_help="Check a published tree, every tile and entry of it.")
@click.argument("place", metavar="FOLDER|ADDRESS")
@click.option("--key", required=True, metavar="KEY", help="The federation's public key, or a file with it.")
@click.option("--witness-key", multiple=True, metavar="KEY", help="A witness that must have signed.")
def verify_(place: str, key: str, witness_key: tuple[str, ...]) -> None:
    """Check a published tree, every tile and entry of it, against what the federation signed.

    Example: paircard tree verify tree --key federation.key
    """
    keys = [public_key(text, COSIGNATURE) for text in witness_key]
    note = transparency.verify_tree(place, public_key(key, SIGNATURE), keys)
    print_line("cli.tree.verified", name=note.head.origin, facts=note.head.size)
    for known in keys:
        line = next(line for line in note.signatures if line.key_id == known.key_id)
        print_line("cli.tree.cosigned-at", name=known.name, when=clock_time(line.seen_at()))


@tree.command("head", short_help="Print the line that stands for a whole tournament.")
@names_tournament
def head(session: Session) -> None:
    """Print the line that stands for a whole tournament: its id, the number of its facts, the last hash.

    A laptop without a network hands this line in. Anybody who keeps it can tell later whether
    the log that arrives begins with what was there.

    Example: paircard tree head
    """
    length, hash = session.office.store().verify_chain(session.tournament.id)
    click.echo(tree_entry(session.tournament.id, length, hash).decode().strip())


@click.command(short_help="Prove a result, or any fact, with a file that stands alone.")
@click.option("--tree", "place", required=True, metavar="FOLDER|ADDRESS", help="The published tree.")
@click.option("--round", "round", type=int, help="Round of the result.")
@click.option("--board", type=int, help="Board of the result.")
@click.option("--fact", type=int, help="Any fact by its number instead.")
@click.option("-o", "--output", type=FOLDER, default=Path(), help="Folder for the files [here].")
@click.option("--qr", is_flag=True, help="Also write the first proof as a QR code (SVG), for paper.")
@names_tournament
def prove(
    session: Session,
    place: str,
    round: int | None,
    board: int | None,
    fact: int | None,
    output: Path,
    qr: bool,
) -> None:
    """Prove a result, or any fact, with a file that stands alone.

    For a result, further files prove the pairing of the round and the two registrations. Anybody with
    the file and the federation's public key checks it with verify.py, which needs no Paircard.

    Example: paircard prove --tree tree --round 1 --board 1 -o proofs
    """
    store, tournament = session.office.store(), session.tournament
    if (fact is None) == (round is None or board is None):
        raise Misused("cli.prove-what")
    if fact is not None:
        proofs = [transparency.prove_fact(store, tournament, fact, place)]
    else:
        proofs = transparency.prove_result(store, tournament, round or 0, board or 0, place)
    output.mkdir(parents=True, exist_ok=True)
    files = {f"{proof.name}.tlog-proof": proof.text for proof in proofs}
    if qr:  # of the result alone: the pairing of a large round fits in no QR code
        files[f"{proofs[0].name}.svg"] = transparency.qr_svg(proofs[0].text)
    for name, text in files.items():
        hand_out(output / name, text.encode())
    finish()
    for name in files:
        print_line("cli.said.written", file=str(output / name))


@click.command(short_help="Be a witness: sign that a federation's tree only grows.")
@click.argument("request", type=click.Path(exists=True, dir_okay=False, path_type=Path), required=False)
@click.argument("answer", type=click.Path(dir_okay=False, path_type=Path), required=False)
@click.option("--log", "logs", multiple=True, required=True, metavar="KEY", help="Key of a tree to watch.")
@KEY_FILE
@click.option("--state", type=FOLDER, required=True, help="Folder for what was signed.")
@click.option("--listen", metavar="HOST:PORT", help="Answer over HTTP until interrupted.")
def witness(
    request: Path | None,
    answer: Path | None,
    logs: tuple[str, ...],
    key_file: Path | None,
    state: Path,
    listen: str | None,
) -> None:
    """Be a witness: sign that a federation's tree only grows.

    Anything else is refused. Either answer one REQUEST file with an ANSWER file, or listen for requests
    (c2sp.org/tlog-witness). The first line printed is the public key to hand out. Keep the state: a witness
    that forgets what it signed could be shown another tree.

    Example: paircard witness post/request post/answer --log federation.key --key witness.key --state state
    """
    signer = need_signer(key_file)
    one = Witness(signer, [public_key(text, SIGNATURE) for text in logs], state)
    if bool(listen) == (answer is not None):
        raise Misused("cli.witness-what")
    if request is not None and answer is not None:
        found = one.answer(request.read_text("utf-8", "replace"))
        hand_out(answer, found.text().encode())
        if found.status == HTTPStatus.CONFLICT and is_number(size := found.body.strip()):
            raise Invalid("cli.witness-signed-before", file=str(answer), number=int(size))
        if found.status != HTTPStatus.OK:
            raise Invalid("cli.witness-refuses", file=str(answer), reason=found.body.strip())
        click.echo(signer.verifier(COSIGNATURE).line())
        click.echo(f"{answer}: {found.status.value} {found.status.phrase.lower()}")
        return
    host, _, port = (listen or "").rpartition(":")
    if not is_number(port) or int(port) > 65535:
        raise Misused("cli.not-host-and-port", text=listen or "")
    server = transparency.witness_server(one, host.strip("[]"), int(port))
    click.echo(signer.verifier(COSIGNATURE).line())
    print_line("cli.tree.listening", number=server.server_port)
    try:
        server.serve_forever()
    finally:
        server.server_close()


def clock_time(seconds: int) -> str:
    """A witness's time for people."""
    try:
        return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
    except (OverflowError, ValueError, OSError):
        raise Invalid("cli.witness-time") from None
