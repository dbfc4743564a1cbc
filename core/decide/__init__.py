"""From signals to decisions: one engine on arrays of rows and points. A question is a set of one. Pure."""
