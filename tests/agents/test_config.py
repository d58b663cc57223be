"""The agent's config file: its location, its settings, and its faults, each with its position."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchagent.config import Config, find, load, open_source, parse
from benchagent.errors import ConfigError
from benchagent.inventory.declared import KINDS, read_declared, to_toml
from benchagent.toml.parser import parse_toml

WHOLE = """
server = "https://bench.example.org/"
token_file = "token"
machine_name = "raid-12"
work_dir = "/srv/bench/work"

[targets]
directories = ["/srv/bench/", "/mnt/array"]
devices = ["/dev/disk/by-id/ata-WDC_WD40EFRX-1"]
wipe = ["/dev/disk/by-id/ata-WDC_WD40EFRX-1"]
images = true

[declare.cpu]
model = "Xeon E5-2670"

[[declare.memory_module]]
count = 12
size = "4 GiB"
type = "DDR3"
transfer_rate = "1333 MT/s"

[declare.controller]
model = "SmartArray P400"
cache = "256 MiB"
cache_mode = "write back, battery"

[[declare.raid]]
disk = "LOGICAL VOLUME"
level = "raid6"
chunk = "128 KiB"
members = 12
override = true
disks = {model = "ST3300656SS", rotational = true, size = "300 GiB"}
"""


@pytest.fixture(autouse=True)
def nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BENCHAGENT_STATE", str(tmp_path / "state"))
    monkeypatch.delenv("BENCHAGENT_CONFIG", raising=False)


def faults(text: str) -> list[str]:
    with pytest.raises(ConfigError) as caught:
        parse(text, Path("/etc/benchagent/config.toml"))
    assert caught.value.exit_code == 12
    first, *rest = str(caught.value).splitlines()
    assert first == "The config file /etc/benchagent/config.toml is not valid:"
    return rest


class TestReading:
    def test_all_there_is_to_say(self) -> None:
        config = parse(WHOLE, Path("/etc/benchagent/config.toml"))
        assert config.server == "https://bench.example.org"
        assert config.token_file == Path("/etc/benchagent/token"), "beside the config file"
        assert (config.machine_name, config.work_dir) == ("raid-12", Path("/srv/bench/work"))
        assert config.directories == ("/srv/bench", "/mnt/array")
        assert config.devices == ("/dev/disk/by-id/ata-WDC_WD40EFRX-1",)
        assert config.wipe == config.devices
        assert config.images is True

    def test_declared_facts_are_in_base_units(self) -> None:
        declared = parse(WHOLE, Path("/c")).declared
        (module,) = declared.of("memory_module")
        assert module.facts == {"count": 12, "size": 4 * 2**30, "type": "DDR3", "transfer_rate": 1_333_000_000}
        (controller,) = declared.of("controller")
        assert (controller.about, controller.override) == (None, False)
        assert controller.facts["cache"] == 256 * 2**20
        (raid,) = declared.of("raid")
        assert (raid.about, raid.override) == ("LOGICAL VOLUME", True)
        assert raid.facts == {"level": "raid6", "chunk": 131072, "members": 12}
        assert raid.members == {"model": "ST3300656SS", "rotational": True, "size": 300 * 2**30}

    def test_an_empty_file_allows_nothing(self) -> None:
        found = parse("", Path("/c"))
        assert (found.directories, found.devices, found.images, found.work_dir) == ((), (), False, None)
        assert found.declared.of("raid") == ()

    def test_declared_facts_survive_being_written(self) -> None:
        declared = parse(WHOLE, Path("/c")).declared
        again: list[str] = []
        assert read_declared(parse_toml(to_toml(declared))["declare"], again) == declared
        assert again == []

    @given(st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=100))
    def test_any_name_survives_being_written(self, model: str) -> None:
        faults: list[str] = []
        declared = read_declared({"disk": {"disk": model, "model": model}}, faults)
        assert faults == []
        assert read_declared(parse_toml(to_toml(declared))["declare"], faults) == declared


class TestFaults:
    def test_all_are_listed_with_their_place(self) -> None:
        text = """
            server = "bench.example.org"
            serve = true
            [targets]
            directories = ["srv", "/srv/../etc"]
            devices = ["/dev/sda"]
            images = "yes"
            [declare.raid]
            chunk = "128 KB/s"
            [[declare.controller]]
            cash = "256 MiB"
            [[declare.controller]]
            cache = 0
        """
        places = [fault.partition(" is ")[0].partition(";")[0] for fault in faults(text)]
        assert places == [
            "server",
            "targets.directories",
            "targets.devices",
            "targets.images",
            "declare.controller[0].cash",
            "declare.controller[1].cache",
            "declare.raid.disk",
            "declare.raid.chunk",
            "serve",
        ]

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("server = ", "This is not TOML"),
            ("targets = 3", "targets; expected a table"),
            ("declare = []", "declare; expected a table"),
            ("declare = {controller = 3}", "declare.controller; expected a table"),
            ("declare = {raids = []}", "declare.raids is []; expected one of"),
            ('machine_name = ""', "expected a name of at most 100 characters"),
            ('work_dir = "~/work"', 'a path from the root without ".."'),
            ("[targets]\ndevices = ['/dev/disk/by-id/../sda']", "expected a device by its id"),
            ("[targets]\nwipe = ['/dev/disk/by-id/x']", "expected devices that targets.devices names"),
            ("[declare.memory_module]\ntransfer_rate = 'fast'", "millions of transfers a second"),
        ],
    )
    def test_each(self, text: str, expected: str) -> None:
        (found,) = faults(text)
        assert expected in found

    @pytest.mark.parametrize("kind", KINDS)
    def test_no_kind_takes_an_unknown_fact(self, kind: str) -> None:
        assert any(f"declare.{kind}.serial_number" in fault for fault in faults(f"[declare.{kind}]\nserial_number = 1"))


class TestFinding:
    def test_without_a_file_nothing_is_set(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        monkeypatch.setattr("benchagent.config.SYSTEM_CONFIG", tmp_path / "none.toml")
        assert load() == Config()

    def test_the_named_one_before_the_state_directorys_before_the_systems(
        self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        system, state, named = tmp_path / "system.toml", tmp_path / "state/config.toml", tmp_path / "named.toml"
        state.parent.mkdir()
        monkeypatch.setattr("benchagent.config.SYSTEM_CONFIG", system)
        system.write_text('machine_name = "system"')
        assert load().machine_name == "system"
        state.write_text('machine_name = "own"')
        assert load().machine_name == "own"
        monkeypatch.setenv("BENCHAGENT_CONFIG", str(named))
        named.write_text('machine_name = "named"')
        assert (find(), load().machine_name) == (named, "named")

    def test_a_named_one_that_is_not_there_is_a_fault(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        monkeypatch.setenv("BENCHAGENT_CONFIG", str(tmp_path / "no.toml"))
        with pytest.raises(ConfigError, match="No such file"):
            load()

    def test_bytes_that_are_no_text(self, tmp_path: Path) -> None:
        (tmp_path / "c.toml").write_bytes(b"\xff\xfe")
        with pytest.raises(ConfigError, match="not UTF-8"):
            load(tmp_path / "c.toml")

    def test_a_recorded_tree_has_its_own(self, tmp_path: Path) -> None:
        (tmp_path / "etc/benchagent").mkdir(parents=True)
        (tmp_path / "etc/benchagent/config.toml").write_text("[declare.cpu]\nmodel = 'Cray'")
        source = open_source(tmp_path)
        assert source.declared is not None
        assert source.declared.of("cpu")[0].facts == {"model": "Cray"}
        assert open_source(tmp_path / "etc").declared is None


def test_a_file_that_may_not_be_looked_at_is_not_passed_over(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("BENCHAGENT_STATE", str(tmp_path / ("x" * 300)))
    with pytest.raises(ConfigError, match=r"Cannot read it: .*BENCHAGENT_CONFIG"):
        load()
