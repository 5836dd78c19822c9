"""Calling webhooks: a worker asks for a delivery, sends it, and says what came of it.

It never sees a secret: what it gets is signed already.
"""

from __future__ import annotations

from typing import Any

import grpc
import structlog
from google.protobuf.message import Message

from services.runtime.addresses import Vetting
from services.runtime.calls import own_target
from services.runtime.settings import Settings
from services.workers.calls import OPTIONS, answered, bearer
from services.workers.sending import Outcome, send
from vallum.client.errors import VallumCallError
from vallum.notices.v1 import webhooks_pb2 as pb

PATH = "/vallum.notices.v1.WebhooksService/"
NOT_OURS = frozenset(
    {
        "delivery_not_found",
        "delivery_over",
        "delivery_not_due",
        "delivery_in_hand",
        "delivery_not_held",
        "webhook_disabled",
        "secret_lost",
    }
)
"""Codes that say: there is nothing to do, or somebody else does it."""

log = structlog.get_logger(__name__)


class Courier:
    """Made after the fork: channels do not survive one."""

    def __init__(self, settings: Settings) -> None:
        self._bearer = bearer(settings)
        self._vetting = Vetting(settings.webhook_allow_private)
        self._channel = grpc.insecure_channel(
            settings.notices_target or own_target(settings), OPTIONS
        )

    def deliver(self, id_: str, attempt: str) -> str:
        """How it went: "status_200", "timeout"…, or the code that says why there was nothing to do.

        Raises VallumCallError where the service does not answer: then it is hinted at again.
        """
        name = f"deliveries/{id_}"
        try:
            taken = self._call(
                "TakeDelivery",
                pb.TakeDeliveryRequest(name=name, request_id=attempt),
                pb.TakeDeliveryResponse,
            )
            outcome = self._sent(taken)
            report = pb.ReportDeliveryRequest(
                name=name, request_id=attempt, status=outcome.status, error=outcome.error
            )
            self._call("ReportDelivery", report, pb.ReportDeliveryResponse)
        except VallumCallError as refusal:
            if refusal.code in NOT_OURS:
                return refusal.code
            raise
        return outcome.error or f"status_{outcome.status}"

    def close(self) -> None:
        """Close the channel."""
        self._channel.close()

    def _sent(self, taken: Any) -> Outcome:
        headers = {header.name: header.value for header in taken.headers}
        return send(self._vetting, taken.url, headers, taken.body)

    def _call(self, method: str, request: Message, answer: Any) -> Any:
        call: Any = self._channel.unary_unary(
            PATH + method,
            request_serializer=type(request).SerializeToString,
            response_deserializer=answer.FromString,
        )
        return answered(call, request, self._bearer)
