import measure

X = measure.load("X.npy")


def isomap():
    import sklearn
    from sklearn.manifold import Isomap
    return sklearn.__version__, lambda: Isomap().fit(X).reconstruction_error()


def lle():
    import sklearn
    from sklearn.manifold import LocallyLinearEmbedding
    return sklearn.__version__, lambda: LocallyLinearEmbedding(n_neighbors=10).fit(X).reconstruction_error_


def smacof():
    import sklearn
    from sklearn.manifold import smacof
    from sklearn.metrics import pairwise_distances
    start = measure.load("start.npy")
    return sklearn.__version__, lambda: smacof(pairwise_distances(X), init=start, n_init=1, max_iter=100, eps=0,
                                               normalized_stress=False)[1]


measure.main({"isomap": isomap, "lle": lle, "smacof": smacof},
             lambda v: {"error": v, "stress": v})
