import measure
import numpy as np

X = measure.load("X.npy")


def kalman():
    import statsmodels
    from statsmodels.tsa.statespace.kalman_filter import KalmanFilter, MEMORY_CONSERVE
    k = KalmanFilter(k_endog=1, k_states=2, loglikelihood_burn=0)
    k.set_conserve_memory(MEMORY_CONSERVE)
    k.bind(np.asfortranarray(X.T))
    k["transition"], k["design"] = np.array([[1.0, 1], [0, 1]]), np.array([[1.0, 0]])
    k["state_cov"], k["obs_cov"], k["selection"] = np.diag([0.1, 0.001]), np.array([[1.0]]), np.eye(2)
    k.initialize_known(np.zeros(2), np.eye(2))
    return statsmodels.__version__, lambda: k.loglike()


measure.main({"filter": kalman}, lambda loglike: {"loglike": float(loglike)})
