"""Tokens: minted by whoever holds the private key, believed by whoever holds the public one."""

from __future__ import annotations

import base64
import json
import stat
import time
from pathlib import Path

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.rsa import generate_private_key
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from services.runtime import auth
from services.runtime.auth import NOBODY, Caller, Keys, Role, Verifier, caller, role_named
from services.runtime.callers import SCOPES, scope_names, scopes_of
from services.runtime.errors import Unauthenticated
from services.runtime.settings import SettingsError
from vallum.options.v1 import access_pb2

ANN = Caller("ann", "acme", Role.PLAYER)


def test_a_token_says_who_calls(keys: Keys, verifier: Verifier) -> None:
    assert verifier.verify(keys.mint(ANN)) == ANN
    worker = Caller("worker-1", "", Role.SERVICE)
    assert verifier.verify(keys.mint(worker)) == worker


def test_a_verified_token_is_remembered_until_it_expires(
    keys: Keys, verifier: Verifier, monkeypatch: pytest.MonkeyPatch
) -> None:
    token = keys.mint(ANN, ttl=2 - auth.LEEWAY)
    assert verifier.verify(token) == ANN
    with monkeypatch.context() as patch:
        patch.setattr(jwt, "decode", None)
        assert verifier.verify(token) == ANN
    time.sleep(2)
    with pytest.raises(Unauthenticated, match="token_expired"):
        verifier.verify(token)


def test_it_remembers_no_more_than_it_should(keys: Keys, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(auth, "REMEMBERED", 10)
    verifier = Verifier(keys)
    for number in range(50):
        player = Caller(f"p{number}", "acme", Role.PLAYER)
        assert verifier.verify(keys.mint(player)) == player
    assert len(verifier._seen) <= 10


def test_two_keys_are_valid_while_one_replaces_the_other(keys: Keys) -> None:
    new = Keys.generate()
    verifier = Verifier(keys, new)
    assert verifier.verify(keys.mint(ANN)) == verifier.verify(new.mint(ANN)) == ANN


def forged(keys: Keys, **claims: object) -> str:
    """A token of our key that differs from a good one in some claims; None leaves one out."""
    good = {
        "iss": "vallum",
        "aud": "vallum",
        "sub": "ann",
        "tenant": "acme",
        "role": "player",
        "exp": time.time() + 60,
    }
    wanted = {name: value for name, value in {**good, **claims}.items() if value is not None}
    assert keys._private is not None
    return jwt.encode(wanted, keys._private, algorithm="EdDSA", headers={"kid": keys.kid})


def test_the_forger_can_also_write_a_good_one(keys: Keys, verifier: Verifier) -> None:
    assert verifier.verify(forged(keys)) == ANN


@pytest.mark.parametrize(
    "claims",
    [
        {"iss": "somebody"},
        {"aud": "somebody"},
        {"aud": None},
        {"exp": None},
        {"sub": ""},
        {"sub": None},
        {"tenant": None},
        {"tenant": 7},
        {"role": "nobody"},
        {"role": "unspecified"},
        {"role": "king"},
        {"role": None},
        {"nbf": 4_000_000_000},  # in the year 2096
    ],
    ids=str,
)
def test_a_token_with_a_wrong_claim_is_refused(
    keys: Keys, verifier: Verifier, claims: dict[str, object]
) -> None:
    with pytest.raises(Unauthenticated) as caught:
        verifier.verify(forged(keys, **claims))
    assert caught.value.code == "token_invalid"


def test_an_expired_token_is_refused_by_its_own_code(keys: Keys, verifier: Verifier) -> None:
    with pytest.raises(Unauthenticated) as caught:
        verifier.verify(keys.mint(ANN, ttl=-auth.LEEWAY - 1))
    assert caught.value.code == "token_expired"


def test_clocks_may_differ_a_little(keys: Keys, verifier: Verifier) -> None:
    now = time.time()
    ahead = forged(keys, iat=now + auth.LEEWAY - 1, nbf=now + auth.LEEWAY - 1)
    assert verifier.verify(ahead) == ANN
    assert verifier.verify(forged(keys, exp=now - auth.LEEWAY + 2)) == ANN
    with pytest.raises(Unauthenticated, match="token_invalid"):
        verifier.verify(forged(keys, iat=now + auth.LEEWAY + 10))


def test_a_token_carries_its_key_and_what_that_is_good_for(keys: Keys, verifier: Verifier) -> None:
    scopes = scopes_of(["matches", "players"])
    backend = Caller("acme", "acme", Role.TENANT, "k1", scopes)
    assert verifier.verify(keys.mint(backend)) == backend
    later = forged(keys, scopes=["matches", "of a later contract"])
    assert verifier.verify(later).scopes == scopes_of(["matches"])


def test_a_token_that_was_verified_is_refused_once_its_key_is_revoked(keys: Keys) -> None:
    verifier = Verifier(keys)
    mine = keys.mint(Caller("ann", "acme", Role.PLAYER, "k1"))
    other = keys.mint(Caller("ann", "acme", Role.PLAYER, "k2"))
    worker = keys.mint(Caller("worker", "acme", Role.SERVICE))
    for token in (mine, other, worker):
        verifier.verify(token)
    verifier.refuse({"k1"})
    with pytest.raises(Unauthenticated, match="key was revoked") as caught:
        verifier.verify(mine)
    assert caught.value.code == "token_revoked"
    verifier.verify(other)
    verifier.refuse({"k1"}, {"acme"})
    with pytest.raises(Unauthenticated):
        verifier.verify(other)
    assert verifier.verify(worker).role == Role.SERVICE
    verifier.refuse(())
    verifier.verify(mine)


def test_a_key_that_is_no_longer_believed_takes_its_tokens_along(keys: Keys) -> None:
    verifier, second = Verifier(keys), Keys.generate()
    token = second.mint(ANN)
    verifier.believe([second])
    assert verifier.verify(token) == ANN
    verifier.believe([])
    with pytest.raises(Unauthenticated, match="token_invalid"):
        verifier.verify(token)
    assert verifier.verify(keys.mint(ANN)) == ANN


def unsigned(keys: Keys) -> str:
    """A token whose header says that it needs no signature."""
    header, claims, _ = keys.mint(ANN).split(".")
    plain = json.loads(base64.urlsafe_b64decode(header + "=="))
    none = json.dumps({**plain, "alg": "none"}).encode()
    return f"{base64.urlsafe_b64encode(none).rstrip(b'=').decode()}.{claims}."


def by_public_key(keys: Keys) -> str:
    """A token signed by HMAC with the public key as its secret."""
    claims = {"iss": "vallum", "aud": "vallum", "sub": "ann", "tenant": "acme", "role": "admin"}
    secret = keys.public.public_bytes_raw()
    return jwt.encode(
        {**claims, "exp": time.time() + 60}, secret, algorithm="HS256", headers={"kid": keys.kid}
    )


@pytest.mark.parametrize("attack", [unsigned, by_public_key])
def test_the_token_does_not_choose_the_algorithm(
    keys: Keys, verifier: Verifier, attack: object
) -> None:
    assert callable(attack)
    with pytest.raises(Unauthenticated):
        verifier.verify(attack(keys))


@pytest.mark.parametrize("token", ["", "x", "a.b.c", "é.é.é", "." * 100, "e30.e30.e30"])
def test_what_is_no_token_is_refused(verifier: Verifier, token: str) -> None:
    with pytest.raises(Unauthenticated):
        verifier.verify(token)


def test_a_changed_token_is_refused(keys: Keys, verifier: Verifier) -> None:
    header, claims, signature = keys.mint(ANN).split(".")
    _, other, _ = keys.mint(Caller("ann", "acme", Role.ADMIN)).split(".")
    assert verifier.verify(f"{header}.{claims}.{signature}") == ANN
    with pytest.raises(Unauthenticated):
        verifier.verify(f"{header}.{other}.{signature}")


def test_the_key_file_is_made_once_and_is_for_its_owner(tmp_path: Path) -> None:
    path = tmp_path / "key.pem"
    first = Keys.ensure(path)
    assert Keys.ensure(path).kid == first.kid
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert Verifier(Keys.load(path)).verify(first.mint(ANN)) == ANN


def test_who_has_the_public_key_only_verifies(keys: Keys, tmp_path: Path) -> None:
    path = tmp_path / "public.pem"
    path.write_bytes(keys.public_pem())
    public = Keys.load(path)
    assert Verifier(public).verify(keys.mint(ANN)) == ANN
    with pytest.raises(SettingsError, match="only verifies"):
        public.mint(ANN)


def test_a_file_that_is_no_such_key_is_said_clearly(tmp_path: Path) -> None:
    path = tmp_path / "key.pem"
    rsa = generate_private_key(65537, 2048)
    pem = rsa.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    for content in (b"", b"-----BEGIN PRIVATE KEY-----\n", pem):
        path.write_bytes(content)
        with pytest.raises(SettingsError, match="not an Ed25519 key"):
            Keys.load(path)
    with pytest.raises(SettingsError, match="No such file"):
        Keys.load(tmp_path / "none")


def test_a_file_may_hold_the_next_key_and_the_last(keys: Keys, tmp_path: Path) -> None:
    path, last = tmp_path / "keys.pem", Keys.generate()
    path.write_bytes(keys._private_pem() + b"the one before\n" + last.public_pem())
    assert Keys.load(path).kid == keys.kid
    verifier = Verifier(*Keys.load_all(path))
    assert verifier.verify(last.mint(ANN)) == verifier.verify(keys.mint(ANN)) == ANN


def test_the_edge_can_verify_by_the_key_set(keys: Keys) -> None:
    (key,) = keys.jwks()["keys"]
    public = Ed25519PublicKey.from_public_bytes(base64.urlsafe_b64decode(key["x"] + "="))
    jwt.decode(keys.mint(ANN), public, algorithms=[key["alg"]], audience="vallum")
    assert key["kid"] == jwt.get_unverified_header(keys.mint(ANN))["kid"]


def test_roles_are_those_of_the_contract() -> None:
    contract = {name.removeprefix("ROLE_"): number for name, number in access_pb2.Role.items()}
    contract["NOBODY"] = contract.pop("UNSPECIFIED")
    assert contract == {role.name: role.value for role in Role}
    assert role_named("tenant") is Role.TENANT
    for name in ("nobody", "king", ""):
        with pytest.raises(ValueError, match="no such role"):
            role_named(name)


def test_scopes_are_those_of_the_contract() -> None:
    contract = {
        name.removeprefix("SCOPE_").lower(): number
        for name, number in access_pb2.Scope.items()
        if number
    }
    assert contract == SCOPES
    for name in contract:
        assert scope_names(scopes_of([name])) == [name]


def test_outside_of_a_call_nobody_calls() -> None:
    assert caller() == NOBODY
