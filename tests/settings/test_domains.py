"""Domains are configuration: read once, and every fault in them is said in one sentence."""

import json

import pytest

from core.__main__ import parser
from core.command.terminal import settings_of
from core.settings import SettingError, Settings
from core.settings.domains import (
    FOLDER,
    MESSAGES,
    SEVERITIES,
    VIOLATIONS,
    DomainError,
    domain,
    domains,
    read_domain,
    use_home,
)
from core.writers.prompts import to_answer

SCHOOL = json.loads((FOLDER / "school.json").read_text("utf-8"))


def test_a_school_and_a_shop_come_with_the_project():
    assert set(domains()) == {"school", "shop"}
    for house in domains().values():
        assert set(house.messages) == set(MESSAGES) and set(house.severity) == set(VIOLATIONS)
        assert set(house.severity.values()) <= set(SEVERITIES)
        assert house.topics and house.elsewhere and not set(house.topics) & set(house.elsewhere)


def test_a_school_refuses_in_seed_as_words():
    assert domain("school").messages["refuse"] == "I don't know based on NCERT textbooks."


@pytest.mark.parametrize(("change", "said"), [
    ({"topics": "physics"}, "mend topics: Input should be a valid"), ({"topics": [" "]}, "mend topics.0: .* at least 1 character"),
    ({"about": 7}, "domain x cannot be used; mend about"), ({"messages": {}}, "mend messages: .* it must be an object with"),
    ({"severity": SCHOOL["severity"] | {"off_topic": "fatal"}}, "mend severity.off_topic: .* 'low', 'medium' or 'high', got 'fatal'"),
    ({"colour": []}, "mend colour"), ({"messages": SCHOOL["messages"] | {"clarify": " "}}, "messages.clarify"),
    ({"words": {"title": "Ask"}}, "mend words: .* an object with title, placeholder"),
])  # fmt: skip
def test_a_fault_is_said_in_one_sentence(change, said):
    with pytest.raises(DomainError, match=said) as raised:
        read_domain("x", SCHOOL | change)
    assert str(raised.value).endswith(".") and "\n" not in str(raised.value)


def test_a_missing_field_and_another_kind_of_file_are_named():
    with pytest.raises(DomainError, match="mend policy"):
        read_domain("x", {k: v for k, v in SCHOOL.items() if k != "policy"})
    with pytest.raises(DomainError, match="JSON object, got list"):
        read_domain("x", [])


def test_a_domain_is_chosen_on_the_command_line_and_told_to_a_writer():
    chosen = settings_of(parser().parse_args(["ask", "Do you deliver?", "--domain", "shop"]))
    assert (chosen.domain, Settings().domain) == ("shop", "school")
    (told, _), (school, _) = to_answer("?", (), 0, own_domain=domain(chosen.domain)), to_answer("?", (), 0)
    assert "customers' questions" in told["content"] and "pupils' questions" in school["content"]


def test_a_domain_that_is_not_there_is_refused_with_those_that_are():
    with pytest.raises(DomainError, match="school, shop"):
        domain("bank")
    with pytest.raises(SettingError, match="school, shop"):
        Settings(domain="bank")


@pytest.fixture
def home(tmp_path):
    use_home(tmp_path)
    yield tmp_path
    use_home(tmp_path / "none")


def write(home, name, content):
    (home / "domains").mkdir(exist_ok=True)
    (home / "domains" / f"{name}.json").write_text(json.dumps(content), encoding="utf-8")


def test_a_domain_of_the_run_time_folder_changes_one_of_the_project(home):
    changes = {"about": "a bicycle shop", "language": "pt", "messages": {"fallback": "Não tenho certeza."}}
    write(home, "bicycles", {"on": "shop", **changes, "words": {"library": "our bicycles"}})
    own, shop = domain("bicycles"), domain("shop")
    assert (own.about, own.language, own.on, own.topics) == ("a bicycle shop", "pt", "shop", shop.topics)
    assert own.messages["fallback"] == "Não tenho certeza." and own.messages["escalate"] == shop.messages["escalate"]
    assert "your question about our bicycles." in own.messages["rephrase"]
    assert Settings(domain="bicycles").domain == "bicycles" and list(domains()) == ["school", "shop", "bicycles"]


@pytest.mark.parametrize(("changes", "said"), [
    ({"language": "fr"}, "mend language: .*'en', 'pt' or 'es'"), ({"messages": {"fallback": ""}}, "messages.fallback"),
    ({"colour": "red"}, "mend colour"), ({"on": "bank"}, "must name one of school, shop"),
])  # fmt: skip
def test_a_domain_with_a_fault_is_refused_with_the_fault(home, changes, said):
    write(home, "x", {"on": "shop", **changes})
    with pytest.raises(DomainError, match=said):
        domain("x")
    assert list(domains()) == ["school", "shop"]


def test_a_broken_file_costs_only_its_own_domain(home):
    (home / "domains").mkdir()
    (home / "domains" / "broken.json").write_text("{", encoding="utf-8")
    assert list(domains()) == ["school", "shop"]
