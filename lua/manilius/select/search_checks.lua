--- Checks of searches at construction.

local candidate_lists = require "manilius.select.candidates"
local core = require "manilius.core"
local estimator = require "manilius.estimator"
local folds = require "manilius.select.folds"
local scorers = require "manilius.select.scorers"

-- Minimum values of numeric parameters.
local MIN = { n = 1, min_rows = 1, threads = 0, cv = 2 }

local function check_numbers(who, self)
   for name, min in pairs(MIN) do
      local value = rawget(self, name)
      local number = name ~= "cv" or type(value) == "number"
      if value ~= nil and number and (math.type(value) ~= "integer" or value < min) then
         error(("%s: %s must be a whole number >= %d, got %s"):format(who, name, min, estimator.value_text(value)), 0)
      end
   end
   local factor = rawget(self, "factor")
   if factor ~= nil and not (type(factor) == "number" and factor > 1) then
      error(("%s: factor must be a number > 1, got %s"):format(who, estimator.value_text(factor)), 0)
   end
   if type(self.refit) ~= "boolean" and type(self.refit) ~= "string" then
      error(("%s: refit must be true, false or the name of a score, got %s"):format(who,
         estimator.value_text(self.refit)), 0)
   end
end

local function check_cv(who, cv)
   local splits = type(cv) == "table" and type(cv[1]) == "table"
   if cv == nil or math.type(cv) == "integer" or folds.is(cv) or splits then return end
   error(("%s: cv must be a number of folds, a splitter or a list of splits, got %s"):format(who,
      estimator.value_text(cv)), 0)
end

-- Set each parameter of the grids to each of its values but ml.unset, with the first values of the others.
local function check_grid(self, who, models_of)
   if who == "RandomSearch" then
      models_of(self, { candidate_lists.from_random(self)[1] })
      return
   end
   for _, grid in ipairs(#self.grid > 0 and self.grid or { self.grid }) do
      candidate_lists.check(who, grid)
      local first = {}
      for name, values in pairs(grid) do first[name] = values[1] ~= core.unset and values[1] or nil end
      for name, values in pairs(grid) do
         for _, value in ipairs(values) do
            local params = {}
            for key, other in pairs(first) do params[key] = other end
            params[name] = value
            if value ~= core.unset then models_of(self, { params }) end
         end
      end
   end
end

--- Raise an error unless the parameters of the search fit together.
-- @param models_of function(self, candidates) that makes the models of candidates
return function(self, models_of)
   local who = estimator.class_of(self).name
   if not estimator.is(self.model) then
      error(("%s: model must be an estimator, got %s"):format(who, estimator.got(self.model)), 0)
   end
   if type(self.grid) ~= "table" then error(("%s: grid must be a table, got %s"):format(who, type(self.grid)), 0) end
   if self.scoring ~= nil then scorers.resolve(who, self.scoring, nil, 0) end
   check_numbers(who, self)
   check_cv(who, self.cv)
   if next(self.grid) ~= nil then check_grid(self, who, models_of) end
   if self.on_iter ~= nil and type(self.on_iter) ~= "function" then
      error(("%s: on_iter must be a function, got %s"):format(who, type(self.on_iter)), 0)
   end
end
