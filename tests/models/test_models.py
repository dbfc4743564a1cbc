"""The bundled models as they ship: verified, labelled by their own config, calibrated or saying that they are not."""

import json
import os
import shutil
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest

from core.case import Evidence, Passage, Question
from core.graph import Explorer
from core.library import Library
from core.models import ModelError
from core.models.calibration import Calibration, MonotoneMap, answers_map_of, calibration_of
from core.models.cross_encoders import cross_encoder
from core.models.embedder import Embedder
from core.models.entailer import Entailer
from core.models.profile import BUNDLED, PROFILES, READER, load, place_of, sources_of
from core.models.reranker import Reranker
from core.models.stretches import HINTS, hints_of, stretches_for
from core.models.weights import MANIFEST, SHIPPED
from core.thresholds import Preset
from tests.support.recorded import recorded_models

SENTENCES = (
    "Sound cannot travel through a vacuum.",
    "The sum of the first n odd numbers is n squared.",
    "Plants make starch.",
)
CLOSE = (SENTENCES[2], "Green plants produce carbohydrates by photosynthesis.", "Bifocal lenses correct presbyopia.")


@pytest.fixture(scope="module")
def bundled(bundled_models):
    return bundled_models


def test_a_sentence_entails_itself(bundled):
    probabilities = bundled.entailer.probabilities([(s, s) for s in SENTENCES])
    assert (probabilities.argmax(1) == 0).all()
    np.testing.assert_allclose(probabilities.sum(1), 1, atol=1e-5)


def test_a_pair_is_scored_once_and_kept(bundled):
    pair = ("Water boils at 100 degrees Celsius.", "Water is a liquid.")
    before = bundled.entailer.probabilities([pair])
    real, bundled.entailer.model.logits = bundled.entailer.model.logits, None
    try:
        np.testing.assert_array_equal(bundled.entailer.probabilities([pair, pair]), np.vstack([before, before]))
    finally:
        bundled.entailer.model.logits = real


@pytest.mark.parametrize("name", ["entailer", "reranker", "reader"])
def test_what_a_network_says_of_a_text_does_not_depend_on_the_texts_beside_it(bundled, name):
    model = getattr(bundled, name).model
    pairs = [("What rises?", "Kites rise" + " in the wind" * count + ".") for count in (1, 2, 2, 30)]
    for pair, (_, beside) in zip(pairs, model.token_logits(pairs), strict=True):
        assert np.array_equal(beside, model.token_logits([pair])[0][1])


def test_no_weights_are_larger_than_a_repository_takes():
    files = [path for path in SHIPPED.rglob("*") if path.is_file()]
    assert max(path.stat().st_size for path in files) < 95_000_000
    assert sum(path.stat().st_size for path in files) < 265_000_000


def test_columns_follow_the_models_own_labels_and_many_threads_read_as_one_does(bundled, tmp_path):
    """The same weights under labels in another order: the columns are put right."""
    copy = tmp_path / "turned"
    shutil.copytree(SHIPPED / BUNDLED.entailer, copy)
    config = json.loads((copy / "config.json").read_text())
    config["id2label"] = {"0": "CONTRADICTION", "1": "neutral", "2": "Entailment"}
    config["label2id"] = {v: int(k) for k, v in config["id2label"].items()}
    (copy / "config.json").write_text(json.dumps(config))
    straight = bundled.entailer.probabilities([(SENTENCES[0], SENTENCES[0])])[0]
    others = Entailer(copy, "turned")
    turned = others.probabilities([(SENTENCES[0], SENTENCES[0])])[0]
    np.testing.assert_allclose(turned, straight[::-1], atol=1e-5)
    pairs = [(f"Rod {n} is made of iron and {n} cm long.", f"Rod {n} is {n} cm long.") for n in range(40)]
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda pair: others.probabilities([pair])[0], pairs))
    np.testing.assert_allclose(np.array(found)[:, ::-1], bundled.entailer.probabilities(pairs), atol=0.05)


def test_a_model_with_other_labels_is_refused(bundled, tmp_path):
    with pytest.raises(ModelError, match="must have one"):
        Reranker(SHIPPED / READER, "no reranker")


def test_a_folder_without_a_model_is_refused_in_a_sentence(tmp_path):
    with pytest.raises(ModelError, match="no model folder"):
        Entailer(tmp_path, "nothing")


@pytest.mark.parametrize(("model", "source", "names"), [
    (Embedder, "minilm", ("graph.xml", "weights.1.bin")),
    (Reranker, BUNDLED.reranker, ("calibration.json", "model.onnx", "weights.json", "tokenizer.json")),
])  # fmt: skip
def test_a_broken_file_of_a_model_is_one_sentence_until_it_is_whole_again(tmp_path, model, source, names):
    copy = tmp_path / "copied"
    shutil.copytree(SHIPPED / source, copy)
    for name in names:
        whole = (copy / name).read_bytes()
        os.truncate(copy / name, len(whole) // 2)
        with pytest.raises(
            ModelError, match=r"^[^\n]* of the model copied is [^\n]*damaged[^\n]*; mend it by: get the project"
        ):
            model(*place_of(str(copy)))
        (copy / name).write_bytes(whole)
    assert model(*place_of(str(copy))).digest == place_of(str(copy))[1]


def test_an_unknown_profile_names_those_there_are():
    with pytest.raises(ModelError, match="bundled, hub"):
        load("best")


def test_a_profile_may_name_its_two_models():
    found = sources_of("bundled+cross-encoder/ms-marco-MiniLM-L-6-v2")
    assert (found.entailer, found.reranker) == (BUNDLED.entailer, PROFILES["hub"].reranker)
    with pytest.raises(ModelError, match="between them"):
        sources_of("cross-encoder/one+")


def test_a_trace_remembers_every_model(bundled):
    assert set(bundled.names) == {"profile", "embedder", "entailer", "reranker", "question_encoder", "reader"}
    assert set(replace(bundled, reranker=None).names) == {
        "profile", "embedder", "entailer", "question_encoder", "reader"
    }  # fmt: skip
    assert bundled.reranker.calibrated and not answers_map_of(SHIPPED).calibrated


@pytest.mark.parametrize("name", ["minilm", "bge-small", "ms-marco-minilm", "nli-school", "reader-school"])
def test_other_weights_than_those_that_ship_are_refused(tmp_path, name):
    copy = tmp_path / name
    shutil.copytree(SHIPPED / name, copy)
    manifest = json.loads((copy / MANIFEST).read_text())
    manifest["parts"][-1]["sha256"] = "0" * 64
    (copy / MANIFEST).write_text(json.dumps(manifest))
    with pytest.raises(ModelError, match=rf"of the model {name} is missing or damaged"):
        Embedder(copy, "other") if name in ("minilm", "bge-small") else cross_encoder(copy)


def test_the_reranker_puts_what_answers_first(bundled):
    texts = ["Sound is all around us, and we hear it all day.", "Sound travels at about 340 metres a second in air.",
             "The bell of the school is made of brass."]  # fmt: skip
    found = bundled.reranker.probabilities("How fast does sound travel in air?", texts)
    assert found.argmax() == 1 and found[1] > 0.6 and found[2] < 0.2


def test_a_hub_that_cannot_be_reached_is_said_and_nothing_is_loaded_instead(monkeypatch):
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)  # else it is tried again and again first
    with pytest.raises(ModelError, match="profile 'bundled'"):
        Reranker("example-org/no-such-reranker", "hub")


def test_a_trace_tells_the_same_weights_with_another_temperature_apart(tmp_path):
    (tmp_path / "weights.json").write_text("{}")
    plain = place_of(str(tmp_path))
    (tmp_path / "calibration.json").write_text('{"temperature": 1.2}')
    fitted = place_of(str(tmp_path))
    (tmp_path / "calibration.json").write_text('{"temperature": 1.3}')
    assert plain[0] == fitted[0] and len({plain[1], fitted[1], place_of(str(tmp_path))[1]}) == 3


def test_texts_are_as_close_as_sentence_transformers_says(bundled):
    """Its own figures, in fp32; a long text is cut where it cuts, and words are in as many pieces."""
    found = bundled.embedder.encode([*CLOSE, "word " * 300])
    wanted = [[0.523571, 0.036715, 0.066654], [-0.000362, 0.012066], [-0.015680]]
    for n, row in enumerate(wanted):
        np.testing.assert_allclose(found[n + 1 :] @ found[n], row, atol=5e-4)
    np.testing.assert_allclose(found[0, :3], [-0.02743945, -0.02483687, -0.01628526], atol=5e-4)
    assert [bundled.embedder.is_term(w) for w in ("plants", "photosynthesis", "presbyopia")] == [False, True, True]


def test_a_text_that_is_empty_long_or_in_another_script_has_a_unit_vector(bundled):
    texts = ["", "word " * 400, "Ein Café – naïve 漢字", "<b>x² + 1</b>"]
    np.testing.assert_allclose(np.linalg.norm(bundled.embedder.encode(texts), axis=1), 1, atol=1e-5)
    assert bundled.embedder.encode([]).shape == (0, 384)


def test_the_bundled_embedder_is_calibrated(bundled):
    assert bundled.calibration.calibrated
    assert not calibration_of("0" * 64).calibrated


def test_a_map_never_falls_and_stays_in_bounds(bundled):
    scores = np.linspace(-1, 1, 201)
    for chosen in (bundled.calibration.related, bundled.calibration.hybrid, Calibration().hybrid):
        probabilities = chosen(scores)
        assert (np.diff(probabilities) >= 0).all() and probabilities[0] >= 0 and probabilities[-1] <= 1


@pytest.mark.parametrize(
    "scores", [((0.0, 0.0), (0.1, 0.2)), ((0.0, 1.0), (0.2, 0.1)), ((0.0,), (0.1,)), ((0.0, 1.0), (0.1,))]
)
def test_a_map_that_does_not_rise_is_refused(scores):
    with pytest.raises(ModelError):
        MonotoneMap(scores=scores[0], probabilities=scores[1])


def test_what_is_recorded_for_the_tests_of_the_pages_is_what_the_models_say(bundled, sample_home):
    """An altered answer, which every model reads, comes to the same; and none of what it takes is missing."""
    altered = "The speed of sound in water is about 5100 metres per second."
    question, recorded, traces = (
        Question(query="How fast does sound travel in water?", answer=altered),
        recorded_models.__wrapped__(),  # no other test has made them load the weights
        [],
    )
    for models in (bundled, recorded):
        library = Library(sample_home("recorded"), models.embedder)
        traces.append(Explorer(library, models).ask(question, Preset())[0])
        library.close()
    real, again = (trace.rounds[0] for trace in traces)
    assert traces[0].models == traces[1].models and real.case.passages == again.case.passages
    assert set(real.signals) == set(again.signals) and not {"network"} & set(vars(recorded.entailer.model))
    for check, signals in real.signals.items():
        for name, said in signals.items():
            is_product = name == "differs"  # of two probabilities: it moves twice as far as one
            atol = 0.04 if is_product else 0.02
            np.testing.assert_allclose(again.signals[check][name], said, atol=atol, err_msg=f"{check}.{name}")


def test_the_question_encoder_puts_what_answers_first(bundled):
    texts = ["Sound is all around us, and we hear it all day.", "In air it covers about 340 metres a second."]
    found = bundled.question_encoder.cosines("How fast does sound travel in air?", texts)
    assert found.shape == (2,) and found.argmax() == 1 and (abs(found) <= 1).all()


def test_the_question_encoder_reads_the_beginning_of_a_long_text(bundled):
    long, longer = "Sound travels in air. " * 200, "Sound travels in air. " * 300
    found = bundled.question_encoder.cosines("How does sound travel?", [long, longer])
    assert found[0] == pytest.approx(found[1], abs=1e-5)


def test_without_the_question_encoder_its_hint_is_neutral(bundled):
    passage = Passage(id="p", sentences=("A kite needs no motor.", "Wind carries it."), pages=(1, 1), section="Kites")
    evidence = (Evidence(passage=passage, cosine=0.5, related=0.5, hybrid=0.5, answers=0.5, kept=(0, 1)),)
    alone = replace(bundled, question_encoder=None)
    stretches = stretches_for("What carries a kite?", evidence, alone)
    hints = hints_of("What carries a kite?", stretches, evidence, alone)
    assert len(stretches) > 0 and not hints[:, HINTS.index("encoded")].any()
