"""Encrypted, where there is a certificate."""

from __future__ import annotations

import ssl
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import grpc
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID
from echo.v1 import echo_pb2 as pb
from msgspec.structs import replace

from services.runtime.auth import Keys
from services.runtime.settings import Settings
from tests.conftest import Token
from tests.edge.given import Site, site
from tests.edge.web import Web


def certificate(folder: Path) -> tuple[Path, Path]:
    """A certificate for 127.0.0.1, and its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "vallum")])
    now = datetime.now(UTC)
    names = x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))])
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(names, critical=False)
        .sign(key, hashes.SHA256())
    )
    chain, private = folder / "edge.pem", folder / "edge.key"
    chain.write_bytes(made.public_bytes(Encoding.PEM))
    private.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    return chain, private


async def test_it_takes_tls_and_nothing_else_where_it_has_a_certificate(
    settings: Settings, keys: Keys, token: Token, tmp_path: Path
) -> None:
    chain, private = certificate(tmp_path)
    given = replace(settings, edge_certificate=chain, edge_private_key=private)
    async with site(given, keys) as found:
        assert found.web.url.startswith("https://127.0.0.1:")
        trusted = ssl.create_default_context(cafile=str(chain))
        web = Web(found.web.url, trusted)
        answer = await web.post("/v1/echo:say", {"text": "x"}, token("ann"))
        assert answer.json["caller"] == "ann@acme/PLAYER"
        await spoken_over_tls(found, chain.read_bytes(), token("ann"))
        with pytest.raises(ssl.SSLCertVerificationError):
            await Web(found.web.url, ssl.create_default_context()).get("/healthz")
        with pytest.raises(OSError):  # noqa: PT011 # whatever the socket says
            await Web(found.web.url.replace("https", "http")).get("/healthz")


async def spoken_over_tls(found: Site, chain: bytes, token: str) -> None:
    """A gRPC call."""
    credentials = grpc.ssl_channel_credentials(chain)
    async with grpc.aio.secure_channel(found.target, credentials) as channel:
        say: Any = channel.unary_unary("/echo.v1.EchoService/Say")
        request = pb.SayRequest(text="x").SerializeToString()
        assert await say(request, metadata=(("authorization", f"Bearer {token}"),), timeout=5)
