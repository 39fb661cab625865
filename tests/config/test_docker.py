"""The Docker image and the compose services. No container engine runs here, so the tests read the
steps of the image and, under --soak, run them in a scratch folder."""

from __future__ import annotations

import fnmatch
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import Any, Final

import jsonschema_rs
import pytest
import yaml
from check_jsonschema.builtin_schemas import get_builtin_schema
from django.core.management import load_command_class

from bench.ports import free_port
from config.supervisor.process_specs import SERVER_PARTS
from tests.config.processes import soon
from tests.support.missing_requirements import skip_or_fail

pytestmark = pytest.mark.lane("builds")

ROOT: Final = Path(__file__).parents[2]
COMPOSE: Final[dict[str, Any]] = yaml.safe_load((ROOT / "docker/compose.yaml").read_text())
SERVICES: Final = SERVER_PARTS
SYSTEM_PROGRAMS: Final = ("apt-get", "useradd")  # steps of the machine, not of the project
FOLDERS: Final = ("/app", "/build", "/src", "/wheels", "/var/lib/tabularium")


@dataclass(frozen=True)
class Step:
    """A line of the Dockerfile, with its continuation lines joined."""

    keyword: str
    arguments: str

    @property
    def paths(self) -> list[str]:
        """The paths of a COPY, without its flags."""
        return [part for part in self.arguments.split() if not part.startswith("--")]


def steps() -> list[Step]:
    """The steps of the Dockerfile."""
    text = (ROOT / "docker/Dockerfile").read_text()
    lines = re.sub(r"\\\n", " ", re.sub(r"(?m)^#.*\n", "", text)).splitlines()
    words_of_lines = [line.split(None, 1) for line in lines if line.strip()]
    return [Step(keyword, arguments.strip()) for keyword, arguments in words_of_lines]


def arguments_of(keyword: str) -> list[str]:
    """The arguments of all steps with this keyword."""
    return [step.arguments for step in steps() if step.keyword == keyword]


def is_left_out(name: str) -> bool:
    """Whether .dockerignore keeps a path out of the build."""
    patterns = (ROOT / ".dockerignore").read_text().split()
    parts = name.split("/")
    ancestors = ["/".join(parts[: depth + 1]) for depth in range(len(parts))]
    return any(
        fnmatch.fnmatch(path, pattern.removeprefix("**/"))
        or (pattern.startswith("**/") and fnmatch.fnmatch(path, pattern))
        for path in ancestors
        for pattern in patterns
    )


def environment() -> dict[str, str]:
    """The variables that the image sets."""
    return dict(
        pair.split("=", 1) for argument in arguments_of("ENV") for pair in shlex.split(argument)
    )


# -- compose.yaml ---------------------------------------------------------------------------------


def test_compose_is_what_the_specification_allows() -> None:
    validator = jsonschema_rs.validator_for(get_builtin_schema("vendor.compose-spec"))
    problems = [error.message for error in validator.iter_errors(json_of(COMPOSE))]
    assert not problems
    assert not validator.is_valid({"services": {"web": {"image": 5}}}), "it can refuse"


class OverrideLoader(yaml.SafeLoader):
    """Reads the tags with which a file of compose replaces parts of another."""


def read_replacement(loader: OverrideLoader, node: yaml.SequenceNode) -> list[Any]:
    """The list that replaces another."""
    return loader.construct_sequence(node)


OverrideLoader.add_constructor("!override", read_replacement)


class TestTheScaledServer:
    @pytest.fixture
    def services(self) -> dict[str, Any]:
        text = (ROOT / "docker/compose.scaled.yaml").read_text()
        services: dict[str, Any] = yaml.load(text, OverrideLoader)["services"]
        return services

    def test_is_what_the_specification_allows(self, services: dict[str, Any]) -> None:
        validator = jsonschema_rs.validator_for(get_builtin_schema("vendor.compose-spec"))
        before = COMPOSE["services"]
        merged = {name: {**before.get(name, {}), **service} for name, service in services.items()}
        document = json_of({"services": merged})
        assert not [error.message for error in validator.iter_errors(document)]

    def test_has_one_port_which_is_that_of_the_proxy(self, services: dict[str, Any]) -> None:
        assert services["web"]["ports"] == []
        assert services["proxy"]["ports"] == COMPOSE["services"]["web"]["ports"]
        words = [re.sub(r"\$\{\w+:-(\w+)\}", r"\1", word) for word in services["web"]["command"]]
        parser = load_command_class("config", "serve").create_parser("manage.py", words[0])
        assert parser.parse_args(words[1:]).only == ["web"]

    def test_is_asked_by_a_proxy_that_repeats_and_buffers_nothing(self) -> None:
        text = (ROOT / "docker/proxy.conf").read_text()
        for line in ("http://web:8000", "proxy_next_upstream off", "proxy_buffering off"):
            assert line in text
        assert "X-Forwarded-For $proxy_add_x_forwarded_for" in text
        assert f"listen {environment()['PORT']};" in text


def json_of(value: Any) -> Any:
    """The value as JSON, without YAML's additions."""
    return json.loads(json.dumps(value))


def test_compose_runs_each_part_once_on_one_image() -> None:
    services = COMPOSE["services"]
    assert set(services) == {*SERVICES, "postgres", "redis"}
    assert {services[name]["image"] for name in SERVICES} == {"tabularium"}
    commands = [services[name]["command"] for name in SERVICES]
    assert [words[words.index("--only") + 1] for words in commands] == list(SERVICES)


@pytest.mark.parametrize("name", SERVICES)
def test_serve_parses_the_command_of_compose(name: str) -> None:
    words = [re.sub(r"\$\{\w+:-(\w+)\}", r"\1", word) for word in service_command(name)]
    parser = load_command_class("config", "serve").create_parser("manage.py", words[0])
    assert words[0] == "serve"
    assert parser.parse_args(words[1:]).only == [name]


def service_command(name: str) -> list[str]:
    """The command of a service."""
    return list(COMPOSE["services"][name]["command"])


def test_every_service_says_whether_it_is_well_and_keeps_what_it_must() -> None:
    for name, service in COMPOSE["services"].items():
        assert name == "web" or service["healthcheck"]["test"][0] == "CMD"
        assert service["volumes"]
        for volume in service["volumes"]:
            assert volume.split(":")[0] in COMPOSE["volumes"]
    assert arguments_of("HEALTHCHECK"), "that of the web server is the image's"


def test_nothing_starts_before_what_it_needs() -> None:
    dependencies = {name: set(COMPOSE["services"][name].get("depends_on", ())) for name in SERVICES}
    assert dependencies == {"web": {"postgres", "redis"}, "worker": {"web"}, "sweeper": {"web"}}


def test_a_password_must_be_chosen_and_ports_are_not_open_to_all() -> None:
    text = (ROOT / "docker/compose.yaml").read_text()
    assert text.count("${POSTGRES_PASSWORD:?") == 2
    ports_of_services = [service.get("ports", []) for service in COMPOSE["services"].values()]
    assert all(port.startswith("127.0.0.1:") for ports in ports_of_services for port in ports)


def test_the_parts_get_every_documented_variable() -> None:
    page = (ROOT / "docs/operating.md").read_text()
    rows = [line.split("|")[1] for line in page.splitlines() if line.startswith("| `TABULARIUM_")]
    documented = {name for row in rows for name in re.findall(r"`(TABULARIUM_\w+)`", row)}
    assert len(documented) > 40
    passed = COMPOSE["services"]["web"]["environment"]
    assert documented == (passed.keys() | environment().keys()) & documented
    assert {name for name in passed if name.startswith("TABULARIUM_")} <= documented
    networks = passed["TABULARIUM_PROXIES"].split(":-")[1].rstrip("}").split(",")
    assert ip_address("172.17.0.1") in ip_network(networks[0]), "the address of a host's proxy"


@pytest.mark.parametrize("name", ["worker", "sweeper"])
def test_a_part_is_well_if_its_own_processes_are(name: str) -> None:
    words = COMPOSE["services"][name]["healthcheck"]["test"]
    assert words[:4] == ["CMD", "python", "-m", "django"]
    parser = load_command_class("config", words[4]).create_parser("manage.py", words[4])
    assert parser.parse_args(words[5:]).here == name


# -- the unit of systemd --------------------------------------------------------------------------


def test_systemd_understands_the_unit(tmp_path: Path) -> None:
    if shutil.which("systemd-analyze") is None:
        skip_or_fail("systemd-analyze is not installed")
    text = (ROOT / "docker/tabularium.service").read_text()
    unit = tmp_path / "tabularium.service"
    python = str(Path(sys.executable))
    unit.write_text(text.replace("/srv/tabularium/.venv/bin/python", python))
    command = ["systemd-analyze", "verify", "--man=no", str(unit)]
    process = subprocess.run(command, capture_output=True, text=True, check=False)
    assert "tabularium.service" not in process.stderr, process.stderr
    (start,) = re.findall(r"ExecStart=\S+/python manage.py (.*)", text)
    parser = load_command_class("config", "serve").create_parser("manage.py", "serve")
    grace = parser.parse_args(start.split()[1:]).grace
    assert int(re.findall(r"TimeoutStopSec=(\d+)", text)[0]) > grace


# -- the Dockerfile -------------------------------------------------------------------------------


def test_everything_the_image_copies_is_there() -> None:
    stages = re.findall(r"AS (\w+)", " ".join(arguments_of("FROM")))
    for step in steps():
        if step.keyword == "COPY" and "--from=" in step.arguments:
            assert re.search(r"--from=(\w+)", step.arguments)[1] in stages  # type: ignore[index]
        elif step.keyword == "COPY":
            *sources, _ = step.paths
            assert all((ROOT / source).exists() for source in sources)
            assert not [source for source in sources if source != "." and is_left_out(source)]


def test_what_the_image_needs_is_not_left_out_and_what_is_secret_is() -> None:
    assert not [name for name in ("config/web.py", "setup.py", "README.md") if is_left_out(name)]
    for name in ("var/signing_key", ".venv/bin/python", "games/x.so", ".git/config"):
        assert is_left_out(name), name


@pytest.mark.parametrize("script", arguments_of("RUN"))
def test_every_script_of_the_image_can_be_read(script: str) -> None:
    assert subprocess.run(["sh", "-n", "-c", script], check=False).returncode == 0


def test_the_image_keeps_everything_in_its_volume_and_is_not_root() -> None:
    assert arguments_of("VOLUME") == [environment()["TABULARIUM_DATA"]]
    (user,) = arguments_of("USER")
    assert user.isdigit(), "so that a cluster sees that it is not root"
    assert any(f"--uid {user} " in script for script in arguments_of("RUN"))


def test_a_linter_has_nothing_to_say_about_the_dockerfile() -> None:
    linter = Path(sys.executable).parent / "hadolint"
    command = [str(linter), "--ignore=DL3008", "docker/Dockerfile"]  # Debian's versions float
    process = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert process.returncode == 0, process.stdout


def test_the_image_serves() -> None:
    assert json.loads(arguments_of("ENTRYPOINT")[-1]) == ["python", "-m", "django"]
    words = json.loads(arguments_of("CMD")[-1])
    parser = load_command_class("config", "serve").create_parser("manage.py", words[0])
    assert parser.parse_args(words[1:]).host == "0.0.0.0"


def test_its_health_check_runs_in_python(tmp_path: Path) -> None:
    _, code, url_script = health()
    port = free_port()
    env = {**os.environ, "PORT": str(port)}
    process = subprocess.run(
        [sys.executable, code, url_script], env=env, capture_output=True, text=True, check=False
    )
    assert "Connection refused" in process.stderr


def health() -> list[str]:
    """The command of HEALTHCHECK."""
    words: list[str] = json.loads(arguments_of("HEALTHCHECK")[0].partition("CMD")[2])
    return words


# -- the image, built in a scratch folder ---------------------------------------------------------


@pytest.fixture
def build_root(tmp_path: Path) -> Path:
    """The folder in which the Dockerfile's steps were run, as if it were the root."""
    working_folder = tmp_path / "src"
    for step in steps():
        if step.keyword == "WORKDIR":
            working_folder = Path(move_paths(step.arguments, tmp_path))
            working_folder.mkdir(parents=True, exist_ok=True)
        elif step.keyword == "COPY" and "--from=" not in step.arguments:
            *sources, target = step.paths
            copy(sources, working_folder / target)
        elif step.keyword == "RUN" and not any(word in step.arguments for word in SYSTEM_PROGRAMS):
            script = move_paths(step.arguments, tmp_path).replace(
                "python -m", f"{sys.executable} -m"
            )
            subprocess.run(
                ["sh", "-ec", script], cwd=working_folder, env=build_environment(), check=True
            )
    return tmp_path


def move_paths(text: str, root: Path) -> str:
    """A step's paths, moved below the scratch folder."""
    return re.sub(rf"(?<![\w.])({'|'.join(FOLDERS)})\b", rf"{root}\1", text)


def copy(sources: list[str], target: Path) -> None:
    """Copy the files that git lists, without those that .dockerignore leaves out."""
    process = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard", *sources],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    for name in process.stdout.splitlines():
        if not is_left_out(name) and (ROOT / name).is_file():
            file = target / (name if sources == ["."] else Path(name).name)
            file.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, file)


def build_environment() -> dict[str, str]:
    """The environment of a build, with no variables of the checkout."""
    prefixes = ("VIRTUAL_ENV", "PYTHONPATH", "DJANGO_", "TABULARIUM_", "DATABASE_URL", "REDIS_URL")
    return {name: value for name, value in os.environ.items() if not name.startswith(prefixes)}


@pytest.fixture
def environment_of_container(build_root: Path) -> Iterator[dict[str, str]]:
    """The container's one process; its environment."""
    port = free_port()
    data_folder = build_root / "kept"
    data_folder.mkdir()
    path = f"{build_root}/app/bin:{os.environ['PATH']}"
    env = {
        **build_environment(),
        **environment(),
        "PATH": path,
        "PORT": str(port),
        "TABULARIUM_DATA": str(data_folder),
    }
    command = [*json.loads(arguments_of("ENTRYPOINT")[0]), *json.loads(arguments_of("CMD")[0])]
    process = subprocess.Popen(
        command, cwd=data_folder, env=env, executable=f"{build_root}/app/bin/python"
    )
    yield env
    process.terminate()
    assert process.wait() == 0


@pytest.mark.soak
def test_the_image_builds_runs_and_is_well(
    environment_of_container: dict[str, str], build_root: Path
) -> None:
    def succeeds(*words: str) -> bool:
        command = [f"{build_root}/app/bin/python", *words]
        process = subprocess.run(command, env=environment_of_container, cwd=build_root, check=False)
        return process.returncode == 0

    assert soon(lambda: succeeds(*health()[1:]))
    for part in ("worker", "sweeper"):
        assert soon(partial(succeeds, "-m", "django", "doctor", "--here", part))
    assert succeeds("-m", "django", "mcp", "--help")
