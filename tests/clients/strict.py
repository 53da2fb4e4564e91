"""Decodes messages strictly: an unknown field or value is an error."""

import json
from typing import Any, Union

import attrs
from lsprotocol import converters, types

CONVERTER = converters.get_converter()


def _action(value: dict, _kind) -> types.Command | types.CodeAction:
    """A command or a code action, which may have a command, too. lsprotocol takes that for a command."""
    kind = types.Command if isinstance(value.get("command"), str) else types.CodeAction
    return CONVERTER.structure(value, kind)


CONVERTER.register_structure_hook(Union[types.Command, types.CodeAction], _action)  # noqa: UP007

# The protocol allows custom values here, but this server only uses predefined ones.
OPEN = {
    types.CompletionItem: ("kind", types.CompletionItemKind),
    types.FoldingRange: ("kind", types.FoldingRangeKind),
    types.ServerCapabilities: ("position_encoding", types.PositionEncodingKind),
}


def decode(message: dict, method: str | None = None):
    """Decodes a message of the server, or raises ValueError for unknown fields and values.

    For a response, `method` is that of its request.
    """
    result = message.get("result")
    numbers = result.get("data") if isinstance(result, dict) else None
    if not isinstance(numbers, list):
        return _decode(message, method)
    if wrong := [number for number in numbers if type(number) is not int or not 0 <= number < 1 << 31]:
        raise ValueError(f"semantic tokens have invalid numbers: {wrong[:5]}")
    # Decoding the numbers of all tokens takes minutes.
    decoded = _decode(message | {"result": result | {"data": numbers[:5]}}, method)
    decoded.result.data = numbers
    return decoded


def with_plain_messages(value: Any):
    """The value with the text of diagnostics' messages that are Markdown, which lsprotocol does not know yet."""
    if isinstance(value, list):
        return [with_plain_messages(item) for item in value]
    if not isinstance(value, dict):
        return value
    value = {name: with_plain_messages(field) for name, field in value.items()}
    message = value.get("message")
    if "range" in value and isinstance(message, dict):
        if set(message) != {"kind", "value"} or message["kind"] != "markdown" or not isinstance(message["value"], str):
            raise ValueError(f"a diagnostic has the message {message}")
        value["message"] = message["value"]
    return value


def _decode(message: dict, method: str | None):
    kind = _type(message, method)
    decoded = CONVERTER.structure(message, kind)
    again = json.loads(json.dumps(CONVERTER.unstructure(decoded, kind)))
    # An error about an unreadable message has no id.
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
        raise ValueError(f"a response without a request: {message['id']}")
    return types.METHOD_TO_TYPES[method][1]


def _differences(sent: Any, again: Any, place: str):
    """The differences between a value and its encoding after decoding."""
    if isinstance(sent, dict) and isinstance(again, dict):
        for name in sent.keys() | again.keys():
            if name not in again:
                yield f"{place}.{name} is unknown"
            # A null field may be left out, except for a result.
            elif name not in sent and (again[name] is not None or name == "result"):
                yield f"{place}.{name} is missing"
            elif name in sent:
                yield from _differences(sent[name], again[name], f"{place}.{name}")
    elif isinstance(sent, list) and isinstance(again, list) and len(sent) == len(again):
        for index, (ours, theirs) in enumerate(zip(sent, again, strict=True)):
            yield from _differences(ours, theirs, f"{place}[{index}]")
    # In Python, 1 == True.
    elif sent != again or type(sent) is not type(again):
        yield f"{place} is {sent!r}, decoded {again!r}"


def _unknown(decoded: Any):
    """The custom values in a message, where the protocol allows them."""
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
