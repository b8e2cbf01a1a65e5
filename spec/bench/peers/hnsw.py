import numpy as np

import measure

X, Q, TRUTH = measure.load("X.npy"), measure.load("Q.npy"), measure.load("truth.npy")
K, TARGET = 10, 0.95


def recall(found):
    return np.mean([len(set(a) & set(b)) for a, b in zip(found[:len(TRUTH)] + 1, TRUTH)]) / K


def hnswlib():
    import hnswlib as library
    from importlib.metadata import version
    index = library.Index(space="l2", dim=X.shape[1])
    index.init_index(max_elements=len(X), ef_construction=200, M=16)
    index.add_items(X.astype(np.float32))
    q = Q.astype(np.float32)
    ef = K
    while True:  # the smallest beam that finds as many, like ours
        index.set_ef(ef)
        if recall(index.knn_query(q[:len(TRUTH)], k=K)[0].astype(int)) >= TARGET or ef > 4096:
            break
        ef += ef // 10 + 1
    return version("hnswlib"), lambda: index.knn_query(q, k=K)[0].astype(int)


measure.main({"hnswlib": hnswlib}, lambda found: {"recall": recall(found)})
