"""The digest of the program changes with its code and with its tables of words."""

import shutil

from core.platform import program


def test_the_digest_changes_with_a_module_and_with_the_order_of_the_words(tmp_path, monkeypatch):
    monkeypatch.setattr(program, "_CORE", shutil.copytree(program._CORE / "platform", tmp_path / "core"))
    monkeypatch.setattr(program, "_DATA", tmp_path)
    words, digests = tmp_path / "words.json", []
    for text in ('["a", "b"]', '["b", "a"]'):
        words.write_text(text)
        digests.append(program.program_digest.__wrapped__())
    (tmp_path / "core" / "lab").mkdir()
    (tmp_path / "core" / "lab" / "trial.py").write_text("")
    digests.append(program.program_digest.__wrapped__())
    (tmp_path / "core" / "program.py").write_text("")
    digests.append(program.program_digest.__wrapped__())
    assert digests[1] == digests[2] and len(set(digests)) == 3
