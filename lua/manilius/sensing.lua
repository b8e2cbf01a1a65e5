--- ml.amp and ml.amp_state_evolution: compressed sensing by approximate message passing.

local core = require "manilius.core"
local estimator = require "manilius.estimator"
local options_of = require "manilius.options".check
local results = require "manilius.results"
local rows = require "manilius.rows"

local M = { help = {} }

local DENOISER = {
   denoiser = "soft (default): soft threshold of alpha times the noise; mmse: the mean given the prior",
   share = "fraction of the values of x that are not 0",
   scale = "standard deviation of the values of x that are not 0; default 1",
   alpha = "soft: threshold in standard deviations of the noise; nil: that with the smallest worst-case error",
}

local function merged(more)
   local all = {}
   for name, text in pairs(DENOISER) do all[name] = text end
   for name, text in pairs(more) do all[name] = text end
   return all
end

M.help.amp = {
   args = { "A", "y" },
   brief = "Recover a sparse x from fewer measurements y = A x + noise, by approximate message passing.",
   options = merged { max_iter = "maximum number of iterations; default 100",
      tol = "stop when the norm of the change of x is at most tol times the norm of x; default 1e-6",
      damping = "weight of the previous x in the next, from 0 (default) to 1; raise it if the iteration diverges" },
   returns = "x; tau, the standard deviation of the effective noise by iteration; n_iter, converged, diverged",
   notes = "A must have independent elements with mean 0 and variance 1 / rows: scale its columns to norm 1. "
      .. "amp_state_evolution then predicts the error. For other matrices the iteration may diverge, which is "
      .. "reported: use damping, or Lasso.",
   source = "Donoho, Maleki & Montanari, PNAS 106 (2009); Bayati & Montanari (2011)",
   example = [[
local A, x = ml.normal(100, 200, 1) / 10, ml.zeros(200, 1):flatten()
for j = 1, 200, 20 do x[j] = 1 end
print((ml.amp(A, A * x, { share = 0.05 }).x - x):norm())]],
}

M.help.amp_state_evolution = {
   args = {},
   brief = "The error that theory predicts for each iteration of approximate message passing.",
   options = merged { delta = "number of rows of A divided by its number of columns",
      noise = "standard deviation of the noise; default 0",
      steps = "number of iterations; default 30" },
   returns = "tau, the standard deviation of the effective noise; mse, the mean squared error of x, from x = 0; alpha",
   notes = "Holds in the limit of many columns, if x has the share and scale given.",
   source = "Bayati & Montanari, IEEE Trans. Inf. Theory 57 (2011)",
   example = "print(ml.amp_state_evolution { delta = 0.5, share = 0.1, steps = 5 }.mse)",
}

local function wrong(who, name, wanted, value)
   error(("%s: %s must be %s, got %s"):format(who, name, wanted, estimator.value_text(value)), 0)
end

local function number(who, o, name, default, low, high, wanted)
   local value = o[name]
   if value == nil then value = default end
   if type(value) ~= "number" or not (value >= low and value < high) then wrong(who, name, wanted, value) end
   return value
end

local TINY = 5e-324

-- The denoiser as arguments of the core.
local function denoiser(who, o)
   local kind = o.denoiser or "soft"
   if kind ~= "soft" and kind ~= "mmse" then wrong(who, "denoiser", "soft or mmse", kind) end
   if kind == "mmse" and o.alpha ~= nil then error(who .. ": alpha is for the denoiser soft", 0) end
   if o.share == nil and (kind == "mmse" or o.alpha == nil) then
      error(("%s: share must be given: the share of the values of x that are not 0%s"):format(who,
         kind == "soft" and "; or alpha" or ""), 0)
   end
   local share = number(who, o, "share", 0.5, TINY, 1, "between 0 and 1")
   local scale = number(who, o, "scale", 1, TINY, math.huge, "a number > 0")
   local alpha = number(who, o, "alpha", core.amp_minimax_alpha(share), 0, math.huge, "a number >= 0")
   return kind, alpha, share, scale
end

local function count(who, o, name, default, most)
   local value = o[name] == nil and default or o[name]
   if math.type(value) ~= "integer" or value < 1 or value > most then
      wrong(who, name, "a whole number from 1 to " .. most, value)
   end
   return value
end

-- Why the iteration diverges, and the remedy.
local function divergence(A)
   local norm = A:norm() / math.sqrt(A.cols)
   if norm > 2 or norm < 0.5 then
      return ("the columns of A have norm %.4g in the mean square, which must be 1; divide A and y by it"):format(norm)
   end
   return "A is not like a matrix of independent elements with mean 0; use damping, or Lasso"
end

-- Errors of the core carry no name.
local function named(who, ok, ...)
   if ok then return ... end
   local message = ...
   if type(message) ~= "string" then error(message, 0) end
   error(("%s: %s"):format(who, (message:gsub("^[^\n:]*:%d+: ", "", 1))), 0)
end

local function amp(A, y, options)
   local o = options_of("amp", options, M.help.amp.options, 3)
   local kind, alpha, share, scale = denoiser("amp", o)
   local max_iter = count("amp", o, "max_iter", 100, 1000000)
   local ok, matrix = pcall(core.Matrix, A)
   if not ok then wrong("amp", "A", "a Matrix", A) end
   local tol, damping = number("amp", o, "tol", 1e-6, 0, math.huge, "a number >= 0"),
      number("amp", o, "damping", 0, 0, 1, "from 0 to 1")
   local x, tau, n_iter, converged, diverged = named("amp",
      pcall(core.amp, matrix, y, kind, alpha, share, scale, max_iter, tol, damping))
   if diverged then
      rows.warn("amp: diverged: " .. divergence(matrix))
   elseif not converged then
      rows.warn(("amp: stopped after %d iterations before it converged; increase max_iter or tol"):format(n_iter))
   end
   return results { x = x, tau = tau:slice(1, n_iter), n_iter = n_iter, converged = converged, diverged = diverged,
      _order = { "x", "tau", "n_iter", "converged", "diverged" } }
end

function M.amp(A, y, options)
   return (rows.rethrow(2, pcall(amp, A, y, options)))
end

local function evolution(options)
   local who = "amp_state_evolution"
   local o = options_of(who, options, M.help.amp_state_evolution.options, 3)
   local kind, alpha, share, scale = denoiser(who, o)
   local tau, mse = core.amp_state_evolution(kind, alpha, share, scale,
      number(who, o, "delta", nil, TINY, math.huge, "a number > 0"),
      number(who, o, "noise", 0, 0, math.huge, "a number >= 0"), count(who, o, "steps", 30, 10000))
   return results { tau = tau, mse = mse, alpha = alpha, _order = { "tau", "mse", "alpha" } }
end

function M.amp_state_evolution(options)
   return (rows.rethrow(2, pcall(evolution, options)))
end

return M
