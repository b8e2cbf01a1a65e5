import numpy as np

import measure

X, y = measure.load("X.npy"), measure.load("y.npy", flat=True)
n = len(X) * 9 // 10


def peer(new):
    def made():
        import sklearn
        x, labels = X.astype(np.float32), y[:n].astype(int)
        return sklearn.__version__, lambda: new().fit(x[:n], labels)
    return made


def tree(**settings):
    def new():
        from sklearn.tree import DecisionTreeClassifier
        return DecisionTreeClassifier(random_state=1, **settings)
    return new


def adaboost():
    from sklearn.ensemble import AdaBoostClassifier
    return AdaBoostClassifier(n_estimators=100, random_state=1)


def quality(model):
    return {"accuracy": float((model.predict(X[n:].astype(np.float32)) == y[n:].astype(int)).mean())}


measure.main({"full": peer(tree()), "depth_10": peer(tree(max_depth=10)), "adaboost": peer(adaboost)}, quality)
