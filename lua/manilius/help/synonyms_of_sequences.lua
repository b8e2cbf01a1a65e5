--- Words under which ml.find finds models of sequences and graphs.
return {
   ["kalman"] = { "KalmanFilter", "LinearGaussianStateSpace" },
   ["kalman smoother"] = { "KalmanFilter" },
   ["state space"] = { "LinearGaussianStateSpace", "KalmanFilter", "StateSpaceGaussianProcessRegressor" },
   ["linear dynamical system"] = { "LinearGaussianStateSpace" },
   ["dynamic factor"] = { "LinearGaussianStateSpace" },
   ["forecast"] = { "ARModel", "LinearGaussianStateSpace", "KalmanFilter" },
   ["autoregressive"] = { "ARModel" }, ["yule walker"] = { "ARModel" }, ["burg"] = { "ARModel" },
   ["autocorrelation"] = { "ARModel" }, ["levinson"] = { "ARModel" },
   ["arima"] = { "ARModel", "LinearGaussianStateSpace" },
}
