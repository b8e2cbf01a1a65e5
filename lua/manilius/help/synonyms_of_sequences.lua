--- Words under which ml.find finds models of sequences.
return {
   ["kalman"] = { "KalmanFilter", "LinearGaussianStateSpace" },
   ["kalman smoother"] = { "KalmanFilter" },
   ["state space"] = { "LinearGaussianStateSpace", "KalmanFilter", "StateSpaceGaussianProcessRegressor" },
   ["linear dynamical system"] = { "LinearGaussianStateSpace" },
   ["dynamic factor"] = { "LinearGaussianStateSpace" },
   ["forecast"] = { "ARIMA", "StructuralTimeSeries", "ARModel", "LinearGaussianStateSpace", "KalmanFilter" },
   ["autoregressive"] = { "ARModel" }, ["yule walker"] = { "ARModel" }, ["burg"] = { "ARModel" },
   ["autocorrelation"] = { "ARModel" }, ["levinson"] = { "ARModel" },
   ["sarima"] = { "ARIMA" }, ["sarimax"] = { "ARIMA" }, ["arma process"] = { "ARIMA" },
   ["arma"] = { "ARIMA", "ARModel" }, ["box jenkins"] = { "ARIMA" }, ["seasonal"] = { "ARIMA", "StructuralTimeSeries" },
   ["unobserved components"] = { "StructuralTimeSeries" }, ["structts"] = { "StructuralTimeSeries" },
   ["trend"] = { "StructuralTimeSeries" }, ["local level"] = { "StructuralTimeSeries" },
   ["time series"] = { "ARIMA", "StructuralTimeSeries", "ARModel", "KalmanFilter", "TimeSeriesSplit" },
}
