"""Takes webhooks in and prints what they tell. Only the standard library and the client are needed.

VALLUM_WEBHOOK_ALLOW_PRIVATE=127.0.0.0/8 vallum up
vallum webhooks create http://127.0.0.1:8080/
WEBHOOK_SECRET=whsec_... python examples/webhook_receiver.py
"""

import argparse
import os
from http.server import BaseHTTPRequestHandler, HTTPServer

from vallum.client.webhooks import NotGenuine, WebhookEvent, verify

LARGEST = 1024 * 1024
SEEN: set[str] = set()
"""Deliveries that were acted on. A real receiver keeps these in its database for a few days."""


class Receiver(BaseHTTPRequestHandler):
    """Answers one request."""

    def do_POST(self) -> None:
        """200: taken in, and not sent again. Anything else: sent again later."""
        length = int(self.headers.get("content-length", 0))
        body = self.rfile.read(min(length, LARGEST))
        try:
            event = verify(os.environ["WEBHOOK_SECRET"], dict(self.headers), body)
        except NotGenuine as error:
            self.send_error(400, str(error))
            return
        if event.delivery not in SEEN:  # the same delivery may come twice
            SEEN.add(event.delivery)
            tell(event)
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """We print what was told instead."""


def tell(event: WebhookEvent) -> None:
    """What a backend would act on. Keep it short: an answer must come within 8 seconds."""
    print(event.time, event.kind, event.subject, flush=True)
    if event.kind == "match.finished":
        for place in event.data["match"]["result"]["places"]:
            print(f"  {place['place']}. seat {place['seat']} with {place['score']}", flush=True)


def main() -> None:
    """Listen until Ctrl-C."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=8080)
    given = parser.parse_args()
    with HTTPServer(("127.0.0.1", given.port), Receiver) as server:
        print(f"listening on http://127.0.0.1:{server.server_address[1]}/", flush=True)
        server.serve_forever()


if __name__ == "__main__":
    main()
