import numpy as np

import measure

X, y = measure.load("X.npy"), measure.load("y.npy", flat=True)
QUANTILE = 0.9


def highs():
    import sklearn
    from sklearn.linear_model import QuantileRegressor

    def run():
        model = QuantileRegressor(quantile=QUANTILE, alpha=0, solver="highs").fit(X, y)
        return model.coef_, model.intercept_
    return sklearn.__version__, run


def statsmodels():
    import statsmodels
    from statsmodels.regression.quantile_regression import QuantReg

    def run():
        b = QuantReg(y, np.column_stack([np.ones(len(X)), X])).fit(q=QUANTILE).params
        return b[1:], b[0]
    return statsmodels.__version__, run


def quality(result):
    b, c = result
    r = y - X @ b - c
    return {"objective": np.mean(QUANTILE * r - np.minimum(r, 0))}


measure.main({"highs": highs, "statsmodels": statsmodels}, quality)
