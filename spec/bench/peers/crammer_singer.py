import warnings

import numpy as np

import measure

C = 0.1
X, y = measure.load("X.npy"), measure.load("y.npy", flat=True).astype(np.int64)


def liblinear(tol):
    def peer():
        import sklearn
        from sklearn.svm import LinearSVC
        warnings.simplefilter("ignore")  # it may say that the iterations do not suffice
        model = LinearSVC(multi_class="crammer_singer", C=C, fit_intercept=False, tol=tol, max_iter=20000)
        return sklearn.__version__, lambda: model.fit(X, y)
    return peer


def quality(model):
    scores = X @ model.coef_.T
    own = scores[np.arange(len(y)), y - 1]
    scores[np.arange(len(y)), y - 1] = -np.inf
    loss = np.maximum(0, 1 - own + scores.max(axis=1))
    return {"objective": C * loss.sum() + (model.coef_ ** 2).sum() / 2}


measure.main({"liblinear": liblinear(1e-3), "liblinear-exact": liblinear(1e-5)}, quality)
