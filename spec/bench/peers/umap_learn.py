import warnings

import measure

X = measure.load("X.npy")
warnings.simplefilter("ignore")


def fit():
    import umap
    umap.UMAP(n_epochs=5, force_approximation_algorithm=True).fit(X[:1000])  # compiles
    return umap.__version__, lambda: umap.UMAP().fit_transform(X)


def quality(y):
    from sklearn.manifold import trustworthiness
    return {"trustworthiness": trustworthiness(X[:2000], y[:2000], n_neighbors=15)}


measure.main({"umap": fit}, quality)
