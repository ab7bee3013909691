"""What commands print: the stages from a game's files to finished ones, one output each.

Everything that is wrong goes into the report; nothing is written while it holds an error.
"""
