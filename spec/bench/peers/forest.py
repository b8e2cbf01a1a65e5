import numpy as np

import measure

TREES = 100
X, y = measure.load("X.npy"), measure.load("y.npy", flat=True)
n = len(X) * 9 // 10


def forest(kind, **settings):
    def peer():
        import sklearn
        from sklearn import ensemble
        x = X.astype(np.float32)
        labels = y[:n].astype(int)

        def run():
            return getattr(ensemble, kind)(n_estimators=TREES, max_features=5, n_jobs=-1, random_state=1, **settings).fit(
                x[:n], labels)
        return sklearn.__version__, run
    return peer


def quality(model):
    return {"accuracy": float((model.predict(X[n:].astype(np.float32)) == y[n:].astype(int)).mean())}


measure.main({"random_forest": forest("RandomForestClassifier"), "extra_trees": forest("ExtraTreesClassifier")}, quality)
