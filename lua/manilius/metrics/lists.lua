--- Metrics of ranked lists.
--
-- The items of a query have a relevance and a score, which ranks them. relevance and scores are Matrices with a row per
-- query, lists of lists, or Vectors whose queries have the sizes given by the option `lengths`.

local core = require "manilius.core"
local parts = require "manilius.metrics.parts"
local rows = require "manilius.rows"

local core_metrics = core.metrics
local fail, text = parts.fail, parts.text

-- The concatenated lists, and their lengths.
local function from_nested(what, lists)
   local all, lengths = {}, {}
   for q = 1, rawlen(lists) do -- without metamethods, as in the core
      local list = lists[q]
      if type(list) ~= "table" and rows.kind(list) ~= "Vector" then
         fail("%s: query %d must be a list, got %s", what, q, text(list))
      end
      if #list == 0 then fail("%s: query %d must have at least one item, got none", what, q) end
      for i = 1, #list do all[#all + 1] = list[i] end
      lengths[q] = #list
   end
   return all, lengths
end

-- The values of all queries as a Vector, and the lengths of the queries, or nil for a Vector.
local function flat(what, value)
   local lengths
   if rows.kind(value) == "table" and (type(value[1]) == "table" or rows.kind(value[1]) == "Vector") then
      value, lengths = from_nested(what, value)
   end
   local n, cols
   value, n, cols = parts.numbers(what, value, what == "scores")
   if rows.kind(value) == "Matrix" then
      if cols > 1 then
         lengths = {}
         for q = 1, n do lengths[q] = cols end
      end
      value = value:flatten()
   end
   return value, lengths
end

local function lengths_of(o, known, other, n)
   if o.lengths ~= nil then
      if known then fail("lengths can only be given for Vectors; Matrices and nested lists define them") end
      return (parts.numbers("lengths", o.lengths))
   end
   if not known then return core.Vector { n } end
   for q, length in ipairs(known) do
      if other and other[q] ~= length then
         fail("scores must have as many items as relevance, %d at query %d, got %s", length, q, text(other[q]))
      end
   end
   return core.Vector(known)
end

local function empty_value(o)
   local value = o.empty
   if value == nil then return 0.0 end
   if type(value) ~= "number" or (value ~= 0 and value ~= 1 and value == value) then
      fail("empty must be 0, 1 or nan, got %s", text(value))
   end
   return value + 0.0
end

local function measured(relevance, scores, o, measure, k)
   local known, other
   relevance, known = flat("relevance", relevance)
   scores, other = flat("scores", scores)
   parts.same_length("relevance", #relevance, "scores", #scores)
   if measure == "ndcg" and relevance:min() < 0 then
      fail("relevance must be >= 0, got %g", relevance:min())
   end
   local lengths = lengths_of(o, known, other, #relevance)
   local exponential = parts.choice(o, "gain", { "linear", "exponential" }, "linear") == "exponential"
   local in_order = parts.choice(o, "ties", { "mean", "first" }, "mean") == "first"
   local values = core_metrics.lists(relevance, scores, lengths, measure, k, exponential, in_order)
   local empty = empty_value(o)
   for q = 1, #values do
      if values[q] ~= values[q] then values[q] = empty end
   end
   local average = parts.choice(o, "average", { "mean", "none" }, "mean")
   local w = parts.weights(o, #values)
   if average == "none" then return values end
   return parts.mean(values, w)
end

local QUERIES = "list of query sizes, if relevance and scores are Vectors; default: a single query"

return function(M)
   local function add(name, measure, brief, more, need_k)
      local options = { weights = "a weight >= 0 for each query", lengths = QUERIES,
         average = "'mean' over queries (default) or 'none' (a Vector)" }
      for option, help in pairs(more) do options[option] = help end
      parts.define(M, name, { args = { "relevance", "scores" }, brief = brief, options = options,
         fn = function(relevance, scores, o)
            if need_k and o.k == nil then fail("k must be given: the number of items considered") end
            return measured(relevance, scores, o, measure, parts.whole(o, "k", nil, 1))
         end })
   end
   local empty = "value of a query without relevant items: 0 (default), 1, or nan to ignore it"
   local function gains()
      return { k = "number of ranks considered; default all",
         gain = "'linear' (default) or 'exponential': 2^relevance - 1",
         ties = "equal scores: 'mean' over all orders (default), or 'first': in the order given" }
   end
   add("dcg", "dcg", "Discounted cumulative gain: sum of gain / log2(1 + rank).", gains())
   local more = gains()
   more.empty = empty
   add("ndcg", "ndcg", "Discounted cumulative gain as a fraction of the best possible.", more)
   add("map", "ap", "Mean average precision; an item is relevant when its relevance is > 0.", { empty = empty })
   local k = "number of items considered; required"
   add("precision_at_k", "precision", "Fraction of the first k items that are relevant (> 0); averaged over ties.",
      { k = k },
      true)
   add("recall_at_k", "recall", "Fraction of the relevant items (> 0) that are among the first k; averaged over ties.",
      { k = k, empty = empty }, true)
   add("reciprocal_rank", "reciprocal", "1 / rank of the first relevant item (> 0), ranked last among equal scores.",
      { empty = empty })
end
