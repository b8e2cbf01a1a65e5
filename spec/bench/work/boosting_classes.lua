return require("boosting").workload("classes", "histogram boosting, 7 classes", 7)
