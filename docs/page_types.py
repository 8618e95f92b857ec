"""The types of the page's data for TypeScript, from the types that the page is encoded from."""

from __future__ import annotations

from collections.abc import Iterator
from inspect import cleandoc

from msgspec import NODEFAULT, inspect

from tlex.viewer.data import Changes, DocumentData, ErrorData, IndexData
from tlex.viewer.repair_data import RepairData, RepairIndexData, Trial
from tlex.viewer.repair_desk import Move

__all__ = ["describe_page_types"]

HEAD = """\
// The data of a page. Generated from types of `viewer/` and from `draw/picture.py` by `make docs`.
"""
PAGES = DocumentData, IndexData, ErrorData, RepairData, RepairIndexData
TALK = Changes, Trial, Move
PLAIN = {
    inspect.StrType: "string",
    inspect.IntType: "number",
    inspect.FloatType: "number",
    inspect.BoolType: "boolean",
    inspect.NoneType: "null",
}


def describe_page_types() -> str:
    """Give the types of the pages, and of everything in them, as a TypeScript module."""
    infos = inspect.multi_type_info((*PAGES, *TALK))
    found: dict[str, inspect.StructType] = {}
    waiting = [info for info in reversed(infos) if isinstance(info, inspect.StructType)]
    while waiting:
        info = waiting.pop()
        if found.setdefault(info.cls.__name__, info).cls is not info.cls:
            raise TypeError(f"two types are called {info.cls.__name__}")
        inside = [each for field in info.fields for each in _find_structs(field.type)]
        waiting += [each for each in reversed(inside) if each.cls.__name__ not in found]
    union = " | ".join(page.__name__ for page in PAGES)
    parts = [HEAD, f"export type Data = {union};\n", *map(_write_struct, found.values())]
    return "\n".join(parts)


def _find_structs(info: inspect.Type) -> Iterator[inspect.StructType]:
    """Find the structs that a type is made of, in order."""
    if isinstance(info, inspect.StructType):
        yield info
    elif isinstance(info, inspect.VarTupleType | inspect.ListType):
        yield from _find_structs(info.item_type)
    elif isinstance(info, inspect.TupleType):
        for each in info.item_types:
            yield from _find_structs(each)
    elif isinstance(info, inspect.UnionType):
        for each in info.types:
            yield from _find_structs(each)
    elif isinstance(info, inspect.DictType):
        yield from _find_structs(info.value_type)


def _write_struct(info: inspect.StructType) -> str:
    lines = cleandoc(info.cls.__doc__ or "").replace("``", "`").replace("None", "null").split("\n")
    about = [f" * {line}".rstrip() for line in lines]
    fields = [f'  {info.tag_field}: "{info.tag}";'] if info.tag_field else []
    fields += [
        _write_field(field, info.cls.__struct_config__.omit_defaults) for field in info.fields
    ]
    return "\n".join(
        ("/**", *about, " */", f"export interface {info.cls.__name__} {{", *fields, "}", "")
    )


def _write_field(field: inspect.Field, omits_defaults: bool) -> str:  # noqa: FBT001
    """Write a field; it is optional if it can be missing, and then it is not null instead."""
    unset = field.default is NODEFAULT and field.default_factory is NODEFAULT
    missing = not field.required and (omits_defaults or unset)
    kinds = field.type.types if isinstance(field.type, inspect.UnionType) else (field.type,)
    if missing and field.default is None:
        kinds = tuple(kind for kind in kinds if not isinstance(kind, inspect.NoneType))
    return f"  {field.encode_name}{'?' * missing}: {' | '.join(map(_write_type, kinds))};"


def _write_type(info: inspect.Type) -> str:
    match info:
        case inspect.StructType():
            shown = info.cls.__name__
        case inspect.LiteralType():
            shown = " | ".join(f'"{value}"' for value in info.values)
        case inspect.VarTupleType() | inspect.ListType():
            inner = _write_type(info.item_type)
            shown = f"({inner})[]" if " | " in inner else f"{inner}[]"
        case inspect.TupleType():
            shown = f"[{', '.join(map(_write_type, info.item_types))}]"
        case inspect.DictType(key_type=inspect.StrType()):
            shown = f"Record<string, {_write_type(info.value_type)}>"
        case inspect.UnionType():
            shown = " | ".join(map(_write_type, info.types))
        case _ if type(info) in PLAIN:
            shown = PLAIN[type(info)]
        case _:
            raise TypeError(f"the page has no TypeScript type for {info}")
    return shown
