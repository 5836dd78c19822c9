"""What a tenant names must not lead into our own network."""

from __future__ import annotations

import socket
from ipaddress import ip_address

import pytest

from services.runtime.addresses import BadUrl, Vetting, parsed
from services.runtime.settings import Settings, SettingsError

PRIVATE = (
    *("127.0.0.1", "127.1.2.3", "0.0.0.0", "10.0.0.1", "172.16.5.4", "192.168.1.1", "100.64.0.1"),
    *("169.254.169.254", "100.100.100.200", "168.63.129.16", "192.0.0.192", "198.18.0.1"),
    *("192.0.2.1", "224.0.0.1", "239.255.255.250", "240.0.0.1", "255.255.255.255"),
    *("::1", "::", "fe80::1", "fc00::1", "fd00:ec2::254", "fec0::1", "ff02::1", "2001:db8::1"),
    *("::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:a9fe:a9fe", "64:ff9b::7f00:1"),
    *("2002:7f00:1::", "2001:0:7f00:1::", "::127.0.0.1", "100::1"),
)
PUBLIC = ("1.1.1.1", "93.184.216.34", "2606:4700:4700::1111", "::ffff:1.1.1.1")
DISGUISED = (
    *("2130706433", "0x7f000001", "0x7f.1", "0177.0.0.1", "127.1", "017700000001", "0"),
    *("127.0.0.0x1", "1.1.1.1.1", "256.256.256.256", "[::1%25lo]", "①②⑦.⓪.⓪.①", "127。0。0。1"),
)


def is_name(host: str) -> str:
    return f"[{host}]" if ":" in host and "[" not in host else host


@pytest.mark.parametrize("address", PRIVATE)
def test_private_addresses_are_refused(address: str) -> None:
    vetting = Vetting()
    assert not vetting.may_call(ip_address(address), tls=True)
    with pytest.raises(BadUrl):
        vetting.read(f"https://{is_name(address)}/hook")


@pytest.mark.parametrize("address", PUBLIC)
def test_public_addresses_may_be_called(address: str) -> None:
    url = Vetting().read(f"https://{is_name(address)}:8443/hook?a=b")
    assert Vetting().resolved(url) == [ip_address(address)]
    assert (url.port, url.path) == (8443, "/hook?a=b")
    assert not Vetting().may_call(ip_address(address), tls=False)


@pytest.mark.parametrize("host", DISGUISED)
def test_an_address_in_disguise_is_no_host(host: str) -> None:
    for allowed in ((), ("127.0.0.0/8",)):
        with pytest.raises(BadUrl):
            Vetting(allowed).read(f"https://{host}/hook")


@pytest.mark.parametrize(
    "text",
    [
        *("http://studio.example/", "ftp://studio.example/", "file:///etc/passwd", "gopher://a.b/"),
        *("https://user@studio.example/", "https://u:p@studio.example/", "https://a.b/#part"),
        *(
            "https://",
            "https:///hook",
            "https://studio.example:99999/",
            "https://studio.example:x/",
        ),
        *("https://studio.example\\@10.0.0.1/", "https://stu dio.example/", "https://a.b/\r\nx: y"),
        *("https://-a.example/", "https://a..example/", "https://" + "a" * 64 + ".example/", "a.b"),
        *("https://[::1", "https://" + ".".join(["a" * 60] * 5) + ".example/", "//studio.example/"),
    ],
)
def test_what_is_no_url_for_us_is_refused(text: str) -> None:
    with pytest.raises(BadUrl):
        Vetting().read(text)


def test_a_name_that_leads_to_us_is_refused() -> None:
    url = Vetting().read("https://localhost/hook")
    with pytest.raises(BadUrl, match="not public"):
        Vetting().resolved(url)


def test_one_private_address_among_several_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    def both(*_: object, **__: object) -> object:
        rows = ("1.1.1.1", 443), ("10.0.0.7", 443), ("2606:4700:4700::1111", 443, 0, 0)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", row) for row in rows]

    monkeypatch.setattr(socket, "getaddrinfo", both)
    url = Vetting().read("https://rebinding.example/")
    with pytest.raises(BadUrl):
        Vetting().resolved(url)
    assert len(Vetting(["10.0.0.0/8"]).resolved(url)) == 3


def test_a_network_may_be_allowed_and_no_other() -> None:
    vetting = Vetting(["10.1.0.0/16", "::1/128"])
    assert vetting.read("http://10.1.2.3:8080/").authority == "10.1.2.3:8080"
    assert vetting.resolved(vetting.read("http://[::1]:8080/hook")) == [ip_address("::1")]
    assert vetting.may_call(ip_address("::ffff:10.1.2.3"), tls=False)
    for text in ("http://10.2.0.1/", "https://10.2.0.1/", "https://127.0.0.1/", "http://1.1.1.1/"):
        with pytest.raises(BadUrl):
            vetting.read(text)
    assert vetting.read("http://receiver.internal/").host == "receiver.internal"


@pytest.mark.parametrize("network", ["10.0.0.1/8", "300.0.0.0/8", "::/300"])
def test_a_network_that_is_none_is_told(network: str) -> None:
    with pytest.raises(SettingsError, match="VALLUM_WEBHOOK_ALLOW_PRIVATE"):
        Vetting([network])


def test_networks_are_read_from_the_environment() -> None:
    given = {"VALLUM_WEBHOOK_ALLOW_PRIVATE": "127.0.0.0/8, ::1/128"}
    assert Settings.load(given).webhook_allow_private == ("127.0.0.0/8", "::1/128")
    with pytest.raises(SettingsError):
        Settings.load({"VALLUM_WEBHOOK_ALLOW_PRIVATE": "true"})


def test_the_host_header_names_what_was_asked_for() -> None:
    assert parsed("https://Studio.Example./a").authority == "studio.example"
    assert parsed("https://studio.example:444/a").authority == "studio.example:444"
    assert parsed("https://[2606:4700:4700::1111]/a").authority == "[2606:4700:4700::1111]"
    assert parsed("https://studio.example?x=1").path == "/?x=1"
