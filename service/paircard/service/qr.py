"""Text as a QR code, for paper and screens."""

from paircard.domain.errors import Invalid, LibraryMissing

try:
    import segno
except ImportError:
    INSTALLED = False
else:
    INSTALLED = True


def qr_svg(text: str) -> str:
    """A QR code as SVG; refuses text that no QR code can hold."""
    if not INSTALLED:
        raise LibraryMissing("QR codes need the package segno: pip install 'paircard[proof]'")
    try:
        code = segno.make_qr(text, error="l")
    except segno.DataOverflowError:
        raise Invalid(f"{len(text)} characters are too many for a QR code: hand on the file itself") from None
    return str(code.svg_inline(scale=4, border=4, dark="#000", light="#fff"))
