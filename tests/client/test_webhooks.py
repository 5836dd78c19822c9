"""Telling a genuine request from any other: by the SDK, by what the page says for Node, and by the
standard's own test vector."""

from __future__ import annotations

import base64
import json
import os
import re
import shutil
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from tests.served import free_port
from vallum.client.webhooks import NotGenuine, signature, verify

ROOT = Path(__file__).parents[2]
SECRET = "whsec_" + base64.b64encode(b"thirty-two bytes of a good secret").decode()
NOW = 1_900_000_000
EVENT = {
    "id": "m1/3/0",
    "type": "match.finished",
    "timestamp": "2030-03-17T17:46:40Z",
    "tenant": "north",
    "subject": "matches/m1",
    "version": 3,
    "data": {"match": {"result": {"places": [{"place": 1, "seat": 0, "score": 12}]}}},
}
BODY = json.dumps(EVENT).encode()


def headers(body: bytes = BODY, at: int = NOW, secret: str = SECRET) -> dict[str, str]:
    made = signature(secret, "d1", at, body)
    return {
        "Webhook-Id": "d1",
        "webhook-timestamp": str(at),
        "webhook-signature": f"v1,{base64.b64encode(b'another').decode()} v1,{made}",
    }


def read(given: dict[str, str], body: bytes | str = BODY, **more: Any) -> Any:
    return verify(SECRET, given, body, now=lambda: NOW, **more)


def test_the_vector_of_the_standard() -> None:
    made = signature(
        "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
        "msg_p5jXN8AQM9LWM0D4loKWxJek",
        1614265330,
        b'{"test": 2432232314}',
    )
    assert made == "g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


def test_a_genuine_request_is_read() -> None:
    event = read(headers())
    assert (event.delivery, event.id, event.kind) == ("d1", "m1/3/0", "match.finished")
    assert (event.subject, event.version, event.data) == ("matches/m1", 3, EVENT["data"])
    assert read(headers(), body=BODY.decode()) == event


@pytest.mark.parametrize(
    ("given", "body"),
    [
        (headers(), BODY + b" "),
        (headers() | {"Webhook-Id": "d2"}, BODY),
        (headers() | {"webhook-timestamp": str(NOW + 1)}, BODY),
        (headers() | {"webhook-timestamp": "soon"}, BODY),
        (headers() | {"webhook-signature": ""}, BODY),
        (headers() | {"webhook-signature": "v1,é"}, BODY),
        (headers(secret="whsec_" + base64.b64encode(b"x" * 32).decode()), BODY),
        (headers(at=NOW - 301), BODY),
        (headers(at=NOW + 301), BODY),
        ({}, BODY),
    ],
)
def test_any_other_is_refused(given: dict[str, str], body: bytes) -> None:
    with pytest.raises(NotGenuine):
        read(given, body)


def test_how_old_one_may_be_is_the_receivers_choice() -> None:
    assert read(headers(at=NOW - 3000), tolerance=3600.0).kind == "match.finished"


def test_what_is_no_secret_is_told() -> None:
    with pytest.raises(ValueError, match="whsec_"):
        verify("not base64!", headers(), BODY, now=lambda: NOW)


@pytest.mark.skipif(shutil.which("node") is None, reason="Node is not installed: not run")
def test_the_page_is_right_about_node(tmp_path: Path) -> None:
    page = (ROOT / "docs/webhooks.md").read_text()
    (code,) = re.findall(r"```js\n(.*?)```", page, re.DOTALL)
    (tmp_path / "verify.mjs").write_text(code)
    lower = {name.lower(): value for name, value in headers().items()}
    cases = [
        [SECRET, lower, BODY.decode()],
        [SECRET, lower, BODY.decode() + " "],
        [SECRET, lower | {"webhook-signature": "v1,short"}, BODY.decode()],
        [SECRET, lower | {"webhook-timestamp": "x"}, BODY.decode()],
    ]
    (tmp_path / "run.mjs").write_text(
        "import { verify } from './verify.mjs';\n"
        f"Date.now = () => {NOW * 1000};\n"
        f"for (const one of {json.dumps(cases)}) {{\n"
        "  try { console.log(verify(...one).type); }\n"
        "  catch (error) { console.log(error.message); }\n"
        "}\n"
    )
    told = subprocess.run(
        ["node", "run.mjs"], cwd=tmp_path, capture_output=True, text=True, check=True, timeout=60
    )
    assert told.stdout.split("\n")[:-1] == ["match.finished", *["not genuine"] * 3]


def test_the_example_takes_in_what_is_genuine_once() -> None:
    port = free_port()
    receiver = subprocess.Popen(
        [sys.executable, "examples/webhook_receiver.py", "--port", str(port)],
        cwd=ROOT,
        env=os.environ | {"WEBHOOK_SECRET": SECRET, "PYTHONPATH": "clients/python"},
        stdout=subprocess.PIPE,
        text=True,
    )
    stop = threading.Timer(60, receiver.kill)
    stop.start()
    try:
        assert receiver.stdout is not None
        assert receiver.stdout.readline().startswith("listening on")
        now = int(time.time())
        assert posted(port, headers(at=now)) == posted(port, headers(at=now)) == 200
        assert posted(port, headers(at=now - 4000)) == 400
        assert posted(port, {}) == 400
        assert receiver.stdout.readline().split() == [
            *("2030-03-17T17:46:40Z", "match.finished", "matches/m1")
        ]
        assert receiver.stdout.readline().strip() == "1. seat 0 with 12"
    finally:
        stop.cancel()
        receiver.kill()
        receiver.wait()
    assert not receiver.stdout.read(), "it was told twice and has acted once"


def posted(port: int, given: dict[str, str]) -> int:
    """The status that the receiver answers with."""
    request = urllib.request.Request(f"http://127.0.0.1:{port}/", BODY, given)
    try:
        with urllib.request.urlopen(request, timeout=20) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        return error.code
