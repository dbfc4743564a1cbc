"""The programs that measure the figures of data/measured: chapters, models, writers, proposals."""
