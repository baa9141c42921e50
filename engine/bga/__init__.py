"""Reading what a player can copy from Board Game Arena's pages (docs/bga.md)."""
