"""The README's measured tables, drawn from what commands have stored."""
