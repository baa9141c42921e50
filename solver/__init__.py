"""Finding, proving, explaining: the best turn of a position, and how sure that is."""
