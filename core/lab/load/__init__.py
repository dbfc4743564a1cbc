"""What the app takes and how many it serves: rows a second, large banks and libraries, many people at once."""
