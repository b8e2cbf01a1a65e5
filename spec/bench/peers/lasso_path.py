import numpy as np

import measure

X, y = measure.load("X.npy"), measure.load("y.npy", flat=True)


def path(tol):
    def peer():
        import sklearn
        from sklearn.linear_model import lasso_path

        def run():
            mean, center = X.mean(0), y.mean()
            alphas, coefs, _ = lasso_path(X - mean, y - center, n_alphas=100, eps=1e-3, tol=tol)
            return alphas, coefs.T, center - coefs.T @ mean
        return sklearn.__version__, run
    return peer


def quality(result):
    alphas, coefs, constants = result
    n, total, worst = len(X), 0.0, 0.0
    square = ((y - y.mean()) ** 2).sum() / n
    for alpha, b, c in zip(alphas, coefs, constants):
        r = y - X @ b - c
        total += r @ r / (2 * n) + alpha * np.abs(b).sum()
        g = (X - X.mean(0)).T @ r / n
        s = min(1.0, alpha / max(np.abs(g).max(), 1e-300))
        gap = (1 - s) ** 2 * (r @ r / n) / 2 + alpha * np.abs(b).sum() - s * g @ b
        worst = max(worst, gap / square)
    return {"objective": total, "gap": worst}


measure.main({name: path(float(name)) for name in ("1e-4", "1e-5", "1e-6", "1e-8")}, quality)
