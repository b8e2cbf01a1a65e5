--- Words under which ml.find finds Bayesian networks.
return {
   ["bayesian network"] = { "BayesNet", "read_bif" }, ["bayes net"] = { "BayesNet" },
   ["belief network"] = { "BayesNet" }, ["directed graphical model"] = { "BayesNet" },
   ["bif"] = { "read_bif", "BayesNet" },
   ["d-separation"] = { "BayesNet" }, ["markov blanket"] = { "BayesNet" }, ["do operator"] = { "BayesNet" },
   ["intervention"] = { "BayesNet" }, ["causal"] = { "BayesNet" }, ["causal discovery"] = { "BayesNet" },
   ["structure learning"] = { "BayesNet" }, ["pc algorithm"] = { "BayesNet" }, ["tabu search"] = { "BayesNet" },
   ["hill climbing"] = { "BayesNet" }, ["chow-liu"] = { "BayesNet" }, ["bdeu"] = { "BayesNet" },
   ["bge"] = { "BayesNet" }, ["gaussian bayesian network"] = { "BayesNet" },
   ["most probable explanation"] = { "BayesNet" }, ["likelihood weighting"] = { "BayesNet" },
   ["conditional probability table"] = { "BayesNet" }, ["pgmpy"] = { "BayesNet" }, ["bnlearn"] = { "BayesNet" },
   ["pyagrum"] = { "BayesNet" }, ["linear gaussian"] = { "BayesNet" }, ["latent class"] = { "BayesNet" },
   ["tree-augmented naive bayes"] = { "TANClassifier", "BayesNet" }, ["tan"] = { "TANClassifier" },
}
