--- Words under which ml.find finds graphical models.
return {
   ["ldpc"] = { "LDPCCode" }, ["error correction"] = { "LDPCCode" }, ["parity check"] = { "LDPCCode" },
   ["alist"] = { "LDPCCode" }, ["bit error rate"] = { "LDPCCode" }, ["density evolution"] = { "ldpc_threshold" },
   ["channel coding"] = { "LDPCCode" }, ["min sum"] = { "LDPCCode", "FactorGraph" },
   ["belief propagation"] = { "FactorGraph" }, ["message passing"] = { "FactorGraph" },
   ["junction tree"] = { "FactorGraph" }, ["variable elimination"] = { "FactorGraph" },
   ["graphical model"] = { "FactorGraph" }, ["factor graph"] = { "FactorGraph" },
   ["clique tree"] = { "FactorGraph" }, ["treewidth"] = { "FactorGraph" }, ["sum product"] = { "FactorGraph" },
}
