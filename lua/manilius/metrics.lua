--- Metrics for predictions, probabilities, scores, clusterings, rankings and embeddings.
--
-- `ml.metrics.accuracy(y, predicted)`. Labels and numbers may be a Factor, a Vector, a Matrix, a Frame with one column
-- or a plain table; labels are compared by value, so the integer 1 equals the float 1.0. The last argument is a table
-- of options: `{ weights = w }` and others. `ml.metrics.help.f1` is the help of a metric; `ml.metrics.scorers` has the
-- scorers that cross-validation and searches accept by name.

local parts = require "manilius.metrics.parts"

local M = { help = {} }

for _, family in ipairs { "classify", "scores", "uncertainty", "regress", "cluster", "lists", "tags", "spans",
   "report" } do
   require("manilius.metrics." .. family)(M)
end
M.scorers = require "manilius.metrics.scorers"(M)

local function find(_, name)
   local names = parts.sorted_keys(M.help)
   local near = type(name) == "string" and require("manilius.core").nearest(name, names)
   error(("metrics has no %s; %s"):format(parts.text(name), near and ("did you mean '%s'?"):format(near)
      or 'ml.help "metrics" lists all'), 2)
end

local function show() return require "manilius.help".module_text("metrics", M.help) end

local function show_scorers()
   local lines, names = {}, parts.sorted_keys(M.scorers)
   for i, name in ipairs(names) do
      local about = M.help[name:gsub("^neg_", "")] or M.help[name]
      local better = M.scorers[name].greater and "greater is better" or "less is better"
      lines[i] = { name, better, about and about.brief or "" }
   end
   local text = require "manilius.text"
   local width = require "manilius.core".screen()
   return (text.aligned(lines, { true, true, true }, math.huge):gsub("[^\n]+", function(line)
      return text.cut(line, width, "...")
   end))
end

setmetatable(M.help, { __tostring = show })
setmetatable(M.scorers, { __tostring = show_scorers })

return setmetatable(M, { __index = find, __tostring = show })
