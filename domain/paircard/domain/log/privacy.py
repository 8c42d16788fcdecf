"""Personal data beside the chain: a fact commits to it, and can outlive it.

The name, birth and ids of a person, officials, the source of an import and every free-text reason are not
stored in the fact itself. They stand in *pieces*, one JSON object each with a salt of its own, and the fact
holds the SHA-256 of each piece. Whoever removes a piece changes no fact, no hash and no proof.

In memory a stored fact is one line, and its pieces follow it, a line each: nobody who copies stored bytes
can lose them by mistake. The recorders keep the two apart in the database.
"""

import secrets
from collections.abc import Callable, Collection, Iterable
from hashlib import sha256
from typing import Any, Final

import msgspec

from paircard.domain.values import players

Salt = Callable[[], str]

IDENTITY: Final = ("sex", "birth", "fide_id", "national_id")
"""What no list shows: it stands in a piece of its own, so that a name can be proven without it."""
OFFICIALS: Final = ("organiser", "chief_arbiter", "arbiters")
SOURCE: Final = ("source", "adjustments", "kept")
PERSONAL: Final[dict[str, tuple[str, tuple[str, ...]]]] = {
    "player-registered": ("details", players.PERSONAL),
    "player-details-corrected": ("changes", players.PERSONAL),
    "tournament-opened": ("regulations", OFFICIALS),
    "tournament-details-changed": ("changes", OFFICIALS),
    "tournament-imported": ("", SOURCE),
}
"""By kind of fact: the member that holds personal data (empty for the fact itself), and its names there."""
ERASED: Final = "(erased)"
"""Stands where a text is gone that must not be empty."""
_MARK: Final = b'"private":["'


def new_salt() -> str:
    """128 random bits: a birth or a name cannot be guessed from its hash."""
    return secrets.token_hex(16)


def take_apart(payload: bytes, salt: Salt) -> tuple[bytes, list[bytes]]:
    """The payload without what is personal and with its commitments, and the pieces that hold it."""
    whole = msgspec.json.decode(payload)
    patches = list(personal_parts(whole))
    if not patches:
        return payload, []
    pieces = [msgspec.json.encode({"salt": salt(), **patch}) for patch in patches]
    whole["private"] = [sha256(piece).hexdigest() for piece in pieces]
    return msgspec.json.encode(whole), pieces


def personal_parts(whole: dict[str, Any]) -> Iterable[dict[str, Any]]:
    """Take what is personal out of an envelope, one part per person concerned and one for the reason."""
    fact = whole["fact"]
    holder, names = PERSONAL.get(fact["type"], ("", ()))
    inner = fact[holder] if holder else fact
    if any(inner.get(name) for name in names):
        taken = {name: inner.pop(name) for name in names if name in inner}
        shown = {name: value for name, value in taken.items() if name not in IDENTITY}
        for part in (shown, {name: taken[name] for name in taken if name not in shown}):
            if part:
                yield {"fact": {holder: part} if holder else part}
    if whole["why"]:
        yield {"why": whole["why"]}
        whole["why"] = ""


def is_shown(piece: bytes) -> bool:
    """Whether a piece holds only what lists show of a player: name, federation and club."""
    fact = msgspec.json.decode(piece).get("fact", {})
    details = fact.get("details") or fact.get("changes") or {}
    return bool(details) and set(details) <= set(players.PERSONAL) - set(IDENTITY)


def line_of(stored: bytes) -> bytes:
    """The fact as it stands in the chain, without its pieces."""
    return (
        stored.partition(b"\n")[0] if isinstance(stored, bytes) else b""
    )  # another program may have written anything


def pieces_of(stored: bytes) -> list[bytes]:
    """The pieces that came with a fact."""
    return stored.split(b"\n")[1:] if isinstance(stored, bytes) else []


def with_pieces(line: bytes, pieces: Iterable[bytes]) -> bytes:
    """A fact and its pieces, as they go about together."""
    return b"\n".join((line, *pieces))


def has_private(line: bytes) -> bool:
    """Whether a stored fact commits to pieces."""
    return isinstance(line, bytes) and _MARK in line


def commitments(line: bytes) -> list[str]:
    """The hashes of the pieces a stored fact commits to; none where it cannot be read."""
    try:
        return list(msgspec.json.decode(line, type=_Committed).private)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return []


class _Committed(msgspec.Struct):
    private: tuple[str, ...] = ()


def put_together(stored: bytes) -> bytes:
    """The envelope as it was entered; a piece that is gone leaves ``(erased)`` in the place of a name.

    A piece the fact does not commit to is left out: nobody can slip another name in.
    """
    line, pieces = line_of(stored), pieces_of(stored)
    if not has_private(line):
        return line
    whole = msgspec.json.decode(line)
    known = set(whole["private"])
    fill_gaps(whole["fact"])
    for piece in pieces:
        if sha256(piece).hexdigest() in known:
            patch = msgspec.json.decode(piece)
            del patch["salt"]
            merge(whole, patch)
    return msgspec.json.encode(whole)


def fill_gaps(fact: dict[str, Any]) -> None:
    """Stand-ins for what every fact of its kind must have."""
    if fact["type"] == "player-registered":
        fact["details"].setdefault("name", players.erased_name(fact["player"]))
    elif fact["type"] == "tournament-imported":
        fact.setdefault("source", ERASED)


def merge(whole: dict[str, Any], patch: dict[str, Any]) -> None:
    """[RFC 7396, without removals] Put the members of a patch into an object."""
    for name, value in patch.items():
        if isinstance(value, dict) and isinstance(whole.get(name), dict):
            merge(whole[name], value)
        else:
            whole[name] = value


def missing_pieces(stored: bytes) -> list[int]:
    """Which of the pieces a fact commits to are not there, by their place in its list."""
    there = {sha256(piece).hexdigest() for piece in pieces_of(stored)}
    return [at for at, hash in enumerate(commitments(line_of(stored))) if hash not in there]


def stray_pieces(stored: bytes) -> int:
    """How many pieces came with a fact that does not commit to them."""
    known = set(commitments(line_of(stored)))
    return sum(sha256(piece).hexdigest() not in known for piece in pieces_of(stored))


def without_pieces(stored: bytes, gone: Collection[str]) -> bytes:
    """The fact without the pieces of these hashes."""
    left = [piece for piece in pieces_of(stored) if sha256(piece).hexdigest() not in gone]
    return with_pieces(line_of(stored), left)
