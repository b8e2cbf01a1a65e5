import warnings

import numpy as np

import measure

K = 64
X = measure.load("X.npy")


def fit(kind):
    def peer():
        import sklearn
        from sklearn.cluster import MiniBatchKMeans
        warnings.simplefilter("ignore")
        x = X.astype(kind)
        start = x[:K].copy()
        return sklearn.__version__, lambda: MiniBatchKMeans(K, init=start, n_init=1, random_state=1).fit(x)
    return peer


measure.main({"float32": fit(np.float32), "float64": fit(np.float64)},
             lambda model: {"inertia": float(model.inertia_), "steps": int(model.n_steps_)})
