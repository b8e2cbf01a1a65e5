import numpy as np
import measure

X = measure.load("X.npy")
try:
    y = measure.load("y.npy", flat=True)
except FileNotFoundError:
    y = None


def fit(version, svm, work):
    models = {"svc": lambda: svm.SVC(C=1, gamma=0.05), "svr": lambda: svm.SVR(C=1, gamma=0.1),
              "one_class": lambda: svm.OneClassSVM(nu=0.1, gamma=0.1)}
    return version, lambda: models[work]().fit(X, y)


def libsvm(work):
    def peer():
        import sklearn
        from sklearn import svm
        return fit(sklearn.__version__, svm, work)
    return peer


def intelex(work):
    def peer():
        import sklearnex
        from sklearnex import svm
        return fit(getattr(sklearnex, "__version__", ""), svm, work)
    return peer


def quality(model):
    """The dual objective: 1/2 b' K b - |b| of SVC, - y'b + 0.1 |b| of SVR."""
    from sklearn.metrics.pairwise import rbf_kernel
    b, s = np.ravel(model.dual_coef_), model.support_
    f = np.concatenate([rbf_kernel(X[part], X[s], model.gamma) @ b for part in np.array_split(s, 20)])
    linear = {"SVC": lambda: -np.abs(b).sum(), "SVR": lambda: 0.1 * np.abs(b).sum() - y[s] @ b}
    return {"objective": float(b @ f / 2 + linear.get(type(model).__name__, lambda: 0.0)()), "vectors": len(s)}


measure.main({f"{name}_{work}": peer(work) for work in ("svc", "svr", "one_class")
              for name, peer in (("libsvm", libsvm), ("intelex", intelex))}, quality)
