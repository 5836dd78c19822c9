"""The contract as Envoy reads it: the descriptors of some services with all that they use."""

from __future__ import annotations

from collections.abc import Iterable

from google.protobuf.descriptor import FileDescriptor, ServiceDescriptor
from google.protobuf.descriptor_pb2 import FileDescriptorProto, FileDescriptorSet
from google.rpc import error_details_pb2, status_pb2

TOLD = (status_pb2.DESCRIPTOR, error_details_pb2.DESCRIPTOR)
"""What refusals are made of."""


def descriptor_set(services: Iterable[ServiceDescriptor]) -> bytes:
    """A FileDescriptorSet of these services, what they import before what imports it."""
    found: dict[str, FileDescriptor] = {}
    for file in (*TOLD, *(service.file for service in services)):
        _collect(file, found)
    protos = (FileDescriptorProto.FromString(file.serialized_pb) for file in found.values())
    return FileDescriptorSet(file=protos).SerializeToString()


def _collect(file: FileDescriptor, found: dict[str, FileDescriptor]) -> None:
    if file.name in found:
        return
    for needed in file.dependencies:
        _collect(needed, found)
    found[file.name] = file
