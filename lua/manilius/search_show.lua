--- How a search is printed: what is searched, and when it is fitted, the best with its score.
-- @module manilius.search_show

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

-- The deviation of the score of the best over the folds.
local function sd_of_best(self)
   for i, name in ipairs(self.results.names) do
      if name == "sd_score" or name == "sd_score_" .. self.judge then
         return self.results.columns[i][self.best_index]
      end
   end
   return 0 / 0
end

local function fitted_text(self)
   local lines = { ("%s, fitted: best of %s"):format(estimator.name(self),
      text.plural(#self.results.columns > 0 and #self.results.columns[1] or 0, "candidate")) }
   local params = sorted_keys(self.best_params)
   local width = #self.judge
   for _, param in ipairs(params) do width = math.max(width, #param) end
   local function add(name, value) lines[#lines + 1] = ("  %-" .. width .. "s  %s"):format(name, value) end
   local sd = sd_of_best(self)
   add(self.judge, text.number(self.best_score) .. (sd == sd and (", sd %s over the folds"):format(
      text.number(sd, 3)) or ""))
   for _, param in ipairs(params) do add(param, estimator.value_text(self.best_params[param])) end
   return lines
end

local function show(self)
   local lines = rawget(self, "fitted") and fitted_text(self) or unfitted_text(self)
   for i, line in ipairs(lines) do lines[i] = text.wrap_line(line) end
   return table.concat(lines, "\n")
end

return show
