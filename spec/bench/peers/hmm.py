"""hmmlearn from the same start: start.npz-like files written by the workload."""
import logging
import os
import measure
import numpy as np

logging.getLogger("hmmlearn").setLevel(logging.ERROR)
X = measure.load("X.npy")
LENGTHS = measure.load("lengths.npy").ravel().astype(int) if os.path.exists(measure.path("lengths.npy")) else None
ROUNDS = 20


def parts():
    return [measure.load(name + ".npy") for name in ("startprob", "transmat", "emission")]


def fit(model, rows):
    return model.fit(rows, LENGTHS), rows


def gaussian():
    import hmmlearn
    from hmmlearn.hmm import GaussianHMM
    startprob, transmat, means = parts()
    k, p = means.shape

    def run():
        model = GaussianHMM(k, "full", n_iter=ROUNDS, tol=0, init_params="", implementation="scaling", min_covar=0,
                            covars_prior=0)
        model.startprob_, model.transmat_, model.means_ = startprob.ravel(), transmat, means
        model.covars_ = np.tile(np.eye(p), (k, 1, 1))
        return fit(model, X)
    return hmmlearn.__version__, run


def categorical():
    import hmmlearn
    from hmmlearn.hmm import CategoricalHMM
    startprob, transmat, emission = parts()
    rows = X.astype(int)

    def run():
        model = CategoricalHMM(len(transmat), n_iter=ROUNDS, tol=0, init_params="", implementation="scaling")
        model.startprob_, model.transmat_, model.emissionprob_ = startprob.ravel(), transmat, emission
        return fit(model, rows)
    return hmmlearn.__version__, run


measure.main({"gaussian": gaussian, "categorical": categorical},
             lambda result: {"mean_loglik": result[0].score(result[1], LENGTHS) / len(X)})
