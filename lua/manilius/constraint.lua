--- ml.solve_sat and ml.color_graph: constraints solved by messages, decimation and local search.

local core = require "manilius.core"
local dimacs = require "manilius.constraint.dimacs"
local estimator = require "manilius.estimator"
local options_of = require "manilius.options"
local rows = require "manilius.rows"

local M = { help = {} }

local SHARED = {
   path = "a DIMACS file instead",
   tol = "messages have converged when none changes by more than tol; default 0.001",
   max_iter = "maximum number of sweeps over the messages in a round; default 1000",
   fraction = "fraction of the undecided variables that is fixed in a round, at least one; default 0.01",
   restarts = "maximum number of attempts, each from new random messages; default 3",
   seed = "random seed; default 0",
}

local function with_shared(options)
   for name, brief in pairs(SHARED) do options[name] = brief end
   return options
end

M.help.solve_sat = {
   args = {},
   brief = "Satisfying assignment of a formula in conjunctive normal form, by survey or belief propagation.",
   options = with_shared {
      clauses = "list of clauses: { 1, -2, 3 } means x1 or not x2 or x3",
      variables = "number of variables; default: the largest that occurs",
      method = "survey (default), belief, or walk: local search alone",
      search = "the local search: probsat (default) or walksat",
      noise = "search = 'walksat': probability of a random flip; default 0.57",
      max_flips = "maximum number of flips of the local search in an attempt; default 10 million",
   },
   returns = "satisfied, status (satisfied, unsatisfiable or unknown), assignment (Vector of 1 and 0), violated (the "
      .. "number of clauses), bias (Matrix: probabilities of true, false, and not forced, before anything is fixed), "
      .. "fixed (variables set by decimation), attempts, rounds, unconverged, sweeps, flips",
   notes = "Fixes the variables with the strongest surveys, round by round, until none is biased; a local search "
      .. "sets the rest, and changes what was fixed if that fails. status is unsatisfiable only if unit clauses "
      .. "contradict each other; where no assignment was found it is unknown, with a warning. Belief propagation is "
      .. "exact if the formula is a tree.",
   source = "Mezard & Zecchina, Phys. Rev. E 66 (2002); Braunstein, Mezard & Zecchina, Random Struct. Algorithms 27 "
      .. "(2005)",
   example = "print(ml.solve_sat { clauses = { { 1, -2, 3 }, { -1, 2 }, { -3, -2 } } })",
}

M.help.color_graph = {
   args = {},
   brief = "Colors of vertices that differ along each edge, by survey or belief propagation.",
   options = with_shared {
      edges = "list of { i, j }, or a Matrix of two columns; vertices are numbered from 1",
      vertices = "number of vertices; default: the largest that occurs",
      colors = "number of colors, from 1 to 8; default 3",
      method = "survey (default) or belief",
      max_moves = "maximum number of moves of the tabu search in an attempt; default 1 million",
   },
   returns = "colored, colors (Vector, from 1), violated (edges between equal colors), bias (Matrix: "
      .. "probabilities of each color, and of none forced, before anything is fixed), fixed, attempts, rounds, "
      .. "unconverged, sweeps, moves",
   notes = "Fixes the vertices with the strongest surveys, round by round, until none is biased, then those with "
      .. "the strongest beliefs; tabu search repairs the edges between equal colors. A failure "
      .. "is reported with a warning; it is not a proof that there is no coloring. Close to the threshold (mean "
      .. "degree 4.69 for three colors) a smaller fraction helps.",
   source = "Braunstein, Mulet, Pagnani, Weigt & Zecchina, Phys. Rev. E 68 (2003)",
   example = "print(ml.color_graph { edges = { { 1, 2 }, { 2, 3 }, { 3, 1 }, { 3, 4 } }, colors = 3 })",
}

-- --- options ---

local MOST = 2147483647

-- The options of decimation as the core takes them; moves: name and default of the most moves of the local search.
local function decimation(who, o, moves, default)
   return options_of.number(who, o, "tol", 1e-3, 0, 1), options_of.whole(who, o, "max_iter", 1000, 1, MOST),
      options_of.number(who, o, "fraction", 0.01, 0, 1), options_of.whole(who, o, moves, default, 0, math.maxinteger),
      options_of.whole(who, o, "restarts", 3, 1, MOST), options_of.whole(who, o, "seed", 0, 0, math.maxinteger)
end

local function one_source(who, o, name)
   if (o[name] == nil) == (o.path == nil) then error(("%s: either %s or path must be given"):format(who, name), 0) end
end

-- --- satisfiability ---

local SAT = "solve_sat"

-- A clause without repeated literals; nil if it holds a variable and its negation, and so is always true.
local function distinct(clause, number, most)
   if type(clause) ~= "table" then
      error(("%s: clause %d must be a list of literals, got %s"):format(SAT, number, rows.kind(clause)), 0)
   end
   local list, seen = {}, {}
   for i = 1, #clause do
      local literal = math.tointeger(clause[i])
      if not literal or literal == 0 or math.abs(literal) > most then
         error(("%s: clause %d: literals must be whole numbers from -%d to %d except 0, got %s"):format(SAT, number,
            most, most, estimator.value_text(clause[i])), 0)
      end
      if seen[-literal] then return nil end
      if not seen[literal] then
         seen[literal] = true
         list[#list + 1] = literal
      end
   end
   return list
end

-- The formula as the core takes it: number of variables, starts and literals of the clauses.
local function formula(o)
   one_source(SAT, o, "clauses")
   local clauses, most = o.clauses, options_of.whole(SAT, o, "variables", 100000000, 1, 100000000)
   if o.path ~= nil then
      local n
      n, clauses = dimacs.formula(SAT, o.path)
      most = math.max(n, 1)
   elseif type(clauses) ~= "table" or rows.kind(clauses) ~= "table" then
      error(("%s: clauses must be a list of lists of literals, got %s"):format(SAT, rows.kind(clauses)), 0)
   end
   local start, literals, largest = { 0 }, {}, 0
   for c = 1, #clauses do
      local list = distinct(clauses[c], c, most)
      for _, literal in ipairs(list or {}) do largest = math.max(largest, math.abs(literal)) end
      if list then
         table.move(list, 1, #list, #literals + 1, literals)
         start[#start + 1] = #literals
      else -- the variable exists, but the clause says nothing
         for i = 1, #clauses[c] do largest = math.max(largest, math.abs(clauses[c][i])) end
      end
   end
   local n = (o.variables or o.path) and most or largest
   return math.tointeger(n), core.Vector(start), #literals > 0 and core.Vector(literals) or core.Vector(0)
end

local function warn_failure(who, what, moves)
   rows.warn(("%s: %s; increase restarts or %s, or try another method"):format(who, what, moves))
end

local function solve_sat(given)
   local o = options_of.check(SAT, given, M.help.solve_sat.options, 3)
   local method = options_of.choice(SAT, o, "method", { "survey", "belief", "walk" })
   local n, start, literals = formula(o)
   local search = options_of.choice(SAT, o, "search", { "probsat", "walksat" })
   local noise = options_of.number(SAT, o, "noise", 0.57, 0, 1)
   if search == "probsat" then
      if o.noise ~= nil then error(SAT .. ": noise is an option of search = 'walksat'", 0) end
      noise = -1
   end
   local assignment, bias, report = core.solve_sat(n, start, literals, method, noise,
      decimation(SAT, o, "max_flips", 10000000))
   local satisfied = report.violated == 0
   local status = satisfied and "satisfied" or report.proved and "unsatisfiable" or "unknown"
   if status == "unknown" then
      warn_failure(SAT, ("no assignment was found; the best violates %d clause%s"):format(report.violated,
         report.violated == 1 and "" or "s"), "max_flips")
   end
   return require "manilius.results" { satisfied = satisfied, status = status, assignment = assignment,
      violated = report.violated, bias = bias, fixed = report.fixed, attempts = report.attempts,
      rounds = report.rounds, unconverged = report.unconverged, sweeps = report.sweeps, flips = report.moves,
      _order = { "satisfied", "status", "assignment", "violated", "bias", "fixed", "attempts", "rounds",
         "unconverged", "sweeps", "flips" } }
end

function M.solve_sat(given) return (rows.rethrow(2, pcall(solve_sat, given))) end

-- --- coloring ---

local COLOR = "color_graph"

-- The edges as the core takes them, each once: number of vertices, and the ends.
local function edges_of(o)
   one_source(COLOR, o, "edges")
   local list, most = o.edges, options_of.whole(COLOR, o, "vertices", 100000000, 1, 100000000)
   if o.path ~= nil then
      most, list = dimacs.graph(COLOR, o.path)
   elseif rows.kind(list) ~= "Matrix" and rows.kind(list) ~= "table" then
      error(("%s: edges must be a list of { i, j } or a Matrix, got %s"):format(COLOR, rows.kind(list)), 0)
   end
   local from, to, largest, seen = {}, {}, 0, {}
   for e = 1, #list do
      local edge = list[e]
      local ok = type(edge) == "table" or rows.kind(edge) == "Vector"
      local i, j = ok and math.tointeger(edge[1]), ok and math.tointeger(edge[2])
      if not ok or #edge ~= 2 or not i or not j or i < 1 or j < 1 or i > most or j > most or i == j then
         error(("%s: edge %d must be two different vertices from 1 to %d, got %s"):format(COLOR, e, most,
            ok and ("{ %s, %s }"):format(edge[1], edge[2]) or rows.kind(edge)), 0)
      end
      i, j, largest = math.min(i, j), math.max(i, j), math.max(largest, i, j)
      local key = i * 100000001 + j
      if not seen[key] then
         seen[key], from[#from + 1], to[#to + 1] = true, i, j
      end
   end
   local n = (o.vertices or o.path) and most or largest
   if n == 0 then error(COLOR .. ": the graph has no vertices", 0) end
   return n, #from > 0 and core.Vector(from) or core.Vector(0), #to > 0 and core.Vector(to) or core.Vector(0)
end

local function color_graph(given)
   local o = options_of.check(COLOR, given, M.help.color_graph.options, 3)
   local method = options_of.choice(COLOR, o, "method", { "survey", "belief" })
   local n, from, to = edges_of(o)
   local most = options_of.whole(COLOR, o, "colors", 3, 1, 8)
   local colors, bias, report = core.color_graph(n, from, to, method, most,
      decimation(COLOR, o, "max_moves", 1000000))
   if report.violated > 0 then
      warn_failure(COLOR, ("no coloring was found; the best has %d edge%s between equal colors"):format(
         report.violated, report.violated == 1 and "" or "s"), "max_moves")
   end
   return require "manilius.results" { colored = report.violated == 0, colors = colors, violated = report.violated,
      bias = bias, fixed = report.fixed, attempts = report.attempts, rounds = report.rounds,
      unconverged = report.unconverged, sweeps = report.sweeps, moves = report.moves,
      _order = { "colored", "colors", "violated", "bias", "fixed", "attempts", "rounds", "unconverged", "sweeps",
         "moves" } }
end

function M.color_graph(given) return (rows.rethrow(2, pcall(color_graph, given))) end

return M
