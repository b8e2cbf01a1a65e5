import warnings

import numpy as np

import measure

X, y = measure.load("X.npy"), measure.load("y.npy", flat=True).astype(np.int64)


def lbfgs():
    import sklearn
    from sklearn.linear_model import LogisticRegression
    warnings.simplefilter("ignore")  # it says that 100 iterations do not suffice
    return sklearn.__version__, lambda: LogisticRegression(C=1.0, max_iter=100, tol=1e-4).fit(X, y)


def quality(model):
    log_p = model.predict_log_proba(X)
    loss = -log_p[np.arange(len(y)), y].sum()
    return {"objective": loss + (model.coef_ ** 2).sum() / 2, "iterations": int(np.max(model.n_iter_))}


measure.main({"lbfgs": lbfgs}, quality)
