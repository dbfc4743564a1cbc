"""The tags of an HTML page, read with the parser of the standard library."""

from html.parser import HTMLParser


class Tags(HTMLParser):
    """The tags of a page with their attributes, and its text."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.text = [], ""
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data):
        self.text += data

    def named(self, name):
        return [attributes for tag, attributes in self.tags if tag == name]
