--- ml.FactorGraph and ml.MarkovRandomField: graphical models as values.

local build = require "manilius.graphical.build"
local random_field = require "manilius.graphical.random_field"
local queries = require "manilius.graphical.queries"
local rows = require "manilius.rows"

require "manilius.graphical.propagation"
require "manilius.graphical.approximations"

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

M.help.MarkovRandomField = {
   use = "MarkovRandomField { field = H, coupling = J }",
   brief = "Markov random field: a grid or graph of variables with the same states and pairwise factors.",
   params = {
      { name = "unary", brief = "logarithms of the factors of single variables: variables (of a grid, row by row) x "
         .. "states" },
      { name = "field", brief = "instead, for spins -1 and 1: a matrix h, whose shape is that of the grid; factors "
         .. "exp(h x)" },
      { name = "coupling", brief = "of neighbors: exp(coupling) if they are equal (Potts); of spins exp(coupling x y) "
         .. "(Ising); with edges also a list" },
      { name = "table", brief = "instead: logarithms, states x states; the neighbor above or to the left is first" },
      { name = "shape", brief = "{ rows, columns } of a grid, for unary" },
      { name = "neighbors", brief = "of a pixel: 4 (default) or 8" },
      { name = "edges", brief = "instead of a grid: pairs of variable numbers" },
      { name = "states", brief = "labels of the states" },
   },
   methods = METHODS,
   properties = { n = "number of variables" },
   notes = "Variables of a grid are x[i,j] or { i, j }. Results on a grid are also images: marginals:image(state) and "
      .. "map().states.",
   setup = [[
local graph = ml.MarkovRandomField { field = { { 0.9, -0.2, 0.8 }, { 0.4, 0.7, -0.1 } }, coupling = 0.5 }]],
}
M.help.MarkovRandomField.example = M.help.MarkovRandomField.setup .. "\nprint(graph:map().states)"

function M.MarkovRandomField(settings)
   return (rows.rethrow(2, pcall(random_field.MarkovRandomField, settings)))
end

M.queries = queries

return M
