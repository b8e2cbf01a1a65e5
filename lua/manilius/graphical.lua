--- ml.FactorGraph and ml.MarkovRandomField: graphical models as values.

local build = require "manilius.graphical.build"
local random_field = require "manilius.graphical.random_field"
local queries = require "manilius.graphical.queries"
local rows = require "manilius.rows"
local text = require "manilius.text"

require "manilius.graphical.propagation"
require "manilius.graphical.approximations"
require "manilius.graphical.draw"
require "manilius.graphical.figure"
local learn = require "manilius.graphical.learn"

local M = { help = {} }

local PROPERTIES = { n = "number of variables", names = "their names; nil: x1, x2, ... or x[i,j]",
   card = "numbers of states", shape = "{ rows, columns } of a grid; otherwise nil",
   learned = "of a learned graph: method, objective, n_iter, converged" }

-- { name = brief } as parameters, sorted.
local function listed(options)
   local list = {}
   for _, name in ipairs(text.sorted_keys(options)) do list[#list + 1] = { name = name, brief = options[name] } end
   return list
end

-- The option method and the options of all methods, with the methods that have them.
local function names_of(methods)
   local words, options = {}, {}
   for _, name in ipairs(text.sorted_keys(methods)) do
      words[#words + 1] = ("%s (%s)"):format(name, methods[name].brief)
      for option, brief in pairs(methods[name].options or {}) do options[option] = options[option] or brief end
   end
   for option, brief in pairs(queries.EXACT) do options[option] = brief end
   if methods.region then
      options.damping = "share of the old value that is kept, from 0 to below 1 (default 0; 0.3 for region, 0.5 for "
         .. "tap and trw)"
   end
   options.method = "auto (default: exact if its tables fit into 128 MB), " .. table.concat(words, ", ")
   return listed(options)
end

-- The methods of graphs, with examples of arguments that fit the graph of the class.
local function methods(given)
   return {
      infer = { use = "infer([options])", brief = "Marginals of all variables and the partition function, exact or by "
         .. "one of eight approximations.", params = names_of(queries.infer),
         example = ("print(graph:infer { evidence = %s })"):format(given.evidence) },
      map = { use = "map([options])", brief = "The most probable state of all variables, exact or approximate with a "
         .. "bound.", params = names_of(queries.map), example = "print(graph:map())" },
      joint = { use = "joint(variables [, options])", params = listed(queries.EXACT),
         brief = "The joint distribution of a few variables, by variable elimination.",
         example = ("print(graph:joint %s)"):format(given.variables) },
      sample = { use = "sample([n [, options]])", params = listed(queries.SAMPLE),
         brief = "n states of all variables, one a row: independent and exact, or by a Markov chain.",
         example = "print(graph:sample(3, { seed = 1 }))" },
      cost = { use = "cost([options])", params = listed(queries.EXACT),
         brief = "What exact inference needs: treewidth, size of tables in bytes, elimination order.",
         example = "print(graph:cost())" },
      score = { use = "score(states)",
         brief = "The logarithm of the unnormalized probability of states of all variables.",
         example = ("print(graph:score %s)"):format(given.states) },
      condition = { use = "condition(evidence)", brief = "The graph with factors that fix the observed variables.",
         example = ("print(graph:condition %s)"):format(given.evidence) },
      learn = { use = "learn(data [, options])", params = listed(learn.OPTIONS),
         brief = "A graph whose tables are learned from rows of states; the field learned says how it went.",
         example = "print(graph:learn(graph:sample(50, { seed = 1 })))" },
      factor = { use = "factor(i)", brief = "The logarithms in the table of factor i, and the names of its variables.",
         example = "print(graph:factor(1))" },
      text = { use = "text()", brief = "The graph as text: the factors, and what they connect.",
         example = "print(graph:text())" },
      trellis = { use = "trellis([options])", params = listed(queries.EXACT),
         brief = "Marginals as a table of states by variables, the most probable states marked.",
         example = "print(graph:trellis())" },
      dot = { use = "dot()", brief = "The graph as source for Graphviz.", example = "print(graph:dot())" },
      plot = { use = "plot([options])", brief = "The graph as a figure, laid out by Graphviz if it is installed.",
         example = "print(graph:plot())" },
      save = { use = "save(path)", brief = "Write the graph to a file; ml.load reads it.",
         example = "local path = os.tmpname()\ngraph:save(path)\nprint(ml.load(path))\nos.remove(path)" },
      dump = { use = "dump()", brief = "The bytes of save as a string.", example = "print(#graph:dump())" },
   }
end

M.help.FactorGraph = {
   use = "FactorGraph { variables = { ... }, factors = { ... } }",
   brief = "Factor graph: discrete variables, and tables over a few of them whose product is p(x) times Z.",
   params = {
      { name = "variables", brief = "{ name = number of states, or list of their labels }; or a list of { name, "
         .. "states }, which keeps its order" },
      { name = "factors", brief = "list of { scope, table }: names of variables, and values >= 0, nested or "
         .. "flat with the last variable fastest; log_table = logarithms instead" },
   },
   methods = methods { evidence = '{ a = "on" }', variables = '{ "a", "c" }', states = '{ a = 1, b = 2, c = 2 }' },
   properties = PROPERTIES,
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
   methods = methods { evidence = "{ [1] = 2, [2] = 1, [3] = 0, [4] = 0, [5] = 0, [6] = 0 }", variables = "{ 1, 6 }",
      states = "{ 2, 1, 2, 2, 2, 1 }" },
   properties = PROPERTIES,
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
