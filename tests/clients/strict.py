"""Messages decoded strictly: a field that the protocol does not know is an error, and so is an unknown value."""

import json
from typing import Any

import attrs
from lsprotocol import converters, types

CONVERTER = converters.get_converter()

# Where the protocol allows other values than its own, and ours are to be its own.
OPEN = {
    types.CompletionItem: ("kind", types.CompletionItemKind),
    types.FoldingRange: ("kind", types.FoldingRangeKind),
    types.ServerCapabilities: ("position_encoding", types.PositionEncodingKind),
}


def decode(message: dict, method: str | None = None):
    """Decodes a message of the server; `method` is that of the request that a response answers."""
    return checked(message, CONVERTER.structure(message, _type(message, method)))


def checked(message: dict, decoded):
    """The decoded message, or ValueError for what the protocol does not know in it."""
    kind = type(decoded)
    again = json.loads(json.dumps(CONVERTER.unstructure(decoded, kind)))
    # An error that answers nothing that could be read has no number.
    if message.get("id", 0) is None:
        again["id"] = None
    if wrong := [*_differences(message, again, kind.__name__), *_unknown(decoded)]:
        raise ValueError("; ".join(wrong))
    return decoded


def _type(message: dict, method: str | None) -> type:
    if "method" in message:
        return types.METHOD_TO_TYPES[message["method"]][0]
    if "error" in message:
        return types.ResponseErrorMessage
    if method is None:
        raise ValueError(f"a response to no request: {message['id']}")
    return types.METHOD_TO_TYPES[method][1]


def _differences(sent: Any, again: Any, place: str):
    """What a value and the same one encoded again differ in."""
    if isinstance(sent, dict) and isinstance(again, dict):
        for name in sent.keys() | again.keys():
            if name not in again:
                yield f"{place}.{name} is not known"
            # What may be null may be left out, but for a result.
            elif name not in sent and (again[name] is not None or name == "result"):
                yield f"{place}.{name} is missing"
            elif name in sent:
                yield from _differences(sent[name], again[name], f"{place}.{name}")
    elif isinstance(sent, list) and isinstance(again, list) and len(sent) == len(again):
        for index, (ours, theirs) in enumerate(zip(sent, again, strict=True)):
            yield from _differences(ours, theirs, f"{place}[{index}]")
    # In Python 1 is True.
    elif sent != again or type(sent) is not type(again):
        yield f"{place} is {sent!r}, decoded {again!r}"


def _unknown(decoded: Any):
    """The values in a message that are none of the protocol's, where it would allow them."""
    if attrs.has(type(decoded)):
        field, values = OPEN.get(type(decoded), (None, ()))
        value = field and getattr(decoded, field)
        if value is not None and value not in list(values):
            yield f"{type(decoded).__name__}.{field} is {value!r}"
        if isinstance(decoded, types.CodeAction) and decoded.kind.partition(".")[0] not in list(types.CodeActionKind):
            yield f"CodeAction.kind is {decoded.kind!r}"
        for field in attrs.fields(type(decoded)):
            yield from _unknown(getattr(decoded, field.name))
    elif isinstance(decoded, list | tuple):
        for item in decoded:
            yield from _unknown(item)
