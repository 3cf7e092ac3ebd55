"""Discord's component trees: walking them, numbering them, resolving the files they show."""

from __future__ import annotations

import copy
import itertools
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from tests.limits import (
    CHECKBOX,
    CHECKBOXES,
    FILE,
    GALLERY,
    RADIO,
    SELECTS,
    SEPARATOR,
    TEXT_INPUT,
    THUMBNAIL,
    UPLOAD,
)

Json = dict[str, Any]

WITH_VALUES = SELECTS | {UPLOAD, CHECKBOXES}
WITH_VALUE = frozenset({TEXT_INPUT, RADIO, CHECKBOX})

DEFAULTS: dict[int, Json] = {SEPARATOR: {"divider": True, "spacing": 1}}
"""Discord's defaults for fields missing in a component."""


def walk(components: Iterable[Json]) -> Iterator[Json]:
    """Every component of the tree, outer before inner, in display order."""
    for component in components:
        yield component
        yield from walk(component.get("components", ()))
        for single in ("accessory", "component"):
            if single in component:
                yield from walk([component[single]])


def settle(components: list[Json], media: Callable[[str], Json]) -> list[Json]:
    """The tree as Discord stores it: every component numbered, every file resolved.

    :param media: gives the stored form of a url, ``attachment://…`` included.
    """
    tree: list[Json] = copy.deepcopy(components)
    taken = {c["id"] for c in walk(tree) if c.get("id")}
    free = (n for n in itertools.count(1) if n not in taken)
    for component in walk(tree):
        if not component.get("id"):
            component["id"] = next(free)
        for key, value in DEFAULTS.get(component["type"], {}).items():
            component.setdefault(key, value)
        if component["type"] == THUMBNAIL:
            component["media"] = media(component["media"]["url"])
        elif component["type"] == FILE:
            component["file"] = media(component["file"]["url"])
        elif component["type"] == GALLERY:
            for item in component["items"]:
                item["media"] = media(item["media"]["url"])
    return tree


def filled_in(components: list[Json], values: Json) -> list[Json]:
    """A modal's tree as Discord submits it, with what the person entered.

    :param values: by custom_id; text for inputs, a list for menus. Missing fields keep the value
        they were shown with.
    :raises LookupError: the modal has no such field.
    """
    fields = {c["custom_id"] for c in walk(components) if "custom_id" in c}
    if unknown := set(values) - fields:
        raise LookupError(f"the modal has no {sorted(unknown)}, it has {sorted(fields)}")
    return [_filled_in(component, values) for component in components]


def _filled_in(component: Json, values: Json) -> Json:
    kept: Json = {"type": component["type"], "id": component["id"]}
    if "components" in component:
        kept["components"] = [_filled_in(inner, values) for inner in component["components"]]
    if "component" in component:
        kept["component"] = _filled_in(component["component"], values)
    if component["type"] in WITH_VALUES:
        chosen = [o["value"] for o in component.get("options", ()) if o.get("default")]
        kept["values"] = values.get(component["custom_id"], chosen)
    elif component["type"] in WITH_VALUE:
        kept["value"] = values.get(component["custom_id"], component.get("value", ""))
    if "custom_id" in component:
        kept["custom_id"] = component["custom_id"]
    return kept
