--- Message passing: sum-product, tree-reweighted, max-product, min-sum.

local core = require "manilius.core"
local graph = require "manilius.graphical.graph"
local queries = require "manilius.graphical.queries"
local result = require "manilius.graphical.result"
local rows = require "manilius.rows"
local text = require "manilius.text"

local M = {}

local OPTIONS = {
   schedule = '"residual" (default: the message that changes most), "sequential" or "parallel"; grids: "parallel"',
   damping = "share of the old message that is kept, from 0 (default) to below 1",
   tol = "stop when no message changes by more, as a probability (default 1e-6)",
   max_iter = "largest number of iterations; one is as many messages as there are edges (default 1000)",
}
M.OPTIONS = OPTIONS
local WEIGHTED = { updates = "steps that improve the weights of the trees and so the bound (default 0)" }
for name, about in pairs(OPTIONS) do WEIGHTED[name] = about end

--- schedule, damping, tol and max_iter as the core takes them.
function M.arguments(g, o)
   return queries.choice(g, o, "schedule", { "residual", "sequential", "parallel" }),
      queries.number(g, o, "damping", 0, 0, 0.999), queries.number(g, o, "tol", 1e-6, 0, 1),
      queries.whole(g, o, "max_iter", 1000, 1)
end

--- Warn that a method has not converged, with the remedy.
function M.warn(g, method, report, advice)
   if report.converged then return end
   rows.warn(("%s: %s has not converged after %s (largest change %s); %s"):format(g.class, method,
      text.plural(report.n_iter, "iteration"), text.number(report.residual, 3), advice))
end

local ADVICE = { sum_product = 'raise damping or max_iter, or use method = "trw", "region" or "exact"',
   trw = 'raise damping or max_iter, or use method = "region" or "exact"' }

local function propagate(weighted, kind)
   return function(g, o, method)
      local evidence = graph.evidence(g, "evidence", o.evidence)
      local schedule, damping, tol, max_iter = M.arguments(g, o)
      if weighted and o.damping == nil then damping = 0.5 end
      local marginals, total, report = core.graphical_messages(graph.raw(g), evidence, schedule, damping, tol, max_iter,
         weighted, queries.whole(g, o, "updates", 0, 0))
      M.warn(g, method, report, ADVICE[method])
      return result.marginals(g, { table = marginals, log_partition = total, method = method,
         kind = report.converged and kind or "approximation, not converged", n_iter = report.n_iter,
         converged = report.converged, residual = report.residual })
   end
end

queries.infer.sum_product = { brief = "belief propagation, loopy if need be; Bethe free energy",
   options = OPTIONS, run = propagate(false, "Bethe approximation") }
queries.infer.trw = { brief = "tree-reweighted message passing: an upper bound of the partition function",
   options = WEIGHTED, run = propagate(true, "upper bound") }

local function maximize(g, o, method)
   local evidence = graph.evidence(g, "evidence", o.evidence)
   local states, score, report = core.graphical_max_messages(graph.raw(g), evidence, M.arguments(g, o))
   M.warn(g, method, report, 'raise damping or max_iter, or use method = "dual_decomposition"')
   return result.assignment(g, { vector = states, score = score < -1e29 and -math.huge or score, method = method,
      kind = "of this state; it need not be the best unless the graph is a tree", n_iter = report.n_iter,
      converged = report.converged, residual = report.residual, energy = method == "min_sum" and -score or nil })
end

queries.map.max_product = { brief = "max-product message passing", options = OPTIONS, run = maximize }
queries.map.min_sum = { brief = "the same on energies, -log of the factors; the result has the field energy",
   options = OPTIONS, run = maximize }

return M
