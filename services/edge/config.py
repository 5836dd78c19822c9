"""The configuration of Envoy: what it must know, and its file made from the template."""

from __future__ import annotations

import ipaddress
import json
import re
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

import msgspec
from google.api import annotations_pb2
from google.protobuf.descriptor import ServiceDescriptor

from services.edge.refusals import REFUSALS
from services.runtime.app import LARGEST_MESSAGE
from services.runtime.auth import LEEWAY
from services.runtime.keys import AUDIENCE, ISSUER

ISSUING = "vallum.accounts.v1.AccountsService"
"""Publishes the public keys of tokens, by GetKeySet."""
READ = {
    "authorization": "^[ -~]+$",
    "traceparent": "^[%x-]+$",
    "content-type": "^application/grpc[%w+.-]*$",
    "te": "^trailers$",
    "grpc-timeout": f"^%d{'%d?' * 7}[HMSmun]$",
    "grpc-encoding": "^[%w-]+$",
    "grpc-accept-encoding": "^[%w-, ]+$",
    "x-envoy-original-path": "^[ -~]+$",  # tells refusals of JSON calls from others
}
"""The headers of a call that a service is given, and what they look like, as Lua spells patterns.
gRPC's server ends calls with INTERNAL whose headers it cannot read, and for a grpc-timeout that is
none even those of others that come over the same connection."""
BUFFER = 256 * 1024
"""Bytes that a connection may have waiting on either side."""


class Target(msgspec.Struct, frozen=True):
    """Where one or several replicas of a service listen: "host:port", or "unix:/a/path"."""

    name: str

    @property
    def is_address(self) -> bool:
        """Whether no name has to be looked up."""
        if self.name.startswith("unix:"):
            return True
        try:
            ipaddress.ip_address(self._host)
        except ValueError:
            return False
        return True

    @property
    def address(self) -> dict[str, Any]:
        """As Envoy wants it."""
        if self.name.startswith("unix:"):
            return {"pipe": {"path": self.name.removeprefix("unix:")}}
        port = int(self.name.rpartition(":")[2])
        return {"socket_address": {"address": self._host, "port_value": port}}

    @property
    def _host(self) -> str:
        return self.name.rpartition(":")[0].strip("[]")


class Service(msgspec.Struct, frozen=True):
    """A service of the contract, and where it is."""

    name: str
    target: str
    streams: tuple[str, ...] = ()
    """The methods whose answers have no end in sight."""
    internal: tuple[str, ...] = ()
    """The methods that the platform's parts call directly: those without an HTTP form."""

    @classmethod
    def at(cls, descriptor: ServiceDescriptor, target: str) -> Service:
        """`descriptor`'s service at a target."""
        methods = descriptor.methods
        public = {
            one.name for one in methods if one.GetOptions().HasExtension(annotations_pb2.http)
        }
        return cls(
            descriptor.full_name,
            target,
            streams=tuple(one.name for one in methods if one.server_streaming),
            internal=tuple(one.name for one in methods if one.name not in public),
        )


class Edge(msgspec.Struct, frozen=True, kw_only=True):
    """All that the template asks for."""

    folder: Path
    """Where its files are: contract.binpb, openapi.json, and the socket for its administration."""
    services: tuple[Service, ...]
    describing: str
    """The target of health and reflection."""
    jwks: Mapping[str, Any]
    """The public keys of tokens, for as long as no service publishes them."""
    host: str = "127.0.0.1"
    port: int = 7400
    certificate: Path | None = None
    private_key: Path | None = None
    origins: tuple[str, ...] = ("http://localhost:*", "http://127.0.0.1:*")
    """Whose pages may call; "*" is everybody's, ":*" at the end any port."""
    deadline: float = 30.0
    """Seconds that a call may take, if it is no stream."""
    request_limit: int = 256 * 1024
    """The most bytes that a request may have, as JSON or in any other form."""
    flood: int = 1000
    """The most calls in a second from one address; 0: any number."""
    connections: int = 10_000
    requests: int = 10_000
    trusted_proxies: int = 0
    """How many proxies in front of it tell the client's address."""

    @property
    def issuer(self) -> Service | None:
        """The service that publishes the keys of tokens, where there is one."""
        return next((one for one in self.services if one.name == ISSUING), None)

    @property
    def targets(self) -> tuple[Target, ...]:
        """Every target, once."""
        names = dict.fromkeys([*(one.target for one in self.services), self.describing])
        return tuple(map(Target, names))

    @property
    def origin_matches(self) -> list[dict[str, Any]]:
        """The origins, as Envoy matches them."""
        return [_origin(origin) for origin in self.origins]


def rendered(edge: Edge) -> str:
    """Envoy's configuration file."""
    from mako.template import Template  # type: ignore[import-untyped] # noqa: PLC0415 # slow

    source = files("services.edge").joinpath("envoy.yaml.mako").read_text()
    template = Template(source, strict_undefined=True)  # noqa: S702 # it is no page
    text: str = template.render(
        edge=edge,
        json=json.dumps,
        q=lambda value: json.dumps(str(value)),
        REFUSALS=REFUSALS,
        BUFFER=BUFFER,
        LARGEST_MESSAGE=LARGEST_MESSAGE,
        ISSUER=ISSUER,
        AUDIENCE=AUDIENCE,
        LEEWAY=LEEWAY,
        READ=READ,
    )
    return text


def _origin(origin: str) -> dict[str, Any]:
    if origin == "*":
        return {"safe_regex": {"regex": ".*"}}
    if origin.endswith(":*"):
        host = re.escape(origin.removesuffix(":*"))
        return {"safe_regex": {"regex": f"{host}(:[0-9]+)?"}}
    return {"exact": origin}
