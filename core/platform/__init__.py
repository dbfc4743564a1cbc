"""Shared by all packages: access rights, quotas, the queue for the models, the run-time folder, and files that are
written completely or not at all.
"""
