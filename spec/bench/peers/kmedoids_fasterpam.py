import numpy as np

import measure

K = 20
D = measure.load("D.npy")


def fit(kind):
    def peer():
        import importlib.metadata
        import kmedoids
        d = D.astype(kind)
        return importlib.metadata.version("kmedoids"), lambda: kmedoids.fasterpam(d, np.arange(K))
    return peer


measure.main({"float32": fit(np.float32), "float64": fit(np.float64)},
             lambda result: {"loss": float(result.loss), "passes": int(result.n_iter)})
