"""PDFs written by hand, object by object: what no decent program would write."""

import io
import zlib

from fpdf import FPDF
from PIL import Image
from pypdf import PdfWriter

from tests.support.pdfs import make_pdf, rewritten

FONT = b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"
HELLO = b"BT /F 12 Tf 20 700 Td (Light travels in straight lines.) Tj ET"
GOOD = make_pdf("The first page speaks of light.", "The second page speaks of sound.")


def crafted(*objects, trailer=b""):
    """A PDF of these objects, numbered from 1; the first is its catalogue."""
    out, places = b"%PDF-1.4\n", []
    for number, thing in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, thing)
    table = b"".join(b"%010d 00000 n \n" % offset for offset in places)
    size = len(objects) + 1
    head = b"xref\n0 %d\n0000000000 65535 f \n" % size
    tail = b"trailer\n<</Size %d/Root 1 0 R%s>>\nstartxref\n%d\n%%%%EOF\n" % (size, trailer, len(out))
    return out + head + table + tail


def stream(data, about=b""):
    return b"<<%s/Length %d>>\nstream\n%s\nendstream" % (about, len(data), data)


def one_page(content, catalogue=b"", more=()):
    """A page with this content stream; its font is /F, the objects of `more` are numbered from 6."""
    page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>/XObject<</X 6 0 R>>>>>>"
    return crafted(
        b"<</Type/Catalog/Pages 2 0 R%s>>" % catalogue, b"<</Type/Pages/Kids[3 0 R]/Count 1>>", page, content, FONT, *more
    )  # fmt: skip


def many_pages(count):
    """`count` pages, all of them the same object's twins."""
    kids = b" ".join(b"%d 0 R" % (number + 3) for number in range(count))
    page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]>>"
    return crafted(
        b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Kids[%s]/Count %d>>" % (kids, count), *[page] * count
    )


def bomb(gigabytes):
    """A page of a few MB whose content unpacks to many GB: the same packed block over and over."""
    packer = zlib.compressobj(9)
    block = packer.compress(HELLO.ljust(10_000_000)) + packer.flush(zlib.Z_FULL_FLUSH)
    head, block = block[:2], block[2:]
    return one_page(stream(head + block * (100 * gigabytes) + b"\x03\x00" + bytes(4), b"/Filter/FlateDecode"))


def cyclic_tree():
    """Pages whose children are their own parents."""
    above = b"<</Type/Pages/Kids[3 0 R]/Count 2>>"
    return crafted(b"<</Type/Catalog/Pages 2 0 R>>", above, b"<</Type/Pages/Parent 2 0 R/Kids[2 0 R 3 0 R]/Count 2>>")


def cyclic_form():
    """A drawing that contains itself."""
    form = b"/Type/XObject/Subtype/Form/BBox[0 0 600 800]/Resources<</XObject<</X 6 0 R>>>>"
    return one_page(stream(b"/X Do " + HELLO), more=[stream(b"/X Do /X Do", form)])


def cyclic_outline():
    entry = b"<</Title(x)/Parent 6 0 R/Next 7 0 R/Prev 7 0 R/First 7 0 R>>"
    return one_page(stream(HELLO), b"/Outlines 6 0 R", [b"<</Type/Outlines/First 7 0 R/Last 7 0 R>>", entry])


def cyclic_table():
    """A cross-reference table whose predecessor is itself."""
    data = one_page(stream(HELLO))
    return data.replace(b"/Root 1 0 R", b"/Root 1 0 R/Prev %d" % data.index(b"xref\n0"))


def armed():
    """A document that wants to run things when it is opened."""
    action = (
        b"/OpenAction<</S/JavaScript/JS(app.launchURL\\('http://example.org'\\))>>/AA<</WC<</S/Launch/F(run.sh)>>>>"
    )
    return one_page(stream(HELLO), action)


def png():
    out = io.BytesIO()
    Image.new("RGB", (40, 40), "white").save(out, "png")
    return out.getvalue()


def pictures_only():
    pdf = FPDF()
    for _ in range(3):
        pdf.add_page()
        pdf.image(io.BytesIO(png()), w=40)
    return bytes(pdf.output())


def locked(user):
    return rewritten(GOOD, lambda w: w.encrypt(user_password=user, owner_password="owner", algorithm="AES-256"))


def without_pages():
    out = io.BytesIO()
    PdfWriter().write(out)
    return out.getvalue()


def gutted():
    """A PDF whose two ends are whole and whose middle is not."""
    return GOOD[:20] + b"\xff" * (len(GOOD) - 60) + b"\nstartxref\n7\n%%EOF\n"
