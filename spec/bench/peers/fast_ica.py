import numpy as np
import measure

X = measure.load("X.npy")


def ica(solver):
    def peer():
        import sklearn
        from sklearn.decomposition import FastICA
        return sklearn.__version__, lambda: FastICA(whiten="unit-variance", whiten_solver=solver, random_state=0).fit(X)
    return peer


def quality(m):
    return {"contrast": np.log(np.cosh(m.transform(X))).mean(), "iterations": m.n_iter_}


measure.main({"svd": ica("svd"), "eigh": ica("eigh")}, quality)
