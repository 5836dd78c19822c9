"""One request to a stranger: to the vetted address, in the name's own right, and not for long."""

from __future__ import annotations

import datetime
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from ipaddress import ip_address
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

from services.runtime.addresses import Vetting
from services.workers import sending
from services.workers.sending import Outcome, send
from tests.notices.hooks import LOOPBACK, receiver
from tests.served import free_port

LOCAL = Vetting(LOOPBACK)
HEADERS = {"webhook-id": "d1", "content-type": "application/json"}
NAME = "receiver.example"


def test_it_posts_what_it_was_given() -> None:
    with receiver(204) as there:
        assert send(LOCAL, f"{there.url}?a=b", HEADERS, b"{}") == Outcome(status=204)
    (post,) = there.posts
    assert post.body == b"{}"
    assert HEADERS.items() <= post.headers.items()
    assert post.headers["host"] == there.url.split("/")[2]


@pytest.mark.parametrize("status", [301, 302, 307, 308, 404, 500])
def test_a_redirect_is_an_answer_like_any_other(status: int) -> None:
    with receiver(status) as there:
        assert send(LOCAL, there.url, {}, b"") == Outcome(status=status)


@pytest.mark.parametrize("text", ["http://127.0.0.1:{}/", "https://127.0.0.1:{}/"])
def test_what_is_not_public_is_not_called(text: str) -> None:
    with receiver() as there:
        port = there.url.split(":")[2].split("/")[0]
        assert send(Vetting(), text.format(port), {}, b"") == Outcome(error="address_refused")
        assert not there.posts


def test_a_name_that_leads_to_us_is_not_called() -> None:
    assert send(Vetting(), "https://localhost/", {}, b"") == Outcome(error="address_refused")


def test_what_goes_wrong_has_a_name(monkeypatch: pytest.MonkeyPatch) -> None:
    closed = f"http://127.0.0.1:{free_port()}/"
    assert send(LOCAL, closed, {}, b"") == Outcome(error="no_connection")

    def unknown(*_: object, **__: object) -> object:
        raise socket.gaierror(socket.EAI_NONAME, "unknown")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    assert send(LOCAL, f"https://{NAME}/", {}, b"") == Outcome(error="name_not_found")


@contextmanager
def raw(answer: Callable[[socket.socket], None]) -> Iterator[str]:
    """A server that does whatever it likes with a connection; its URL."""
    ended = threading.Event()
    with closing(socket.create_server(("127.0.0.1", 0))) as listening:

        def serve() -> None:
            while not ended.is_set():
                try:
                    connection, _ = listening.accept()
                except OSError:
                    return
                with connection:
                    try:
                        connection.recv(65536)
                        answer(connection)
                    except OSError:
                        continue

        threading.Thread(target=serve, daemon=True).start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/"
        ended.set()


def drip(connection: socket.socket) -> None:
    """A header that never ends: each byte comes in time."""
    connection.sendall(b"HTTP/1.1 200 OK\r\nx: ")
    while True:
        connection.sendall(b"x")
        time.sleep(0.05)


def flood(connection: socket.socket) -> None:
    """A body that never ends."""
    connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
    while True:
        connection.sendall(b"x" * 65536)


def test_an_answer_that_drips_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sending, "TOTAL_S", 0.5)
    with raw(drip) as url:
        began = time.monotonic()
        assert send(LOCAL, url, {}, b"{}") == Outcome(error="timeout")
        assert time.monotonic() - began < 5


def test_of_an_endless_answer_the_status_is_enough() -> None:
    with raw(flood) as url:
        assert send(LOCAL, url, {}, b"{}") == Outcome(status=200)


@pytest.mark.parametrize("said", [b"", b"nonsense\r\n\r\n", b"HTTP/1.1 abc OK\r\n\r\n"])
def test_nonsense_is_no_answer(said: bytes) -> None:
    with raw(lambda connection: connection.sendall(said)) as url:
        assert send(LOCAL, url, {}, b"{}") == Outcome(error="no_answer")


class Authority(NamedTuple):
    """Issues certificates for tests."""

    key: ec.EllipticCurvePrivateKey
    certificate: x509.Certificate


def certified(names: list[x509.GeneralName], by: Authority | None = None) -> Authority:
    """A certificate for some names, and its key; without `by` an authority's own."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "tests" if by is None else "site")])
    now = datetime.datetime.now(datetime.UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(by.certificate.subject if by else name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(hours=1))
        .not_valid_after(now + datetime.timedelta(hours=1))
        .add_extension(x509.BasicConstraints(ca=by is None, path_length=None), critical=True)
    )
    if names:
        made = made.add_extension(x509.SubjectAlternativeName(names), critical=False)
    return Authority(key, made.sign(by.key if by else key, hashes.SHA256()))


@contextmanager
def tls(folder: Path, authority: Authority, *names: x509.GeneralName) -> Iterator[tuple[int, Any]]:
    """A TLS server with a certificate for these names: its port, and the names asked for."""
    site, file = certified([*names], authority), folder / "site.pem"
    file.write_bytes(
        site.key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
        + site.certificate.public_bytes(Encoding.PEM)
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(file)
    asked: list[str | None] = []
    context.sni_callback = lambda _socket, name, _context: asked.append(name)

    with receiver(secured=context) as there:
        yield int(there.url.split("/")[2].partition(":")[2]), asked


@pytest.fixture
def authority(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Authority:
    """One that this machine trusts; and a name that leads to it."""
    found, file = certified([]), tmp_path / "authority.pem"
    file.write_bytes(found.certificate.public_bytes(Encoding.PEM))
    monkeypatch.setenv("SSL_CERT_FILE", str(file))
    real = socket.getaddrinfo

    def lookup(host: Any, *rest: Any, **more: Any) -> Any:
        return real("127.0.0.1" if host == NAME else host, *rest, **more)

    monkeypatch.setattr(socket, "getaddrinfo", lookup)
    return found


def test_the_certificate_is_the_names_and_the_connection_the_addresss(
    tmp_path: Path, authority: Authority
) -> None:
    with tls(tmp_path, authority, x509.DNSName(NAME)) as (port, asked):
        assert send(LOCAL, f"https://{NAME}:{port}/", {}, b"{}") == Outcome(status=200)
        assert asked == [NAME]
        assert send(LOCAL, f"https://127.0.0.1:{port}/", {}, b"{}") == Outcome(error="tls_failed")


def test_another_names_certificate_does_not_do(tmp_path: Path, authority: Authority) -> None:
    with tls(tmp_path, authority, x509.DNSName("other.example")) as (port, _):
        assert send(LOCAL, f"https://{NAME}:{port}/", {}, b"{}") == Outcome(error="tls_failed")


def test_an_address_may_have_a_certificate(tmp_path: Path, authority: Authority) -> None:
    name = x509.IPAddress(ip_address("127.0.0.1"))
    with tls(tmp_path, authority, name) as (port, _):
        assert send(LOCAL, f"https://127.0.0.1:{port}/", {}, b"{}") == Outcome(status=200)


def test_an_authority_that_nobody_trusts_does_not_do(tmp_path: Path, authority: Authority) -> None:
    assert authority
    with tls(tmp_path, certified([]), x509.DNSName(NAME)) as (port, _):
        assert send(LOCAL, f"https://{NAME}:{port}/", {}, b"{}") == Outcome(error="tls_failed")
