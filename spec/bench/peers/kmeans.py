import warnings

import numpy as np

import measure

K, ROUNDS = 64, 30
X = measure.load("X.npy")


def lloyd(kind, algorithm):
    def peer():
        import sklearn
        from sklearn.cluster import KMeans
        warnings.simplefilter("ignore")
        x = X.astype(kind)
        start = x[:K].copy()

        def run():
            model = KMeans(K, init=start, n_init=1, max_iter=ROUNDS, tol=0, algorithm=algorithm).fit(x)
            return model.cluster_centers_, model.n_iter_
        return sklearn.__version__, run
    return peer


def faiss():
    import faiss as library
    x = X.astype(np.float32)
    start = x[:K].copy()

    def run():
        model = library.Kmeans(x.shape[1], K, niter=ROUNDS, max_points_per_centroid=10 ** 9)
        model.train(x, init_centroids=start)
        return model.centroids, ROUNDS
    return library.__version__, run


def quality(result):
    centers, iterations = np.asarray(result[0], dtype=np.float64), result[1]
    inertia = 0.0
    for begin in range(0, len(X), 10000):
        x = X[begin:begin + 10000]
        d = (x ** 2).sum(1)[:, None] - 2 * x @ centers.T + (centers ** 2).sum(1)
        inertia += d.min(1).sum()
    return {"inertia": inertia, "iterations": int(iterations)}


measure.main({"lloyd32": lloyd(np.float32, "lloyd"), "lloyd": lloyd(np.float64, "lloyd"),
              "elkan": lloyd(np.float64, "elkan"), "faiss": faiss}, quality)
