--- Approximations other than message passing: mean field, TAP, regions, sampling, dual decomposition.

local core = require "manilius.core"
local estimator = require "manilius.estimator"
local graph = require "manilius.graphical.graph"
local propagation = require "manilius.graphical.propagation"
local queries = require "manilius.graphical.queries"
local result = require "manilius.graphical.result"
local rows = require "manilius.rows"
local text = require "manilius.text"

local fail, raw = graph.fail, graph.raw

local TOL = "stop when no probability changes by more (default 1e-6)"
local ITERATIONS = "largest number of iterations (default 1000)"
local DAMPING = "share of the old value that is kept, from 0 to below 1"

-- damping, tol and max_iter as the core takes them
local function passing(g, o, damping)
   return queries.number(g, o, "damping", damping, 0, 0.999), queries.number(g, o, "tol", 1e-6, 0, 1),
      queries.whole(g, o, "max_iter", 1000, 1)
end

local function marginals_of(g, method, marginals, total, report, kind, advice)
   propagation.warn(g, method, report, advice)
   return result.marginals(g, { table = marginals, log_partition = total, method = method, kind = kind,
      n_iter = report.n_iter, converged = report.converged, residual = report.residual })
end

-- --- variational ---

queries.infer.mean_field = { brief = "independent variables; a lower bound of the partition function",
   options = { damping = DAMPING .. " (default 0)", tol = TOL, max_iter = ITERATIONS,
      restarts = "starts, of which the best counts: uniform, then random (default 5)",
      seed = "number of the random stream (default 0)" },
   run = function(g, o, method)
      local damping, tol, max_iter = passing(g, o, 0)
      local marginals, bound, report = core.graphical_mean_field(raw(g), graph.evidence(g, "evidence", o.evidence),
         damping, tol, max_iter, queries.whole(g, o, "restarts", 5, 1), queries.seed(g, o))
      if bound < -1e15 then bound = -math.huge end
      return marginals_of(g, method, marginals, bound, report, "lower bound", "raise max_iter")
   end }

queries.infer.tap = { brief = "mean field with the Onsager reaction term; two states, pairs, weak couplings",
   options = { damping = DAMPING .. " (default 0.5)", tol = TOL, max_iter = ITERATIONS },
   run = function(g, o, method)
      local marginals, total, report = core.graphical_tap(raw(g), graph.evidence(g, "evidence", o.evidence),
         passing(g, o, 0.5))
      return marginals_of(g, method, marginals, total, report, "expansion of second order",
         'raise damping or max_iter; strong couplings need "sum_product" or "region"')
   end }

-- --- regions ---

-- Clusters of variables as a Vector in which a 0 ends each.
local function clusters_of(g, given)
   if given == nil then return nil end
   if rows.kind(given) ~= "table" or #given == 0 then
      fail(g, "regions must be a list of lists of variables, got %s", estimator.value_text(given))
   end
   local list = {}
   for _, cluster in ipairs(given) do
      if rows.kind(cluster) ~= "table" or #cluster == 0 then
         fail(g, "regions must be a list of lists of variables, got %s in it", estimator.value_text(cluster))
      end
      for _, key in ipairs(cluster) do list[#list + 1] = graph.variable(g, "regions", key) end
      list[#list + 1] = 0
   end
   return core.Vector(list)
end

queries.infer.region = { brief = "generalized belief propagation over short loops; Kikuchi free energy",
   options = { damping = DAMPING .. " (default 0.3)", tol = TOL, max_iter = ITERATIONS,
      loops = "longest loops of pairs that become regions: 4 (default), 3, or 0 for none",
      regions = "further regions: a list of lists of variables (default none)",
      double_loop = "always converge, by a slower double loop (default false)" },
   run = function(g, o, method)
      local damping, tol, max_iter = passing(g, o, 0.3)
      local loops = queries.whole(g, o, "loops", 4, 0)
      if loops ~= 0 and loops ~= 3 and loops ~= 4 then fail(g, "loops must be 0, 3 or 4, got %d", loops) end
      local marginals, total, report, count = core.graphical_region(raw(g),
         graph.evidence(g, "evidence", o.evidence), damping, tol, max_iter, loops,
         queries.boolean(g, o, "double_loop", false), clusters_of(g, o.regions))
      local found = marginals_of(g, method, marginals, total, report, "Kikuchi approximation",
         "raise damping or max_iter, or set double_loop = true")
      found.n_regions = count
      return found
   end }

-- --- sampling ---

local CHAINS = {
   chains = "number of chains (default 4)",
   draws = "draws of each chain after burn_in (default 1000)",
   burn_in = "sweeps that are left out (default 200)",
   thin = "sweeps for each draw (default 1)",
   seed = "number of the random stream (default 0)",
   temperatures = "steps of annealed importance sampling of the partition function, 0 for none (default 100)",
   particles = "states that are annealed (default 64)",
}

local function sampled(g, o, method)
   local evidence, seed = graph.evidence(g, "evidence", o.evidence), queries.seed(g, o)
   local marginals, std_error, trace, acceptance = core.graphical_sample(raw(g), evidence, method,
      queries.whole(g, o, "chains", 4, 1), queries.whole(g, o, "draws", 1000, 1),
      queries.whole(g, o, "burn_in", 200, 0), queries.whole(g, o, "thin", 1, 1), seed, false)
   local r_hat, ess = core.mcmc_diagnostics(trace)
   local temperatures, total, error_of_total = queries.whole(g, o, "temperatures", 100, 0), 0 / 0, nil
   if temperatures > 0 then
      total, error_of_total = core.graphical_anneal(raw(g), evidence, queries.whole(g, o, "particles", 64, 2),
         temperatures, seed)
   end
   if r_hat > 1.05 then
      rows.warn(("%s: %s: the chains disagree (R-hat %s); raise draws and burn_in%s"):format(g.class, method,
         text.number(r_hat, 3), method == "swendsen_wang" and "" or ', or use method = "swendsen_wang"'))
   end
   local kind = error_of_total and ("estimate, standard error %s"):format(text.number(error_of_total, 3)) or "none"
   return result.marginals(g, { table = marginals, std_error = std_error, trace = trace, r_hat = r_hat, ess = ess,
      acceptance = acceptance, log_partition = total, log_partition_std_error = error_of_total, kind = kind,
      method = method })
end

for name, brief in pairs { gibbs = "Gibbs sampling", metropolis = "Metropolis sampling with uniform proposals",
   swendsen_wang = "sampling of clusters: Ising and Potts models with couplings >= 0" } do
   queries.infer[name] = { brief = brief, options = CHAINS, run = sampled }
end

-- --- the most probable state ---

queries.map.dual_decomposition = { brief = "a state and an upper bound of all scores",
   options = { tol = "stop when the gap to the bound, or its decrease, is smaller (default 1e-6)",
      max_iter = ITERATIONS },
   run = function(g, o, method)
      local states, score, bound, n_iter, converged = core.graphical_dual(raw(g),
         graph.evidence(g, "evidence", o.evidence), queries.number(g, o, "tol", 1e-6, 0, 1e15),
         queries.whole(g, o, "max_iter", 1000, 1))
      bound = math.max(bound, score) -- both are rounded
      local gap = bound - score
      if score < -1e29 then score, gap = -math.huge, math.huge end
      if not converged then
         rows.warn(("%s: dual_decomposition has not converged after %s (gap %s); raise max_iter"):format(g.class,
            text.plural(n_iter, "iteration"), text.number(gap, 3)))
      end
      local optimal = gap <= math.max(1e-6, o.tol or 0)
      return result.assignment(g, { vector = states, score = score, bound = bound, gap = gap, method = method,
         kind = optimal and "optimal" or ("within %s of the best"):format(text.number(gap, 4)), n_iter = n_iter,
         converged = converged })
   end }

return queries
