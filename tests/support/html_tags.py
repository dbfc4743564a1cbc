"""The tags of an HTML page, read with the parser of the standard library."""

from html.parser import HTMLParser


class Tags(HTMLParser):
    """The tags of a page with their attributes, its text, and the tables under each heading h2 as rows of cells."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.text, self.tables = [], "", {}
        self._place = self._heading = ""
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag in ("h2", "th", "td"):
            self._place = tag
        if tag == "h2":
            self._heading = ""
        if tag == "tr":
            self.tables.setdefault(self._heading, []).append([])
        if tag in ("th", "td"):
            self.tables[self._heading][-1].append("")

    def handle_endtag(self, tag):
        if tag == self._place:
            self._place = ""

    def handle_data(self, data):
        self.text += data
        if self._place == "h2":
            self._heading += data
        elif self._place:
            self.tables[self._heading][-1][-1] += data

    def named(self, name):
        return [attributes for tag, attributes in self.tags if tag == name]
