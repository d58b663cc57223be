"""Signed documents: accepted if ssh-keygen made the signature, refused whole otherwise, and verified offline again."""

import base64
import subprocess
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from benchagent.server.answers import NotNow
from benchagent.server.signing import Signer
from benchdb.runs.models import Run
from benchdb.signatures import services
from benchdb.signatures.models import Signature, SigningKey
from benchdb.signatures.services import MOST_KEYS, KeyRefused, add_key, challenge_text, new_challenge, revoke_key
from benchdb.signatures.sshsig import LONGEST
from tests.conftest import Upload
from tests.signatures.signing import make_key, proof, registered_key, signed, signed_otherwise
from tests.support.documents import document, encoded
from tests.support.html import read
from tests.support.store import make_token, make_user

P = 2**255 - 19  # the field of Ed25519
ORDER_8 = 0x05FC536D880238B13933C6D305ACDFD5F098EFF289F4C345B027B2C28F95E826

pytestmark = pytest.mark.needs("ssh-keygen", package="openssh-client")


@pytest.fixture(scope="module")
def key(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_key(tmp_path_factory.mktemp("keys"))


def send(upload: Upload, signature: str | None, **more: Any) -> tuple[dict[str, Any], Any]:
    """Upload a public document with this signature; `body` is signed by a function of its bytes."""
    content = document(visibility="public")
    return content, upload(content, headers={"BenchDB-Signature": signature} if signature else None, **more)


def send_signed(upload: Upload, key: Path, **more: Any) -> tuple[dict[str, Any], Any]:
    content = document(visibility="public")
    body = encoded(content)
    return content, upload(content, body=body, headers={"BenchDB-Signature": signed(key, body)}, **more)


def words(client: Client, content: dict[str, Any]) -> str:
    """The sentence about the signature on the run's page."""
    text = read(client.get(f"/runs/{content['run_id']}/")).text
    start = text.find("Signed by")
    return text[start : text.index(" Verify offline", start)] if start >= 0 else ""


def test_a_signed_run_names_its_signer_and_is_verified_offline(
    client: Client, owner: User, upload: Upload, key: Path, tmp_path: Path
) -> None:
    registered = registered_key(owner, "agent on epyc-2", key)
    content, answer = send_signed(upload, key)
    assert answer.status_code == 201
    assert words(client, content) == f"Signed by ada, key “agent on epyc-2”: verified, {registered.fingerprint}."

    for name in ("document.json", "document.json.sig", "allowed_signers"):
        (tmp_path / name).write_bytes(client.get(f"/runs/{content['run_id']}/signed/{name}").content)
    assert (tmp_path / "document.json").read_bytes() == encoded(content)
    signer = (tmp_path / "allowed_signers").read_text().split()[0]
    command = ["ssh-keygen", "-Y", "verify", "-f", "allowed_signers", "-I", signer, "-n", "benchdb"]
    command += ["-s", "document.json.sig"]

    def offline(data: bytes) -> int:
        return subprocess.run(command, input=data, cwd=tmp_path, capture_output=True, check=False).returncode

    assert offline(encoded(content)) == 0
    assert offline(encoded(content) + b" ") != 0


def test_the_fingerprint_is_that_of_ssh_keygen(owner: User, key: Path) -> None:
    printed = subprocess.run(["ssh-keygen", "-l", "-f", key], capture_output=True, check=True, text=True).stdout
    assert registered_key(owner, "x", key).fingerprint == printed.split()[1]


def test_keys_that_the_owner_does_not_have_are_unknown(client: Client, owner: User, upload: Upload, key: Path) -> None:
    of_eve = registered_key(make_user("eve"), "of somebody else", key)
    content, answer = send_signed(upload, key)
    assert answer.status_code == 201
    assert words(client, content).startswith("Signed by an unknown key, SHA256:")
    revoke_key(of_eve, timezone.now())  # a key is active for one account
    registered_key(owner, "mine", key)
    assert "key “mine”: verified" in words(client, content)


def test_a_revoked_key_signs_nothing_more(client: Client, owner: User, upload: Upload, key: Path) -> None:
    registered = registered_key(owner, "lost", key)
    content, _ = send_signed(upload, key)
    revoke_key(registered, timezone.now())
    assert "verified; revoked on" in words(client, content)
    refused, answer = send_signed(upload, key)
    assert (answer.status_code, answer.json()["error"]["code"]) == (422, "bad_signature")
    assert "its key was revoked on" in answer.json()["error"]["message"]
    assert not Run.objects.filter(pk=refused["run_id"]).exists()

    SigningKey.objects.update(revoked_at=timezone.now() - timedelta(days=1))
    assert "before this upload" in words(client, content)


@pytest.mark.parametrize(
    ("signature", "why"),
    [
        ("", "not in OpenSSH's format"),
        ("!!!", "not base64"),
        ("ünïcode", "not base64"),
        ("A" * (LONGEST + 4), f"longer than {LONGEST}"),
        (base64.b64encode(b"PGPSIG").decode(), "not in OpenSSH's format"),
        (base64.b64encode(b"SSHSIG\0\0\0\1").decode(), "cut short"),
        (base64.b64encode(b"SSHSIG\0\0\0\2").decode(), "another version"),
        (base64.b64encode(b"SSHSIG\0\0\0\1\xff\xff\xff\xff").decode(), "cut short"),
    ],
)
def test_garbage_is_refused_whole(upload: Upload, signature: str, why: str) -> None:
    answer = upload(document(), headers={"BenchDB-Signature": signature})
    assert (answer.status_code, answer.json()["error"]["code"]) == (422, "bad_signature")
    assert why in answer.json()["error"]["message"]
    assert not Run.objects.exists()


def test_signatures_of_other_bytes_namespaces_and_keys_are_refused(upload: Upload, key: Path, tmp_path: Path) -> None:
    content = document()
    body = encoded(content)
    ecdsa = make_key(tmp_path, "ecdsa", "ecdsa")
    valid = base64.b64decode(signed(key, body))
    cases = {
        "not a signature of this text": signed(key, body + b" "),
        "namespace is 'git'": signed_otherwise(key, body, "git"),
        "not by an Ed25519 key": signed_otherwise(ecdsa, body, "benchdb"),
        "something follows its end": base64.b64encode(valid + b"\0").decode(),
    }
    for why, signature in cases.items():
        answer = upload(content, body=body, headers={"BenchDB-Signature": signature})
        assert answer.status_code == 422
        assert why in answer.json()["error"]["message"]
    for place in range(len(valid)):
        damaged = valid[:place] + bytes([valid[place] ^ 1]) + valid[place + 1 :]
        text = base64.b64encode(damaged).decode()
        assert upload(content, body=body, headers={"BenchDB-Signature": text}).status_code == 422, place
    assert not Run.objects.exists()


@pytest.mark.parametrize("sign", [0, 1])
@pytest.mark.parametrize("y", [0, 1, ORDER_8, P - ORDER_8, P - 1, P, P + 1])
def test_a_key_with_which_anybody_could_sign_is_refused(upload: Upload, ada: Client, y: int, sign: int) -> None:
    def packed(*parts: bytes) -> bytes:
        return b"".join(len(part).to_bytes(4, "big") + part for part in parts)

    def made(namespace: bytes) -> str:
        point = (y + (sign << 255)).to_bytes(32, "little")
        key, of_any_text = packed(b"ssh-ed25519", point), packed(b"ssh-ed25519", point + bytes(32))
        return base64.b64encode(b"SSHSIG\0\0\0\1" + packed(key, namespace, b"", b"sha512", of_any_text)).decode()

    answer = upload(document(), headers={"BenchDB-Signature": made(b"benchdb")})
    assert (answer.status_code, answer.json()["error"]["message"].count("its key is weak")) == (422, 1)
    assert "its key is weak" in read(posted(ada, "x", lambda _: made(b"benchdb-key")), 422).text


def test_an_upload_may_be_repeated_and_unsigned_ones_say_nothing(client: Client, upload: Upload, key: Path) -> None:
    content, _ = send_signed(upload, key)
    body = encoded(content)
    assert upload(content, body=body, headers={"BenchDB-Signature": signed(key, body)}).status_code == 200
    unsigned, answer = send(upload, None)
    assert (answer.status_code, words(client, unsigned)) == (201, "")
    assert client.get(f"/runs/{unsigned['run_id']}/signed/document.json").status_code == 404
    assert client.get(f"/runs/{content['run_id']}/signed/other").status_code == 404


def test_signed_files_of_private_runs_are_the_owners(client: Client, owner: User, upload: Upload, key: Path) -> None:
    content = document(visibility="private")
    body = encoded(content)
    upload(content, body=body, headers={"BenchDB-Signature": signed(key, body)})
    address = f"/runs/{content['run_id']}/signed/document.json"
    assert client.get(address).status_code == 404
    client.force_login(owner)
    assert (client.get(address).content, Signature.objects.get().document[8]) == (body, 4)  # gzip's fastest level


def posted(client: Client, name: str, proof_of: Callable[[str], str]) -> HttpResponse:
    """The answer to a key whose proof is made of the challenge on the page."""
    elements = read(client.get("/account/keys/")).elements
    [challenge] = [attributes["value"] for _, attributes in elements if attributes.get("name") == "challenge"]
    text = challenge_text(User.objects.get(pk=client.session["_auth_user_id"]), challenge)
    return client.post("/account/keys/", {"name": name, "challenge": challenge, "proof": proof_of(text)})


def test_a_key_is_registered_and_revoked_on_the_page(ada: Client, key: Path) -> None:
    prove = partial(proof, key)
    assert posted(ada, "agent on epyc-2", prove).status_code == 302
    registered = SigningKey.objects.get()
    page = read(ada.get("/account/keys/"))
    assert registered.fingerprint in page.text
    assert "Your account has this key already." in read(posted(ada, "again", prove), 422).text
    eve = Client()
    eve.force_login(make_user("eve"))
    assert "Another account has this key" in read(posted(eve, "mine", prove), 422).text
    revoke = page.links["Revoke"]
    assert ada.post(revoke, {"since": "2026-11-01"}).status_code == 302
    registered.refresh_from_db()
    assert (f"{registered.revoked_at:%Y-%m-%d}", eve.post(revoke).status_code) == ("2026-11-01", 404)
    assert posted(eve, "mine", prove).status_code == 302, "active for one account"


@pytest.mark.parametrize(
    ("made", "why"),
    [
        (lambda key, text: "", "proof"),
        (lambda key, text: "!", "not base64"),
        (lambda key, text: proof(key, text + " "), "not a signature of this text"),
        (lambda key, text: signed(key, text.encode()), "its namespace is &#x27;benchdb&#x27; instead of"),
    ],
)
def test_a_key_without_a_proof_is_not_registered(
    ada: Client, key: Path, made: Callable[[Path, str], str], why: str
) -> None:
    answer = posted(ada, "x", partial(made, key))
    assert why in answer.content.decode()
    assert (answer.status_code, SigningKey.objects.exists()) == (422, False)


def test_a_text_of_another_account_or_day_proves_nothing(
    owner: User, key: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    of_eve = new_challenge(make_user("eve"))
    with pytest.raises(KeyRefused, match="of another account"):
        add_key(owner, "x", of_eve, proof(key, challenge_text(owner, of_eve)))
    monkeypatch.setattr(services, "CHALLENGE_SECONDS", -1)
    with pytest.raises(KeyRefused, match="older than an hour"):
        registered_key(owner, "x", key)


def test_a_key_of_the_first_release_counts_after_it_is_proved(
    client: Client, owner: User, upload: Upload, key: Path
) -> None:
    registered = registered_key(owner, "old", key)
    SigningKey.objects.update(proved=False)
    content, _ = send_signed(upload, key)
    assert words(client, content).startswith("Signed by an unknown key")
    assert registered_key(owner, "new", key).pk == registered.pk
    assert "verified" in words(client, content)


def test_an_account_has_so_many_keys(owner: User, key: Path) -> None:
    made = [SigningKey(owner=owner, name="x", key=b"", fingerprint=str(i)) for i in range(MOST_KEYS)]
    SigningKey.objects.bulk_create(made)
    with pytest.raises(KeyRefused, match=f"at most {MOST_KEYS} keys"):
        registered_key(owner, "x", key)


def test_a_key_that_cannot_sign_leaves_the_document_waiting(tmp_path: Path) -> None:
    with pytest.raises(NotNow, match="cannot sign"):
        Signer(tmp_path / "missing")(b"{}")
    locked = tmp_path / "locked"
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "secret", "-f", locked], check=True)
    with pytest.raises(NotNow, match="cannot sign"):
        Signer(locked)(b"{}")


def test_tokens_of_others_do_not_sign_for_the_owner(client: Client, owner: User, upload: Upload, key: Path) -> None:
    registered_key(owner, "ada's", key)
    _, secret = make_token(make_user("eve"))
    content, answer = send_signed(upload, key, secret=secret)
    assert answer.status_code == 201
    assert words(client, content).startswith("Signed by an unknown key")
