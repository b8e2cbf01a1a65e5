import numpy as np

import measure

X, Q = measure.load("X.npy"), measure.load("Q.npy")
K, CHECKED = 10, 200


def faiss():
    import faiss as library
    index = library.IndexFlatL2(X.shape[1])
    index.add(X.astype(np.float32))
    q = Q.astype(np.float32)
    return library.__version__, lambda: index.search(q, K)[1]


def brute(kind):
    def peer():
        import sklearn
        from sklearn.neighbors import NearestNeighbors
        model = NearestNeighbors(n_neighbors=K, algorithm="brute").fit(X.astype(kind))
        q = Q.astype(kind)
        return sklearn.__version__, lambda: model.kneighbors(q)[1]
    return peer


def quality(index):
    sums = [np.linalg.norm(X[index[i]] - Q[i], axis=1).sum() for i in range(min(CHECKED, len(Q)))]
    return {"mean_distance": sum(sums) / len(sums) / K}


measure.main({"faiss": faiss, "sklearn": brute(np.float64), "sklearn32": brute(np.float32)}, quality)
