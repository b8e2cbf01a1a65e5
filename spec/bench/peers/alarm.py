import logging
import os
import warnings

import numpy as np

import measure

warnings.filterwarnings("ignore")
logging.disable(logging.CRITICAL)
BIF = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "examples", "data", "alarm.bif")
QUERIES = 200


def marginals():
    import pyagrum
    net = pyagrum.loadBN(BIF)
    inference = pyagrum.LazyPropagation(net)
    values = ["LOW", "NORMAL", "HIGH"]

    def run():
        for i in range(1, QUERIES + 1):
            inference.setEvidence({"HRBP": values[i % 3]})
            inference.makeInference()
            last = [inference.posterior(v).toarray() for v in net.nodes()]
        return last
    return pyagrum.__version__, run


def frame():
    import pandas as pd
    X = measure.load("X.npy").astype(int)
    return pd.DataFrame({"x%d" % (j + 1): X[:, j].astype(str) for j in range(X.shape[1])})


def bic(data, parents):
    from pgmpy.structure_score import BIC
    score = BIC(data)
    return sum(float(score.local_score(v, tuple(p))) for v, p in parents.items())


def agrum_learn():
    import pyagrum
    data = frame()

    def run():
        learner = pyagrum.BNLearner(data)
        learner.useGreedyHillClimbing()
        learner.useScoreBIC()
        dag = learner.learnDAG()
        names = learner.names()
        return {names[v]: [names[p] for p in dag.parents(v)] for v in dag.nodes()}
    return pyagrum.__version__, run


def pgmpy_learn():
    import pgmpy
    from pgmpy.estimators import HillClimbSearch
    data = frame()

    def run():
        dag = HillClimbSearch(data).estimate(scoring_method="bic-d", show_progress=False)
        return {v: list(dag.get_parents(v)) for v in data}
    return pgmpy.__version__, run


def quality(result):
    if isinstance(result, dict):
        return {"score": bic(frame(), result)}
    p = np.concatenate(result)
    p = p[p > 0]
    return {"entropy": float(-(p * np.log(p)).sum() / len(result))}


measure.main({"marginals": marginals, "agrum_learn": agrum_learn, "pgmpy_learn": pgmpy_learn}, quality)
