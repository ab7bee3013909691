"""Models bound to XML: the fields of a `NamedTuple` say how files write them.

    class Zone(NamedTuple):
        source: Source
        id: Annotated[str, Attr("its id", ID)]
        where: Annotated[Where, Attr("which cards it admits", CONDITION, convert=parse_where)] = ()

Both the shape that validates files and the reader of valid ones follow from that. Annotations are
evaluated, so modules with such models do not postpone them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, get_args, get_origin

from deckwright.xmlio.node import Node, Source
from deckwright.xmlio.shape import (
    INTEGER,
    TEXT,
    UNBOUNDED,
    YES_NO,
    Attribute,
    Occurs,
    Shape,
    Value,
    element,
    one_of,
)


class _Hint(NamedTuple):
    """The type of a field, and how files write it."""

    kind: Any
    how: object


class _Annotated:
    """Does what `typing.Annotated` does in a tenth of its time, which each start takes."""

    def __getitem__(self, hint: tuple[Any, object]) -> _Hint:
        return _Hint(*hint)


if TYPE_CHECKING:
    from typing import Annotated as Annotated  # noqa: PLC0414 - for other modules
else:
    Annotated = _Annotated()

_Model = TypeVar("_Model")
_UNSET: Any = object()


class Choice(Enum):
    """An enumeration whose members are words in files, with their meanings for editors."""

    meaning: str

    def __new__(cls, word: object, meaning: str = "") -> Choice:  # noqa: PYI034 - enumerations are final
        """Create the member of a word."""
        member = object.__new__(cls)
        member._value_ = word
        member.meaning = meaning
        return member


class Holder(NamedTuple):
    """An element that occurs at most once; what it holds belongs to the model around it.

    A field of the type `Source` with a holder is the holder's place.
    """

    tag: str
    meaning: str = ""
    prunable: bool = False
    required: bool = False


class Attr(NamedTuple):
    """The attribute of a field; it is required if the field has no default and is never None.

    Attributes:
        value: its values, by default those of the field's type.
        name: its name, by default the field's, with `-` for `_`.
        default: the field's value without it, where the model gives none.
        required: whether it is required in spite of a default, because its holder is optional.
        convert: makes the field's value from a text.
        read: makes the field's value from the element instead.
        unique: whether it must differ between siblings; mappings use it as their key.
    """

    meaning: str = ""
    value: Value | None = None
    name: str = ""
    default: Any = _UNSET
    required: bool = False
    convert: Callable[[str], Any] | None = None
    read: Callable[[Node], Any] | None = None
    unique: bool = False
    holder: Holder | None = None


class Rest(NamedTuple):
    """All attributes that no other field has: the field is a mapping of their converted texts."""

    value: Value = TEXT
    convert: Callable[[str], Any] = str


class Elements(NamedTuple):
    """The child elements of a field: a tuple, a mapping by their unique attribute, or only one.

    Attributes:
        meaning: the meaning of the element, by default its model's docstring.
        default: the field's value without them, where the model gives none.
        of: the model of an element, where the field's type does not name it.
        convert: makes the field's value from the tuple of these.
        prunable: whether one with a mistake can be dropped and the rest used.
        adapt: changes the shape of the element.
    """

    tag: str
    minimum: int = 0
    maximum: int = UNBOUNDED
    meaning: str | None = None
    default: Any = _UNSET
    of: Any = None
    convert: Callable[[Any], Any] | None = None
    prunable: bool = False
    holder: Holder | None = None
    adapt: Callable[[Shape], Shape] = lambda shape: shape


SAME_ELEMENT = object()
"""For fields that are models themselves: their parts are those of the element around them."""
TEXT_CONTENT = object()
"""For the text of an element, with white space collapsed."""


def model_shape(model: type, tag: str, meaning: str | None = None) -> Shape:
    """Return the shape of a model's element; by default its docstring gives the meaning."""
    return _bind(model).shape(tag, meaning)


def read_model(model: type[_Model], node: Node, **unbound: object) -> _Model:
    """Return the model of a valid element.

    Args:
        unbound: the values of fields that the file does not give.
    """
    instance: _Model = _bind(model).read(node, **unbound)
    return instance


def omit(*names: str) -> Callable[[Shape], Shape]:
    """Return a function that removes attributes from a shape."""

    def adapt(shape: Shape) -> Shape:
        return shape._replace(attributes=tuple(a for a in shape.attributes if a.name not in names))

    return adapt


def with_values(shape: Shape, **values: Value) -> Shape:
    """Return a shape with other values of some attributes."""
    attributes = (a._replace(value=values.get(a.name, a.value)) for a in shape.attributes)
    return shape._replace(attributes=tuple(attributes))


def split_list(text: str) -> tuple[str, ...]:
    """Return the parts of a text that are separated by commas."""
    return tuple(part.strip() for part in text.split(",") if part.strip())


_CONVERTERS: Mapping[Any, Callable[[str], Any]] = {
    int: int,
    float: float,
    bool: "true".__eq__,
    tuple[str, ...]: split_list,
}
_VALUES = {int: INTEGER, bool: YES_NO}
_Reader = Callable[[Node], Any]


class _Part(NamedTuple):
    """An attribute or a child element of a model, and the element around it, if any."""

    content: Attribute | Occurs
    holder: Holder | None
    prunable: bool = False


class _Binding:
    """The parts of a model's element, and the readers of its fields."""

    def __init__(self, model: Any) -> None:  # noqa: ANN401 - a class made by NamedTuple
        self._model = model
        self._readers: dict[str, _Reader] = {}
        self._free: Value | None = None
        self._text = False
        self.parts: list[_Part] = []
        self.key = ""
        for name, hint in model.__annotations__.items():
            kind, how = hint if isinstance(hint, _Hint) else (hint, None)
            default = model._field_defaults.get(name, _UNSET)
            if isinstance(kind, UnionType) and NoneType in kind.__args__:
                default = None if default is _UNSET else default
                others = [each for each in kind.__args__ if each is not NoneType]
                kind = others[0] if len(others) == 1 else kind
            if isinstance(how, Attr):
                self._readers[name] = self._bind_attribute(name, kind, how, default)
            elif isinstance(how, Elements):
                self._readers[name] = self._bind_elements(kind, how, default)
            elif isinstance(how, Rest):
                self._free, self._readers[name] = how.value, self._rest_reader(how)
            elif kind is Source:
                holder = how if isinstance(how, Holder) else None
                self._readers[name] = _inside(holder, lambda node: node.source)
            elif how is TEXT_CONTENT:
                self._text, self._readers[name] = True, lambda node: " ".join(node.text.split())
            elif how is SAME_ELEMENT:
                self.parts += _bind(kind).parts
                self._readers[name] = _bind(kind).read

    def _bind_attribute(self, field: str, kind: Any, attr: Attr, default: Any) -> _Reader:  # noqa: ANN401 - a type
        name = attr.name or field.replace("_", "-")
        default = default if attr.default is _UNSET else attr.default
        is_choice = isinstance(kind, type) and issubclass(kind, Choice)
        value = attr.value or _VALUES.get(kind, TEXT)
        if is_choice and attr.value is None:
            value = one_of(*((each.value, each.meaning) for each in kind))
        needed = attr.required or default is _UNSET
        attribute = Attribute(name, value, needed, attr.meaning, unique=attr.unique)
        self.parts.append(_Part(attribute, attr.holder))
        self.key = field if attr.unique else self.key
        convert = attr.convert or (kind if is_choice else _CONVERTERS.get(kind, str))

        def read(node: Node) -> object:
            text = node.attributes.get(name)
            return default if text is None else convert(text)

        return _inside(attr.holder, attr.read or read)

    def _bind_elements(self, kind: Any, elements: Elements, default: object) -> _Reader:  # noqa: ANN401 - a type
        tag, convert, inner_kinds = elements.tag, elements.convert, get_args(kind)
        default = default if elements.default is _UNSET else elements.default
        model = elements.of or next((k for k in reversed(inner_kinds) if k is not ...), kind)
        inner = _bind(model)
        shape = elements.adapt(inner.shape(tag, elements.meaning))
        occurs = Occurs(shape, elements.minimum, elements.maximum)
        self.parts.append(_Part(occurs, elements.holder, elements.prunable))

        def read(node: Node) -> object:
            items = tuple(inner.read(child) for child in node.children if child.tag == tag)
            if convert is not None:
                return convert(items)
            if get_origin(kind) is tuple:
                return items
            if inner_kinds:
                return {getattr(item, inner.key): item for item in items}
            return items[0] if items else default

        return _inside(elements.holder, read)

    def _rest_reader(self, rest: Rest) -> _Reader:
        def read(node: Node) -> object:
            bound = {
                part.content.name for part in self.parts if isinstance(part.content, Attribute)
            }
            given = node.attributes.items()
            return {name: rest.convert(text) for name, text in given if name not in bound}

        return read

    def shape(self, tag: str, meaning: str | None) -> Shape:
        """Return the shape of the model's element."""
        if meaning is None:
            line = (self._model.__doc__ or "").partition("\n")[0].rstrip(".")
            meaning = line[:1].lower() + line[1:]
        return self._shape_inside(None, tag, meaning)

    def _shape_inside(self, holder: Holder | None, tag: str, meaning: str) -> Shape:
        """Return the shape of the element, or of one of its holders."""
        contents: dict[object, Attribute | Occurs] = {}
        prunable: list[str] = []
        for number, part in enumerate(self.parts):
            inside = part.holder
            if inside is holder:
                contents[number] = part.content
                if part.prunable and isinstance(part.content, Occurs):
                    prunable.append(part.content.shape.tag)
            elif holder is None and inside is not None and inside not in contents:
                shape = self._shape_inside(inside, inside.tag, inside.meaning)
                contents[inside] = Occurs(shape, int(inside.required), 1)
                prunable += [inside.tag] if inside.prunable else []
        free, text = (self._free, self._text) if holder is None else (None, False)
        parts = contents.values()
        return element(tag, meaning, *parts, free=free, text=text, prunable=tuple(prunable))

    def read(self, node: Node, **unbound: object) -> Any:  # noqa: ANN401 - the model
        """Return the model of an element."""
        values = {name: read(node) for name, read in self._readers.items()}
        instance = self._model(**values, **unbound)
        return instance.complete() if hasattr(instance, "complete") else instance


_bind: Callable[[Any], _Binding] = cache(_Binding)


def _inside(holder: Holder | None, read: _Reader) -> _Reader:
    """Return a reader of the holder in an element, which may be missing."""
    if holder is None:
        return read

    def read_holder(node: Node) -> object:
        there = next(node.children_named(holder.tag), None)
        return read(there or Node(holder.tag, {}, node.source))

    return read_holder
