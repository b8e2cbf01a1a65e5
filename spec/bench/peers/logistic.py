import numpy as np

import measure

X, y = measure.load("X.npy"), measure.load("y.npy", flat=True)


def logistic(**options):
    def peer():
        import sklearn
        from sklearn.linear_model import LogisticRegression
        code = y.astype(np.int64)
        return sklearn.__version__, lambda: LogisticRegression(C=1.0, fit_intercept=False, **options).fit(X, code)
    return peer


def quality(model):
    b = model.coef_[0]
    z = X @ b
    signed = z * (1 - 2 * y)
    loss = np.maximum(signed, 0) + np.log1p(np.exp(-np.abs(z)))
    gradient = X.T @ (1 / (1 + np.exp(-z)) - y) + b
    return {"objective": loss.sum() + b @ b / 2, "excess": gradient @ gradient / 2}


measure.main({"lbfgs": logistic(solver="lbfgs", tol=1e-8, max_iter=1000),
              "newton": logistic(solver="newton-cholesky", tol=1e-8),
              "liblinear": logistic(solver="liblinear", tol=1e-8)}, quality)
