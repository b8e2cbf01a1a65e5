--- Checks of searches at construction.

local candidate_lists = require "manilius.select.candidates"
local core = require "manilius.core"
local estimator = require "manilius.estimator"
local folds = require "manilius.select.folds"
local scorers = require "manilius.select.scorers"

-- Minimum values of numeric parameters.
local MIN = { n = 1, min_rows = 1, threads = 0, cv = 2, patience = 1, min_resource = 1, max_resource = 1,
   n_initial = 1, batch = 1 }

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
   local seconds = rawget(self, "max_seconds")
   if seconds ~= nil and not (type(seconds) == "number" and seconds > 0) then
      error(("%s: max_seconds must be a number > 0, got %s"):format(who, estimator.value_text(seconds)), 0)
   end
end

local function check_choices(who, self)
   local refit, error_score, checkpoint = self.refit, rawget(self, "error_score"), rawget(self, "checkpoint")
   if type(refit) ~= "boolean" and type(refit) ~= "string" and type(refit) ~= "function" then
      error(("%s: refit must be true, false, the name of a score or a function(results), got %s"):format(who,
         estimator.value_text(refit)), 0)
   end
   if self.return_train ~= nil and type(self.return_train) ~= "boolean" then -- nil in older archives
      error(("%s: return_train must be true or false, got %s"):format(who, estimator.value_text(self.return_train)), 0)
   end
   if error_score ~= nil and error_score ~= "raise" and type(error_score) ~= "number" then
      error(("%s: error_score must be a number or \"raise\", got %s"):format(who, estimator.value_text(error_score)), 0)
   end
   if checkpoint ~= nil and type(checkpoint) ~= "string" then
      error(("%s: checkpoint must be the path of a file, got %s"):format(who, estimator.value_text(checkpoint)), 0)
   end
end

-- The parameter that grows from round to round, if there is one.
local function check_resource(self, who, models_of)
   local name, max = rawget(self, "resource"), rawget(self, "max_resource")
   if name == nil then
      if max ~= nil or rawget(self, "min_resource") ~= nil then
         error(who .. ": min_resource and max_resource require resource, the name of a parameter", 0)
      end
      return
   end
   if type(name) ~= "string" then
      error(("%s: resource must be the name of a parameter, got %s"):format(who, estimator.value_text(name)), 0)
   end
   if max == nil then error(("%s: resource = '%s' requires max_resource, got nil"):format(who, name), 0) end
   for _, grid in ipairs(#self.grid > 0 and self.grid or { self.grid }) do
      if grid[name] ~= nil then
         error(("%s: resource = '%s' must not be a parameter of grid, because each round sets it"):format(who, name), 0)
      end
   end
   if (rawget(self, "min_resource") or 1) > max then
      error(("%s: min_resource must be at most max_resource, %d, got %d"):format(who, max, self.min_resource), 0)
   end
   models_of(self, { { [name] = max } })
end

local function check_cv(who, cv)
   local splits = type(cv) == "table" and type(cv[1]) == "table"
   if cv == nil or math.type(cv) == "integer" or folds.is(cv) or splits then return end
   error(("%s: cv must be a number of folds, a splitter or a list of splits, got %s"):format(who,
      estimator.value_text(cv)), 0)
end

-- Set each parameter of the grids to each of its values but ml.unset, with the first values of the others.
local function check_grid(self, who, models_of, random)
   if random then
      models_of(self, candidate_lists.from_random(who, self.grid, 1, self.seed))
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
-- @param random whether the grid holds distributions
return function(self, models_of, random)
   local who = estimator.class_of(self).name
   if not estimator.is(self.model) then
      error(("%s: model must be an estimator, got %s"):format(who, estimator.got(self.model)), 0)
   end
   if type(self.grid) ~= "table" then error(("%s: grid must be a table, got %s"):format(who, type(self.grid)), 0) end
   if self.scoring ~= nil then scorers.resolve(who, self.scoring, nil, 0) end
   check_numbers(who, self)
   check_choices(who, self)
   check_resource(self, who, models_of)
   check_cv(who, self.cv)
   if next(self.grid) ~= nil then check_grid(self, who, models_of, random) end
   if self.on_iter ~= nil and type(self.on_iter) ~= "function" then
      error(("%s: on_iter must be a function, got %s"):format(who, type(self.on_iter)), 0)
   end
end
