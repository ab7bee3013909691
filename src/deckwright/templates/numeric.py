"""Which expressions are sure to be numbers, so that fewer of them have to be watched."""

from __future__ import annotations

from typing import Literal

from jinja2 import nodes

NumberKind = Literal["float", "number"]

_CONSTANTS: dict[type, NumberKind] = {int: "number", float: "float"}
_SHORT = 64


def number_kind(node: nodes.Expr) -> NumberKind | None:
    """Return what kind of number an expression is if it does not fail; None if it may be no number.

    Args:
        node: an expression as the grammar rewrites it: what is left of `+` and `*` is harmless.
    """
    match node:
        case nodes.Const(value=value):
            return _CONSTANTS.get(type(value))
        case nodes.Div():
            return "float"
        case nodes.Add() | nodes.Sub() | nodes.Mul() | nodes.FloorDiv() | nodes.Mod():
            kinds = {number_kind(node.left), number_kind(node.right)}
            return "float" if "float" in kinds else "number"
        case nodes.Neg() | nodes.Pos():
            return number_kind(node.node) or "number"
        case (
            nodes.Filter(name="length" | "count" | "round" | "abs")
            | nodes.Getattr(node=nodes.Name(name="loop"), attr="index" | "index0" | "length")
        ):
            return "number"
    return None


def is_harmless(node: nodes.BinExpr) -> bool:
    """Return whether an operator can make nothing large of what stands beside it."""
    left, right = number_kind(node.left), number_kind(node.right)
    if node.operator == "+":  # A number can be added to nothing but another.
        return left is not None or right is not None
    if node.operator == "*":  # A fraction repeats no text, and its product has no more digits.
        return "float" in {left, right}
    if node.operator == "%":  # What is left of it is a text to fill in, if it is no number.
        return left is not None
    return node.operator != "**"


def is_short(node: nodes.Expr) -> bool:
    """Return whether an expression is sure to be a number, a short text or nothing."""
    if isinstance(node, nodes.Const):
        return type(node.value) is not str or len(node.value) <= _SHORT
    return number_kind(node) is not None
