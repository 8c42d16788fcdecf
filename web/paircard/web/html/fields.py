"""Fields of forms."""

from paircard.web.problems import UnreadableBody


def number(fields: dict[str, str], name: str, most: int = 6) -> int:
    """A field that is a whole number of so many digits at most."""
    text = fields.get(name, "").strip()
    if not text.isdecimal() or len(text) > most:
        raise UnreadableBody("page.not-a-number", id=name, text=text).at(name)
    return int(text)


def key_of(fields: dict[str, str]) -> str:
    """The key the form carries, so that a double tap counts once."""
    key = fields.get("key", "")
    if not (0 < len(key) <= 64) or not key.isascii() or not key.isprintable() or " " in key:
        raise UnreadableBody("page.form-without-key").at("key")
    return key
