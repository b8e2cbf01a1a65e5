--- Scorers: metrics that cross-validation and search accept by name.
--
-- A scorer is a table:
--
--    fn       function(y, output, options) -> number
--    needs    "predict", "proba" or "decision": the output; "x": fn gets X instead of y, and the cluster labels;
--             "density": the log densities of the rows, without y
--    greater  is greater better? Losses are not negated.
--    kind     "classify", "regress", "cluster", "rank" or "density"
--    brief    one line of help
--    positive does it accept a positive class? Only for scores of one class
--    tags     is it for several tags only, a matrix of 0 and 1?
--
-- `options` has `weights`, `classes` (labels in column order; the second of two is the positive class), `positive`, and
-- for rankings `lengths`, the sizes of the queries (nil: a single query). The weight of a query is the mean of those of
-- its rows.

-- The options passed to the metric.
local function metric_options(options, fixed, labels)
   local out = { weights = options and options.weights, positive = options and options.positive }
   if labels then out.labels = options and options.classes end
   for name, value in pairs(fixed or {}) do out[name] = value end
   return out
end

return function(M)
   local scorers = {}

   local function add(kind, needs, greater, name, metric, fixed, labels)
      local call = M[metric]
      scorers[name] = { kind = kind, needs = needs, greater = greater, brief = M.help[metric].brief,
         fn = function(y, output, options) return (call(y, output, metric_options(options, fixed, labels))) end }
   end

   for _, name in ipairs { "accuracy", "balanced_accuracy", "mcc" } do add("classify", "predict", true, name, name) end
   add("classify", "predict", false, "hamming", "hamming")
   add("classify", "predict", true, "kappa", "kappa", nil, true)
   add("classify", "predict", true, "kappa_linear", "kappa", { disagreement = "linear" }, true)
   add("classify", "predict", true, "kappa_quadratic", "kappa", { disagreement = "quadratic" }, true)
   for _, name in ipairs { "precision", "recall", "specificity", "f1", "jaccard" } do
      add("classify", "predict", true, name, name, nil, true)
      scorers[name].positive = true
      for _, average in ipairs { "macro", "micro", "weighted", "samples" } do
         add("classify", "predict", true, name .. "_" .. average, name, { average = average })
      end
      scorers[name .. "_samples"].tags = true
   end
   add("classify", "proba", false, "coverage_error", "coverage_error")
   add("classify", "proba", true, "label_ranking_average_precision", "label_ranking_average_precision")
   add("classify", "proba", false, "label_ranking_loss", "label_ranking_loss")
   for _, name in ipairs { "coverage_error", "label_ranking_average_precision", "label_ranking_loss" } do
      scorers[name].tags = true
   end
   for _, name in ipairs { "log_loss", "brier" } do add("classify", "proba", false, name, name, nil, true) end
   add("classify", "proba", true, "top_k_accuracy", "top_k_accuracy", nil, true)
   for _, name in ipairs { "roc_auc", "average_precision" } do
      add("classify", "decision", true, name, name, nil, true)
      scorers[name].positive = true
   end
   add("classify", "decision", false, "hinge_loss", "hinge_loss", nil, true)
   for _, scheme in ipairs { "ovr", "ovo" } do
      for _, average in ipairs { "macro", "weighted" } do
         add("classify", "proba", true, "roc_auc_" .. scheme .. (average == "macro" and "" or "_weighted"), "roc_auc",
            { multi_class = scheme, average = average }, true)
      end
   end
   for _, average in ipairs { "macro", "micro", "weighted" } do
      add("classify", "proba", true, "average_precision_" .. average, "average_precision", { average = average }, true)
   end

   for _, name in ipairs { "r2", "explained_variance", "d2_absolute" } do
      add("regress", "predict", true, name, name)
   end
   for _, name in ipairs { "mse", "rmse", "mae", "median_ae", "mape", "max_error", "msle", "rmsle", "poisson_deviance",
      "gamma_deviance" } do
      add("regress", "predict", false, name, name)
   end

   local queries = require "manilius.help.queries"
   local function add_ranking(name, metric, fixed)
      local call = M[metric]
      scorers[name] = { kind = "rank", needs = "predict", greater = true, brief = M.help[metric].brief,
         fn = function(y, output, options)
            local given, lengths = { empty = 0 / 0 }, options and options.lengths or { #output }
            for key, value in pairs(fixed) do given[key] = value end
            given.lengths, given.weights = lengths, queries.query_weights(options and options.weights, lengths)
            return (call(y, output, given))
         end }
   end
   add_ranking("ndcg", "ndcg", { gain = "exponential" })
   add_ranking("ndcg_5", "ndcg", { gain = "exponential", k = 5 })
   add_ranking("ndcg_10", "ndcg", { gain = "exponential", k = 10 })
   add_ranking("map", "map", {})
   add_ranking("reciprocal_rank", "reciprocal_rank", {})

   for _, name in ipairs { "ari", "rand", "nmi", "ami", "mutual_information", "homogeneity", "completeness",
      "v_measure", "fowlkes_mallows" } do
      add("cluster", "predict", true, name, name)
   end
   add("cluster", "x", true, "silhouette", "silhouette")
   add("cluster", "x", true, "calinski_harabasz", "calinski_harabasz")
   add("cluster", "x", false, "davies_bouldin", "davies_bouldin")

   scorers.log_likelihood = { kind = "density", needs = "density", greater = true,
      brief = "Mean log density of the rows.",
      fn = function(_, output, options)
         local weights = options and options.weights
         return weights and output:dot(weights) / weights:sum() or output:mean()
      end }
   return scorers
end
