import importlib.metadata
import warnings

import measure

X = measure.load("X.npy")
warnings.simplefilter("ignore")


def fit():
    import pacmap
    pacmap.PaCMAP().fit_transform(X[:500].astype("float32"))  # compiles
    return importlib.metadata.version("pacmap"), lambda: pacmap.PaCMAP().fit_transform(X.astype("float32"))


def quality(y):
    from sklearn.manifold import trustworthiness
    return {"trustworthiness": trustworthiness(X[:2000], y[:2000], n_neighbors=15)}


measure.main({"pacmap": fit}, quality)
