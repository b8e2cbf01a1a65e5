--- Bootstrap estimates of prediction error: leave-one-out, .632 and .632+ (Efron & Tibshirani, JASA 92, 1997).
--
-- Sample b draws n rows with replacement; N_ib is how often it has row i, I_ib = 1 if never, Q_ib is the loss of row i
-- under the model fitted to sample b.
--
--    apparent   err = (1/n) sum_i L(y_i, f(x_i)), of the model fitted to all rows
--    oob        err1 = (1/n) sum_i E_i,   E_i = sum_b I_ib Q_ib / sum_b I_ib
--    .632       0.368 err + 0.632 err1
--    gamma      (1/n^2) sum_i sum_j L(y_i, f(x_j)), the error without any relation between X and y
--    .632+      (1 - w) err + w err1',   err1' = min(err1, gamma),   R = (err1' - err) / (gamma - err) in [0, 1],
--               w = 0.632 / (1 - 0.368 R)
--
-- The standard error of err1 is that of the infinitesimal jackknife after bootstrap (section 5),
--
--    se^2 = sum_i D_i^2,   D_i = (2 + 1/(n-1)) (E_i - err1) / n + (1 - 1/n)^-n (1/B) sum_b (N_ib - mean_b N_ib) q_b,
--    q_b = (1/n) sum_i I_ib Q_ib,
--
-- less the bias n (1 - 1/n)^-2n var(q_b) / B of a finite number of samples (Wager, Hastie & Efron, JMLR 15, 2014), and
-- at least sum_i (E_i - err1)^2 / n^2. Those of the others are in proportion to their values.

local core = require "manilius.core"
local estimator = require "manilius.estimator"
local evaluate = require "manilius.select.evaluate"
local options_of = require "manilius.options"
local rows = require "manilius.rows"
local losses = require "manilius.select.bootstrap_losses"
local resampling = require "manilius.select.resampling"
local text = require "manilius.text"
local validate = require "manilius.select.validate"

local M = { help = {} }

local WHO = "bootstrap_632"
local NAN = 0 / 0

-- --- the result ---

local Result = { __name = "Bootstrap632" }
Result.__index = Result

function Result.__tostring(self)
   local cells = { { "", self.scoring, "se" } }
   for i = 1, #self.table.estimate do
      local se = self.table.se[i]
      se = se == se and text.number(se, 3) or ""
      cells[i + 1] = { self.table.estimate[i], text.number(self.table.score[i], 4), se }
   end
   return ("%s, %s\n%s\nno-information score %s, relative overfitting %s"):format(self.model,
      text.plural(self.n, "bootstrap sample"), text.aligned(cells), text.number(self.no_information, 4),
      text.number(self.overfitting, 3))
end

-- --- samples ---

local function draw(n, rng)
   local sample = {}
   for i = 1, n do sample[i] = rng:integer(1, n) end
   return sample
end

local function check_sample(sample, b, n)
   local list = rows.kind(sample) == "Vector" and sample:totable() or sample
   for _, row in ipairs(type(list) == "table" and list or {}) do
      if type(row) ~= "number" or row ~= math.floor(row) or row < 1 or row > n then
         error(("%s: samples must hold rows from 1 to %d, got %s in sample %d"):format(WHO, n,
            estimator.value_text(row), b), 0)
      end
   end
   if type(list) ~= "table" or #list == 0 then
      error(("%s: samples must be a list of lists of rows, got %s in place %d"):format(WHO,
         estimator.value_text(sample), b), 0)
   end
   return list
end

-- The rows of sample b, how often each is drawn, and the rows that are not.
local function sample_of(settings, b)
   local n, drawn, out = settings.rows, {}, {}
   local sample = settings.samples and check_sample(settings.samples[b], b, n) or draw(n, core.rng(settings.seed, b))
   for _, row in ipairs(sample) do drawn[row] = (drawn[row] or 0) + 1 end
   for row = 1, n do
      if not drawn[row] then out[#out + 1] = row end
   end
   return { rows = sample, out = out }
end

-- --- sums over the samples ---

-- loss, count: sums of I_ib Q_ib and I_ib over b; drawn, product: of N_ib and N_ib q_b; q, q_square: of q_b
-- and its square.
local function new_sums(n)
   local sums = { loss = {}, count = {}, drawn = {}, product = {}, q = 0, q_square = 0, samples = 0 }
   for i = 1, n do sums.loss[i], sums.count[i], sums.drawn[i], sums.product[i] = 0, 0, 0, 0 end
   return sums
end

local function add_sample(sums, sample, loss, n)
   local total = 0
   for k, row in ipairs(sample.out) do
      sums.loss[row], sums.count[row], total = sums.loss[row] + loss[k], sums.count[row] + 1, total + loss[k]
   end
   local q = total / n
   for _, row in ipairs(sample.rows) do
      sums.drawn[row], sums.product[row] = sums.drawn[row] + 1, sums.product[row] + q
   end
   sums.q, sums.q_square, sums.samples = sums.q + q, sums.q_square + q * q, sums.samples + 1
end

-- err1 and its standard error. Rows that all samples contain are left out.
local function leave_one_out(sums, n)
   local known, total = 0, 0
   for i = 1, n do
      if sums.count[i] > 0 then known, total = known + 1, total + sums.loss[i] / sums.count[i] end
   end
   local error1, square, least, scale = total / known, 0, 0, (1 - 1 / n) ^ -n
   local variance = sums.q_square / sums.samples - (sums.q / sums.samples) ^ 2
   for i = 1, n do
      local e = sums.count[i] > 0 and sums.loss[i] / sums.count[i] or error1
      local d = (2 + 1 / (n - 1)) * (e - error1) / n
         + scale * (sums.product[i] - sums.drawn[i] / sums.samples * sums.q) / sums.samples
      square, least = square + d * d, least + (e - error1) ^ 2 / n ^ 2
   end
   return error1, math.sqrt(math.max(square - n * scale ^ 2 * variance / sums.samples, least))
end

-- --- fits ---

-- Fit the model to the samples first .. last and add their losses; `scores` gets the mean losses.
local function run_some(task, settings, first, last, sums, scores)
   local part, samples = {}, {}
   for key, value in pairs(task) do part[key] = value end
   part.folds, part.jobs = {}, {}
   for b = first, last do
      local sample = sample_of(settings, b)
      samples[#samples + 1] = sample
      part.folds[#part.folds + 1] = { train = core.Vector(sample.rows), test = core.Vector(sample.out) }
      part.jobs[#part.jobs + 1] = { 1, #part.folds }
   end
   for k, result in ipairs(evaluate.run(part)) do
      local b = first + k - 1
      scores[b] = NAN
      if result.error then
         settings.failed[#settings.failed + 1] = ("sample %d: %s"):format(b, result.error)
      elseif #samples[k].out > 0 then
         local loss = settings.loss.rows(rows.take(task.y, part.folds[k].test), result.test[settings.loss.method],
            result.classes)
         scores[b] = core.Vector(loss):mean()
         add_sample(sums, samples[k], loss, settings.rows)
      end
   end
end

local function run_all(task, settings, sums)
   local scores, failed = {}, settings.failed
   resampling.run(settings, 1, settings.rows, function(first, last)
      run_some(task, settings, first, last, sums, scores)
   end)
   if sums.samples == 0 then
      error(("%s: %s"):format(WHO, failed[1] or "no sample leaves out a row"), 0)
   end
   if #failed > 0 then
      rows.warn(("%s: %d of %d samples could not be fitted: %s"):format(WHO, #failed, settings.n, failed[1]))
   end
   return scores
end

-- The loss of the model fitted to all rows, and its loss if X and y were unrelated (no-information).
local function apparent_loss(task, settings)
   local all = core.range(1, settings.rows)
   local part = {}
   for key, value in pairs(task) do part[key] = value end
   part.folds, part.jobs = { { train = all, test = all } }, { { 1, 1 } }
   local result = evaluate.run(part)[1]
   if result.error then error(("%s: %s"):format(WHO, result.error), 0) end
   local output = result.test[settings.loss.method]
   return core.Vector(settings.loss.rows(task.y, output, result.classes)):mean(),
      settings.loss.no_information(task.y, output, result.classes)
end

-- --- the estimates ---

-- The loss .632+ and the relative overfitting rate.
local function plus(apparent, oob, gamma)
   local limited = math.min(oob, gamma)
   local rate = limited > apparent and gamma > apparent and math.min((limited - apparent) / (gamma - apparent), 1) or 0
   local w = 0.632 / (1 - 0.368 * rate)
   return (1 - w) * apparent + w * limited, rate, w
end

local function as_scores(list, loss)
   local out = {}
   for i, value in ipairs(list) do out[i] = loss.greater and 1 - value or value end
   return out
end

local function estimate(model, task, settings)
   local sums, loss = new_sums(settings.rows), settings.loss
   local apparent, gamma = apparent_loss(task, settings)
   local by_sample = run_all(task, settings, sums)
   local oob, se = leave_one_out(sums, settings.rows)
   local point_632 = 0.368 * apparent + 0.632 * oob
   local point_plus, rate, weight = plus(apparent, oob, gamma)
   local function in_proportion(value) return oob > 0 and se * value / oob or se end
   local values = as_scores({ point_plus, point_632, oob, apparent }, loss)
   local errors = { in_proportion(point_plus), in_proportion(point_632), se, NAN }
   return setmetatable({ model = estimator.title(model), scoring = loss.name, greater = loss.greater, n = settings.n,
      seed = settings.seed, score = values[1], se = errors[1], score_632 = values[2], oob = values[3],
      apparent = values[4], no_information = as_scores({ gamma }, loss)[1], overfitting = rate, weight = weight,
      samples = core.Vector(as_scores(by_sample, loss)),
      table = rows.frame({ "estimate", "score", "se" }, { core.Factor { ".632+", ".632", "oob", "apparent" },
         core.Vector(values), core.Vector(errors) }) }, Result)
end

-- --- the function ---

local function settings_of(model, task, options)
   local n = options.samples and #options.samples or options.n == nil and 200 or options.n
   local settings = resampling.settings(WHO, task, options, n, "draws")
   if settings.rows < 2 then error(("%s: X must have at least 2 rows, got %d"):format(WHO, settings.rows), 0) end
   settings.samples, settings.failed = options.samples, {}
   settings.loss = losses.find(WHO, model, task.y, options.scoring)
   return settings
end

local function bootstrap(model, X, y, options)
   local n = rows.count(rows.x(WHO, X, 0))
   local whole_data = { { train = core.range(1, n), test = core.range(1, n) } } -- no folds are needed
   local task = validate.task(WHO, model, X, y, { cv = whole_data, weights = options.weights,
      threads = options.threads, path = options.path }, 0)
   local settings = settings_of(model, task, options)
   task.want = { [settings.loss.method] = true }
   return estimate(model, task, settings)
end

local OPTIONS = validate.OPTIONS

M.help.bootstrap_632 = {
   args = { "model", "X", "y" },
   brief = "Bootstrap estimates of the score on new rows: .632+, .632 and out-of-bag, with standard errors.",
   formula = ".632 = 0.368 apparent + 0.632 oob",
   options = { n = "number of bootstrap samples; default 200", seed = "seed of the samples; default 0",
      scoring = '"accuracy", "log_loss", "mse" or "mae"; default: accuracy for labels, else mse',
      samples = "list of samples in place of random ones, each a list of rows, which may be repeated",
      weights = "sample weights, used in fits only", threads = OPTIONS.threads, path = OPTIONS.path,
      on_iter = 'function(state) called with done and total samples; may return "cancel"' },
   returns = "an object that prints as a table: score (.632+), se, score_632, oob, apparent, no_information, "
      .. "overfitting (R), weight (w), samples (Vector: score of each sample on its out-of-bag rows), table (Frame)",
   notes = "oob averages the loss of each row over the samples without it; apparent is of the model fitted to all "
      .. "rows. .632+ gives oob more weight if the model overfits, and is never worse than no_information, which is "
      .. "exact, not sampled. R's ipred agrees while oob is better than no_information, and can be worse beyond it. "
      .. "mlxtend averages estimates of single samples, with the training error of each sample's model on all rows.",
   source = "Efron & Tibshirani, JASA 92 (1997)",
   example = [[
local X, y = ml.read_csv "examples/data/iris.csv":split "species"
print(ml.bootstrap_632(ml.KNeighborsClassifier { n_neighbors = 1 }, X, y, { n = 100 }))]],
}

--- Bootstrap estimates of the score on new rows.
function M.bootstrap_632(model, X, y, options)
   options = options_of.check(WHO, options, M.help.bootstrap_632.options, 2)
   return (rows.rethrow(2, pcall(bootstrap, model, X, y, options)))
end

return M
