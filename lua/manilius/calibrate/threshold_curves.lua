--- Scores of labels as functions of the threshold, for TunedThresholdClassifier.

local core = require "manilius.core"
local estimator = require "manilius.estimator"
local rows = require "manilius.rows"
local scorers = require "manilius.select.scorers"

local M = {}

local OUTCOMES = { fp = true, fn = true, tp = true, tn = true }
local WHO = "TunedThresholdClassifier"

local function fail(message, ...)
   error(WHO .. ": " .. message:format(...), 0)
end

-- --- settings ---

-- The scorer of labels with this name.
local function scorer_of(value, positive)
   local scorer = scorers.resolve(WHO, value, nil, 1)[1]
   if scorer.needs ~= "predict" then fail("scoring must be a score of labels, got %s", scorer.name) end
   return scorer, scorer.positive and positive or nil
end

local function check_costs(costs)
   if type(costs) ~= "table" then
      fail("costs must be a table such as { fp = 1, fn = 5 }, got %s", estimator.value_text(costs))
   end
   if next(costs) == nil then fail "costs must name at least one of fn, fp, tn, tp" end
   for name, value in pairs(costs) do
      if not OUTCOMES[name] then fail("costs has no '%s'; there are fn, fp, tn, tp", tostring(name)) end
      if type(value) == "number" and not (value > -math.huge and value < math.huge) then
         fail("costs: %s must be finite, got %s", name, estimator.value_text(value))
      end
   end
end

local function check_constraint(limit)
   if limit == nil then return end
   local good = type(limit) == "table" and #limit == 3 and (limit[2] == ">=" or limit[2] == "<=")
      and type(limit[3]) == "number"
   if not good then
      fail "constraint must be { metric, \">=\" or \"<=\", number }, such as { \"precision\", \">=\", 0.9 }"
   end
   scorer_of(limit[1])
end

local function threshold_list(self)
   local kind = rows.kind(self.thresholds)
   return (kind == "table" or kind == "Vector") and core.Vector(self.thresholds) or nil
end

--- Raise an error unless scoring, costs, constraint and thresholds are valid.
function M.check(self)
   local costs = rawget(self, "costs")
   if costs ~= nil then
      check_costs(costs)
      for name, value in pairs(costs) do
         if type(value) ~= "number" then
            fail("costs: %s must be a number, got %s; give costs of each row to fit, as { costs = { %s = v } }", name,
               estimator.value_text(value), name)
         end
      end
   else
      scorer_of(self.scoring)
   end
   check_constraint(rawget(self, "constraint"))
   local list = threshold_list(self)
   if list and (#list == 0 or list:isfinite():sum() < #list) then fail "thresholds must be finite numbers" end
   if not list and (math.type(self.thresholds) ~= "integer" or self.thresholds < 2) then
      fail("thresholds must be a whole number >= 2 or a list, got %s", estimator.value_text(self.thresholds))
   end
end

-- --- costs ---

local function cost_vector(name, value, data, weights)
   if value == nil or type(value) == "number" then return core.Vector(data.n, value or 0) end
   local list = rows.kind(value) == "Vector" and value or core.Vector(value)
   if #list ~= data.n and weights ~= nil and #list == #weights then -- rows of weight 0 were removed
      list = list:take(core.Vector(weights):nonzero())
   end
   if #list ~= data.n then fail("costs: %s must have as many values as X has rows, %d, got %d", name, data.n, #list) end
   if list:isfinite():sum() < #list then fail("costs: %s must be finite", name) end
   return list
end

--- The costs of each row by outcome as Vectors, those of fit before those of the settings; nil without costs.
-- weights: the weights given to fit, or nil
function M.costs_of(self, data, per_row, weights)
   local own = rawget(self, "costs")
   if per_row == nil and own == nil then return nil end
   if per_row ~= nil then check_costs(per_row) end
   local costs = {}
   for name in pairs(OUTCOMES) do
      local value = per_row and per_row[name]
      if value == nil then value = own and own[name] end
      costs[name] = cost_vector(name, value, data, weights)
   end
   return costs
end

function M.take_costs(costs, at)
   if not costs then return nil end
   local some = {}
   for name, vector in pairs(costs) do some[name] = vector:take(at) end
   return some
end

-- The mean cost of the rows of a piece as a function of the labels, 1 for positive.
local function cost_function(piece)
   local w = piece.weights or core.Vector(#piece.s, 1)
   local c, is, total = piece.costs, piece.is_positive, w:sum()
   local if_positive = (c.tp:mul(is) + c.fp:mul(1 - is)):mul(w)
   local if_negative = (c.fn:mul(is) + c.tn:mul(1 - is)):mul(w)
   return function(predicted) return (if_positive:dot(predicted) + if_negative:dot(1 - predicted)) / total end
end

-- --- curves ---

-- The score of the labels of a piece as a function of the labels, 1 for positive.
local function score_function(self, piece, scorer, positive)
   local negative = self.classes[self.positive_class == self.classes[1] and 2 or 1]
   local labels = core.Factor { negative, self.positive_class }
   local options = { classes = self.classes, weights = piece.weights, positive = positive }
   return function(predicted) return scorer.fn(piece.y, labels:take(predicted + 1), options) end
end

local function score_at(piece, thresholds, score)
   local values = core.Vector(#thresholds)
   for i = 1, #thresholds do values[i] = score(piece.s:ge(thresholds[i])) end
   return values
end

-- Linear interpolation at the points `at`, constant outside the range of x, which is ascending.
local function interpolate(at, x, y)
   local out, k = core.Vector(#at), 1
   for i = 1, #at do
      while k < #x and x[k + 1] <= at[i] do k = k + 1 end
      local beyond = k == #x or at[i] <= x[1]
      out[i] = beyond and y[k] or y[k] + (y[k + 1] - y[k]) / (x[k + 1] - x[k]) * (at[i] - x[k])
   end
   return out
end

-- The thresholds of each piece and those of the mean curve.
local function grids_of(self, pieces)
   local list, grids, low, high = threshold_list(self), {}, math.huge, -math.huge
   for f, piece in ipairs(pieces) do
      local first, last = piece.s:min(), piece.s:max()
      if not list and last <= first then
         fail("the scores of fold %d are all %s; a threshold cannot be tuned", f, estimator.value_text(first))
      end
      low, high = math.min(low, first), math.max(high, last)
      grids[f] = list and list or core.linspace(first, last, self.thresholds)
   end
   return grids, list or core.linspace(low, high, self.thresholds)
end

-- The mean over pieces of the curves score_of(piece).
local function mean_curve(pieces, grids, thresholds, score_of)
   local sum = 0
   for f, piece in ipairs(pieces) do
      local values = score_at(piece, grids[f], score_of(piece))
      sum = sum + (grids[f] == thresholds and values or interpolate(thresholds, grids[f], values))
   end
   return sum / #pieces
end

-- Thresholds that keep the constraint; if none does, those nearest to it, with a warning.
local function allowed(self, curve, limit)
   local good = limit[2] == ">=" and curve:ge(limit[3]) or limit[2] == "<=" and curve:le(limit[3])
   if good:sum() > 0 then return good end
   local nearest = limit[2] == ">=" and curve:max() or curve:min()
   rows.warn(("%s: no threshold has %s %s %g; the nearest is %.6g"):format(estimator.name(self), tostring(limit[1]),
      limit[2], limit[3], nearest))
   return curve:eq(nearest)
end

local function best_of(curve, greater, good)
   local best
   for i = 1, #curve do
      local value = curve[i]
      local better = best == nil or greater and value > curve[best] or not greater and value < curve[best]
      if good[i] == 1 and value == value and better then best = i end
   end
   return best or fail "the score is nan at all thresholds"
end

--- Store the curve, the best threshold and its score.
-- pieces: list of { s = scores, y = labels, is_positive =, weights =, costs = }
function M.tune(self, pieces, costs)
   local grids, thresholds = grids_of(self, pieces)
   local scorer, positive
   if not costs then scorer, positive = scorer_of(self.scoring, self.positive_class) end
   local score = mean_curve(pieces, grids, thresholds, function(piece)
      return costs and cost_function(piece) or score_function(self, piece, scorer, positive)
   end)
   local names, columns, good = { "threshold", "score" }, { thresholds, score }, core.Vector(#thresholds, 1)
   local limit = rawget(self, "constraint")
   if limit then
      local other, its_positive = scorer_of(limit[1], self.positive_class)
      names[3], columns[3] = other.name, mean_curve(pieces, grids, thresholds, function(piece)
         return score_function(self, piece, other, its_positive)
      end)
      good = allowed(self, columns[3], limit)
   end
   local best = best_of(score, scorer ~= nil and scorer.greater, good)
   self.curve, self.used_threshold, self.best_score = rows.frame(names, columns), thresholds[best], score[best]
end

return M
