"""`PUT /api/v1/runs/{run_id}`."""

from tests.conftest import Upload
from tests.support.documents import document, iozone_document


def test_a_new_document_is_stored(upload: Upload) -> None:
    sent = iozone_document()

    answer = upload(sent)

    assert answer.status_code == 201, answer.content
    assert answer.json() == {
        "run_id": sent["run_id"],
        "url": f"http://testserver/runs/{sent['run_id']}/",
        "state": "received",
        "failure": "",
    }


def test_the_same_document_again_changes_nothing(upload: Upload) -> None:
    sent = document()
    upload(sent)

    assert upload(sent).status_code == 200
