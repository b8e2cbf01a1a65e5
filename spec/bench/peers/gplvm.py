import warnings

import numpy as np

import measure

X = measure.load("X.npy")
ITERATIONS = 50
warnings.simplefilter("ignore")


def gplvm():
    import GPy
    left, _, _ = np.linalg.svd(X - X.mean(0), full_matrices=False)
    start = left[:, :2] * np.sqrt(len(X))

    def run():
        model = GPy.models.GPLVM(X, 2, X=start.copy(), kernel=GPy.kern.RBF(2))
        model.likelihood.variance = 0.1
        model.optimize(max_iters=ITERATIONS, messages=False)
        return model

    return GPy.__version__, run


measure.main({"gplvm": gplvm}, lambda m: {"loglike": float(np.ravel(m.log_likelihood())[0])})
