"""Pictures of answers, as SVG text."""
