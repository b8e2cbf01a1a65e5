import numpy as np

import measure

X, y = measure.load("X.npy"), measure.load("y.npy", flat=True)
alpha = 1e-4


def poisson(**options):
    def peer():
        import sklearn
        from sklearn.linear_model import PoissonRegressor
        return sklearn.__version__, lambda: PoissonRegressor(alpha=alpha, **options).fit(X, y)
    return peer


def irls():
    import statsmodels
    import statsmodels.api as sm
    Z = sm.add_constant(X)
    return statsmodels.__version__, lambda: sm.GLM(y, Z, family=sm.families.Poisson()).fit()


def quality(model):
    if hasattr(model, "coef_"):
        b, c = model.coef_, model.intercept_
    else:
        b, c = model.params[1:], model.params[0]
    eta = X @ b + c
    mu = np.exp(eta)
    gradient = X.T @ (mu - y) / len(y) + alpha * b
    return {"objective": (mu - y * eta).mean() + alpha / 2 * b @ b, "gradient": np.abs(gradient).max()}


measure.main({"lbfgs": poisson(solver="lbfgs", tol=1e-6, max_iter=1000),
              "newton": poisson(solver="newton-cholesky", tol=1e-8), "statsmodels": irls}, quality)
