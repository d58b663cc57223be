"""The run of fio that tests of this folder share."""

import pytest

from .logged_run import LoggedRun, logged_run


@pytest.fixture(scope="session")
def logged(tmp_path_factory: pytest.TempPathFactory) -> LoggedRun:
    """One run of fio with all kinds of logs; needs fio."""
    return logged_run(tmp_path_factory.mktemp("fio-logs"))
