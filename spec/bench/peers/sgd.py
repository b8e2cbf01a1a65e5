import numpy as np

import measure

X, y = measure.load("X.npy"), measure.load("y.npy", flat=True)
ALPHA, ROUNDS = 1e-4, 5


def classifier():
    import sklearn
    from sklearn.linear_model import SGDClassifier
    code = y.astype(np.int64)
    return sklearn.__version__, lambda: SGDClassifier(
        loss="log_loss", alpha=ALPHA, max_iter=ROUNDS, tol=None, random_state=0).fit(X, code)


def regressor():
    import sklearn
    from sklearn.linear_model import SGDRegressor
    return sklearn.__version__, lambda: SGDRegressor(
        alpha=ALPHA, eta0=0.001, max_iter=ROUNDS, tol=None, random_state=0).fit(X, y)


def quality(model):
    b = model.coef_.ravel()
    z = X @ b + model.intercept_[0]
    if hasattr(model, "classes_"):
        loss = np.maximum(z * (1 - 2 * y), 0) + np.log1p(np.exp(-np.abs(z)))
    else:
        loss = (y - z) ** 2 / 2
    return {"objective": loss.mean() + ALPHA / 2 * b @ b}


measure.main({"classifier": classifier, "regressor": regressor}, quality)
