"""What all packages share: access rights, queues, quotas, and files that are written completely or not at all."""
