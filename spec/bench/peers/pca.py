import numpy as np

import measure

X = measure.load("X.npy")
K = 50


def eigh():
    from scipy.linalg import eigh as solve

    def run():
        n, p = X.shape
        mean = X.mean(0)
        cov = (X.T @ X - n * np.outer(mean, mean)) / (n - 1)
        total = np.trace(cov)
        values, vectors = solve(cov, subset_by_index=[p - K, p - 1], overwrite_a=True, check_finite=False)
        return values.sum() / total, vectors
    return np.__version__, run


def pca(solver):
    def peer():
        import sklearn
        from sklearn.decomposition import PCA

        def run():
            model = PCA(K, svd_solver=solver, random_state=1).fit(X)
            return model.explained_variance_ratio_.sum(), model.components_
        return sklearn.__version__, run
    return peer


measure.main({"eigh": eigh, "auto": pca("auto"), "randomized": pca("randomized"), "full": pca("full")},
             lambda result: {"explained": result[0]})
