"""The writers of answers, extractive or with a language model on this computer or a server, and language models as
judges."""
