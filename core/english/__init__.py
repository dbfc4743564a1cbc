"""How the project reads English: words, names, numbers and units, and what merely is talk. It knows no subject."""
