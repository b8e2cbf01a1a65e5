--- Printing of a search: the grid, or after fit the best candidate and its score.

local core = require "manilius.core"
local estimator = require "manilius.estimator"
local text = require "manilius.text"

local sorted_keys = text.sorted_keys

local function grid_text(grid)
   local names, parts = sorted_keys(grid), {}
   for i, name in ipairs(names) do parts[i] = ("%s = %s"):format(name, estimator.value_text(grid[name])) end
   return "{ " .. table.concat(parts, ", ") .. " }"
end

local function unfitted_text(self)
   local name = estimator.name(self)
   local lines = { name .. ", not fitted", "  model  " .. estimator.one_line(self.model) }
   for i, grid in ipairs(#self.grid > 0 and self.grid or { self.grid }) do
      lines[#lines + 1] = (i == 1 and "  grid   " or "         ") .. grid_text(grid)
   end
   lines[#lines + 1] = "  cv     " .. estimator.value_text(self.cv)
   if self.scoring ~= nil then lines[#lines + 1] = "  score  " .. estimator.value_text(self.scoring) end
   return lines
end

-- The value of a column of the results for the best candidate; nil when there is no such column.
local function of_best(self, name)
   for i, one in ipairs(self.results.names) do
      if one == name then return self.results.columns[i][self.best_index] end
   end
end

-- The scores of the candidates: their names, and the suffix of their columns.
local function scores_of(self)
   local list = {}
   for _, column in ipairs(self.results.names) do
      local ending = column:match "^mean_score(.*)$"
      if ending then list[#list + 1] = { name = ending == "" and self.judge or ending:sub(2), ending = ending } end
   end
   return list
end

local function fold_count(self, ending)
   local count = 0
   while of_best(self, ("fold%d%s"):format(count + 1, ending)) do count = count + 1 end
   return count
end

-- Mean, standard deviation and interval over the folds of each score of the best candidate.
local function scores_table(self)
   local lines = { { "", "mean", "sd", "95% interval" } }
   for _, score in ipairs(scores_of(self)) do
      local mean, sd = of_best(self, "mean_score" .. score.ending), of_best(self, "sd_score" .. score.ending)
      local k, interval = fold_count(self, score.ending), ""
      if k > 1 and sd == sd then
         local half = require "manilius.select.validate".t_quantile(0.95, k - 1) * sd / math.sqrt(k)
         interval = ("%s to %s"):format(text.number(mean - half, 4), text.number(mean + half, 4))
      end
      lines[#lines + 1] = { score.name, text.number(mean, 4), text.number(sd, 3), interval }
   end
   local seconds = of_best(self, "fit_seconds")
   if seconds then lines[#lines + 1] = { "fit time", text.seconds(seconds) } end
   return text.aligned(lines, { [4] = true }, core.screen() - 2)
end

local function fitted_text(self)
   local by = #scores_of(self) > 1 and " by " .. self.judge or ""
   local lines = { ("%s, fitted: best of %s%s"):format(estimator.name(self),
      text.plural(#self.results.columns > 0 and #self.results.columns[1] or 0, "candidate"), by) }
   local params, width = sorted_keys(self.best_params), 0
   for _, param in ipairs(params) do width = math.max(width, #param) end
   for _, param in ipairs(params) do
      lines[#lines + 1] = ("  %-" .. width .. "s  %s"):format(param, estimator.value_text(self.best_params[param]))
   end
   for line in scores_table(self):gmatch "[^\n]+" do lines[#lines + 1] = "  " .. line end
   return lines
end

local function show(self)
   local lines = rawget(self, "fitted") and fitted_text(self) or unfitted_text(self)
   for i, line in ipairs(lines) do lines[i] = text.wrap_line(line) end
   return table.concat(lines, "\n")
end

return show
