"""The files in ``deploy`` are well formed and refer only to things that exist."""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
import socket
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]
from prometheus_client import REGISTRY

from bot import Settings
from data.jobs import FAREWELL
from data.store.shards import ALL
from scripts.supply import OLDEST
from tests.wire.standin import StandIn

ROOT = Path(__file__).parents[1]
DEPLOY = ROOT / "deploy"
GUIDE = (ROOT / "docs" / "operate.md").read_text("utf-8")

METRIC = re.compile(r"\b(tafelrunde_[a-z_]+)(?:\{([^}]*)\})?")
LABEL = re.compile(r"(\w+)\s*(?:=~|!~|!=|=)\s*\"")

SITE = """import os
from discord.gateway import DiscordWebSocket
from yarl import URL
DiscordWebSocket.DEFAULT_GATEWAY = URL(os.environ["GATEWAY"])
"""
"""Code that runs before the bot and makes it connect to the stand-in's gateway."""

OF_PROMETHEUS = {"instance", "job", "le"}
"""Labels that Prometheus adds, and the label of histogram buckets."""


def read(name: str) -> Any:
    """Read a YAML or JSON file."""
    text = (DEPLOY / name).read_text("utf-8")
    return json.loads(text) if name.endswith(".json") else yaml.safe_load(text)


def exported() -> dict[Any, list[str]]:
    """The names of the series that each collector exports. What the registry itself exports lacks
    the labels of series without values.
    """
    return REGISTRY._collector_to_names


def known() -> dict[str, set[str]]:
    """The labels of all series that the bot can export."""
    found: dict[str, set[str]] = {}
    for collector, names in exported().items():
        labels = set(getattr(collector, "_labelnames", ()))
        for name in names:
            found[name] = labels | ({"le"} if name.endswith("_bucket") else set())
    return found


def queries() -> list[str]:
    """All Prometheus queries in the alerts and the dashboard."""
    rules = [rule for group in read("alerts.yml")["groups"] for rule in group["rules"]]
    panels = read("dashboard.json")["panels"]
    return [rule["expr"] for rule in rules] + [t["expr"] for p in panels for t in p["targets"]]


def test_queries_use_only_existing_series() -> None:
    series = known()
    for query in queries():
        asked = METRIC.findall(query)
        assert asked or "up{" in query or "process_" in query, query
        for name, labels in asked:
            assert name in series, query
            assert set(LABEL.findall(labels)) <= series[name] | OF_PROMETHEUS, query
        grouped = {
            label.strip() for by in re.findall(r"by \(([^)]*)\)", query) for label in by.split(",")
        }
        allowed = set.union(OF_PROMETHEUS, *(series[name] for name, _ in asked))
        assert grouped <= allowed, query
        assert query.count("(") == query.count(")")


def test_every_exported_series_is_shown() -> None:
    shown = " ".join(
        t["expr"] for panel in read("dashboard.json")["panels"] for t in panel["targets"]
    )
    for collector, names in exported().items():
        ours = [name for name in names if name.startswith("tafelrunde_")]
        assert not ours or any(name in shown for name in ours), collector


def test_every_alert_says_what_to_do() -> None:
    """The guide has a heading with the name of each alert."""
    rules = [rule for group in read("alerts.yml")["groups"] for rule in group["rules"]]
    for rule in rules:
        assert f"### {rule['alert']}\n" in GUIDE
        assert rule["annotations"]["summary"]
        assert rule["labels"]["severity"] in ("page", "ticket")


def test_panels_do_not_overlap() -> None:
    taken: set[tuple[int, int]] = set()
    panels = read("dashboard.json")["panels"]
    assert len({panel["id"] for panel in panels}) == len(panels)
    for panel in panels:
        at = panel["gridPos"]
        cells = {(at["x"] + x, at["y"] + y) for x in range(at["w"]) for y in range(at["h"])}
        assert not cells & taken, panel["title"]
        taken |= cells


@pytest.mark.parametrize("name", ["compose.yaml", "Dockerfile", "tafelrunde.service", "operate.md"])
def test_only_existing_settings_are_used(name: str) -> None:
    """A misspelt setting would be ignored silently."""
    text = GUIDE if name == "operate.md" else (DEPLOY / name).read_text("utf-8")
    named = set(re.findall(r"TAFELRUNDE_[A-Z_]+", text))
    assert named
    assert named <= {f"TAFELRUNDE_{field.upper()}" for field in Settings.model_fields}


def in_the_image() -> list[str]:
    """The files in the image, according to its ignore list."""
    lines = (DEPLOY / "Dockerfile.dockerignore").read_text("utf-8").splitlines()
    return [line[1:] for line in lines if line.startswith("!")]


def test_the_image_has_every_room() -> None:
    """The image also has the check that runs before a start."""
    rooms = {path.parent.name for path in ROOT.glob("*/__init__.py")}
    rooms -= {"tests", "benchmarks", "scripts"}
    programs = {path.name for path in ROOT.glob("*.py")}
    kept = set(in_the_image())
    assert rooms | programs | {"requirements/postgres.txt", "scripts/check.py"} <= kept
    assert all((ROOT / name).exists() for name in kept)


@pytest.mark.full
async def test_the_files_of_the_image_start(tmp_path: Path) -> None:
    """The Dockerfile's own commands run with no other files."""
    dockerfile = (DEPLOY / "Dockerfile").read_text("utf-8")
    await asyncio.to_thread(unpack_image, tmp_path)
    block = re.search(r"^ENV ((?:.*\\\n)*.*)$", dockerfile, re.MULTILINE)
    assert block
    given = dict(pair.split("=", 1) for pair in block[1].replace("\\\n", " ").split())
    port = free_port()
    settings = {
        **given,
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "TAFELRUNDE_DATABASE": str(tmp_path / "data" / "tafelrunde.sqlite3"),
        "TAFELRUNDE_METRICS": f"127.0.0.1:{port}",
    }
    assert given["TAFELRUNDE_DATABASE"] == "/data/tafelrunde.sqlite3"
    assert given["TAFELRUNDE_METRICS"] == "0.0.0.0:9464"
    entry = json.loads(re.findall(r"^ENTRYPOINT (.+)$", dockerfile, re.MULTILINE)[0])
    healthy = json.loads(re.findall(r"^    CMD (.+)$", dockerfile, re.MULTILINE)[0])
    healthy[-1] = healthy[-1].replace("9464", str(port))
    async with StandIn() as discord:
        discord.guild("Camelot")
        settings |= {"DISCORD_TOKEN": discord.token, "TAFELRUNDE_DISCORD_API": discord.url}
        settings |= {"PYTHONPATH": str(tmp_path / "site"), "GATEWAY": discord.gateway.url}

        async def start(*command: str) -> asyncio.subprocess.Process:
            folder = tmp_path / "tafelrunde"
            return await asyncio.create_subprocess_exec(*command, cwd=folder, env=settings)

        check = await start(entry[0], "-m", "scripts.check")
        assert await check.wait() == 0
        bot = await start(*entry)
        try:
            await discord.world.until(lambda: discord.gateway.listens(ALL.numbers), 60, "the bot")
            assert await (await start(*healthy)).wait() == 0
            bot.terminate()
            assert await bot.wait() == 0
        finally:
            if bot.returncode is None:
                bot.kill()


def unpack_image(folder: Path) -> None:
    """Lay out files as they are in the image."""
    (folder / "data").mkdir()
    (folder / "site").mkdir()
    (folder / "site" / "sitecustomize.py").write_text(SITE, "utf-8")
    for name in in_the_image():
        target = folder / "tafelrunde" / name
        target.parent.mkdir(parents=True, exist_ok=True)
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        copy(ROOT / name, target)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


def run_tool(name: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a development tool in the folder ``deploy``."""
    tool = shutil.which(name, path=f"{sys.prefix}/bin:{os.environ['PATH']}")
    assert tool, f"{name} is missing: run scripts/setup"
    settings = {"PATH": os.environ["PATH"], "DISCORD_TOKEN": "x", "POSTGRES_PASSWORD": "x"}
    return subprocess.run(
        [tool, *arguments], cwd=DEPLOY, env=settings, capture_output=True, text=True, check=False
    )


def test_the_dockerfile_is_clean() -> None:
    done = run_tool("hadolint", "Dockerfile")
    assert done.returncode == 0, done.stdout


def test_compose_takes_the_composition() -> None:
    done = run_tool("docker-compose", "config", "--format", "json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["services"].keys() == read("compose.yaml")["services"].keys()


def test_every_image_is_pinned_by_its_digest() -> None:
    """A tag may move to another image; only the bot's own image is built locally."""
    dockerfile = (DEPLOY / "Dockerfile").read_text("utf-8")
    bases = re.findall(r"^FROM (\S+)(?: AS (\w+))?$", dockerfile, re.MULTILINE)
    stages = {stage for _, stage in bases}
    images = [base for base, _ in bases if base not in stages]
    images += [s["image"] for s in read("compose.yaml")["services"].values() if "image" in s]
    assert len(images) == 3
    for image in images:
        assert re.fullmatch(r"[\w./-]+:[\w.-]+@sha256:[0-9a-f]{64}", image), image


def test_services_have_no_more_rights_than_they_need() -> None:
    services = read("compose.yaml")["services"]
    for name, service in services.items():
        assert service["read_only"], name
        assert "no-new-privileges:true" in service["security_opt"], name
        assert all(port.startswith("127.0.0.1:") for port in service.get("ports", ())), name
    (targets,) = read("prometheus.yml")["scrape_configs"][0]["static_configs"]
    assert {target.partition(":")[0] for target in targets["targets"]} <= services.keys()
    worker = services["worker"]
    assert services["bot"]["environment"]["TAFELRUNDE_COMPUTER_QUEUE"] == "true"
    interpreter, option, module = worker["entrypoint"]
    assert (interpreter, option) == ("python", "-m")
    assert find_spec(module)
    assert worker["stop_grace_period"] == f"{FAREWELL + 5:.0f}s"
    assert services["bot"]["environment"].items() >= worker["environment"].items()
    dockerfile = (DEPLOY / "Dockerfile").read_text("utf-8")
    assert re.search(r"^USER \d+:\d+$", dockerfile, re.MULTILINE)


def test_the_workflow_runs_the_test_command_on_the_oldest_and_a_newer_python() -> None:
    text = (ROOT / ".github" / "workflows" / "test.yml").read_text("utf-8")
    job = yaml.safe_load(text)["jobs"]["test"]
    oldest, newest = job["strategy"]["matrix"]["python"]
    assert oldest == OLDEST
    assert int(newest.split(".")[1]) > int(oldest.split(".")[1])
    commands = [step["run"] for step in job["steps"] if "run" in step]
    assert commands == ["python -m venv .venv", "scripts/test"]
    assert f'requires-python = ">={OLDEST}"' in (ROOT / "pyproject.toml").read_text("utf-8")
