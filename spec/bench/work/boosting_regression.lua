return require("boosting").workload("regression", "histogram boosting, squared error", 1)
