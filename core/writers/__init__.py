"""Who writes an answer: the extractive writer, language models on this computer and on a server; and what language
models are asked as judges."""
