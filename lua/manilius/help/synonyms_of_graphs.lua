--- Words under which ml.find finds graphical models.
return {
   ["belief propagation"] = { "FactorGraph" }, ["message passing"] = { "FactorGraph" },
   ["junction tree"] = { "FactorGraph" }, ["variable elimination"] = { "FactorGraph" },
   ["graphical model"] = { "FactorGraph" }, ["factor graph"] = { "FactorGraph" },
   ["clique tree"] = { "FactorGraph" }, ["treewidth"] = { "FactorGraph" }, ["sum product"] = { "FactorGraph" },
}
