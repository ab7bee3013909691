"""Read XML safely with source locations, and check it against shapes.

Only this package uses lxml; the rest of Deckwright sees `Node`.
"""
