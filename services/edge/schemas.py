"""Messages of the contract as JSON schemas, with the rules that requests must keep."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from buf.validate import validate_pb2
from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor

Json = dict[str, Any]

STATUS = "google.rpc.Status"
ANY = {
    "type": "object",
    "properties": {"@type": {"type": "string"}},
    "additionalProperties": True,
}
STRING: Json = {"type": "string"}
DURATION = {"type": "string", "pattern": r"^-?[0-9]+(\.[0-9]{1,9})?s$", "example": "90s"}
KNOWN: dict[str, Json] = {
    "google.protobuf.Any": ANY,
    "google.protobuf.Duration": DURATION,
    "google.protobuf.Empty": {"type": "object"},
    "google.protobuf.FieldMask": STRING,
    "google.protobuf.Struct": {"type": "object", "additionalProperties": True},
    "google.protobuf.Timestamp": {"type": "string", "format": "date-time"},
    "google.protobuf.Value": {},
}
"""What has a JSON form of its own."""

F = FieldDescriptor
INT: Json = {"type": "integer", "format": "int32"}
UINT: Json = {"type": "integer", "minimum": 0, "maximum": 2**32 - 1}
LONG: Json = {"type": "string", "format": "int64", "pattern": "^-?[0-9]+$"}
SCALARS: dict[int, Json] = {
    F.TYPE_BOOL: {"type": "boolean"},
    F.TYPE_BYTES: {"type": "string", "format": "byte"},
    F.TYPE_DOUBLE: {"type": "number", "format": "double"},
    F.TYPE_FLOAT: {"type": "number", "format": "float"},
    F.TYPE_STRING: STRING,
    F.TYPE_INT32: INT,
    F.TYPE_SINT32: INT,
    F.TYPE_SFIXED32: INT,
    F.TYPE_UINT32: UINT,
    F.TYPE_FIXED32: UINT,
    F.TYPE_INT64: LONG,
    F.TYPE_SINT64: LONG,
    F.TYPE_SFIXED64: LONG,
    F.TYPE_UINT64: LONG,
    F.TYPE_FIXED64: LONG,
}
LIMITS = {
    "repeated": {"min_items": "minItems", "max_items": "maxItems"},
    "string": {"min_len": "minLength", "max_len": "maxLength", "pattern": "pattern"},
    "int32": {"gte": "minimum", "lte": "maximum"},
    "uint32": {"gte": "minimum", "lte": "maximum"},
    "double": {"gte": "minimum", "lte": "maximum"},
}
"""Rule of protovalidate -> keyword of JSON schema, for each type of rules."""


class Schemas:
    """The schemas that a document refers to, made when they are first asked for."""

    def __init__(self, words: Mapping[str, str]) -> None:
        self.words = words
        self._made: dict[str, Json] = {STATUS: _status()}

    def made(self) -> dict[str, Json]:
        """Every schema that was referred to, by name."""
        return dict(sorted(self._made.items()))

    def reference(self, kind: Descriptor | EnumDescriptor) -> Json:
        """A reference to a message or enum."""
        name = kind.full_name.removeprefix("vallum.")
        if name not in self._made:
            self._made[name] = {}  # a message may hold itself
            make: Callable[[Any], Json] = (
                self._enum if isinstance(kind, EnumDescriptor) else self.message
            )
            self._made[name] = make(kind)
        return {"$ref": f"#/components/schemas/{name}"}

    def message(self, kind: Descriptor, without: Iterable[str] = ()) -> Json:
        """A message, but for some of its fields."""
        fields = [field for field in kind.fields if field.name not in without]
        schema: Json = {
            "type": "object",
            "description": self.words.get(kind.full_name, ""),
            "properties": {one.json_name: self._described(one) for one in fields},
        }
        if required := [one.json_name for one in fields if self.is_required(one)]:
            schema["required"] = required
        return schema | self._choices(kind, len(fields))

    def field(self, field: FieldDescriptor) -> Json:
        """The value of a field."""
        kind: Descriptor | None = field.message_type
        if kind is not None and kind.GetOptions().map_entry:
            values = self._one(kind.fields_by_name["value"], validate_pb2.FieldRules())
            return {"type": "object", "additionalProperties": values}
        rules = field.GetOptions().Extensions[validate_pb2.field]
        if not is_repeated(field):
            return self._one(field, rules)
        schema: Json = {"type": "array", "items": self._one(field, rules.repeated.items)}
        return schema | _limits("repeated", rules.repeated)

    @staticmethod
    def is_known(kind: Descriptor) -> bool:
        """Whether the message has a JSON form of its own."""
        return kind.full_name in KNOWN

    @staticmethod
    def is_required(field: FieldDescriptor) -> bool:
        """Whether a request without it is refused."""
        rules = field.GetOptions().Extensions[validate_pb2.field]
        return bool(rules.required or rules.repeated.min_items or rules.string.min_len)

    def _described(self, field: FieldDescriptor) -> Json:
        schema, words = self.field(field), self.words.get(field.full_name, "")
        if "$ref" in schema:  # nothing may stand beside it
            return {"allOf": [schema], "description": words}
        return schema | {"description": words}

    def _one(self, field: FieldDescriptor, rules: Any) -> Json:
        if field.message_type is not None:
            name = field.message_type.full_name
            return KNOWN[name] if name in KNOWN else self.reference(field.message_type)
        if field.enum_type is not None:
            return self.reference(field.enum_type)
        schema = dict(SCALARS[field.type])
        group = rules.WhichOneof("type")
        return schema | (_limits(group, getattr(rules, group)) if group else {})

    def _enum(self, kind: EnumDescriptor) -> Json:
        names = [value.name for value in kind.values]
        return {"type": "string", "enum": names, "description": self.words.get(kind.full_name, "")}

    def _choices(self, kind: Descriptor, fields: int) -> Json:
        """Of several fields at most one, or just one."""
        choices = [one for one in kind.oneofs if not _is_optional_field(one)]
        if len(choices) != 1:
            return {}
        (choice,) = choices
        required = choice.GetOptions().Extensions[validate_pb2.oneof].required
        if len(choice.fields) == fields:
            return {"maxProperties": 1} | ({"minProperties": 1} if required else {})
        if not required:
            return {}
        return {"oneOf": [{"required": [field.json_name]} for field in choice.fields]}


def _limits(group: str, rules: Any) -> Json:
    return {
        keyword: getattr(rules, rule)
        for rule, keyword in LIMITS.get(group, {}).items()
        if rules.HasField(rule)
    }


def pattern(field: FieldDescriptor) -> str:
    """What a text must match; "" where anything will do."""
    rule: str = field.GetOptions().Extensions[validate_pb2.field].string.pattern
    return rule


def is_repeated(field: FieldDescriptor) -> bool:
    """Whether it holds a list."""
    repeated: bool = field.is_repeated
    return repeated


def _is_optional_field(oneof: Any) -> bool:
    """`optional int32 seat` is a oneof of its own in the descriptor."""
    return len(oneof.fields) == 1 and oneof.name == f"_{oneof.fields[0].name}"


def _status() -> Json:
    properties = {
        "code": {"type": "integer", "description": "The gRPC status code."},
        "message": {"type": "string", "description": "For people."},
        "details": {
            "type": "array",
            "items": ANY,
            "description": "google.rpc.ErrorInfo, whose reason is stable, and others.",
        },
    }
    return {"type": "object", "properties": properties}
