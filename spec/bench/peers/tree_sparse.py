from sklearn.datasets import load_svmlight_file

import measure

X, y = load_svmlight_file(measure.path("X.svm"), n_features=20000)
n = X.shape[0] * 9 // 10


def sklearn():
    import sklearn
    from sklearn.tree import DecisionTreeClassifier
    x = X[:n]
    return sklearn.__version__, lambda: DecisionTreeClassifier(random_state=1).fit(x, y[:n])


def quality(model):
    return {"accuracy": float((model.predict(X[n:]) == y[n:]).mean())}


measure.main({"sklearn": sklearn}, quality)
