--- Where warnings go: ml.warnings.

local core = require "manilius.core"

local M = { help = {} }

-- "on", "off", "error", "warn" or a function. Scripts of the program lua (and busted) have the global `arg`; a host
-- decides by lua_setwarnf whether its users see warnings.
local setting = type(rawget(_G, "arg")) == "table" and "on" or "warn"

local KNOWN = { on = true, off = true, error = true, warn = true }

local heard -- the texts passed on during M.once, or nil

-- Fits that did not converge are the same warning wherever they stopped.
local function without_progress(text)
   return (text:gsub("after %d+ iterations? before it converged %(.-%)", "before it converged"))
end

-- Whether the warning must be raised as an error, after it was passed on.
local function pass_on(text)
   local key = heard and without_progress(text)
   if heard and heard[key] then return false end
   if heard then heard[key] = true end
   if setting == "error" then return true end
   if type(setting) == "function" then
      setting(text)
   elseif setting == "on" and io and io.stderr then
      io.stderr:write("manilius: ", text, "\n")
   elseif setting ~= "off" and warn then
      warn(text)
   end
   return false
end

core.set_warning_function(pass_on)

--- Warn; with ml.warnings "error" raise an error.
function M.warn(text)
   if pass_on(text) then error(text, 0) end
end

--- pcall, during which the same warning is passed on only once.
function M.once(f, ...)
   local outer = heard
   heard = outer or {}
   local results = table.pack(pcall(f, ...))
   heard = outer
   return table.unpack(results, 1, results.n)
end

local function check(to)
   if type(to) == "function" or KNOWN[to] then return end
   error(('warnings: expected "on", "off", "warn", "error" or a function, got %s'):format(
      type(to) == "string" and ("'%s'"):format(to) or type(to)), 3)
end

--- Get or set where warnings go.
function M.warnings(to)
   if to ~= nil then
      check(to)
      setting = to
   end
   return setting
end

-- --- models that did not converge ---

local function collect(model, list, estimator)
   local rows = require "manilius.rows"
   if rows.kind(model) == "Model" then
      -- Boosting stops after a number of rounds by design.
      if model.fitted and estimator.describe(model).does.iterate and model.converged == false
         and not estimator.can(model, "staged") then
         list[#list + 1] = model
      end
   elseif type(model) == "table" then
      for _, name in ipairs { "models", "estimators" } do
         local parts = rawget(model, name)
         for _, part in ipairs(type(parts) == "table" and parts or {}) do collect(part, list, estimator) end
      end
      for _, name in ipairs { "best", "model" } do
         local part = rawget(model, name)
         if part ~= nil and estimator.is(part) then collect(part, list, estimator) end
      end
   end
   return list
end

--- The built-in models in a fitted model that stopped before they converged.
function M.unconverged(model)
   return collect(model, {}, require "manilius.estimator")
end

--- "not converged: KMeans after 5 iterations", or nil; for printing.
function M.convergence_text(model)
   local text = require "manilius.text"
   local list = M.unconverged(model)
   if #list == 0 then return nil end
   local one = ("%s after %s"):format(list[1].class, text.plural(list[1].n_iter, "iteration"))
   return ("not converged: %s%s"):format(one, #list > 1 and (" and %d more"):format(#list - 1) or "")
end

-- Models whose score was warned about: model -> number of its iterations.
local warned = setmetatable({}, { __mode = "k" })

--- Warn, once for each fit, that the scores are those of a model that did not converge.
function M.warn_scores(model)
   local one = M.unconverged(model)[1]
   if not one or warned[one] == one.n_iter then return end
   warned[one] = one.n_iter
   M.warn(("%s: scores are those of a fit that did not converge (stopped after %s)"):format(one.class,
      require "manilius.text".plural(one.n_iter, "iteration")))
end

M.help.warnings = {
   args = { "[to]" },
   brief = "Get or set where warnings go, such as those of fits that did not converge.",
   notes = '"on": to stderr, the default in scripts run by lua; "warn": to Lua\'s warn, the default in hosts; "off": '
      .. 'nowhere; "error": raised as errors, after the fit; a function is called with the text.',
   returns = "the setting",
   example = "local before = ml.warnings()\nml.warnings(print)\n"
      .. "ml.KMeans { n_clusters = 5, max_iter = 1 }:fit(ml.normal(200, 3, 1))\nml.warnings(before)",
}

return M
