"""Writes what the contract says in words, for the OpenAPI document: part of `make proto`.

services/edge/comments.json has the comment of every message, field, enum and method, by full name,
and build/openapi.json the document of the games and services that are shipped.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from google.protobuf.descriptor_pb2 import FileDescriptorProto, FileDescriptorSet
from grpc_tools import protoc  # type: ignore[import-untyped]  # it ships no types

ROOT = Path(__file__).resolve().parent.parent
COMMENTS = ROOT / "services/edge/comments.json"
DOCUMENT = ROOT / "build/openapi.json"
CHILDREN: dict[str, dict[int, tuple[str, str]]] = {
    "file": {4: ("message_type", "message"), 5: ("enum_type", "enum"), 6: ("service", "service")},
    "message": {2: ("field", ""), 3: ("nested_type", "message"), 4: ("enum_type", "enum")},
    "enum": {},
    "service": {2: ("method", "")},
}
"""Number in a source path -> (list, kind of its members), for each kind of declaration."""


def compiled() -> FileDescriptorSet:
    """Our protos with their comments."""
    source = ROOT / "proto"
    names = sorted(str(path.relative_to(source)) for path in source.rglob("*.proto"))
    includes = (source, ROOT / "third_party", files("grpc_tools") / "_proto")
    with TemporaryDirectory() as scratch:
        out = Path(scratch) / "contract.binpb"
        options = ("--include_source_info", f"--descriptor_set_out={out}")
        status = protoc.main(["protoc", *(f"-I{path}" for path in includes), *options, *names])
        if status:
            sys.exit(status)
        return FileDescriptorSet.FromString(out.read_bytes())


def comments(file: FileDescriptorProto) -> Iterator[tuple[str, str]]:
    """(full name, comment) of everything that a file declares."""
    for place in file.source_code_info.location:
        name = named(file, place.path)
        if name and place.leading_comments:
            yield name, " ".join(place.leading_comments.split())


def named(file: FileDescriptorProto, path: Any) -> str:
    """The full name of what a source path leads to; "" for what has none."""
    at: Any = file
    kind, names = "file", [file.package]
    for step, index in zip(path[::2], path[1::2], strict=False):
        if kind not in CHILDREN or step not in CHILDREN[kind] or len(path) % 2:
            return ""
        field, kind = CHILDREN[kind][step]
        at = getattr(at, field)[index]
        names.append(at.name)
    return ".".join(names) if len(names) > 1 else ""


def written(path: Path, value: Any) -> None:
    """Write JSON, unless it is there already."""
    text = json.dumps(value, indent=1, sort_keys=True) + "\n"
    if not path.exists() or path.read_text() != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def main() -> None:
    """Write both."""
    contract = compiled()
    written(COMMENTS, dict(pair for file in contract.file for pair in comments(file)))
    from google.protobuf import descriptor_pool  # noqa: PLC0415 # after the comments are there

    from services.edge.openapi import document  # noqa: PLC0415

    for file in contract.file:
        __import__(file.name.removesuffix(".proto").replace("/", ".") + "_pb2")
    services = [
        descriptor_pool.Default().FindServiceByName(f"{file.package}.{service.name}")
        for file in contract.file
        for service in file.service
    ]
    written(DOCUMENT, document(services))


if __name__ == "__main__":
    main()
