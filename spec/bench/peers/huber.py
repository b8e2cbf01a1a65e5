import numpy as np

import measure

X, y, truth = measure.load("X.npy"), measure.load("y.npy", flat=True), measure.load("b.npy", flat=True)


def scikit_learn():
    import sklearn
    from sklearn.linear_model import HuberRegressor
    return sklearn.__version__, lambda: HuberRegressor(alpha=0, max_iter=1000).fit(X, y).coef_


def statsmodels():
    import statsmodels
    from statsmodels.robust.norms import HuberT
    from statsmodels.robust.robust_linear_model import RLM
    with_constant = np.column_stack([X, np.ones(len(X))])
    return statsmodels.__version__, lambda: RLM(y, with_constant, M=HuberT()).fit().params[:-1]


def quality(b):
    return {"error": np.sqrt(np.mean((b - truth) ** 2))}


measure.main({"sklearn": scikit_learn, "statsmodels": statsmodels}, quality)
