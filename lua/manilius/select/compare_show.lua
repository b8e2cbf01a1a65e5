--- The result of ml.compare: its table, text and plot.

local estimator = require "manilius.estimator"
local show = require "manilius.metrics.text"
local text = require "manilius.text"

local Comparison = { __name = "Comparison" }
Comparison.__index = Comparison

local SIGNIFICANT = 0.05

-- --- the table ---

-- The test of model minus reference, or nil.
local function test_of(self, model, metric)
   local tests = self.tests
   for i = 1, #tests.metric do
      if tests.metric[i] == metric then
         local a, b = tests.model[i], tests.reference[i]
         local sign = a == model and b == self.reference and 1 or b == model and a == self.reference and -1
         if sign then return { difference = sign * tests.difference[i], p = tests.p_adjusted[i] } end
      end
   end
end

local MEASURES = { "mean", "sd", "low", "high", "difference", "p" }

local function cells_of(self, model, metric)
   local result, test = self.results[model], test_of(self, model, metric) or {}
   if not result then return {} end
   local interval = result.interval[metric]
   return { mean = result.mean[metric], sd = result.sd[metric], low = interval[1], high = interval[2],
      difference = test.difference, p = test.p }
end

local function mean_of(result, name)
   return result and result.scores:col(name):mean() or 0 / 0
end

local function table_of(self)
   local names, lists = { "model" }, { self.models }
   local function column(name, value_of)
      local list = {}
      for i, model in ipairs(self.models) do list[i] = value_of(model) or 0 / 0 end
      names[#names + 1], lists[#lists + 1] = name, list
   end
   for _, metric in ipairs(self.metrics) do
      for _, measure in ipairs(MEASURES) do
         column(metric .. "_" .. measure, function(model) return cells_of(self, model, metric)[measure] end)
      end
   end
   column("fit_seconds", function(model) return mean_of(self.results[model], "fit_seconds") end)
   column("predict_seconds", function(model) return mean_of(self.results[model], "score_seconds") end)
   if next(self.errors) then
      local list = { n = #self.models }
      for i, model in ipairs(self.models) do list[i] = self.errors[model] end
      names[#names + 1], lists[#lists + 1] = "error", require("manilius.core").Factor(list)
   end
   return require("manilius.frame").build(names, lists, "compare", 2)
end

-- --- printing ---

local function number(form, value)
   if value == nil then return "" end
   return value ~= value and "-" or form:format(value)
end

-- Formats of a score: enough decimals for three digits of the smallest standard deviation.
local function forms(self, metric)
   local min_sd = math.huge
   for _, model in ipairs(self.models) do
      local sd = cells_of(self, model, metric).sd
      if sd and sd > 0 then min_sd = math.min(min_sd, sd) end
   end
   local decimals = min_sd < math.huge and 2 - math.floor(math.log(min_sd, 10)) or 4
   if decimals > 6 then return "%.4g", "%+.3g" end
   decimals = math.max(0, decimals)
   return "%." .. decimals .. "f", "%+." .. decimals .. "f"
end

local function p_text(p)
   if p == nil then return "" end
   if p ~= p then return "-" end
   return p < 0.001 and "<0.001" or ("%.3f"):format(p)
end

local function metric_block(self, metric)
   local lines, plain, signed = { { "", "mean", "sd", "95% interval", "difference", "p" } }, forms(self, metric)
   for _, model in ipairs(self.models) do
      local c = cells_of(self, model, metric)
      if not c.mean then
         lines[#lines + 1] = { show.label(model), "failed" }
      else
         lines[#lines + 1] = { show.label(model), number(plain, c.mean), number(plain, c.sd),
            ("%s to %s"):format(number(plain, c.low), number(plain, c.high)),
            model == self.reference and "reference" or number(signed, c.difference), p_text(c.p) }
      end
   end
   return ("%s, %s is better\n%s"):format(metric, self.greater[metric] and "higher" or "lower", text.aligned(lines))
end

local function time_block(self)
   local lines = { { "", "fit", "predict" } }
   for _, model in ipairs(self.models) do
      local result = self.results[model]
      if result then
         lines[#lines + 1] = { show.label(model), text.seconds(mean_of(result, "fit_seconds")),
            text.seconds(mean_of(result, "score_seconds")) }
      end
   end
   return "time per fold\n" .. text.aligned(lines)
end

--- An explanation of the columns.
function Comparison:meaning()
   local count = #self.tests.metric // #self.metrics
   local reference = self.baseline and "the baseline " .. self.reference or self.reference .. ", the best model"
   local others = count == 1 and "" or (" for %d %s"):format(count, self.baseline and "comparisons" or "pairs")
   return ("difference: mean difference over the folds to %s. p: p-value of the corrected resampled t-test with Holm's "
      .. "adjustment%s; values below %g are usually called significant."):format(reference, others, SIGNIFICANT)
end

function Comparison:__tostring()
   local out = { ("%d models on the same %d folds of %d rows, best %s first"):format(#self.models, self.folds,
      self.rows, self.metrics[1]) }
   for _, metric in ipairs(self.metrics) do out[#out + 1] = metric_block(self, metric) end
   out[#out + 1] = time_block(self)
   out[#out + 1] = text.wrap(self:meaning(), 0, 80)
   for _, note in ipairs(self.notes) do out[#out + 1] = text.wrap("Note: " .. note, 0, 80) end
   return table.concat(out, "\n\n")
end

-- --- plot ---

local plot_options = { metric = true }

local function check_plot(self, options)
   options = require("manilius.options").check("plot", options, plot_options, 3)
   local metric = options.metric or self.metrics[1]
   for _, name in ipairs(self.metrics) do
      if name == metric then return metric end
   end
   error(("plot: metric must be one of %s, got %s"):format(table.concat(self.metrics, ", "),
      estimator.value_text(metric)), 3)
end

--- Box plot of the scores of each model with one point per fold, best model on top.
-- @param options metric: the score to show; default the first
-- @return Figure
function Comparison:plot(options)
   local metric = check_plot(self, options)
   local list = {}
   for _, model in ipairs(self.models) do
      if self.results[model] then list[#list + 1] = { model, self.results[model] } end
   end
   return (require("manilius.plot").cv(list, { metric = metric, title = "Comparison on the same folds",
      caption = ("One point per fold (%d folds). %s is better."):format(self.folds, self.greater[metric] and "Higher"
         or "Lower") }))
end

return function(self)
   self.best = self.models[1]
   self.table = table_of(self)
   return setmetatable(self, Comparison)
end
