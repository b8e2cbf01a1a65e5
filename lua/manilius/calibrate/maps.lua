--- Maps from the scores of a classifier to calibrated probabilities.
--
-- A method has
--
--    response                      the outputs of a classifier that it uses, in order of preference
--    fit(S, y, weights, classes, method)  a map; S: scores of all classes, or of the second of two, as a Matrix; y:
--                                  a Factor; method: the output that S was
--
-- All but temperature scaling calibrate each class against the rest and normalize the probabilities.

local core = require "manilius.core"

local M = {}

local DECISION_FIRST = { "decision_function", "predict_proba" }
local EPSILON = 1e-12 -- added to probabilities before their logarithm, as in scikit-learn

-- --- one class against the rest ---

local function column(S, c) return S:col(c):as_column() end

-- Fit one(scores as a column, 0 or 1, weights) for each class; for two classes for the second.
local function fit_each(one)
   return function(S, y, weights, classes, method)
      local list = {}
      for c = 1, S.cols do
         local is_class = core.Factor(classes):eq(classes[S.cols == 1 and 2 or c]):take(y:codes())
         list[c] = one(column(S, c), is_class, weights and { weights = weights } or nil, method)
      end
      return list
   end
end

-- Probabilities of all classes from columns that are proportional to them, or from that of the second of two.
local function normalized(columns)
   if #columns == 1 then return core.hcat((1 - columns[1]):as_column(), columns[1]:as_column()) end
   local sum = columns[1]:copy()
   for c = 2, #columns do sum = sum + columns[c] end
   local none, out = sum:eq(0), {}
   for c = 1, #columns do out[c] = (columns[c] + none) / (sum + none * #columns) end
   return core.hcat(table.unpack(out))
end

-- The mean over maps of the normalized probabilities one(map of a class, scores).
local function mean_of_maps(one)
   return function(maps, scores)
      local sum
      for i, map in ipairs(maps) do
         local columns = {}
         for c = 1, scores[i].cols do columns[c] = one(map[c], column(scores[i], c), scores.method) end
         local p = normalized(columns)
         sum = sum and sum + p or p
      end
      return #maps == 1 and sum or sum / #maps
   end
end

local function second_class(map, S)
   return map:predict_proba(S):col(2):copy()
end

-- --- log-odds and logits ---

local function log_odds(S, method)
   if method == "decision_function" then return S end
   local p = S:maximum(2.0 ^ -52):minimum(1 - 2.0 ^ -52)
   return p:log() - (1 - p):log()
end

-- A column for each class. A decision d of two classes is (-d, d), so that temperatures are those of scikit-learn.
local function logits(S, method)
   if method == "decision_function" then return S.cols > 1 and S or core.hcat(-S, S) end
   local p = S.cols > 1 and S or core.hcat(1 - S, S)
   return (p + EPSILON):log()
end

local function softmax(Z)
   local sum, columns, most = nil, {}, Z:max "rows"
   for c = 1, Z.cols do
      columns[c] = (Z:col(c) - most):exp()
      sum = sum and sum + columns[c] or columns[c]
   end
   for c = 1, Z.cols do columns[c] = columns[c] / sum end
   return core.hcat(table.unpack(columns))
end

-- --- Venn-Abers ---

--- The geometric means of p_0 and p_1 over the maps of two classes.
function M.probability_interval(maps, scores)
   local no, yes = 0, 0
   for i, map in ipairs(maps) do
      local p = map[1]:probability_interval(scores[i])
      no, yes = no + (1 - p.low):log(), yes + p.high:log()
   end
   return { low = 1 - (no / #maps):exp(), high = (yes / #maps):exp() }
end

-- p = G(p_1) / (G(1 - p_0) + G(p_1)) with geometric means G over the maps.
local function venn_abers_proba(maps, scores)
   local columns = {}
   for c = 1, scores[1].cols do
      local sum = 0
      for i, map in ipairs(maps) do
         local log_p = map[c]:predict_log_proba(column(scores[i], c))
         sum = sum + (log_p:col(1) - log_p:col(2))
      end
      columns[c] = 1 / (1 + (sum / #maps):exp())
   end
   return normalized(columns)
end

-- --- the methods ---

M.methods = {
   sigmoid = { response = DECISION_FIRST, proba = mean_of_maps(second_class),
      fit = fit_each(function(S, is_class, options)
         return core.constructors.SigmoidCalibration():fit(S, is_class, options)
      end) },
   isotonic = { response = DECISION_FIRST,
      fit = fit_each(function(S, is_class, options)
         return core.constructors.IsotonicRegression():fit(S, is_class, options)
      end),
      proba = mean_of_maps(function(map, S) return map:predict(S):maximum(0):minimum(1) end) },
   beta = { response = { "predict_proba", "decision_function" },
      fit = fit_each(function(S, is_class, options, method)
         return core.constructors.BetaCalibration():fit(log_odds(S, method), is_class, options)
      end),
      proba = mean_of_maps(function(map, S, method) return second_class(map, log_odds(S, method)) end) },
   venn_abers = { response = { "predict_proba", "decision_function" }, proba = venn_abers_proba,
      fit = fit_each(function(S, is_class, options)
         return core.constructors.VennAbersCalibration():fit(S, is_class, options)
      end) },
   temperature = { response = DECISION_FIRST,
      fit = function(S, y, weights, classes, method)
         return core.calibration.temperature(y, core.Factor(classes), logits(S, method), weights)
      end,
      proba = function(maps, scores)
         local sum
         for i, inverse in ipairs(maps) do
            local p = softmax(logits(scores[i], scores.method) * inverse)
            sum = sum and sum + p or p
         end
         return sum / #maps
      end },
}

M.names = { "sigmoid", "isotonic", "temperature", "beta", "venn_abers" }

return M
