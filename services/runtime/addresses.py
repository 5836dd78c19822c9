"""Which addresses on the network may be called on somebody else's word: public ones, and what the
operator allows. What a tenant names must not lead into the network that we stand in."""

from __future__ import annotations

import ipaddress
import re
import socket
from collections.abc import Iterable
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network
from typing import NamedTuple
from urllib.parse import urlsplit

from services.runtime.settings import SettingsError

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network

LABEL = re.compile(r"(?!-)[a-z0-9_-]{1,63}(?<!-)", re.IGNORECASE)
LONGEST_NAME = 253
UNICAST = IPv6Network("2000::/3")
"""All that is handed out of IPv6."""
NEVER: tuple[Network, ...] = (
    IPv4Network("192.0.0.0/24"),  # protocol assignments; a cloud's metadata
    IPv4Network("192.88.99.0/24"),  # relays into IPv6
    IPv4Network("168.63.129.16/32"),  # a cloud's own service, at what looks like a public address
    IPv6Network("2002::/16"),  # IPv4 in disguise
)


class BadUrl(ValueError):
    """It cannot be called; the text says why."""


class Url(NamedTuple):
    """An address that may be called, as far as its text can tell."""

    text: str
    tls: bool
    host: str
    """A name, or an address without brackets."""
    port: int
    path: str
    """With its query."""

    @property
    def authority(self) -> str:
        """As the header `host` has it."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == (443 if self.tls else 80) else f"{host}:{self.port}"


class Vetting:
    """Tells which addresses may be called. `allowed` are networks that may be though they are not
    public, as "10.1.0.0/16"; there no TLS is asked for. Raises SettingsError."""

    def __init__(self, allowed: Iterable[str] = ()) -> None:
        try:
            self._allowed = tuple(ipaddress.ip_network(one) for one in allowed)
        except ValueError as error:
            raise SettingsError(f"VALLUM_WEBHOOK_ALLOW_PRIVATE: {error}") from None

    def read(self, text: str) -> Url:
        """A URL, if its text alone rules nothing out. Raises BadUrl."""
        url = parsed(text)
        literal = literal_of(url.host)
        if literal is not None and not self.may_call(literal, tls=url.tls):
            raise BadUrl("this address is not public" if url.tls else "it must be https")
        if not url.tls and not self._allowed:
            raise BadUrl("it must be https")
        return url

    def may_call(self, address: Address, *, tls: bool) -> bool:
        """Whether an address may be called."""
        plain = unwrapped(address)
        if any(plain in network for network in self._allowed if network.version == plain.version):
            return True
        return tls and is_public(plain)

    def resolved(self, url: Url) -> list[Address]:
        """The addresses of a URL's host, each of which may be called. Raises BadUrl where one may
        not, OSError where there are none."""
        literal = literal_of(url.host)
        found = [literal] if literal is not None else looked_up(url.host, url.port)
        if not all(self.may_call(one, tls=url.tls) for one in found):
            raise BadUrl("this address is not public")
        return found


def parsed(text: str) -> Url:
    """The parts of a URL. Raises BadUrl."""
    if not text.isascii() or not text.isprintable() or " " in text or "\\" in text:
        raise BadUrl("only printable ASCII, without spaces")
    try:
        parts = urlsplit(text)
        host, port = (parts.hostname or "").removesuffix("."), parts.port
    except ValueError:
        raise BadUrl("not a URL") from None
    tls = parts.scheme == "https"
    if not tls and parts.scheme != "http":
        raise BadUrl("it must be https")
    if "@" in parts.netloc or "#" in text:
        raise BadUrl("without a user or a fragment")
    if literal_of(host) is None and not is_name(host):
        raise BadUrl("no host that can be called")
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return Url(text, tls, host, (443 if tls else 80) if port is None else port, path)


def literal_of(host: str) -> Address | None:
    """The address that a host is, in its usual form, or None."""
    try:
        return ipaddress.ip_address(host) if "%" not in host else None
    except ValueError:
        return None


def is_name(host: str) -> bool:
    """Whether it is a name: not an address in one of its other forms, as 2130706433, 0x7f.1 are."""
    labels = host.split(".")
    last = labels[-1].lower()
    if not last or last.isdigit() or last.startswith("0x"):
        return False
    return len(host) <= LONGEST_NAME and all(LABEL.fullmatch(label) for label in labels)


def unwrapped(address: Address) -> Address:
    """The IPv4 address that an IPv6 one stands for, where it does."""
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return mapped or address


def is_public(address: Address) -> bool:
    """Whether anybody may call it: nothing private, shared, local, reserved or many at once."""
    if any(address in network for network in NEVER if network.version == address.version):
        return False
    if isinstance(address, IPv6Address) and address not in UNICAST:
        return False
    return address.is_global and not address.is_multicast


def looked_up(host: str, port: int) -> list[Address]:
    """Every address of a name. Raises OSError."""
    rows = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [*dict.fromkeys(ipaddress.ip_address(str(row[4][0]).split("%")[0]) for row in rows)]
