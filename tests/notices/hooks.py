"""A webhooks service in this process, those who call it, and a receiver that webhooks call."""

from __future__ import annotations

import secrets
import ssl
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import Any, NamedTuple

import grpc
from google.protobuf.timestamp_pb2 import Timestamp
from redis.asyncio import Redis

from services.notices.webhooks.bind import webhooks
from services.notices.webhooks.figures import FIGURES, Figures
from services.runtime.app import App
from services.runtime.auth import Caller, Keys, Role, Verifier
from services.runtime.bus import Bus
from services.runtime.settings import Settings
from tests.referee.given import KEYS, Refused
from tests.until import until
from vallum.client.webhooks import WebhookEvent, verify
from vallum.events.v1 import events_pb2 as ev
from vallum.match.v1 import match_pb2 as match_pb
from vallum.notices.v1 import webhooks_pb2 as pb

SOON = 40.0
"""On a machine that has other things to do."""
URL = "https://studio.example/vallum"
LOOPBACK = ("127.0.0.0/8", "::1/128")


class Hand:
    """A clock that goes only where it is put."""

    def __init__(self, now: int = 1_900_000_000_000) -> None:
        self.now = now

    def __call__(self) -> int:
        return self.now

    def forward(self, ms: int) -> None:
        self.now += ms


class Clerk:
    """Somebody who calls the webhooks service."""

    def __init__(self, channel: grpc.aio.Channel, token: str) -> None:
        self.channel = channel
        self.token = token

    async def call(self, method: str, **fields: Any) -> Any:
        """Any call, by the fields of its request. Raises Refused."""
        kind = getattr(pb, f"{method}Request")
        if "request_id" in kind.DESCRIPTOR.fields_by_name:
            fields.setdefault("request_id", secrets.token_hex(8))
        stub: Any = self.channel.unary_unary(
            f"/vallum.notices.v1.WebhooksService/{method}",
            request_serializer=kind.SerializeToString,
            response_deserializer=getattr(pb, f"{method}Response").FromString,
        )
        metadata = (("authorization", f"Bearer {self.token}"),)
        try:
            return await stub(kind(**fields), metadata=metadata, timeout=20)
        except grpc.aio.AioRpcError as error:
            raise Refused(error) from None

    async def refused(self, method: str, **fields: Any) -> str:
        """The code that a call is refused with."""
        try:
            await self.call(method, **fields)
        except Refused as error:
            return error.code
        raise AssertionError(f"{method} was not refused")


class Desk(NamedTuple):
    """A running webhooks service."""

    channel: grpc.aio.Channel
    bus: Bus
    hand: Hand
    figures: Figures

    def backend(self, tenant: str = "north") -> Clerk:
        """A tenant's."""
        return Clerk(self.channel, KEYS.mint(Caller(tenant, tenant, Role.TENANT)))

    @property
    def worker(self) -> Clerk:
        """Who takes deliveries."""
        return Clerk(self.channel, KEYS.mint(Caller("workers", "", Role.SERVICE)))

    async def told(self, webhook: str, count: int) -> list[pb.Delivery]:
        """The deliveries of a webhook, oldest first, once there are so many."""
        found: list[pb.Delivery] = []

        async def enough() -> bool:
            answer = await self.backend().call("ListDeliveries", webhook=webhook, page_size=200)
            found[:] = reversed(answer.deliveries)
            return len(found) >= count

        await until(enough, SOON)
        return found

    async def heard(self, webhook: str, event: str) -> pb.Delivery:
        """The delivery that tells a webhook of an event, once there is one."""
        found: list[pb.Delivery] = []

        async def there() -> bool:
            answer = await self.backend().call("ListDeliveries", webhook=webhook, page_size=200)
            found[:] = [one for one in answer.deliveries if one.event == event]
            return bool(found)

        await until(there, SOON)
        return found[0]

    async def tried(self, delivery: str, status: int = 200, error: str = "") -> pb.Delivery:
        """An attempt at a delivery, and what has become of it."""
        attempt = secrets.token_hex(8)
        await self.worker.call("TakeDelivery", name=delivery, request_id=attempt)
        status = 0 if error else status
        report = {"name": delivery, "request_id": attempt, "status": status, "error": error}
        await self.worker.call("ReportDelivery", **report)
        return await self.delivery(delivery)

    async def delivery(self, name: str) -> pb.Delivery:
        """A delivery as it is now."""
        answer = await self.backend().call("GetDelivery", name=name)
        found: pb.Delivery = answer.delivery
        return found

    async def webhook(self, name: str) -> pb.Webhook:
        """A webhook as it is now."""
        answer = await self.backend().call("GetWebhook", name=name)
        found: pb.Webhook = answer.webhook
        return found

    async def hinted(self) -> list[str]:
        """The deliveries that workers were ever told of, in any order."""
        redis: Any = self.bus._redis
        found = []
        for number in range(16):
            for _, row in await redis.xrange(f"{{p{number:02}}}:bus:webhooks"):
                event = ev.Event.FromString(row[b"e"])
                found.append(event.delivery_due.delivery)
        return found


@asynccontextmanager
async def desk(
    settings: Settings,
    redis: Redis,
    *,
    figures: Figures = FIGURES,
    keys: Sequence[Keys] = (KEYS,),
    hand: Hand | None = None,
) -> AsyncIterator[Desk]:
    """A webhooks service whose time stands still."""
    hand = hand or Hand()
    async with (
        App(settings, [webhooks(keys, figures, hand)], Verifier(KEYS)) as app,
        grpc.aio.insecure_channel(app.target) as channel,
    ):
        yield Desk(channel, Bus(redis, settings), hand, figures)


def turn(number: int, *, player: str = "ann", tenant: str = "north") -> ev.Event:
    """A fact: it is somebody's turn."""
    decision = match_pb.Decision(seat=0, prompt="order", decision_id=number)
    return ev.Event(
        id=f"m1/{number}/0",
        subject="matches/m1",
        version=number,
        cause="a-request-of-somebody",
        tenant=tenant,
        occurred_at=Timestamp(seconds=1_900_000_000),
        turn_opened=ev.TurnOpened(
            game="ambush", player=player, automatic=not player, decision=decision
        ),
    )


class Post(NamedTuple):
    """A request that arrived."""

    headers: dict[str, str]
    body: bytes

    def event(self, secret: str, now: float | None = None) -> WebhookEvent:
        """What it tells; its signature is checked. Raises NotGenuine."""
        told = {} if now is None else {"now": lambda: now}
        return verify(secret, self.headers, self.body, **told)  # type: ignore[arg-type]  # one of them


@dataclass
class Receiver:
    """What a studio runs: answers with `statuses` in turn, then 200."""

    url: str
    statuses: list[int] = field(default_factory=list)
    posts: list[Post] = field(default_factory=list)
    hang: Event | None = None
    """While it is there and not set, requests are taken and not answered."""

    async def got(self, count: int, seconds: float = SOON) -> list[Post]:
        """The requests, once there are so many."""

        async def enough() -> bool:
            return len(self.posts) >= count

        await until(enough, seconds)
        return self.posts


async def made(there: Desk, **fields: Any) -> tuple[str, str]:
    """A webhook's name and its secret."""
    asked = {"url": URL, "kinds": ["turn.opened"], **fields}
    answer = await there.backend().call("CreateWebhook", **asked)
    return answer.webhook.name, answer.secret


async def told(there: Desk, webhook: str, number: int = 1) -> pb.Delivery:
    """A delivery of a webhook, of the turn with this number."""
    await there.bus.publish(turn(number))
    return await there.heard(webhook, f"m1/{number}/0")


async def request(there: Desk, delivery: str, attempt: str = "a1") -> Post:
    """The request that a worker is to make."""
    taken = await there.worker.call("TakeDelivery", name=delivery, request_id=attempt)
    return Post({one.name: one.value for one in taken.headers}, taken.body)


@contextmanager
def receiver(*statuses: int, secured: ssl.SSLContext | None = None) -> Iterator[Receiver]:
    """A receiver on a free port of the loopback address, with TLS if it is `secured`."""

    class Answering(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length", 0)))
            headers = {name.lower(): value for name, value in self.headers.items()}
            there.posts.append(Post(headers, body))
            if there.hang is not None:
                there.hang.wait(60)
            try:
                self.send_response(there.statuses.pop(0) if there.statuses else 200)
                self.send_header("location", "http://127.0.0.1:1/elsewhere")
                self.end_headers()
            except OSError:
                pass  # whoever has called is gone

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Answering)
    server.daemon_threads = True
    if secured:
        server.socket = secured.wrap_socket(server.socket, server_side=True)
    scheme = "https" if secured else "http"
    there = Receiver(f"{scheme}://127.0.0.1:{server.server_address[1]}/hook", list(statuses))
    Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    try:
        yield there
    finally:
        if there.hang is not None:
            there.hang.set()
        server.shutdown()
        server.server_close()
