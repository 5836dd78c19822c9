"""One POST to an address that somebody else has named: to the very address that was vetted, within
a bounded time, following nothing, believing nothing."""

from __future__ import annotations

import ssl
from collections.abc import Mapping
from typing import NamedTuple

from urllib3 import HTTPConnectionPool, HTTPSConnectionPool, Timeout
from urllib3.exceptions import (
    ConnectTimeoutError,
    HTTPError,
    NewConnectionError,
    ReadTimeoutError,
    SSLError,
)

from services.runtime.addresses import Address, BadUrl, Url, Vetting
from services.workers.limit import OutOfTime, within

TOTAL_S = 10.0
"""For all of it: less than the lease of a delivery."""
CONNECT_S = 3.0
READ_S = 8.0
ADDRESSES = 3
"""So many addresses of a name are tried, until one takes the connection."""


class Outcome(NamedTuple):
    """What came of it."""

    status: int = 0
    """Of the answer; 0: there was none."""
    error: str = ""
    """Why not."""


def send(vetting: Vetting, text: str, headers: Mapping[str, str], body: bytes) -> Outcome:
    """POST `body`. Only in a process's main thread; it raises nothing that the network does."""
    try:
        with within(TOTAL_S):
            url = vetting.read(text)
            return tried(url, vetting.resolved(url), headers, body)
    except OutOfTime:
        return Outcome(error="timeout")
    except BadUrl:
        return Outcome(error="address_refused")
    except (OSError, UnicodeError):
        return Outcome(error="name_not_found")


def tried(url: Url, addresses: list[Address], headers: Mapping[str, str], body: bytes) -> Outcome:
    """Send to the first address that takes the connection."""
    outcome = Outcome(error="no_connection")
    for address in addresses[:ADDRESSES]:
        try:
            return Outcome(status=posted(url, address, headers, body))
        except (NewConnectionError, ConnectTimeoutError):
            continue
        except SSLError:
            return Outcome(error="tls_failed")
        except ReadTimeoutError:
            return Outcome(error="timeout")
        except (HTTPError, OSError):
            return Outcome(error="no_answer")
    return outcome


def posted(url: Url, address: Address, headers: Mapping[str, str], body: bytes) -> int:
    """The status of the answer of one address. Its certificate must be that of the URL's host.

    Raises HTTPError, OSError.
    """
    host = f"[{address}]" if address.version == 6 else str(address)
    with pool(url, host) as connections:
        answer = connections.urlopen(
            "POST",
            url.path,
            body=body,
            headers={**headers, "host": url.authority},
            retries=False,
            redirect=False,
            preload_content=False,
            decode_content=False,
        )
        answer.close()  # its status is all that is wanted: not a byte of the rest is read
        return int(answer.status)


def pool(url: Url, address: str) -> HTTPConnectionPool:
    """Connections to one address in the name of a host."""
    timeout = Timeout(connect=CONNECT_S, read=READ_S)
    if not url.tls:
        return HTTPConnectionPool(address, url.port, timeout=timeout, maxsize=1)
    return HTTPSConnectionPool(
        address,
        url.port,
        timeout=timeout,
        maxsize=1,
        ssl_context=ssl.create_default_context(),
        server_hostname=url.host,
        assert_hostname=url.host,
    )
