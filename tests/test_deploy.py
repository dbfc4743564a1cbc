"""The container's files: what they name exists, and what they promise stands in them."""

import re
import shlex
import tomllib
from pathlib import Path

import yaml

from core.__main__ import parser

ROOT = Path(__file__).parents[1]
STEPS = re.findall(r"^([A-Z]+) ((?:.*\\\n)*.*)", (ROOT / ".deploy" / "Dockerfile").read_text(), re.MULTILINE)
SERVICES = yaml.safe_load((ROOT / ".deploy" / "compose.yaml").read_text())["services"]


def told(step):
    return [text for name, text in STEPS if name == step]


def test_what_is_copied_is_there_and_let_through():
    copied = [source for text in told("COPY") for source in text.split()[:-1]]
    assert {"app.py", "core", "pages", "data", ".ci/constraints.txt"} <= set(copied)
    let_through = (ROOT / ".deploy" / "Dockerfile.dockerignore").read_text().split()
    assert all((ROOT / source).exists() and f"!{source}" in let_through for source in copied)


def test_it_installs_what_the_readme_installs():
    (installed,) = [text for text in told("RUN") if "pip" in text]
    assert (
        f"torch=={re.search(r'^torch==(.+)$', (ROOT / 'requirements.txt').read_text(), re.MULTILINE)[1]}" in installed
    )
    assert "-r requirements.txt -c constraints.txt" in installed


def test_nobody_is_root_and_nothing_but_the_home_is_written():
    assert told("USER") == ["guardrail"] and [name for name, _ in STEPS].index("USER") > max(
        place for place, (name, _) in enumerate(STEPS) if name in ("RUN", "COPY")
    )
    (home,) = re.findall(r"GUARDRAIL_HOME=(\S+)", told("ENV")[0])
    for service in SERVICES.values():
        assert service["read_only"] and service["cap_drop"] == ["ALL"] and "user" not in service
        assert {volume.split(":")[1] for volume in service.get("volumes", [])} <= {home}
        assert all(port.startswith("127.0.0.1:") for port in service.get("ports", []))


def test_the_service_is_started_by_a_command_that_there_is_with_tokens():
    options = parser().parse_args(SERVICES["service"]["command"][3:])
    assert options.command == "serve" and str(options.port) in SERVICES["service"]["ports"][0]
    assert "GUARDRAIL_TOKENS" in SERVICES["service"]["environment"]
    assert shlex.join(SERVICES["chroma"]["command"]).startswith("chroma run --host 0.0.0.0 --port 8000 ")


def test_a_ray_head_is_started_on_request_only_and_lets_nobody_in_without_the_secret():
    about = SERVICES["ray"]
    assert about["profiles"] == ["ray"] and "ports" not in about
    assert about["environment"]["RAY_AUTH_MODE"] == "token" and about["environment"]["RAY_USAGE_STATS_ENABLED"] == "0"
    assert shlex.join(about["command"]).startswith("ray start --head --block ")


def test_the_proxy_names_the_processes_of_the_app_and_nobody_passes_it():
    config = (ROOT / ".deploy" / "nginx.conf").read_text()
    ports = re.findall(r"server 127\.0\.0\.1:(\d+)", config)
    apps = [about for about in SERVICES.values() if about.get("network_mode") == "service:proxy"]
    assert [about["command"][4] for about in apps] == ports and not any("ports" in about for about in apps)
    assert not any("0.0.0.0" in about["command"] for about in apps)
    numbers = re.findall(r"(\d+) 127\.0\.0\.1:(\d+);", config)
    assert numbers == [(str(n), port) for n, port in enumerate(ports, 1)]
    assert re.findall(r"~:(\d+)\$ (\d+);", config) == [(port, number) for number, port in numbers]
    assert SERVICES["proxy"]["command"][4] == f"{told('WORKDIR')[0]}/nginx.conf"
    assert f"client_max_body_size {upload_megabytes()}m;" in config


def upload_megabytes():
    return tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text())["server"]["maxUploadSize"]
