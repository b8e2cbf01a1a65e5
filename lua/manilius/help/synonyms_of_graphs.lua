--- Words under which ml.find finds graphical models.
local BOTH, FIELD = { "FactorGraph", "MarkovRandomField" }, { "MarkovRandomField" }
return {
   ["compressed sensing"] = { "amp", "Lasso", "OrthogonalMatchingPursuit" },
   ["approximate message passing"] = { "amp" },
   ["state evolution"] = { "amp_state_evolution" }, ["sparse recovery"] = { "amp", "Lasso" },
   ["sat"] = { "solve_sat" }, ["satisfiability"] = { "solve_sat" },
   ["survey propagation"] = { "solve_sat", "color_graph" },
   ["walksat"] = { "solve_sat" }, ["probsat"] = { "solve_sat" }, ["dimacs"] = { "solve_sat", "color_graph" },
   ["graph coloring"] = { "color_graph" },
   ["decimation"] = { "solve_sat", "color_graph" }, ["constraint satisfaction"] = { "solve_sat", "color_graph" },
   ["ldpc"] = { "LDPCCode" }, ["error correction"] = { "LDPCCode" }, ["parity check"] = { "LDPCCode" },
   ["alist"] = { "LDPCCode" }, ["bit error rate"] = { "LDPCCode" }, ["density evolution"] = { "ldpc_threshold" },
   ["channel coding"] = { "LDPCCode" }, ["min sum"] = { "LDPCCode", "FactorGraph" },
   ["belief propagation"] = BOTH, ["message passing"] = BOTH, ["junction tree"] = BOTH,
   ["variable elimination"] = BOTH, ["graphical model"] = BOTH, ["factor graph"] = BOTH, ["clique tree"] = BOTH,
   ["treewidth"] = BOTH, ["sum product"] = BOTH, ["max product"] = BOTH, ["kikuchi"] = BOTH,
   ["bethe"] = BOTH, ["mean field"] = BOTH, ["dual decomposition"] = BOTH, ["partition function"] = BOTH,
   ["tree reweighted"] = BOTH, ["generalized belief propagation"] = BOTH, ["gibbs sampling"] = BOTH,
   ["swendsen wang"] = BOTH, ["undirected graph"] = BOTH,
   ["mrf"] = FIELD, ["ising"] = FIELD, ["potts"] = FIELD, ["boltzmann"] = FIELD, ["denoising"] = FIELD,
   ["image segmentation"] = FIELD, ["grid crf"] = FIELD, ["pairwise"] = FIELD,
}
