"""Celery is configured so that a lost or duplicated task costs only time."""

from __future__ import annotations

import json
import socket
import sys
from base64 import b64decode
from os import environ
from pathlib import Path
from runpy import run_path
from typing import Final

import pytest
from celery import Celery

import config
from bench.ports import free_port
from config.celery import app, lower_analysis_priority
from config.supervisor import process_specs
from config.supervisor.process_specs import ANALYSES_QUEUE, BOTS_QUEUE, DEFAULT_QUEUE, ProcessSpec
from tests.config.processes import PATIENCE
from tests.support import warm_interpreter
from tests.support.databases import Kept

ROOT: Final = Path(__file__).parents[2]
PUBLISH: Final = """
import sys
from kombu.exceptions import OperationalError
from config.celery import app
try:
    app.send_task(sys.argv[1], ["game", 1, "choice"])
except OperationalError:
    print("refused")
else:
    print("sent")
"""


def publish(name: str, folder: Path, **variables: str) -> str:
    """The outcome of sending a task from a separate process."""
    env = {**environ, "TABULARIUM_DATA": str(folder), "REDIS_URL": "", **variables}
    env["DJANGO_SETTINGS_MODULE"] = "config.settings"
    process = warm_interpreter.run(
        [sys.executable, "-c", PUBLISH, name],
        cwd=ROOT,
        env=env,
        capture_output=True,
        text=True,
        check=True,
        timeout=2 * PATIENCE,  # it hangs
    )
    return str(process.stdout).strip()


def test_the_application_is_the_one_that_shared_tasks_find() -> None:
    assert config.celery_app is app
    assert app.main == "tabularium"


def test_a_task_is_given_back_when_its_worker_is_lost() -> None:
    assert app.conf.task_acks_late
    assert app.conf.task_reject_on_worker_lost
    assert app.conf.worker_prefetch_multiplier == 1


def test_tasks_are_json_and_return_no_result() -> None:
    assert app.conf.accept_content == ["json"]
    assert app.conf.task_serializer == "json"
    assert app.conf.task_ignore_result


@pytest.mark.parametrize(
    ("name", "queue"),
    [
        ("ai.tasks.think", "bots"),
        ("ai.tasks.study", "analyses"),
        ("api.tasks.draw_replay", "analyses"),
        ("api.tasks.announce", "webhooks"),
        ("api.tasks.deliver", "webhooks"),
        ("jobs.tasks.rate", "ratings"),
        ("a.task.of.a.package", "default"),
    ],
)
def test_each_kind_of_work_has_a_queue_of_its_own(name: str, queue: str, tmp_path: Path) -> None:
    assert publish(name, tmp_path) == "sent"
    (message,) = (tmp_path / "spool" / "ready").glob("*/*")
    assert message.parent.name == queue


def consumed_queues(spec: ProcessSpec) -> list[str]:
    """The queues of a worker's command line."""
    (option,) = [word for word in spec.command if word.startswith("--queues=")]
    return option.removeprefix("--queues=").split(",")


def test_each_queue_has_one_worker() -> None:
    specs = (
        process_specs.bot_worker_process(2),
        process_specs.analysis_worker_process(2),
        process_specs.errand_worker_process(),
        process_specs.rating_worker_process(),
    )
    queues = [queue for spec in specs for queue in consumed_queues(spec)]
    assert sorted(queues) == sorted(queue.name for queue in app.conf.task_queues)


@pytest.mark.lane("processes")
def test_no_webhook_waits_for_thousands_of_ratings(kept: Kept, broker: str) -> None:
    process = kept.process("tests.config.finished_games", "3500", REDIS_URL=broker)
    output, _ = process.communicate()
    assert json.loads(output) == ["api.tasks.deliver", 3500]


def test_a_message_holds_what_the_task_was_given_and_no_more(tmp_path: Path) -> None:
    publish("ai.tasks.think", tmp_path)
    (message,) = (tmp_path / "spool" / "ready").glob("*/*")
    (args, kwargs, _) = json.loads(b64decode(json.loads(message.read_text())["body"]))
    assert (args, kwargs) == (["game", 1, "choice"], {})


def test_a_task_on_redis_is_given_again_only_after_its_longest_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("REDIS_URL", "redis://127.0.0.1:6379/0")
    settings = run_path(str(ROOT / "config" / "settings.py"))
    visibility_timeout = settings["CELERY_BROKER_TRANSPORT_OPTIONS"]["visibility_timeout"]
    assert (
        visibility_timeout
        > settings["CELERY_TASK_TIME_LIMIT"]
        > settings["CELERY_TASK_SOFT_TIME_LIMIT"]
    )


class TestABrokerThatIsDown:
    def test_refuses_tasks(self, tmp_path: Path) -> None:
        port = free_port()
        url = f"redis://127.0.0.1:{port}/0"
        assert publish("ai.tasks.think", tmp_path, REDIS_URL=url) == "refused"

    @pytest.mark.lane("processes")
    def test_that_does_not_answer_is_not_waited_for_for_ever(self, tmp_path: Path) -> None:
        with socket.create_server(("127.0.0.1", 0)) as server_socket:
            url = f"redis://127.0.0.1:{server_socket.getsockname()[1]}/0"
            assert publish("ai.tasks.think", tmp_path, REDIS_URL=url) == "refused"


@pytest.mark.parametrize(
    ("queues", "expected"),
    [
        ([BOTS_QUEUE], []),
        ([ANALYSES_QUEUE], [10]),
        ([DEFAULT_QUEUE], []),
        ([BOTS_QUEUE, ANALYSES_QUEUE], []),
    ],
)
def test_analyses_leave_the_processor_to_bots(
    queues: list[str], expected: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    nice_increments: list[int] = []
    monkeypatch.setattr("os.nice", nice_increments.append)
    worker_app = Celery(set_as_current=False)
    worker_app.amqp.queues.select(queues)
    monkeypatch.setattr("config.celery.app", worker_app)
    lower_analysis_priority()
    assert nice_increments == expected
