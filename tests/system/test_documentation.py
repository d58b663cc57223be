"""The commands of the documentation, page by page as typed by a reader, beside a running server with a real agent.

`docs/` names the blocks that do not run here, with reasons; tests/docs checks these and the rest of the pages.
"""

import json
import shutil
from pathlib import Path

import pytest

from benchagent.server.client import Client
from benchagent.server.signing import Signer
from tests.docs.blocks import Block, blocks
from tests.docs.forms import RUN_HERE
from tests.docs.output import difference, session
from tests.docs.pages import PAGES, ROOT, name
from tests.docs.shell import Shell
from tests.signatures.signing import make_key
from tests.support.documents import document, encoded
from tests.system.server import Server

pytestmark = [
    pytest.mark.needs("cc", package="gcc"),
    pytest.mark.needs("curl", package="curl"),
    pytest.mark.needs("jq", package="jq"),
    pytest.mark.needs("ssh-keygen", package="openssh-client"),
]

GOLDEN = ROOT / "tests" / "agents" / "formats" / "golden"
ONE_SIZE, MANY_SIZES = GOLDEN / "iozone-seed_style_256M_1M.txt", GOLDEN / "iozone-auto_rw.txt"
SENDS = 'curl -s -H "Authorization: Bearer $TOKEN"'
TO_RUN = {page: found for page in PAGES if (found := [each for each in blocks(page) if each.language in RUN_HERE])}


@pytest.fixture(scope="module")
def stored(server: Server, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Assumptions of pages, as variables: a TOKEN, the id of a RUN of many sizes, the LINK of a permalink."""
    shell = Shell(tmp_path_factory.mktemp("stored"), server.url.rstrip("/"), server.environment)
    shutil.copy(MANY_SIZES, shell.here / "iozone.txt")
    shell.run(
        f"""
        TOKEN=$(.venv/bin/python manage.py token anna --create-owner --scope upload --scope read --visibility public)
        api={server.url}api/v1
        id=$({SENDS} -F files=@iozone.txt $api/imports | jq -r .id)
        until [ "$({SENDS} $api/imports/$id/state | jq -r .state)" = ready ]; do sleep 0.1; done
        RUN=$({SENDS} --json '{{"machine": "epyc-2"}}' $api/imports/$id/store | jq -er .runs[0].run_id)
        until [ "$(curl -s $api/runs/$RUN/state | jq -r .state)" = ready ]; do sleep 0.1; done
        body=$(jq -nc --arg query "run=$RUN" '{{query: $query, kind: "surface"}}')
        LINK=$({SENDS} --json "$body" $api/permalinks | jq -r .url)
        jq -n 'env | {{TOKEN, RUN, LINK}}' > stored.json
        """
    )
    variables: dict[str, str] = json.loads((shell.here / "stored.json").read_text())
    variables["SIGNED"] = _signed(server, variables["TOKEN"], shell.here)
    assert all(variables.values()), variables
    return variables


def _signed(server: Server, token: str, directory: Path) -> str:
    """The id of a run that an agent signed."""
    signer = Signer(make_key(directory))
    content = document(visibility="public")
    answer = Client(server.url, token, signer=signer).send(content["run_id"], encoded(content), lambda why, pause: None)
    assert answer.stored, answer
    return str(content["run_id"])


@pytest.mark.parametrize("page", TO_RUN, ids=name)
def test_the_commands_of_a_page_do_what_it_says(
    page: Path, server: Server, stored: dict[str, str], tmp_path: Path
) -> None:
    shell = Shell(tmp_path, server.url.rstrip("/"), {**server.environment, **stored})
    shutil.copy(ONE_SIZE, shell.here / "iozone.txt")
    for block in blocks(page):
        if block.reason is None:
            follow(shell, block)


def follow(shell: Shell, block: Block) -> None:
    """Follow a block as a reader does. Raises AssertionError with its position."""
    for word in block.words.split():
        if word.startswith("file="):
            (shell.here / word.removeprefix("file=")).write_text(block.text)
    try:
        if block.language == "sh":
            shell.run(block.text)
        elif block.language == "python":
            shell.run(f"python3 - <<'END'\n{block.text}\nEND")
        elif block.language == "console":
            for command, printed in session(block.text):
                problem = difference(printed, shell.run(command), figures="figures" in block.words)
                assert problem is None, problem
    except AssertionError as error:
        raise AssertionError(f"{block.place}: {error}") from None
