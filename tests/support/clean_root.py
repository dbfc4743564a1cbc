"""A clean root in which the steps of a Dockerfile are taken one by one, and what is started of it, without a builder."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from string import Template

SUITES = {"3.11": "bookworm"}
"""The Debian whose own Python is that of the image."""
TOOLS = ("debootstrap", "unshare", "nsenter", "chroot")
_PATH = "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"
_UP = (
    "import fcntl, socket, struct, sys\ns = socket.socket()\n"
    "fcntl.ioctl(s, 0x8914, struct.pack('16sh14x', b'lo', 0x41))\nprint('up', flush=True)\nsys.stdin.read()"
)
"""Brings the loopback of a network of its own up, and holds it until its input ends."""


class RootError(Exception):
    """A step of the Dockerfile cannot be taken; the message is what it printed."""


class Root:
    """source: the folder that a step copies from. What a step sets holds for the steps behind it, and for `started`."""

    def __init__(self, folder: Path, source: Path) -> None:
        self.folder, self.source = folder, source
        self.where, self.user, self.variables, self.command = "/", "root", {"PATH": _PATH}, [""]
        self._settings = pip_settings()

    def take(self, step: str, text: str) -> None:
        """One step; an AttributeError for one that this root does not know."""
        getattr(self, f"_{step.lower()}")(text.replace("\\\n", " "))

    def _from(self, text: str) -> None:
        version = re.fullmatch(r"python:(\d+\.\d+)-slim", text)[1]
        packages = "--include=python3,python3-venv,ca-certificates"
        command = ["debootstrap", "--variant=minbase", packages, SUITES[version], str(self.folder)]
        _done(["unshare", "--mount", "--propagation=private", *command])  # what it mounts goes with it
        (self.folder / "usr/local/bin/python").symlink_to("/usr/bin/python3")
        shutil.copy("/etc/resolv.conf", self.folder / "etc/resolv.conf")
        if f"Python {version}." not in (version_text := _done(self._inside(["python", "--version"]))):
            raise RootError(f"{text} is to be, and there is {version_text}")

    def _run(self, text: str) -> None:
        _done(self._inside(["sh", "-c", f"cd {self.where} && {text}"], self._settings))

    def _workdir(self, text: str) -> None:
        self.where = text
        self._at(".").mkdir(parents=True, exist_ok=True)

    def _copy(self, text: str) -> None:
        *sources, target = text.split()
        for source in (self.source / name for name in sources):
            if source.is_dir():
                ignored = shutil.ignore_patterns("__pycache__")
                shutil.copytree(source, self._at(target), ignore=ignored, dirs_exist_ok=True)
            else:
                shutil.copy(source, self._at(target))

    def _user(self, text: str) -> None:
        self.user = text

    def _env(self, text: str) -> None:
        for name, value in (part.split("=", 1) for part in shlex.split(text)):
            self.variables[name] = Template(value).substitute(self.variables)

    def _cmd(self, text: str) -> None:
        self.command = json.loads(text)

    def _at(self, path: str) -> Path:
        return Path(self.folder, *Path(self.where, path).parts[1:])

    def _inside(self, command: Sequence[str], settings: Mapping[str, str] | None = None) -> list[str]:
        """`command` as root, writing where it likes, with the sources of packages that this machine has."""
        lent = [path for value in (settings or {}).values() for part in value.split() if (path := _of_machine(part))]
        mounts = _mounts(self.folder)
        for path in lent:
            inside = Path(f"{self.folder}{path}")
            mount_command = f"mkdir -p {inside}" if path.is_dir() else f"mkdir -p {inside.parent} && touch {inside}"
            mounts += [mount_command, f"mount --bind {path} {inside}"]
        return _unshared(self.folder, mounts, {**self.variables, **(settings or {})}, command)

    def within(
        self, network: int, command: Sequence[str], variables: Mapping[str, str], volume: Path, at: str
    ) -> list[str]:
        """`command` as compose starts it: as the user of the image, who gains nothing, on a root that is only read but
        for `volume` and /tmp, in the network of the process `network`."""
        mounts = [
            f"mount --bind {self.folder} {self.folder}", *_mounts(self.folder),
            f"mount -t tmpfs -o mode=1777 tmpfs {self.folder}/tmp", f"mount --bind {volume} {self.folder}{at}",
            f"chroot {self.folder} chown {self.user} {at}", f"mount -o remount,bind,ro {self.folder}",
        ]  # fmt: skip
        nobody = ["setpriv", f"--reuid={self.user}", f"--regid={self.user}", "--clear-groups", "--no-new-privs"]
        nobody += ["--bounding-set=-all", "--inh-caps=-all"]
        started = [*nobody, "sh", "-c", f"cd {self.where} && exec {shlex.join(command)}"]
        inside = _unshared(self.folder, mounts, {**self.variables, **variables, "HOME": f"/home/{self.user}"}, started)
        return ["nsenter", f"--net=/proc/{network}/ns/net", *inside]


def _mounts(root: Path) -> list[str]:
    return [f"mount -t proc proc {root}/proc", f"mount --rbind /dev {root}/dev"]


def _unshared(root: Path, mounts: Sequence[str], variables: Mapping[str, str], command: Sequence[str]) -> list[str]:
    """Mounts that nobody else sees, then the command; all that it starts ends with it."""
    assignments = [f"{name}={value}" for name, value in variables.items()]
    last = shlex.join(["exec", "chroot", str(root), "env", "-i", *assignments, *command])
    alone = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "--propagation=private"]
    return [*alone, "sh", "-ec", " && ".join([*mounts, last])]


def _done(command: Sequence[str]) -> str:
    process = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if process.returncode:
        raise RootError(process.stdout[-2000:])
    return process.stdout


def pip_settings() -> dict[str, str]:
    """Where pip of this machine has packages from, as variables, as a builder behind a proxy passes them on."""
    config_text = subprocess.run([sys.executable, "-m", "pip", "config", "list"], capture_output=True, text=True).stdout
    settings_ = re.findall(r"^[\w:]+\.([\w-]+)='(.*)'$", config_text, re.MULTILINE)
    return {f"PIP_{name.upper().replace('-', '_')}": value for name, value in settings_} | {
        name: value for name, value in os.environ.items() if name.lower().endswith("_proxy")
    }


def _of_machine(part: str) -> Path | None:
    """The file or folder of this machine that a setting names; of an index what stands beside it, too."""
    path = Path(part.removeprefix("file://"))
    folder = path.parent if part.startswith("file://") else path
    return folder if folder.is_absolute() and folder.exists() else None


@contextmanager
def network() -> Iterator[int]:
    """The process that holds a network in which nothing but loopback is, so that all ports are free and none leaves."""
    holder = subprocess.Popen(
        ["unshare", "--net", sys.executable, "-c", _UP], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    try:
        if holder.stdout.readline() != "up\n":
            raise RootError("no network of its own can be made")
        yield holder.pid
    finally:
        holder.stdin.close()
        holder.wait()
