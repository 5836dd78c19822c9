"""A bare grpc.aio echo: the ceiling that Play is measured against."""

from __future__ import annotations

import asyncio
import sys
from typing import Any

import grpc
import uvloop


async def echo(request: bytes, _: object) -> bytes:
    """The request back."""
    return request


async def main() -> None:
    """Serve on a free port, say which, until the parent closes our input."""
    server = grpc.aio.server()
    handler: Any = grpc.unary_unary_rpc_method_handler(echo)
    server.add_generic_rpc_handlers(
        (grpc.method_handlers_generic_handler("bench.Echo", {"Echo": handler}),)
    )
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    print(port, flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    await server.stop(0)


if __name__ == "__main__":
    uvloop.run(main())
