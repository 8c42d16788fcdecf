"""A form that carries a file: its parts, as browsers send them (RFC 7578)."""

import re

from paircard.web.problems import MalformedBody


def parts_of(content_type: str, body: bytes) -> dict[str, bytes]:
    """The fields of a form by name, as bytes; of one that is there twice the last counts."""
    found = re.search(r'boundary="?([^";,\s]{1,70})"?', content_type)
    if found is None:
        raise MalformedBody("page.form-without-boundary")
    mark = b"\r\n--" + found[1].encode("latin-1")
    _, *parts = (b"\r\n" + body).split(mark)
    if not parts or not parts.pop().startswith(b"--"):
        raise MalformedBody("page.form-without-end")
    fields: dict[str, bytes] = {}
    for part in parts:
        head, _, content = part.partition(b"\r\n\r\n")
        name = re.search(rb'\bname="([^"]*)"', head)
        if name is not None:
            fields[name[1].decode("utf-8", "replace")] = content
    return fields
