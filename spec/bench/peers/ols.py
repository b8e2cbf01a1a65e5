import numpy as np

import measure

X, y = measure.load("X.npy"), measure.load("y.npy", flat=True)


def normal():
    def run():
        n, mean, center = len(X), X.mean(0), y.mean()
        gram = X.T @ X - n * np.outer(mean, mean)
        b = np.linalg.solve(gram, X.T @ y - n * mean * center)
        return b, center - mean @ b
    return np.__version__, run


def lstsq():
    def run():
        mean, center = X.mean(0), y.mean()
        b = np.linalg.lstsq(X - mean, y - center, rcond=None)[0]
        return b, center - mean @ b
    return np.__version__, run


def sklearn():
    import sklearn
    from sklearn.linear_model import LinearRegression

    def run():
        model = LinearRegression().fit(X, y)
        return model.coef_, model.intercept_
    return sklearn.__version__, run


def statsmodels():
    import statsmodels
    import statsmodels.api as sm

    def run():
        fit = sm.OLS(y, sm.add_constant(X, has_constant="add")).fit()
        fit.bse  # standard errors, which ours has too
        return fit.params[1:], fit.params[0]
    return statsmodels.__version__, run


def quality(result):
    b, constant = result
    r = y - X @ b - constant
    rss, center = r @ r, y - y.mean()
    r -= r.mean()
    norm = np.sqrt(np.einsum("ij,ij->j", X, X) - len(X) * X.mean(0) ** 2)
    return {"R2": 1 - rss / (center @ center), "max_cos": np.max(np.abs(X.T @ r) / norm) / np.sqrt(rss)}


measure.main({"normal": normal, "lstsq": lstsq, "sklearn": sklearn, "statsmodels": statsmodels}, quality)
