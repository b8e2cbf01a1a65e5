import warnings

import numpy as np

import measure

X = measure.load("X.npy")
K, ITERATIONS = 20, 50
warnings.simplefilter("ignore")


def cd():
    import sklearn
    from sklearn.decomposition import NMF
    return sklearn.__version__, lambda: NMF(K, init="nndsvda", max_iter=ITERATIONS, tol=0, random_state=0).fit(X)


def mini_batch():
    import sklearn
    from sklearn.decomposition import MiniBatchNMF
    return sklearn.__version__, lambda: MiniBatchNMF(K, init="nndsvda", max_iter=ITERATIONS, random_state=0).fit(X)


measure.main({"cd": cd, "mini_batch": mini_batch},
             lambda m: {"error": np.linalg.norm(X - m.transform(X) @ m.components_)})
