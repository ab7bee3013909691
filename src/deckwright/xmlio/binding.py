"""Models bound to XML: the fields of a `NamedTuple` say how files write them.

    @bound
    class Zone(NamedTuple):
        source: Source = SOURCE
        id: str = attr("its id", ID)
        where: Where = attr("which cards it admits", CONDITION, default=(), convert=parse_where)

Both the shape that validates files and the reader of valid ones follow from that. Annotations are
evaluated, so modules with such models do not postpone them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum
from functools import cache, partial
from types import NoneType, UnionType
from typing import Any, NamedTuple, TypeVar, get_args, get_origin

from deckwright.xmlio.node import Node
from deckwright.xmlio.shape import (
    INTEGER,
    LENGTH,
    TEXT,
    UNBOUNDED,
    YES_NO,
    Attribute,
    Occurs,
    Shape,
    Value,
    element,
    get_text,
    one_of,
    text_shape,
)

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

    Its own place is that of a field with `source_of`.
    """

    tag: str
    meaning: str = ""
    prunable: bool = False
    required: bool = False


class _Attr(NamedTuple):
    """The attribute of a field; it is required if it has no default and is never None.

    Attributes:
        value: its values, by default those of the field's type.
        name: its name, by default the field's, with `-` for `_`.
        default: the field's value without it.
        required: whether it is required in spite of a default, because its holder is optional.
        convert: makes the field's value from a text.
        read: makes the field's value from the element instead.
        unique: whether it must differ between siblings; mappings use it as their key.
        element: whether a child element of the same name may hold its text instead.
        alias: another name of it.
        former: its name of earlier versions.
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
    element: bool = False
    alias: str | None = None
    former: str | None = None


class _Rest(NamedTuple):
    """All attributes that no other field has: the field is a mapping of their converted texts."""

    value: Value = TEXT
    convert: Callable[[str], Any] = str
    default: Any = _UNSET


class _Elements(NamedTuple):
    """The child elements of a field: a tuple, a mapping by their unique attribute, or only one.

    Attributes:
        meaning: the meaning of the element, by default its model's docstring.
        default: the field's value without them.
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


class _SameElement(NamedTuple):
    """For a field that is a model itself: its parts are those of the element around it."""

    default: Any = _UNSET


class _Source(NamedTuple):
    """The place of the element, or of one of its holders."""

    holder: Holder | None = None
    default: Any = _UNSET


class _TextContent(NamedTuple):
    """The text of the element, with white space collapsed."""

    default: Any = _UNSET


_Maker = Callable[..., Any]
attr: _Maker = _Attr
elements: _Maker = _Elements
rest: _Maker = _Rest
same_element: _Maker = _SameElement
source_of: _Maker = _Source
SOURCE: Any = _Source()
TEXT_CONTENT: Any = _TextContent()
_SPECS: dict[Any, dict[str, Any]] = {}
"""How files write the fields of each model."""
_KINDS = (_Attr, _Elements, _Rest, _SameElement, _Source, _TextContent)


def bound(model: type[_Model]) -> type[_Model]:
    """Bind a model, made by `NamedTuple`: its fields then have the defaults of what binds them."""
    kind: Any = model
    _SPECS[kind] = kind._field_defaults
    defaults = {}
    for name, spec in kind._field_defaults.items():
        defaults[name] = spec.default if isinstance(spec, _KINDS) else spec
        if defaults[name] is _UNSET and NoneType in get_args(kind.__annotations__[name]):
            defaults[name] = None
    kind._field_defaults = {name: value for name, value in defaults.items() if value is not _UNSET}
    required = max((at for at, v in enumerate(defaults.values(), 1) if v is _UNSET), default=0)
    kind.__new__.__defaults__ = tuple(defaults.values())[required:]
    return model


def _required_type(kind: Any) -> Any:  # a type
    """Return the type of an optional value; any other type as it is."""
    others = [each for each in get_args(kind) if each is not NoneType]
    return others[0] if isinstance(kind, UnionType) and len(others) == 1 else kind


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
    return lambda shape: shape._replace(
        attributes=tuple(each for each in shape.attributes if each.name not in names)
    )


def with_values(shape: Shape, **values: Value) -> Shape:
    """Return a shape with other values of some attributes."""
    attributes = (a._replace(value=values.get(a.name, a.value)) for a in shape.attributes)
    return shape._replace(attributes=tuple(attributes))


_CONVERTERS: Mapping[Any, Callable[[str], Any]] = {
    int: int,
    float: float,
    bool: "true".__eq__,
    tuple[str, ...]: lambda text: tuple(filter(None, map(str.strip, text.split(",")))),
}
_VALUES = {int: INTEGER, bool: YES_NO, float: LENGTH}
"""The usual values of types; most decimals are lengths in mm."""
_Reader = Callable[[Node], Any]


class _Part(NamedTuple):
    """An attribute or a child element of a model, and the element around it, if any."""

    content: Attribute | Occurs
    holder: Holder | None
    prunable: bool = False


class _Binding:
    """The parts of a model's element, and the readers of its fields."""

    def __init__(self, model: Any) -> None:  # a class made by NamedTuple
        self._model, self._text, self.key = model, False, ""
        self._readers: dict[str, _Reader] = {}
        self._free: Value | None = None
        self.parts: list[_Part] = []
        for name, spec in _SPECS[model].items():
            kind = _required_type(model.__annotations__[name])
            default = model._field_defaults.get(name, _UNSET)
            match spec:
                case _Attr():
                    self._readers[name] = self._bind_attribute(name, kind, spec, default)
                case _Elements():
                    self._readers[name] = self._bind_elements(kind, spec, default)
                case _Rest():
                    self._free, self._readers[name] = spec.value, partial(self._read_rest, spec)
                case _Source():
                    self._readers[name] = _read_within(spec.holder, lambda node: node.source)
                case _TextContent():
                    self._text = True
                    self._readers[name] = lambda node: " ".join(node.text.split())
                case _SameElement():
                    self.parts += _bind(kind).parts
                    self._readers[name] = _bind(kind).read

    def _bind_attribute(self, field: str, kind: Any, spec: _Attr, default: Any) -> _Reader:
        name = spec.name or field.replace("_", "-")
        is_choice = isinstance(kind, type) and issubclass(kind, Choice)
        value = spec.value or _VALUES.get(kind, TEXT)
        if is_choice and spec.value is None:
            value = one_of(*((each.value, each.meaning) for each in kind))
        needed = spec.required or default is _UNSET
        attribute = Attribute(
            name, value, meaning=spec.meaning, former=spec.former, element=spec.element
        )
        attributes = [attribute._replace(required=needed, alias=spec.alias, unique=spec.unique)]
        if spec.alias is not None:
            meaning = f"another name for `{name}`"
            attributes.append(attribute._replace(name=spec.alias, meaning=meaning))
        for each in attributes:
            self.parts.append(_Part(each, spec.holder))
            if spec.element:
                self.parts.append(_Part(text_shape(each.name, each.meaning), spec.holder))
        self.key = field if spec.unique else self.key
        convert = spec.convert or (kind if is_choice else _CONVERTERS.get(kind, str))

        def read(node: Node) -> object:
            text = node.attributes.get(name)
            return default if text is None else convert(text)

        def read_text(node: Node) -> object:
            text = get_text(node, name)
            if not text and spec.alias is not None:
                text = get_text(node, spec.alias) or text
            return default if text is None else convert(text)

        return _read_within(spec.holder, spec.read or (read_text if spec.element else read))

    def _bind_elements(self, kind: Any, spec: _Elements, default: object) -> _Reader:  # a type
        tag, convert, inner_kinds = spec.tag, spec.convert, get_args(kind)
        model = spec.of or next((k for k in reversed(inner_kinds) if k is not ...), kind)
        inner = _bind(model)
        shape = spec.adapt(inner.shape(tag, spec.meaning))
        occurs = Occurs(shape, spec.minimum, spec.maximum)
        self.parts.append(_Part(occurs, spec.holder, spec.prunable))

        def read(node: Node) -> object:
            items = tuple(inner.read(child) for child in node.children if child.tag == tag)
            if convert is not None:
                return convert(items)
            if get_origin(kind) is tuple:
                return items
            if inner_kinds:
                return {getattr(item, inner.key): item for item in items}
            return items[0] if items else default

        return _read_within(spec.holder, read)

    def _read_rest(self, spec: _Rest, node: Node) -> Mapping[str, object]:
        contents = (part.content for part in self.parts)
        bound = {content.name for content in contents if isinstance(content, Attribute)}
        given = node.attributes.items()
        return {name: spec.convert(text) for name, text in given if name not in bound}

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

    def read(self, node: Node, **unbound: object) -> Any:  # the model
        """Return the model of an element."""
        values = {name: read(node) for name, read in self._readers.items()}
        instance = self._model(**values, **unbound)
        return instance.complete() if hasattr(instance, "complete") else instance


_bind: Callable[[Any], _Binding] = cache(_Binding)


def _read_within(holder: Holder | None, read: _Reader) -> _Reader:
    """Return a reader of the holder in an element, which may be missing."""
    if holder is None:
        return read

    def read_holder(node: Node) -> object:
        there = next(node.children_named(holder.tag), None)
        return read(there or Node(holder.tag, {}, node.source))

    return read_holder
