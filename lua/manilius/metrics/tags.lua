--- Metrics of scores for multilabel data.
--
-- y is a Matrix of 0 and 1 with a column per tag. Scores are a Matrix of the same shape, or what predict_proba of
-- MultiOutputClassifier and ClassifierChain returns, a list with a Matrix per tag.

local core = require "manilius.core"
local parts = require "manilius.metrics.parts"
local rows = require "manilius.rows"

local fail = parts.fail

-- The probabilities of the second class of each tag.
local function from_list(list)
   local columns = {}
   for j, value in ipairs(list) do
      if value.cols ~= 2 then fail("scores: tag %d must have 2 columns of probabilities, got %d", j, value.cols) end
      columns[j] = value:col(2):copy():as_column()
   end
   return core.hcat(table.unpack(columns))
end

local function checked(y, scores, o)
   if rows.kind(scores) == "table" and rows.kind(scores[1]) == "Matrix" then scores = from_list(scores) end
   scores = parts.numbers("scores", scores, true)
   y = parts.tag_matrix("y", y)
   if rows.kind(y) ~= "Matrix" or rows.kind(scores) ~= "Matrix" then
      fail("y and scores must be matrices with a column per tag, got %s and %s", rows.kind(y), rows.kind(scores))
   end
   parts.same_length("y", y.rows, "scores", scores.rows)
   if y.cols ~= scores.cols then
      fail("y and scores must have the same number of columns (tags), got %d and %d", y.cols, scores.cols)
   end
   return y, scores, parts.weights(o, y.rows)
end

local function measure(name)
   return function(y, scores, o)
      local w
      y, scores, w = checked(y, scores, o)
      return core.metrics.measure_tags(y, scores, w, name)
   end
end

return function(M)
   local function add(name, brief, kind, formula)
      parts.define(M, name, { args = { "tags", "scores" }, options = { weights = parts.WEIGHTS }, brief = brief,
         formula = formula, fn = measure(kind), source = "Tsoumakas, Katakis & Vlahavas (2010)" })
   end
   add("coverage_error", "How many of the highest scores include all tags of a row, on average.", "coverage",
      "mean over rows of the lowest rank of a tag of the row")
   add("label_ranking_average_precision", "Average precision of the tags of a row, ranked by score.", "precision",
      "mean over rows and their tags of (tags of the row ranked as high) / rank")
   add("label_ranking_loss", "Fraction of the pairs of a tag of the row and another that are ranked wrongly.", "loss",
      "mean over rows of wrong pairs / all pairs")
end
