import csv
import itertools
from importlib.metadata import version

import measure

WORD = [(-2,), (-1,), (0,), (1,), (2,), (-1, 0), (0, 1)]
PART = [(-2,), (-1,), (0,), (1,), (2,), (-2, -1), (-1, 0), (0, 1), (1, 2), (-2, -1, 0), (-1, 0, 1), (0, 1, 2)]


def at(cells, i):
    if i < 0:
        return f"_B{i}"
    return cells[i] if i < len(cells) else f"_B+{i - len(cells) + 1}"


def features(words, parts):
    out = []
    for t in range(len(words)):
        own = [f"U0{k}:" + "/".join(at(words, t + o) for o in offsets) for k, offsets in enumerate(WORD)]
        own += [f"U1{k}:" + "/".join(at(parts, t + o) for o in offsets) for k, offsets in enumerate(PART)]
        out.append(own)
    return out


# Features are made and counted before the time that is measured begins, unlike ours.
def crfsuite():
    import pycrfsuite
    trainer = pycrfsuite.Trainer(verbose=False)
    with open(measure.path("tokens.csv"), newline="") as file:
        for _, rows in itertools.groupby(csv.DictReader(file), key=lambda row: row["sentence"]):
            rows = list(rows)
            trainer.append(features([r["word"] for r in rows], [r["part"] for r in rows]), [r["tag"] for r in rows])
    trainer.set_params({"c1": 0, "c2": 1, "max_iterations": 200})

    def run():
        trainer.train("/tmp/manilius_bench.crfsuite")
        return trainer.logparser.last_iteration["loss"]
    return "python-crfsuite " + version("python-crfsuite"), run


def quality(loss):
    return {"objective": loss}


measure.main({"crfsuite": crfsuite}, quality)
