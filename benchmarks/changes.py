"""Small changes to Python source, for ``benchmarks.mutants``.

A change swaps or drops an operator, negates or drops a condition, adds one to a number, flips a
boolean, makes a function return None, swaps ``break`` and ``continue``, or drops a statement.
Strings, annotations, decorators, docstrings, log calls, imports for type checkers, and f-strings
are left alone (before Python 3.12 the parser gives wrong positions for the parts of f-strings).
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, TypeVar

SWAPS: Final[dict[type[ast.AST], ast.AST]] = {
    ast.Lt: ast.LtE(), ast.LtE: ast.Lt(), ast.Gt: ast.GtE(), ast.GtE: ast.Gt(),
    ast.Eq: ast.NotEq(), ast.NotEq: ast.Eq(), ast.Is: ast.IsNot(), ast.IsNot: ast.Is(),
    ast.In: ast.NotIn(), ast.NotIn: ast.In(), ast.And: ast.Or(), ast.Or: ast.And(),
    ast.Add: ast.Sub(), ast.Sub: ast.Add(), ast.Mult: ast.Add(), ast.Div: ast.Mult(),
    ast.FloorDiv: ast.Mult(), ast.Mod: ast.FloorDiv(), ast.Pow: ast.Mult(),
    ast.BitOr: ast.BitAnd(), ast.BitAnd: ast.BitOr(), ast.BitXor: ast.BitOr(),
    ast.LShift: ast.RShift(), ast.RShift: ast.LShift(),
}  # fmt: skip
"""For each operator, the one that replaces it."""

Replaced = tuple[ast.AST, ast.AST | str]
"""A node and its replacement."""

Operation = TypeVar("Operation", ast.BinOp, ast.BoolOp, ast.AugAssign)

LOG: Final = "log."
"""The beginning of statements that only write to the log."""


@dataclass(frozen=True, slots=True)
class Change:
    """A change to a file.

    :ivar line: the line, from 1, on which the replaced code starts.
    :ivar start: the offset of the first byte replaced.
    :ivar end: the offset after the last byte replaced.
    :ivar before: the replaced code.
    :ivar after: its replacement.
    :ivar function: the first line of the innermost function around it, including decorators;
        0 if the code runs when the file is imported.
    :ivar text: the whole first line of the replaced code, without its indent.
    """

    line: int
    start: int
    end: int
    before: str
    after: str
    function: int
    text: str

    def applied(self, source: bytes) -> bytes:
        """Return the source of the file with this change."""
        return source[: self.start] + self.after.encode() + source[self.end :]


def changes_of(source: bytes) -> list[Change]:
    """Return all possible changes to a file, in order of position."""
    found = set(_Finder(source).visit(ast.parse(source), 0))
    return sorted(found, key=lambda change: (change.start, change.end, change.after))


class _Finder:
    def __init__(self, source: bytes) -> None:
        self._source = source
        self._begins = [0]
        self._lines = source.splitlines(keepends=True)
        for line in self._lines:
            self._begins.append(self._begins[-1] + len(line))

    def visit(self, node: ast.AST, function: int) -> Iterator[Change]:
        """Yield the possible changes inside a node.

        :param function: the first line of the function around it.
        """
        for place, after in (*_operators(node), *_statements(node)):
            yield self._change(place, after, function)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            inner = min([node.lineno, *(each.lineno for each in node.decorator_list)])
            for child in _defaults(node):
                yield from self.visit(child, function)
            for child in node.body:
                yield from self.visit(child, inner)
        for child in _looked_into(node):
            yield from self.visit(child, function)

    def _change(self, place: ast.AST, after: ast.AST | str, function: int) -> Change:
        assert isinstance(place, ast.expr | ast.stmt)
        assert place.end_lineno is not None
        assert place.end_col_offset is not None
        start = self._begins[place.lineno - 1] + place.col_offset
        end = self._begins[place.end_lineno - 1] + place.end_col_offset
        text = after if isinstance(after, str) else f"({ast.unparse(after)})"
        before, line = self._source[start:end].decode(), self._lines[place.lineno - 1].decode()
        return Change(place.lineno, start, end, before, text, function, line.strip())


def _defaults(node: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[ast.AST]:
    yield from (default for default in node.args.kw_defaults if default is not None)
    yield from node.args.defaults


def _looked_into(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the children of a node in which to look for changes."""
    match node:
        case ast.JoinedStr() | ast.FunctionDef() | ast.AsyncFunctionDef():
            return
        case ast.If(test=ast.Name(id="TYPE_CHECKING")):
            yield from node.orelse
        case ast.ClassDef():
            yield from node.body
        case ast.AnnAssign():
            yield from () if node.value is None else (node.value,)
        case ast.Expr() if _logs(node):
            return
        case _:
            yield from ast.iter_child_nodes(node)


def _operators(node: ast.AST) -> Iterator[Replaced]:
    """Yield replacements for the node's own operators and constants."""
    match node:
        case ast.Compare():
            for number, operator in enumerate(node.ops):
                yield node, _with_operator(node, number, SWAPS[type(operator)])
        case ast.AugAssign():
            yield node, ast.unparse(_swapped(node))
        case ast.BinOp():
            yield node, _swapped(node)
        case ast.BoolOp():
            yield node, _swapped(node)
        case ast.UnaryOp(op=ast.Not() | ast.USub()):
            yield node, node.operand
        case ast.Constant(value=bool(value)):
            yield node, str(not value)
        case ast.Constant(value=int(value) | float(value)):
            yield node, repr(value + 1)


def _statements(node: ast.AST) -> Iterator[Replaced]:
    """Yield replacements for a node's condition or returned value, or for the node itself if it is
    a statement.
    """
    match node:
        case ast.If() | ast.While() | ast.IfExp() if _plain(node.test):
            yield node.test, ast.UnaryOp(ast.Not(), node.test)
        case ast.comprehension():
            yield from ((test, "True") for test in node.ifs)
        case ast.Return(value=ast.expr() as value) if not isinstance(value, ast.Constant):
            yield value, "None"
        case ast.Break():
            yield node, "continue"
        case ast.Continue():
            yield node, "break"
        case (
            ast.Raise()
            | ast.Delete()
            | ast.Expr(value=ast.Call() | ast.Await())
            | ast.Assign(targets=[ast.Attribute() | ast.Subscript()])
        ) if not _logs(node):
            yield node, "pass"


def _swapped(node: Operation) -> Operation:
    after = copy.copy(node)
    setattr(after, "op", SWAPS.get(type(node.op), node.op))  # noqa: B010 - kinds of operators
    return after


def _with_operator(node: ast.Compare, number: int, operator: ast.AST) -> ast.Compare:
    assert isinstance(operator, ast.cmpop)
    return ast.Compare(
        node.left, [*node.ops[:number], operator, *node.ops[number + 1 :]], node.comparators
    )


def _logs(node: ast.AST) -> bool:
    return ast.unparse(node).startswith(LOG)


def _plain(test: ast.expr) -> bool:
    """Return whether a condition is neither a constant nor a comparison, ``and``, ``or`` or
    ``not``: these are changed in other ways.
    """
    if isinstance(test, ast.UnaryOp):
        return not isinstance(test.op, ast.Not)
    return not isinstance(test, ast.Compare | ast.BoolOp | ast.Constant)
