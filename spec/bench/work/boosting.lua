return require("boosting").workload("binary", "histogram boosting, two classes", 1)
