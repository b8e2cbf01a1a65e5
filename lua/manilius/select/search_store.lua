--- Scores that a search has measured: kept when it is interrupted, and in a file if it has a checkpoint.
--
-- A measurement is the result of one candidate on one fold, by a key that holds all parameters of the candidate. The
-- fingerprint identifies the model, data, folds and scores it belongs to.

local core = require "manilius.core"
local estimator = require "manilius.estimator"
local rows = require "manilius.rows"
local save = require "manilius.save"
local sorted_keys = require "manilius.text".sorted_keys

local M = {}

local SECONDS_BETWEEN_WRITES = 2

-- --- fingerprints ---

-- Different weights for n positions.
local function position_weights(n)
   return core.linspace(1, 2, math.max(n, 2)):take(core.range(1, n))
end

-- A checksum that depends on each value and on their order. Values that are not finite count by their positions.
local function vector_sum(v)
   if #v == 0 then return "0" end
   local weights, finite = position_weights(#v), v:isfinite()
   local values = finite:where(v, 0)
   local sum = ("%d %.17g %.17g"):format(#v, values:sum(), values:dot(weights))
   return finite:all() and sum or ("%s %.17g"):format(sum, finite:dot(weights))
end

local sum_of = {
   Vector = vector_sum,
   Factor = function(v)
      local codes, labels = v:codes(), {}
      for i, label in ipairs(v.levels) do labels[i] = tostring(label) end
      return vector_sum(codes) .. table.concat(labels, ",")
   end,
   Matrix = function(X)
      if X.rows == 0 or X.cols == 0 then return "0" end
      local sums = {}
      for j = 1, X.cols do sums[j] = vector_sum(X:col(j):copy()) end
      return table.concat(sums, " ")
   end,
   Sparse = function(X)
      return ("%d %d %d %s"):format(X.rows, X.cols, X.nnz, vector_sum(X * position_weights(X.cols)))
   end,
}

local function data_sum(value)
   if rows.is_frame(value) then
      local sums = {}
      for j, column in ipairs(value.columns) do sums[j] = value.names[j] .. " " .. data_sum(column) end
      return table.concat(sums, "\n")
   end
   local sum = sum_of[rows.kind(value)]
   return sum and sum(value) or tostring(rows.count(value or {}))
end

-- A value of a parameter as text; different values have different texts.
local function value_key(value)
   if math.type(value) == "float" then return ("%.17g"):format(value) end
   if type(value) == "string" then return ("%q"):format(value) end
   if estimator.is(value) or type(value) == "table" and save.is_plain(value) then return save.dump(value) end
   return tostring(value)
end

--- The key of a candidate.
function M.candidate_key(params)
   local parts = {}
   for i, name in ipairs(sorted_keys(params)) do parts[i] = name .. "=" .. value_key(params[name]) end
   return table.concat(parts, ";")
end

-- A scorer as text: its name, its positive class, and the code of a function of the user.
local function scorer_key(scorer)
   local ok, code = pcall(string.dump, scorer.given, true)
   local positive = scorer.given_positive
   return table.concat({ scorer.name, positive ~= nil and value_key(positive) or "", ok and code or "" }, "\0")
end

--- What a task of evaluate.run for this model measures.
function M.fingerprint(model, task)
   local parts = { save.dump(estimator.clone(model)), data_sum(task.X), task.y ~= nil and data_sum(task.y) or "",
      task.weights and data_sum(task.weights) or "" }
   for _, split in ipairs(task.folds) do parts[#parts + 1] = vector_sum(split.train) .. vector_sum(split.test) end
   if task.also_train then parts[#parts + 1] = "train" end
   for _, scorer in ipairs(task.scorers) do parts[#parts + 1] = scorer_key(scorer) end
   return table.concat(parts, "\n")
end

-- --- stores ---

local Store = {}
Store.__index = Store

--- An empty store.
function M.new() return setmetatable({ at = {}, count = 0, written = 0 }, Store) end

--- Use the store for the fits of a search, which `self.describe()` describes. An error if it holds others.
function Store:begin(who, source, remedy)
   local wanted = self.describe()
   if self.fingerprint ~= nil and self.fingerprint ~= wanted then
      error(("%s: %s holds scores of another model, other data, folds or scores; %s"):format(who, source, remedy), 0)
   end
   self.fingerprint = wanted
end

--- To be called when a fit was interrupted, so that a later one can tell whether it continues this one.
function Store:close()
   if not self.fingerprint and self.describe then self.fingerprint = self.describe() end
   self.describe = nil
end

function Store:get(key) return self.at[key] end

-- Keep what results need: numbers and error texts.
function Store:put(key, result)
   local record = { fit_seconds = result.fit_seconds, score_seconds = result.score_seconds, error = result.error,
      converged = result.converged, scores = result.scores, train_scores = result.train_scores }
   if self.at[key] == nil then self.count = self.count + 1 end
   self.at[key] = record
   return record
end

--- Write the store to its file now and then, or at once if `now`.
function Store:write(now)
   if not self.path or self.count == self.written_count then return end
   local time = core.seconds()
   if not now and time - self.written < SECONDS_BETWEEN_WRITES then return end
   local ok, failed = pcall(save.save, { fingerprint = self.fingerprint, at = self.at }, self.path)
   if not ok then error(("%s: checkpoint cannot be written: %s"):format(self.who, failed), 0) end
   self.written, self.written_count = time, self.count
end

local function is_score_table(value)
   if type(value) ~= "table" then return false end
   for _, score in next, value do
      if type(score) ~= "number" then return false end
   end
   return true
end

-- Is it what Store:put keeps?
local function is_record(value)
   if type(value) ~= "table" or type(value.fit_seconds) ~= "number" or type(value.score_seconds) ~= "number" then
      return false
   end
   if value.scores == nil then return type(value.error) == "string" end
   if value.train_scores ~= nil and not is_score_table(value.train_scores) then return false end
   return is_score_table(value.scores) and (value.error == nil or type(value.error) == "string")
end

local function is_store(value)
   if type(value) ~= "table" or type(value.fingerprint) ~= "string" or type(value.at) ~= "table" then return false end
   for key, record in next, value.at do
      if type(key) ~= "string" or not is_record(record) then return false end
   end
   return true
end

--- The store in a file, which may not exist yet.
function M.open(who, path)
   local store = M.new()
   store.who, store.path = who, path
   local file = io.open(path, "rb")
   if not file then return store end
   file:close()
   local ok, value = pcall(save.load, path)
   if not ok or not is_store(value) then
      error(("%s: checkpoint '%s' is not a checkpoint of a search; remove the file or choose another name"):format(who,
         path), 0)
   end
   store.fingerprint, store.at = value.fingerprint, value.at
   return store
end

return M
