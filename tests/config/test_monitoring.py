"""The alert rules and the dashboard in docker/monitoring: they ask for figures that the server
tells, and, tried in Prometheus, each alert fires on its fault and none on a healthy server."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any, Final

import pytest
import yaml

from tests.api.program import Program
from tests.api.world import BASE
from tests.support.databases import ROOT

FOLDER: Final = ROOT / "docker" / "monitoring"
PAGE: Final = (ROOT / "docs/operating.md").read_text(encoding="utf-8")
RULES: Final = yaml.safe_load((FOLDER / "alerts.yml").read_text(encoding="utf-8"))
ALERTS: Final = {rule["alert"]: rule for group in RULES["groups"] for rule in group["rules"]}
DASHBOARD: Final = json.loads((FOLDER / "dashboard.json").read_text(encoding="utf-8"))
FIGURE: Final = re.compile(r"tabularium_\w+")
PROMTOOL: Final = shutil.which("promtool")
REQUESTS: Final = "tabularium_http_request_seconds_count"
DURATIONS: Final = "tabularium_http_request_seconds_bucket"
HEALTHY: Final = {  # series, and its values every 15 seconds
    'up{job="tabularium"}': "1x80",
    f'{REQUESTS}{{status="200"}}': "0+1000x80",
    f'{REQUESTS}{{status="503"}}': "0+1x80",
    f'{DURATIONS}{{le="0.1"}}': "0+999x80",
    f'{DURATIONS}{{le="10"}}': "0+1000x80",
    f'{DURATIONS}{{le="+Inf"}}': "0+1000x80",
    "tabularium_games_stalled": "0 2 0x78",
    'tabularium_heartbeat_age_seconds{part="worker"}': "5x80",
    "tabularium_broker_up": "1 0 1x78",
    'tabularium_queue_tasks{queue="bots"}': "0 3 0 120 2x76",
    "tabularium_streams_open": "4000x80",
    "tabularium_appends_total": "0+60x80",
    "tabularium_lost_races_total": "0+3x80",
    "tabularium_publish_failures_total": "3x80",
    "tabularium_webhook_lag_seconds": "20x80",
    "tabularium_rating_lag_seconds": "90x80",
    "tabularium_record_leaves": "0+1x80",
    "tabularium_record_signed_leaves": "0+1x80",
    "tabularium_record_wait_seconds": "2x80",
    "tabularium_record_checkpoint_age_seconds": "0+15x80",  # nothing ends
    'tabularium_record_cosignature_age_seconds{witness="w"}': "1000x80",
    'tabularium_witness_evidence{kind="unproven",log="a.example"}': "1x80",
    'tabularium_witness_evidence{kind="fork",log="a.example"}': "0x80",
    "tabularium_sweeper_round_seconds_sum": "0+1x80",
    "tabularium_sweeper_round_seconds_count": "0+15x80",
    "tabularium_log_lines_dropped_total": "7x80",
}
FAULTS: Final = {  # the series that are otherwise
    "NoFigures": {'up{job="tabularium"}': "0x80"},
    "ServerErrors": {f'{REQUESTS}{{status="503"}}': "0+20x80"},
    "SlowRequests": {f'{DURATIONS}{{le="0.1"}}': "0+900x80"},
    "StalledGames": {"tabularium_games_stalled": "1x80"},
    "LostPart": {'tabularium_heartbeat_age_seconds{part="worker"}': "31x80"},
    "BrokerAway": {"tabularium_broker_up": "0x80"},
    "LongBotQueue": {'tabularium_queue_tasks{queue="bots"}': "101x80"},
    "GrowingBotQueue": {'tabularium_queue_tasks{queue="bots"}': "0+1x80"},
    "ManyStreams": {"tabularium_streams_open": "4501x80"},
    "LostRaces": {"tabularium_lost_races_total": "0+7x80"},
    "PublishFailures": {"tabularium_publish_failures_total": "0+1x80"},
    "LateWebhooks": {"tabularium_webhook_lag_seconds": "61x80"},
    "LateRatings": {"tabularium_rating_lag_seconds": "301x80"},
    "LateRecord": {"tabularium_record_wait_seconds": "301x80"},
    "UnsignedRecord": {"tabularium_record_signed_leaves": "0x80"},
    "LateCosignature": {'tabularium_record_cosignature_age_seconds{witness="w"}': "7201x80"},
    "ForkedRecord": {'tabularium_witness_evidence{kind="fork",log="a.example"}': "1x80"},
    "SlowSweeper": {"tabularium_sweeper_round_seconds_sum": "0+20x80"},
    "DroppedLogLines": {"tabularium_log_lines_dropped_total": "0+1x80"},
}
FIRING: Final = 'count by (alertname) (ALERTS{alertstate="firing"})'
needs_promtool = pytest.mark.skipif(PROMTOOL is None, reason="make monitoring installs promtool")


def expressions() -> list[str]:
    """The queries of the alerts and of the dashboard."""
    panels = [target["expr"] for panel in DASHBOARD["panels"] for target in panel["targets"]]
    return [*(rule["expr"] for rule in ALERTS.values()), *panels]


@pytest.mark.django_db
def test_they_ask_for_figures_that_there_are() -> None:
    program = Program()
    program.generic("GET", f"{BASE}/healthz")
    text = program.generic("GET", f"{BASE}/metrics").content.decode()
    families = re.findall(r"^# TYPE (\w+) (\w+)$", text, re.MULTILINE)
    parts = {"histogram": ("_count", "_sum", "_bucket"), "summary": ("_count", "_sum")}
    there = {name + part for name, kind in families for part in parts.get(kind, ("",))}
    asked = {figure for expression in expressions() for figure in FIGURE.findall(expression)}
    assert asked <= there
    assert asked >= {
        figure for figure in FIGURE.findall(PAGE.split("## Figures")[1]) if figure in there
    }


def test_every_alert_has_its_fault() -> None:
    assert list(ALERTS) == list(FAULTS)
    assert all(set(series) <= set(HEALTHY) for series in FAULTS.values())


def run_promtool(*arguments: str) -> None:
    """Run promtool, which must find nothing to complain about."""
    assert PROMTOOL is not None
    process = subprocess.run([PROMTOOL, *arguments], capture_output=True, text=True, check=False)
    assert process.returncode == 0, process.stdout + process.stderr


def case_of(alert: str) -> Any:
    """A server with the fault of this alert, or a healthy one; and the alert that must fire."""
    figures = HEALTHY | FAULTS.get(alert, {})
    fired = [{"labels": f'{{alertname="{alert}"}}', "value": 1}] if alert else []
    return {
        "name": alert or "a healthy server",
        "interval": "15s",
        "input_series": [{"series": name, "values": each} for name, each in figures.items()],
        "promql_expr_test": [{"expr": FIRING, "eval_time": "19m", "exp_samples": fired}],
    }


@needs_promtool
def test_each_fires_alone(tmp_path: Path) -> None:
    shutil.copy(FOLDER / "alerts.yml", tmp_path)
    cases = [case_of(alert) for alert in ("", *FAULTS)]
    tests = {"rule_files": ["alerts.yml"], "evaluation_interval": "15s", "tests": cases}
    (tmp_path / "tests.yml").write_text(yaml.safe_dump(tests), encoding="utf-8")
    run_promtool("test", "rules", str(tmp_path / "tests.yml"))


@needs_promtool
def test_prometheus_reads_the_files(tmp_path: Path) -> None:
    shutil.copytree(FOLDER, tmp_path / "monitoring")
    (tmp_path / "monitoring" / "token").touch()
    run_promtool("check", "config", str(tmp_path / "monitoring" / "prometheus.yml"))
    rules = [{"record": f"panel:{n}", "expr": each} for n, each in enumerate(expressions())]
    (tmp_path / "panels.yml").write_text(
        yaml.safe_dump({"groups": [{"name": "panels", "rules": rules}]}), encoding="utf-8"
    )
    run_promtool("check", "rules", str(tmp_path / "panels.yml"))
