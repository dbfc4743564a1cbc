"""Work that shares one computer: whose turn it is, and what waits while somebody asks."""
