"""The commands of this door: ``paircard serve``, people let in with ``invite``, programs with ``webhook``.

The commands live here and not with the others, so that neither door imports the other: the table of
commands names them by their path. What stood before them on the line (``--db``, ``--as``) is on the object of
the run.
"""

import gc
import ipaddress
import logging
import os
import re
import socket
import sys
import threading
import time
import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

import click
import msgspec

from paircard.domain.errors import LibraryMissing
from paircard.domain.log.backends.sqlite_files import cares
from paircard.domain.log.location import Address, address_of, is_address, shown
from paircard.domain.messages import Message, say
from paircard.domain.speaking import Speaker
from paircard.domain.system import FOR_OWNER, end_with_window, lock, processes_end_by, said, take_many_callers
from paircard.service import Office
from paircard.web.book import AccessStore, Grant, new_credential, new_grant, open_access
from paircard.web.messages import Role
from paircard.web.settings import LINK_SECONDS, LOCAL, Settings

try:
    import uvicorn

    from paircard.web.app import make_app
    from paircard.web.courier import Delivery, Webhooks, view
    from paircard.web.patience import Patient
    from paircard.web.site import Site
except ImportError as missing:
    raise LibraryMissing("http.serving-needs", value=missing.name or "starlette") from None

CALLERS: Final = 65536
"""Connections of one process, at most: a hall has hundreds of open feeds."""
USUAL: Final = 8000
"""The port, if none is asked for."""
NEIGHBOURS: Final = 20
"""Ports that are tried from the usual one on."""
DATABASE_SECONDS: Final = 30.0
"""How long a database is waited for that does not answer when the server starts."""
GRACE: Final = 5
"""Seconds for requests that are being answered when the server ends."""


def spoken(message: Message) -> str:
    """A message as the terminal prints it."""
    return Speaker().say(message)


def of_the_run(name: str) -> str:
    """An option that stood before the command, from the object of the run: ``path`` or ``who``."""
    return str(getattr(click.get_current_context().find_root().obj, name))


def the_path(_: click.Context, __: click.Parameter, value: str | None) -> str:
    """Where the store is: this option, else the one of the run."""
    return value or of_the_run("path")


def the_name(_: click.Context, __: click.Parameter, value: str | None) -> str:
    """Who asks: this option, else the one of the run."""
    return value or of_the_run("who")


store_option = click.option(
    "--db",
    metavar="FILE",
    callback=the_path,
    help="Database file, or postgresql:// address [PAIRCARD_DB, else paircard.db].",
)


@click.command()
@store_option
@click.option(
    "--as",
    "who",
    metavar="NAME",
    callback=the_name,
    help="Your name in the record [PAIRCARD_AS, else your login].",
)
@click.option(
    "--port", type=click.IntRange(0, 65535), help=f"0 takes any [{USUAL}, or the next one that is free]."
)
@click.option("--lan", is_flag=True, help="Open the door to the network of the hall.")
@click.option("--name", "names", multiple=True, metavar="HOST", help="A name this server answers to.")
@click.option(
    "--origin",
    "origins",
    multiple=True,
    metavar="URL",
    help="A site whose programs in a browser may read and write with a key, such as https://club.example.",
)
@click.option(
    "--proxy", metavar="ADDRESS", help="Trust what a proxy at this address says about the caller and HTTPS."
)
@click.option("--no-browser", is_flag=True, help="Do not open a browser.")
@click.option(
    "--access-log", type=click.Path(path_type=Path), help="Write a JSON line per request; - is stderr."
)
@click.option(
    "--commands", default=10.0, help="Requests that write, per second and login.", show_default=True
)
@click.option(
    "--reads",
    default=10.0,
    help="Answers that have to be made, per second and address; for those who are not signed in.",
    show_default=True,
)
@click.option(
    "--metrics-from", "watchers", multiple=True, metavar="ADDRESS", help="Who else may read /metrics."
)
@click.option(
    "--webhook-to",
    "networks",
    multiple=True,
    metavar="NETWORK",
    callback=lambda *given: checked_networks(given[-1]),
    help="A private address or network that webhooks may call, such as 10.1.0.0/16.",
)
@click.option("--feeds", default=20, help="Open feeds of one address.", show_default=True)
def serve(
    db: str,
    who: str,
    port: int | None,
    lan: bool,
    names: tuple[str, ...],
    origins: tuple[str, ...],
    proxy: str | None,
    no_browser: bool,
    access_log: Path | None,
    commands: float,
    reads: float,
    watchers: tuple[str, ...],
    networks: tuple[str, ...],
    feeds: int,
) -> None:
    """Serve the tournaments of a file over HTTP: for browsers, phones, screens and programs.

    It answers to this machine alone, unless --lan opens it to the hall or --name gives it a name behind a
    proxy. Your browser opens with a link that signs you in as arbiter, once.

    Example: paircard serve --db open.db --lan
    """
    note = None if is_address(db) or port is not None or no_browser else Note(db)
    if note is not None and (home := note.served_at()):
        access = open_access(db)
        link = f"{home}/sign-in#{first_link(access, who)}"
        access.close()
        click.echo(spoken(say("http.served-already", path=shown(db), value=home)))
        webbrowser.open(link)
        return
    write_access_log(access_log)
    take_many_callers(CALLERS)
    addresses = lan_addresses() if lan else []
    settings = Settings(
        hosts=frozenset({*LOCAL, *addresses, *(name.lower() for name in names)}),
        origins=frozenset(one.rstrip("/").lower() for one in origins),
        commands_per_second=commands,
        metrics_from=LOCAL | set(watchers),
        reads_per_second=reads,
        feeds_per_address=feeds,
        webhook_networks=networks,
    )
    listening = find_door("0.0.0.0" if lan else "127.0.0.1", port)
    is_new = not is_address(db) and not Path(db).exists()
    wait_for_database(db)
    site = Site(db, settings)
    taken = listening.getsockname()[1]
    config = uvicorn.Config(
        make_app(site),
        log_config=None,
        log_level="error",  # what strangers send wrong is answered, not logged
        access_log=False,
        server_header=False,
        http=Patient,
        ws="none",  # whatever is sent to be upgraded stays with what is patient
        proxy_headers=bool(proxy),
        forwarded_allow_ips=proxy or "",
        timeout_graceful_shutdown=GRACE,
        timeout_keep_alive=30,
        lifespan="on",
    )
    home = f"http://127.0.0.1:{taken}"
    if note is not None:
        note.write(home)
    click.echo(spoken(say("http.serving", path=shown(db), value=home)))
    if port is None and taken != USUAL:
        click.echo(spoken(say("http.port-taken", first=USUAL, number=taken)))
    for care in cares(db):
        click.echo(spoken(care), err=True)
    if is_new:
        click.echo(spoken(say("http.file-new")))
    for address in addresses:
        click.echo(spoken(say("http.in-the-hall", value=f"http://{address}:{taken}")))
    browser = not no_browser
    link = ""
    if browser or not has_arbiter(site.access):
        link = f"{home}/sign-in#{first_link(site.access, who)}"
        click.echo(spoken(say("http.sign-in-once", number=LINK_SECONDS // 60, value=link)))
    sys.stdout.flush()
    if browser:
        threading.Timer(0.5, webbrowser.open, [link]).start()
    end_with_window()
    processes_end_by(lambda *_: sys.exit(0))  # uvicorn raises it once more when everything is done
    with listening:
        Server(config).run(sockets=[listening])


def checked_networks(given: tuple[str, ...]) -> tuple[str, ...]:
    """The networks that were named; refuses what is none."""
    for one in given:
        try:
            ipaddress.ip_network(one)
        except ValueError as reason:
            raise click.BadParameter(str(reason), click.get_current_context()) from None
    return given


def wait_for_database(location: str) -> None:
    """Wait a while for a database that does not take connections yet, as after the machine was started."""
    address = address_of(location)
    if not isinstance(address, Address):
        return
    from paircard.domain.log.backends.postgres_database import takes_connections  # with paircard[postgres]

    end = time.monotonic() + DATABASE_SECONDS
    told = False
    while not takes_connections(address) and time.monotonic() < end:
        if not told:
            click.echo(spoken(say("http.database-awaited", path=address.shown)), err=True)
            told = True
        time.sleep(0.5)


class Note:
    """A file next to the store that says where it is served, for a second start; locked while it is."""

    def __init__(self, location: str) -> None:
        self.path = Path(f"{os.path.realpath(location)}-served")
        self.handle = -1

    def served_at(self) -> str:
        """Where the file is served already; empty if it is not, and from now on by us."""
        try:
            self.handle = os.open(self.path, os.O_RDWR | os.O_CREAT, FOR_OWNER)
        except OSError:
            return ""  # whatever it is, opening the store will say it
        if lock(self.handle, wait=False):
            return ""
        for _ in range(100):  # the other one may just be starting
            if found := re.fullmatch(r"(http://127\.0\.0\.1:\d+)\n", self.path.read_text("utf-8")):
                return found[1]
            time.sleep(0.1)
        return ""

    def write(self, home: str) -> None:
        """Say where it is."""
        if self.handle >= 0:
            os.ftruncate(self.handle, 0)
            os.write(self.handle, f"{home}\n".encode())


class Server(uvicorn.Server):
    """Keeps no request waiting for what was loaded; ends the feeds when it is told to end, so that it can."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        gc.collect()
        gc.freeze()  # what is loaded stays: all requests would wait while it is looked through again

    def handle_exit(self, sig: int, frame: Any) -> None:
        app: Any = self.config.app
        app.state.feeds.end_soon()
        super().handle_exit(sig, frame)


def find_door(host: str, port: int | None) -> socket.socket:
    """The door that was asked for; without one the usual one, or the next that is free."""
    if port is not None:
        return listen(host, port)
    for usual in range(USUAL, USUAL + NEIGHBOURS):
        with suppress(OSError):
            return socket.create_server((host, usual), backlog=1024)
    return listen(host, USUAL)


def listen(host: str, port: int) -> socket.socket:
    """The door; refused in a sentence if somebody else stands in it."""
    try:
        return socket.create_server((host, port), backlog=1024)
    except OSError as reason:
        why = said(reason)
        raise click.ClickException(spoken(say("http.port-unusable", number=port, reason=why))) from None


def lan_addresses() -> list[str]:
    """The names and addresses of this machine in its network."""
    name = socket.gethostname().lower()
    found = {name, f"{name}.local"}
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, suppress(OSError):
        probe.connect(("192.0.2.1", 9))  # sends nothing: it only chooses a way out
        found.add(probe.getsockname()[0])
    with suppress(OSError):
        found |= {str(info[4][0]) for info in socket.getaddrinfo(name, None, socket.AF_INET)}
    return sorted(found - LOCAL, key=lambda each: (not each[0].isdigit(), each))


def has_arbiter(access: AccessStore) -> bool:
    """Whether somebody was let in as arbiter or officer of the whole store."""
    grants = access.book().grants_of("", int(time.time()))
    return any(grant.role in ("arbiter", "officer") for grant in grants)


def first_link(access: AccessStore, who: str) -> str:
    """The secret of a link for the arbiter at this machine."""
    now = int(time.time())
    known = [
        grant
        for grant in access.book().grants_of("", now)
        if (grant.role, grant.who, grant.by) == ("arbiter", who, "")
    ]
    grant = known[0] if known else new_grant("arbiter", who)
    return issue_link(access, grant, now + LINK_SECONDS)


def issue_link(access: AccessStore, grant: Grant, until: int) -> str:
    """A link that works once."""
    credential, secret = new_credential(grant, "link", until=until, once=True)
    access.write(lambda book: [credential] if grant.id in book.grants else [grant, credential])
    return secret


@click.command()
@click.argument("who", metavar="NAME")
@click.option(
    "--role",
    type=click.Choice(["arbiter", "officer"]),
    default="arbiter",
    show_default=True,
    help="An arbiter does everything; an officer reads everything and opens tournaments.",
)
@click.option("--key", is_flag=True, help="A key for a program instead of a link for a browser.")
@click.option("--url", default="http://127.0.0.1:8000", show_default=True, help="Where the server is.")
@store_option
def invite(who: str, role: Role, key: bool, url: str, db: str) -> None:
    """Let somebody in to all tournaments of a store: prints a link, or a key, once.

    It needs the right to write to the store, and works also while that is served.

    Example: paircard invite "Otto Officer" --role officer --key
    """
    Office.open(db).close()  # nobody is let in to a store that is not there, or not ours
    access = open_access(db)
    grant = new_grant(role, who)
    if key:
        credential, secret = new_credential(grant, "key")
        access.write(lambda _: [grant, credential])
        click.echo(secret)
    else:
        secret = issue_link(access, grant, int(time.time()) + 12 * 3600)
        click.echo(f"{url.rstrip('/')}/sign-in#{secret}")
    access.close()


class JsonLine(logging.Formatter):
    """A line of the access log: the time, and a request; or what goes wrong, as level and message."""

    def format(self, record: logging.LogRecord) -> str:
        said: dict[str, Any] = {"time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(record.created))}
        if isinstance(record.msg, dict):
            said |= record.msg
        else:
            said |= {"level": record.levelname.lower(), "message": record.getMessage()}
        if record.exc_info:
            said["trace"] = self.formatException(record.exc_info)
        return msgspec.json.encode(said).decode()


def write_access_log(path: Path | None) -> None:
    """Send the access log somewhere, and mistakes of ours with it; without one these go to stderr."""
    trouble, requests = logging.getLogger("paircard.web"), logging.getLogger("paircard.web.requests")
    try:
        to_file = path is not None and str(path) != "-"
        handler = logging.FileHandler(path, encoding="utf-8") if to_file and path else logging.StreamHandler()
    except OSError as reason:
        unwritable = say("http.log-unwritable", path=str(path), reason=said(reason))
        raise click.ClickException(spoken(unwritable)) from None
    handler.setFormatter(JsonLine() if path else logging.Formatter("paircard: %(message)s"))
    logging.getLogger().addHandler(handler)  # libraries tell of trouble there, too
    threading.excepthook = lambda end: trouble.error(
        "thread %s ended", end.thread and end.thread.name, exc_info=end.exc_value
    )
    if path is None:
        requests.propagate = False
    else:
        requests.setLevel(logging.INFO)


# Webhooks

json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


@contextmanager
def opened(location: str) -> Iterator[tuple[Office, Webhooks]]:
    """A store, which must be there, and its webhooks."""
    with Office.open(location) as office:
        yield office, Webhooks(location, office.store())


def tell(value: Any, as_json: bool, *lines: Message) -> None:
    """An answer as JSON, or in words."""
    if as_json:
        click.echo(msgspec.json.format(msgspec.json.encode(value), indent=2).decode())
    else:
        for line in lines:
            click.echo(spoken(line))


@click.group()
def webhook() -> None:
    """Have programs told of every fact, as long as the store is served."""


@webhook.command("add", short_help="Have a program told of every fact from now on.")
@click.argument("url")
@click.option("-t", "--tournament", "which", metavar="NAME", help="Of this tournament alone, not of all.")
@json_option
@store_option
def add(url: str, which: str | None, as_json: bool, db: str) -> None:
    """Have a program told of every fact from now on; the secret that signs its deliveries is shown once.

    Example: paircard webhook add https://club.example/paircard
    """
    with opened(db) as (office, webhooks):
        about = office.tournament(which).id if which else ""
        made = webhooks.add(url, tournament=about, who=of_the_run("who"))
    value = {"webhook": view(made), "secret": made.secret}
    tell(value, as_json, say("http.webhook.added", id=made.id, value=made.secret))


@webhook.command("list")
@json_option
@store_option
def list_all(as_json: bool, db: str) -> None:
    """List the webhooks of the store.

    Example: paircard webhook list
    """
    with opened(db) as (_, webhooks):
        found = webhooks.all()
    lines = []
    for one in found:
        whose = say("http.webhook.about-one", tournament=one.tournament)
        about = whose if one.tournament else say("http.webhook.about-all")
        lines.append(say("http.webhook.listed", id=one.id, value=one.url, what=about))
    tell([view(one) for one in found], as_json, *(lines or [say("http.webhook.none")]))


@webhook.command("remove")
@click.argument("which", metavar="ID|ADDRESS")
@store_option
def remove(which: str, db: str) -> None:
    """Take a webhook away, with all that was to be sent to it.

    Example: paircard webhook remove https://club.example/paircard
    """
    with opened(db) as (_, webhooks):
        id = webhooks.id_of(which)
        webhooks.remove(id)
    tell(None, False, say("http.webhook.removed", id=id))


@webhook.command("deliveries", short_help="Show what a webhook was not told of yet.")
@click.argument("which", metavar="ID|ADDRESS")
@click.option("--again", is_flag=True, help="Send again what was given up.")
@json_option
@store_option
def deliveries(which: str, again: bool, as_json: bool, db: str) -> None:
    """Show what a webhook was not told of yet: what is tried again, and what was given up after three days.

    Example: paircard webhook deliveries https://club.example/paircard --again
    """
    with opened(db) as (_, webhooks):
        id = webhooks.id_of(which)
        count = webhooks.send_again(id) if again else 0
        waiting, dead = webhooks.waiting(id), webhooks.waiting(id, dead=True)
    lines = [say("http.webhook.waiting", number=one.attempts, **fields(one)) for one in waiting]
    lines += [say("http.webhook.given-up", **fields(one)) for one in dead]
    if again:
        lines = [say("http.webhook.again", number=count)]
    tell({"waiting": waiting, "dead": dead}, as_json, *(lines or [say("http.webhook.all-told")]))


def fields(one: Delivery) -> dict[str, Any]:
    """What a line says of a delivery."""
    return {"first": one.first, "last": one.last, "tournament": one.tournament, "what": one.said}
