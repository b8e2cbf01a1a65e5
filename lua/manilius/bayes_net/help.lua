--- The help of BayesNet.

local CODE = [[
local net = ml.BayesNet { edges = "rain -> wet; sprinkler -> wet", levels = { "no", "yes" }, cpts = {
   rain = { 0.8, 0.2 }, sprinkler = { 0.7, 0.3 },
   wet = { no = { no = { 1, 0 }, yes = { 0.1, 0.9 } }, yes = { no = { 0.2, 0.8 }, yes = { 0.01, 0.99 } } } } }
]]

local function example(code) return CODE .. code end

return {
   use = "BayesNet { edges = { \"a -> b\", ... }, levels = ..., cpts = ... }, { structure = \"hill_climbing\" } or "
      .. "ml.read_bif(path)",
   brief = "Bayesian network: structure and tables from code, files or data, and its queries.",
   objective = "p(x) = prod_v p(x_v | x_parents(v))",
   params = {
      nodes = "list of names, which gives their order and nodes without edges",
      edges = "list of edges, \"a -> b\", \"a -> b -> c\" or { \"a\", \"b\" }; or a string of them separated by ;",
      parents = "in place of edges: lists of parents by child",
      levels = "lists of labels by node, or one list for all nodes; nodes without levels are numbers. nil: fit takes "
         .. "them from the Factors of X",
      cpts = "tables by node: probabilities nested by the labels (or positions) of the parents, or a Matrix with a row "
         .. "for each configuration, the last parent fastest; of numbers { intercept =, parent = coefficient, sd = }. "
         .. "EM starts from them",
      structure = "what fit learns: hill_climbing, tabu, pc, chow_liu, tan, naive_bayes, empty; nil: edges are given",
      criterion = "score of structures: loglik, aic, bic; bdeu, k2 (labels only); bge (numbers only; its prior "
         .. "depends on the units of columns: standardize them first)",
      equivalent_sample_size = "rows that a uniform prior is worth, split over the cells of each table (BDeu); nil: "
         .. "maximum likelihood in tables, 1 in criteria bdeu and bge",
      pseudo_count = "rows added to each cell of each table",
      max_parents = "maximum number of parents of a node in a search; nil: unlimited",
      whitelist = "edges that the structure must contain",
      blacklist = "edges that the structure must not contain",
      tabu_length = "tabu: structures that the search does not return to",
      max_tabu = "tabu: changes without a new best structure before it stops",
      restarts = "hill_climbing: further searches from the best structure after random changes",
      perturb = "number of random changes of a restart",
      alpha = "pc: level of the tests",
      test = "pc: chi2, g or fisher_z; nil: chi2 for labels, fisher_z for numbers",
      max_given = "pc: maximum number of nodes that a test conditions on; nil: unlimited",
      missing = "rows with missing values in a search: drop leaves them out; em completes them in every possible way, "
         .. "weighted by probability, searches, and repeats until the edges no longer change (structural EM; "
         .. "labels only)",
      root = "root of the trees of chow_liu and tan; nil: the first node",
      target = "the class of tan and naive_bayes, and the node that predict takes by default",
      latent = "nodes without a column in X, whose tables EM estimates",
      n_init = "number of starts of EM; all but the first have random tables for nodes that are never observed "
         .. "together with their parents",
      max_iter = "maximum number of EM iterations",
      tol = "EM stops when an iteration raises the mean log-likelihood of a row by at most tol",
      seed = "seed of random starts and restarts",
      memory_limit = "maximum bytes of the tables of exact inference, and of the completed rows of missing = em",
   },
   methods = {
      query = { use = "query(names, evidence, options)",
         brief = "The posterior of a node, or the joint posterior of a few.",
         notes = "evidence: { node = label or number }, or { node = { label = likelihood } }. options: method = exact, "
            .. "likelihood_weighting or gibbs; samples, chains, burn_in, seed. Returns a Frame, with standard errors "
            .. "if sampled.", example = example 'print(net:query("rain", { wet = "yes" }))' },
      marginals = { use = "marginals(evidence, options)", brief = "The posteriors of all nodes.",
         notes = "Returns labels (Frame: node, value, probability), numbers (Frame: node, mean, sd), log_evidence, and "
            .. "cost: the width and bytes of the junction tree, or the effective samples.",
         example = example 'print(net:marginals { wet = "yes" })' },
      probability = { use = "probability(event, evidence)",
         brief = "P(event | evidence), both tables of values by node.",
         example = example 'print(net:probability({ rain = "yes" }, { wet = "yes" }))' },
      log_evidence = { use = "log_evidence(evidence)",
         brief = "Logarithm of the probability (density) of the evidence.",
         example = example 'print(net:log_evidence { wet = "yes" })' },
      covariance = { use = "covariance(names, evidence)", brief = "Covariances and means of numbers that edges join.",
         example = [[
local net = ml.BayesNet { edges = "x -> y", cpts = { x = { 0, 1 }, y = { 1, 2, 0.5 } } }
print(net:covariance { "x", "y" })]] },
      mpe = { use = "mpe(evidence)",
         brief = "Most probable values of all nodes, and the logarithm of their probability.",
         example = example 'print(net:mpe { wet = "yes" })' },
      map = { use = "map(names, evidence)",
         brief = "Most probable values of a few nodes, the others summed over; and their probability.",
         example = example 'print(net:map({ "rain", "sprinkler" }, { wet = "yes" }))' },
      intervene = { use = "intervene(values)",
         brief = "The network under do(node = value): edges from parents are cut.",
         example = example 'print(net:intervene { sprinkler = "yes" }:query("wet"))' },
      sensitivity = { use = "sensitivity(event, evidence, names)",
         brief = "Derivatives of P(event | evidence) by the entries of tables, the largest first.",
         notes = "The other entries of a row are scaled so that they add up to 1. names: nodes whose tables to vary; "
            .. "nil: all that matter. Returns a Frame.",
         example = example 'print(net:sensitivity({ rain = "yes" }, { wet = "yes" }):head(3))' },
      sample = { use = "sample(n, seed)", brief = "n rows drawn from the network, a Frame.",
         example = example 'print(net:sample(3, 1))' },
      cost = { use = "cost()", brief = "Width, largest table and bytes of the junction tree, before it is run.",
         example = example 'print(net:cost())' },
      cpt = { use = "cpt(name)", brief = "The table of a node as a Frame.", example = example 'print(net:cpt "wet")' },
      arcs = { use = "arcs()", brief = "The edges as a Frame: from, to.", example = example 'print(net:arcs())' },
      order = { use = "order()", brief = "The nodes with parents before children.",
         example = example 'print(net:order())' },
      parents_of = { use = "parents_of(name)", brief = "The parents of a node.",
         example = example 'print(net:parents_of "wet")' },
      children_of = { use = "children_of(name)", brief = "The children of a node.",
         example = example 'print(net:children_of "rain")' },
      ancestors_of = { use = "ancestors_of(name)", brief = "The ancestors of a node.",
         example = example 'print(net:ancestors_of "wet")' },
      blanket = { use = "blanket(name)", brief = "The Markov blanket: parents, children, and other parents of these.",
         example = example 'print(net:blanket "rain")' },
      moral_graph = { use = "moral_graph()", brief = "Pairs of nodes that share an edge or a child, as a Frame.",
         example = example 'print(net:moral_graph())' },
      cpdag = { use = "cpdag()", brief = "The edges of the equivalence class, directed and undirected, as a Frame.",
         example = example 'print(net:cpdag())' },
      d_separated = { use = "d_separated(a, b, given)",
         brief = "Are nodes a independent of nodes b given others, by the structure?",
         example = example 'print(net:d_separated("rain", "sprinkler"), net:d_separated("rain", "sprinkler", "wet"))' },
      d_connected = { use = "d_connected(names, given)", brief = "The nodes that are not d-separated from these.",
         example = example 'print(net:d_connected("rain", "wet"))' },
      model_string = { use = "model_string()", brief = "The structure as text, [a][b|a].",
         example = example 'print(net:model_string())' },
      structure_scores = { use = "structure_scores(X, options)",
         brief = "The score of each node given its parents in X.",
         notes = "options: criterion, equivalent_sample_size, weights. Their sum is the score of the structure.",
         example = example 'print(net:structure_scores(net:sample(100, 1)))' },
      independence_test = { use = "independence_test(X, a, b, given, options)",
         brief = "Test in X that a and b are independent given other nodes.",
         notes = "options: test = chi2, g, fisher_z.",
         example = example 'print(net:independence_test(net:sample(500, 1), "rain", "sprinkler"))' },
      score = { use = "score(X)", brief = "Mean log-likelihood of the rows of X.",
         example = example 'print(net:score(net:sample(100, 1)))' },
      score_samples = { use = "score_samples(X)", brief = "Log-likelihood of each row, of what is known of it.",
         example = example 'print(net:score_samples(net:sample(2, 1)))' },
      predict = { use = "predict(X, name)",
         brief = "The most probable label, or mean, of a node given the other columns.",
         example = example 'print(net:predict(net:sample(3, 1), "rain"))' },
      predict_proba = { use = "predict_proba(X, name)",
         brief = "Probabilities of a node's labels given the other columns.",
         example = example 'print(net:predict_proba(net:sample(3, 1), "rain"))' },
      write_bif = { use = "write_bif(path)", brief = "Write the network to a BIF file.", example = example [[
local path = os.tmpname()
net:write_bif(path)
print(ml.read_bif(path))
os.remove(path)]] },
      bif = { use = "bif()", brief = "The network as the text of a BIF file.", example = example 'print(net:bif())' },
      dot = { use = "dot(evidence)", brief = "The network as Graphviz source, with bars of the posteriors.",
         example = example 'print(net:dot())' },
      text = { use = "text(evidence)", brief = "The network as text, with bars of the posteriors.",
         example = example 'print(net:text { wet = "yes" })' },
   },
   notes = "Columns of X are nodes: Factors have labels, other columns are numbers (linear Gaussian given their "
      .. "parents; labels have no numbers as parents). fit with missing values is EM; structures are learned from "
      .. "complete rows unless missing = \"em\". Queries are exact by a junction tree, whose cost is known before it "
      .. "runs, or sampled. ml.plot.network draws it.",
   source = "Pearl, Probabilistic Reasoning in Intelligent Systems (1988); Koller & Friedman, Probabilistic Graphical "
      .. "Models (2009)",
   example = CODE .. [[
print(net)
print(net:query("rain", { wet = "yes" }))
print(ml.BayesNet { structure = "hill_climbing" }:fit(net:sample(2000, 1)))]],
}
