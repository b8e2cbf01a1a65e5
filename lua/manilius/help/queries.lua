--- Queries in the validation of ranking models, and sequences in that of models of sequences. All rows of a query or
-- sequence must be in the same part of a split.
--
-- `lengths` is the number of rows of each, in the order of the rows.

local core = require "manilius.core"
local estimator = require "manilius.estimator"

local M = {}

-- The index of the query of each row, and the number of queries.
local function queries_from_lengths(who, lengths, n)
   local query, row = {}, 0
   for q = 1, #lengths do
      local length = lengths[q]
      if type(length) ~= "number" or length < 1 or length % 1 ~= 0 then
         error(("%s: lengths must be whole numbers >= 1, got %s at position %d"):format(who,
            estimator.value_text(length), q), 0)
      end
      for i = row + 1, math.min(n, row + math.tointeger(length)) do query[i] = q end
      row = row + math.tointeger(length)
   end
   if row ~= n then
      error(("%s: lengths must add up to the number of rows of X, %d, got %d"):format(who, n, row), 0)
   end
   return query, #lengths
end

-- The same for labels that name the queries.
local function queries_from_labels(who, groups, n)
   local query, seen, count = {}, {}, 0
   for i = 1, n do
      local label = groups[i]
      if i == 1 or label ~= groups[i - 1] then
         if seen[label] then
            error(("%s: rows of a query must be adjacent, but those of group %s are not"):format(who,
               estimator.value_text(label)), 0)
         end
         seen[label], count = true, count + 1
      end
      query[i] = count
   end
   return query, count
end

--- The queries of n rows: { of = index of the query of each row, sizes = rows of each query, noun = "query" or
-- "sequence" }; nil if there are none.
-- lengths: rows of each query, or nil
-- groups: labels of the rows, or nil; for a ranking model they define the queries if lengths is nil
function M.of(who, model, lengths, groups, n)
   local query, count
   if lengths ~= nil then
      query, count = queries_from_lengths(who, lengths, n)
   elseif groups ~= nil and estimator.does(model) == "rank" then
      query, count = queries_from_labels(who, groups, n)
   else
      return nil
   end
   local sizes = {}
   for q = 1, count do sizes[q] = 0 end
   for i = 1, n do sizes[query[i]] = sizes[query[i]] + 1 end
   return { of = query, sizes = sizes, noun = estimator.does(model) == "rank" and "query" or "sequence" }
end

-- The lengths of the queries in a list of rows, or nil and the index of an incomplete query.
local function lengths_in(queries, at)
   local lengths, last = {}, nil
   for i = 1, #at do
      local q = queries.of[at[i]]
      if q ~= last then lengths[#lengths + 1] = 0 end
      lengths[#lengths], last = lengths[#lengths] + 1, q
      local ends = i == #at or queries.of[at[i + 1]] ~= q
      if ends and lengths[#lengths] ~= queries.sizes[q] then return nil, q end
   end
   return core.Vector(lengths)
end

--- Add the lengths of queries to splits: train_lengths and test_lengths.
function M.split(who, queries, splits)
   local out = {}
   for i, split in ipairs(splits) do
      local one = { train = split.train, test = split.test }
      for _, part in ipairs { "train", "test" } do
         local lengths, split_query = lengths_in(queries, split[part])
         if not lengths then
            error(("%s: cv: the %s rows of split %d must contain all rows of a %s or none, got a part of %s %d"):format(
               who, part, i, queries.noun, queries.noun, split_query), 0)
         end
         one[part .. "_lengths"] = lengths
      end
      out[i] = one
   end
   return out
end

--- Expand weights per query to weights per row; weights per row are returned unchanged.
function M.row_weights(queries, weights)
   if not (queries and weights and #weights == #queries.sizes) then return weights end
   return weights:take(core.Vector(queries.of))
end

--- The mean weight of the rows of each query.
function M.query_weights(weights, lengths)
   if weights == nil then return nil end
   local out, row, total = {}, 0, 0
   for q = 1, #lengths do total = total + lengths[q] end
   if total ~= #weights then
      error(("weights must have one value per query, %d, or per row, %d, got %d"):format(#lengths, total // 1,
         #weights), 0)
   end
   for q = 1, #lengths do
      local n = math.tointeger(lengths[q])
      out[q] = weights:slice(row + 1, row + n):mean()
      row = row + n
   end
   return core.Vector(out)
end

--- Options of fit.
function M.fit_options(weights, lengths)
   if weights == nil and lengths == nil then return nil end
   return { weights = weights, lengths = lengths }
end

return M
