"""docs/fairness.md once more, from its text alone: nothing of services is imported here."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any

BLOCK = 64


def hmac_sha256(key: bytes, message: bytes) -> bytes:
    """RFC 2104."""
    key = (sha256(key).digest() if len(key) > BLOCK else key).ljust(BLOCK, b"\0")
    inner = sha256(bytes(byte ^ 0x36 for byte in key) + message).digest()
    return sha256(bytes(byte ^ 0x5C for byte in key) + inner).digest()


def index(seed: bytes, label: str, count: int) -> tuple[int, int]:
    """(an index below `count`, the attempt that gave it)."""
    attempt = 0
    while True:
        word = int.from_bytes(hmac_sha256(seed, f"{label}#{attempt}".encode())[:8], "big")
        if word < 2**64 - 2**64 % count:
            return word % count, attempt
        attempt += 1


def draw(seed: bytes, label: str, candidates: list[Any]) -> dict[str, Any]:
    """A draw as it is logged."""
    pile = sorted(candidates)
    lines = "\n".join(str(card) for card in pile)
    return {
        "label": label,
        "digest": sha256(lines.encode()).hexdigest(),
        "result": pile[index(seed, label, len(pile))[0]],
    }


def deal(seed: bytes, label: str, candidates: list[Any], count: int) -> list[dict[str, Any]]:
    """Draws without replacement."""
    left, draws = list(candidates), []
    for number in range(min(count, len(left))):
        draws.append(draw(seed, f"{label}/{number}", left))
        left.remove(draws[-1]["result"])
    return draws


def canonical(value: dict[str, Any]) -> bytes:
    """Canonical JSON: keys as they come, no spaces, UTF-8."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode()


def chain(seed: bytes, header: dict[str, Any], entries: list[dict[str, Any]]) -> list[str]:
    """h0, h1, h2… in hex."""
    link = sha256(canonical(header)).digest()
    links = [link.hex()]
    for entry in entries:
        salt = hmac_sha256(seed, f"salt/{entry['version']}".encode())
        link = sha256(link + canonical(entry) + salt).digest()
        links.append(link.hex())
    return links
