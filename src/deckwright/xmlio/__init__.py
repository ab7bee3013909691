"""Reading XML safely, knowing where everything is, and checking it against schemas.

Only this package knows lxml; the rest of Deckwright sees `Node`.
"""
