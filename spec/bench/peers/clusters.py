import measure

X = measure.load("X.npy")


def fastcluster(function, method):
    def peer():
        import fastcluster as library
        return library.__version__, lambda: getattr(library, function)(X, method)
    return peer


def scipy_ward():
    import scipy
    from scipy.cluster.hierarchy import linkage
    return scipy.__version__, lambda: linkage(X, "ward")


def scikit_learn(name, **settings):
    def peer():
        import sklearn
        import sklearn.cluster
        return sklearn.__version__, lambda: getattr(sklearn.cluster, name)(**settings).fit(X).labels_
    return peer


def hdbscan():
    import importlib.metadata
    import hdbscan as library
    settings = {"min_cluster_size": 50, "min_samples": 9}  # without the row itself
    return importlib.metadata.version("hdbscan"), lambda: library.HDBSCAN(**settings).fit(X).labels_


def fast_hdbscan():
    import importlib.metadata
    import fast_hdbscan as library
    settings = {"min_cluster_size": 50, "min_samples": 9}
    library.HDBSCAN(**settings).fit(X[:2000])  # compiles
    return importlib.metadata.version("fast_hdbscan"), lambda: library.HDBSCAN(**settings).fit(X).labels_


def quitefastmst(neighbors):
    """The minimum spanning tree alone: what the linkage and HDBSCAN begin with."""
    def peer():
        import importlib.metadata
        import quitefastmst as library
        return importlib.metadata.version("quitefastmst"), lambda: library.mst_euclid(X, neighbors)
    return peer


def quality(result):
    if isinstance(result, tuple):
        return {"height": float(result[0].sum())}
    if result.ndim == 2:
        return {"height": float(result[:, 2].sum())}
    return {"clusters": int(result.max()) + 1, "noise": int((result < 0).sum())}


measure.main({"ward_rows": fastcluster("linkage_vector", "ward"), "ward": fastcluster("linkage", "ward"),
              "single_rows": fastcluster("linkage_vector", "single"), "scipy_ward": scipy_ward,
              "dbscan": scikit_learn("DBSCAN", eps=0.3, min_samples=10),
              "optics": scikit_learn("OPTICS", min_samples=10, max_eps=1), "hdbscan": hdbscan,
              "fast_hdbscan": fast_hdbscan, "tree": quitefastmst(1), "reachability_tree": quitefastmst(9)}, quality)
