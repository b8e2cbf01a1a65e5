import os
import sys

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import numpy as np
import measure

sys.path.remove(os.path.dirname(os.path.abspath(__file__)))  # GPflow imports the package tree, not the peer tree.py

X, y = measure.load("X.npy"), measure.load("y.npy", flat=True)


def sparse():
    import gpflow
    import tensorflow as tf
    kernel = gpflow.kernels.SquaredExponential(lengthscales=np.ones(X.shape[1]))
    model = gpflow.models.SGPR((X, y[:, None]), kernel, X[:200].copy(), noise_variance=0.5)

    @tf.function
    def evaluate():
        with tf.GradientTape() as tape:
            bound = model.elbo()
        return bound, tape.gradient(bound, model.trainable_variables)

    evaluate()  # compiles the graph
    return gpflow.__version__, lambda: float(evaluate()[0].numpy())


measure.main({"sparse": sparse}, lambda bound: {"bound": bound})
