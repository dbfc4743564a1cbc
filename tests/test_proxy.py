"""The proxy's file in a real nginx, before processes that only say who they are."""

import subprocess
import sys
from contextlib import ExitStack

import httpx
import pytest

from core.lab.bench.app_in_browser import free_port
from core.lab.load.processes import ProxyError, nginx, on_ports, proxy

pytestmark = pytest.mark.skipif(nginx() is None, reason="nginx is not installed")
NAMED = """
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
class Named(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()
        self.wfile.write(f"{sys.argv[2]} {self.headers['Host']}".encode())
    do_POST = do_GET
    def log_message(self, *_):
        pass
server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Named)
print("up", flush=True)
server.serve_forever()
"""


def named(port, name):
    process = subprocess.Popen([sys.executable, "-c", NAMED, str(port), name], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "up\n"
    return process


def ended(process):
    process.kill()
    process.wait()
    process.stdout.close()


@pytest.fixture
def ports():
    return [free_port(), free_port()]


@pytest.fixture
def processes(ports):
    with ExitStack() as stack:
        started = [named(port, name) for port, name in zip(ports, ("one", "two"), strict=True)]
        for process in started:
            stack.callback(ended, process)
        yield started


@pytest.fixture
def address(tmp_path, ports, processes):
    with proxy(tmp_path, ports) as (address, _):
        yield address


def reached(person):
    return person.get("/").text.split()[0]


@pytest.fixture
def people(address):
    with ExitStack() as stack:
        yield [stack.enter_context(httpx.Client(base_url=address)) for _ in range(4)]


def test_newcomers_take_turns_and_stay_where_they_came(people):
    homes = [reached(person) for person in people]
    assert sorted(homes) == ["one", "one", "two", "two"]
    for _ in range(3):
        assert [reached(person) for person in people] == homes
    assert [person.cookies["process"] for person in people] == [{"one": "1", "two": "2"}[home] for home in homes]


def test_people_of_a_process_that_ends_go_on_at_the_other_and_stay_there(people, ports, processes):
    homes = [reached(person) for person in people]
    ended(processes[0])
    assert {reached(person) for person in people} == {"two"}
    returned = named(ports[0], "one")
    try:
        assert {reached(person) for person in people} == {"two"}
        assert people[homes.index("one")].post("/", content="a file").text.startswith("two")
    finally:
        ended(returned)


def test_the_app_learns_the_address_that_the_browser_used(people, address):
    assert people[0].get("/").text.split()[1] == address.removeprefix("http://")


@pytest.mark.parametrize("forged", ["3", "", "127.0.0.1:22", "../etc", "1:1"])
def test_a_forged_cookie_reaches_a_process_of_the_app_and_is_replaced(address, forged):
    reply = httpx.get(address, headers={"Cookie": f"process={forged}"})
    assert reply.text.split()[0] in ("one", "two") and reply.cookies["process"] in ("1", "2")


def test_a_file_that_names_another_number_of_processes_is_refused():
    with pytest.raises(ProxyError, match="names 2 processes, not 3; choose 1 or 2"):
        on_ports("server 127.0.0.1:1; server 127.0.0.1:2;", 9, [3, 4, 5])
