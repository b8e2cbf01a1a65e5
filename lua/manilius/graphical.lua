--- ml.FactorGraph and ml.MarkovRandomField: graphical models as values.

local build = require "manilius.graphical.build"
local queries = require "manilius.graphical.queries"
local rows = require "manilius.rows"

local M = { help = {} }

local METHODS = {
   infer = { use = "infer([options])", brief = "The marginals of all variables and the partition function.",
      params = {}, example = "print(graph:infer { evidence = { c = \"on\" } })" },
   map = { use = "map([options])", brief = "The most probable state of all variables.",
      example = "print(graph:map())" },
   joint = { use = "joint(variables [, options])", brief = "The joint distribution of a few variables, by variable "
      .. "elimination.", example = 'print(graph:joint({ "a", "c" }))' },
   sample = { use = "sample([n [, options]])", brief = "n independent states of all variables, one a row, drawn "
      .. "exactly.", example = "print(graph:sample(3, { seed = 1 }))" },
   cost = { use = "cost([options])", brief = "What exact inference needs: treewidth, table sizes in bytes, the order.",
      example = "print(graph:cost())" },
   score = { use = "score(states)",
      brief = "The logarithm of the unnormalized probability of states of all variables.",
      example = 'print(graph:score { a = "off", b = "on", c = "on" })' },
   condition = { use = "condition(evidence)", brief = "The graph with factors that fix the observed variables.",
      example = 'print(graph:condition { a = "on" })' },
   save = { use = "save(path)", brief = "Write the graph to a file; ml.load reads it.",
      example = "local path = os.tmpname()\ngraph:save(path)\nprint(ml.load(path))\nos.remove(path)" },
   dump = { use = "dump()", brief = "The bytes of save as a string.", example = "print(#graph:dump())" },
}

M.help.FactorGraph = {
   use = "FactorGraph { variables = { ... }, factors = { ... } }",
   brief = "Factor graph: discrete variables, and tables over a few of them whose product is p(x) times Z.",
   params = {
      { name = "variables", brief = "{ name = number of states, or list of their labels }; or a list of { name, "
         .. "states }, which keeps its order" },
      { name = "factors", brief = "list of { scope, table }: names of variables, and values >= 0, nested or "
         .. "flat with the last variable fastest; log_table = logarithms instead" },
   },
   methods = METHODS,
   properties = { n = "number of variables" },
   notes = "Exact answers come from a junction tree; its cost is known before any table is allocated.",
   setup = [[
local graph = ml.FactorGraph {
   variables = { { "a", { "off", "on" } }, { "b", { "off", "on" } }, { "c", { "off", "on" } } },
   factors = { { { "a", "b" }, { { 4, 1 }, { 1, 4 } } }, { { "b", "c" }, { { 4, 1 }, { 1, 4 } } }, { "a", { 1, 2 } } },
}]],
}
M.help.FactorGraph.example = M.help.FactorGraph.setup .. "\nprint(graph:infer())"

function M.FactorGraph(settings)
   return (rows.rethrow(2, pcall(build.FactorGraph, settings)))
end

M.queries = queries

return M
