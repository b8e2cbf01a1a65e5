import numpy as np

import measure

X, y = measure.load("X.npy"), measure.load("y.npy", flat=True).astype(np.int64)
TEST = 100000


def sklearn():
    import sklearn
    from sklearn.naive_bayes import GaussianNB
    return sklearn.__version__, lambda: GaussianNB().fit(X, y)


def quality(model):
    log_p = model.predict_log_proba(X[:TEST])
    code = y[:TEST]
    return {"logloss": -log_p[np.arange(len(code)), code].mean(), "accuracy": (log_p.argmax(1) == code).mean()}


measure.main({"sklearn": sklearn}, quality)
