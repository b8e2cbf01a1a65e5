--- ml.select_hmm: hidden Markov models with several numbers of states, compared by a criterion.

local core = require "manilius.core"
local estimator = require "manilius.estimator"
local options_of = require "manilius.options"
local parts = require "manilius.metrics.parts"
local progress = require "manilius.progress"
local rows = require "manilius.rows"
local text = require "manilius.text"

local fail = parts.fail
local M = { help = {} }

local WHO = "select_hmm"
local CRITERIA = { "bic", "aic" }

local Selection = { __name = "StateSelection" }
Selection.__index = Selection

function Selection.__tostring(self)
   local lines = { { "states", "loglik", "parameters", "aic", "bic" } }
   local shown = {}
   for _, name in ipairs { "loglik", "aic", "bic" } do
      shown[name] = text.numbers(self.table[name]:totable(), 6, "-")
   end
   for i = 1, self.table.rows do
      lines[i + 1] = { text.number(self.table.states[i]), shown.loglik[i], text.number(self.table.n_parameters[i]),
         shown.aic[i], shown.bic[i] }
   end
   return ("%s, lower is better\n%s\nbest by %s: %d states (%s)"):format(estimator.name(self.model),
      text.aligned(lines), self.criterion, self.n_states, text.number(self.value, 8))
end

local function select_hmm(model, X, o)
   if not (estimator.is(model) and estimator.name(model) == "HMM") then
      fail("model must be a hidden Markov model, such as ml.HMM {}, got %s", parts.text(model))
   end
   local states = o.states or { 1, 2, 3, 4 }
   if type(states) ~= "table" or #states == 0 then
      fail("states must be a list of numbers of states, got %s", parts.text(states))
   end
   local criterion = parts.choice(o, "criterion", CRITERIA, "bic")
   local columns = { {}, {}, {}, {}, {} }
   local shown <close> = progress.task(WHO, #states)
   local result = { criterion = criterion }
   for i, k in ipairs(states) do
      shown:at(i - 1)
      local fitted = model:clone():set_params { n_states = k }
      fitted:fit(X, nil, o.lengths and { lengths = o.lengths } or nil)
      for c, value in ipairs { k, fitted.loglik, fitted.n_parameters, fitted.aic, fitted.bic } do
         columns[c][i] = value
      end
      if not result.value or fitted[criterion] < result.value then
         result.value, result.model, result.n_states = fitted[criterion], fitted, k
      end
   end
   for c, list in ipairs(columns) do columns[c] = core.Vector(list) end
   result.table = rows.frame({ "states", "loglik", "n_parameters", "aic", "bic" }, columns)
   return setmetatable(result, Selection)
end

M.help.select_hmm = {
   name = WHO, args = { "model", "X" },
   brief = "Choose the number of states of a hidden Markov model.",
   returns = "an object that prints as a table: table (Frame: states, loglik, n_parameters, aic, bic), model (the best "
      .. "one, fitted), n_states, value",
   options = {
      states = "list of numbers of states; default { 1, 2, 3, 4 }",
      criterion = "'bic' (default), or 'aic', which prefers more states",
      lengths = "rows of each of several sequences",
   },
   notes = "Lower is better. Other settings are those of the model; increase its n_init to escape local optima.",
   source = "Zucchini & MacDonald, Hidden Markov Models for Time Series (2009), section 6.1",
   example = [[
local X = ml.read_csv("examples/data/earthquakes.csv"):select { "count" }
print(ml.select_hmm(ml.HMM { emission = "poisson" }, X))]],
}

--- Hidden Markov models of several sizes, compared by a criterion; see M.help.
function M.select_hmm(model, X, options)
   options = options_of.check(WHO, options, M.help.select_hmm.options, 2)
   return parts.finish(WHO, pcall(select_hmm, model, X, options))
end

return M
