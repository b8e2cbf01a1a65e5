--- NonlinearKalmanFilter: extended and unscented Kalman filter and smoother of functions of the user.
--
--    x_1 ~ N(m, P),   x_{t+1} = f(x_t, t) + w_t,  w_t ~ N(0, Q)
--                     y_t     = h(x_t, t) + e_t,  e_t ~ N(0, R)
--
-- Moments of f and h come from derivatives or from sigma points; the rest is in the core (gaussian_moments.h).

local core = require "manilius.core"
local estimator = require "manilius.estimator"
local options_of = require "manilius.options".check
local progress = require "manilius.progress"
local results = require "manilius.results"
local settings = require "manilius.sequence.settings"

local WHO = "NonlinearKalmanFilter"
local checks = settings.checks(WHO)

local METHODS = { unscented = true, extended = true }

-- --- settings ---

local function check(self)
   checks.functions(self, { "transition", "observation" })
   if not METHODS[self.method] then
      checks.fail("method must be \"unscented\" or \"extended\", got %s", estimator.value_text(self.method))
   end
   for _, name in ipairs { "transition_jacobian", "observation_jacobian" } do
      if self[name] ~= nil then
         checks.functions(self, { name })
         if self.method ~= "extended" then checks.fail("%s requires method = \"extended\"", name) end
      end
   end
   local d = #checks.vector(self, "initial_mean")
   checks.covariance(self, "initial_cov", d)
   checks.covariance(self, "state_cov", d)
   checks.covariance(self, "observation_cov")
   for _, name in ipairs { "alpha", "beta", "kappa" } do
      if type(self[name]) ~= "number" then
         checks.fail("%s must be a number, got %s", name, estimator.value_text(self[name]))
      end
   end
   if not (self.alpha > 0 and self.kappa + d > 0) then
      checks.fail("alpha must be > 0, and kappa > -%d, got %g and %g", d, self.alpha, self.kappa)
   end
end

-- The settings as matrices.
local function system_of(self)
   return { model = self, d = #core.Vector(self.initial_mean), mean = core.Vector(self.initial_mean),
      cov = core.Matrix(self.initial_cov), Q = core.Matrix(self.state_cov), R = core.Matrix(self.observation_cov) }
end

-- --- moments ---

-- Derivatives of f at x by central differences, p x d.
local function differences(name, f, x, t, p)
   local J = core.Matrix(p, #x)
   for j = 1, #x do
      local step = 6e-6 * math.max(math.abs(x[j]), 1)
      local above, below = x:copy(), x:copy()
      above[j], below[j] = x[j] + step, x[j] - step
      local slope = (checks.result(name, f(above, t), p) - checks.result(name, f(below, t), p)) / (above[j] - below[j])
      for i = 1, p do J:set(i, j, slope[i]) end
   end
   return J
end

local function jacobian(model, name, x, t, p)
   local given = model[name .. "_jacobian"]
   if not given then return differences(name, model[name], x, t, p) end
   local ok, J = pcall(core.Matrix, given(x:copy(), t))
   if not ok or J.rows ~= p or J.cols ~= #x then
      checks.fail("%s_jacobian must return a matrix of %d x %d, got %s", name, p, #x,
         ok and ("%d x %d"):format(J.rows, J.cols) or "something else")
   end
   return J
end

-- Mean, covariance and cross-covariance of the function `name` of the state at row t plus noise.
local function moments(s, name, mean, cov, noise, t)
   local model, p = s.model, noise.rows
   local f = model[name]
   if model.method == "extended" then
      local value = checks.result(name, f(mean:copy(), t), p)
      return value, core.linear_moments(jacobian(model, name, mean, t, p), cov, noise)
   end
   local a, b, k = model.alpha, model.beta, model.kappa
   local points = core.sigma_points(mean, cov, a, b, k)
   local values = core.Matrix(points.rows, p)
   for i = 1, points.rows do
      local value = checks.result(name, f(points[i]:copy(), t), p)
      for j = 1, p do values:set(i, j, value[j]) end
   end
   return core.sigma_moments(points, values, noise, a, b, k)
end

-- --- filter and smoother ---

-- Filter the rows of X. visit(t, row) sees predicted and filtered moments of each. Returns moments after the last row.
local function run(s, X, visit, on_iter)
   local mean, cov = s.mean, s.cov
   if X.cols ~= s.R.rows then
      checks.fail("X must have %d columns, one for each row of observation_cov, got %d", s.R.rows, X.cols)
   end
   local report = on_iter and progress.caller(WHO, on_iter)
   for t = 1, X.rows do
      local row = { before = { mean = mean, cov = cov } }
      local y_mean, y_cov, cross = moments(s, "observation", mean, cov, s.R, t)
      row.prediction, row.prediction_cov = y_mean, y_cov
      row.mean, row.cov, row.loglike = core.gaussian_update(y_mean, y_cov, cross, X[t], mean, cov)
      mean, cov, row.cross = moments(s, "transition", row.mean, row.cov, s.Q, t)
      row.next_mean, row.next_cov = mean, cov
      visit(t, row)
      local answer = report and report(t, X.rows)
      if answer == "cancel" then progress.cancel() end
      if answer == "stop" then break end
   end
   return mean, cov
end

local function set_row(matrix, i, values)
   for j = 1, #values do matrix:set(i, j, values[j]) end
end

local function set_block(matrix, t, block)
   local d = block.cols
   for i = 1, d do set_row(matrix, (t - 1) * d + i, block[i]) end
end

-- Means and covariances of the states of all rows, given the rows up to their own, or all rows.
local function states(self, X, smooth)
   local s, path = system_of(self), {}
   local n, d = X.rows, s.d
   run(s, X, function(t, row) path[t] = row end)
   local mean, cov = core.Matrix(n, d), core.Matrix(n * d, d)
   for t = n, 1, -1 do
      local row, later = path[t], path[t + 1]
      if smooth and later then
         row.mean, row.cov = core.gaussian_smooth(row.next_mean, row.next_cov, row.cross, later.mean, later.cov,
            row.mean, row.cov)
      end
      set_row(mean, t, row.mean)
      set_block(cov, t, row.cov)
   end
   return mean, cov, path
end

local function filter(self, X)
   X = checks.X(self, X)
   local mean, cov, path = states(self, X, false)
   local prediction, variance = core.Matrix(X.rows, X.cols), core.Matrix(X.rows, X.cols)
   for t, row in ipairs(path) do
      set_row(prediction, t, row.prediction)
      set_row(variance, t, row.prediction_cov:diag())
   end
   return results { mean = mean, covariance = cov, prediction = prediction, prediction_variance = variance,
      _order = { "mean", "covariance", "prediction", "prediction_variance" } }
end

local function smooth(self, X)
   local mean, cov = states(self, checks.X(self, X), true)
   return results { mean = mean, covariance = cov, _order = { "mean", "covariance" } }
end

local function score_samples(self, X)
   X = checks.X(self, X)
   local out = core.Vector(X.rows)
   run(system_of(self), X, function(t, row) out[t] = row.loglike end)
   return out
end

local FORECAST = { steps = "number of rows to forecast; default 10",
   level = "probability of the intervals; default 0.95" }

local function forecast(self, options)
   local o = options_of(WHO .. ": forecast", options, FORECAST, 2)
   local steps, level = o.steps or 10, o.level or 0.95
   if math.type(steps) ~= "integer" or steps < 1 then
      checks.fail("forecast: steps must be a whole number >= 1, got %s", estimator.value_text(steps))
   end
   if type(level) ~= "number" or not (level > 0 and level < 1) then
      checks.fail("forecast: level must be between 0 and 1, got %s", estimator.value_text(level))
   end
   local s, z = system_of(self), core.special.normal_quantile(0.5 + level / 2)
   local mean, cov = self.next_mean, self.next_covariance
   local out = { _order = { "mean", "std", "low", "high" } }
   for _, name in ipairs(out._order) do out[name] = core.Matrix(steps, s.R.rows) end
   for t = 1, steps do
      local at = self.n + t
      local y, y_cov = moments(s, "observation", mean, cov, s.R, at)
      local std = y_cov:diag():sqrt()
      set_row(out.mean, t, y)
      set_row(out.std, t, std)
      set_row(out.low, t, y - std * z)
      set_row(out.high, t, y + std * z)
      mean, cov = moments(s, "transition", mean, cov, s.Q, at)
   end
   return results(out)
end

-- --- the class ---

local function fit(self, X, _, options)
   X = checks.X({}, X)
   local loglike = 0
   self.next_mean, self.next_covariance = run(system_of(self), X, function(_, row) loglike = loglike + row.loglike end,
      options and options.on_iter)
   self.loglike, self.n, self.n_features = loglike, X.rows, X.cols
   if loglike ~= loglike or loglike == -math.huge then
      checks.fail "the log likelihood is not finite; scale the columns of X, or give larger noise covariances"
   end
   return self
end

local M = {}

M.NonlinearKalmanFilter = estimator.class {
   name = WHO,
   ours = true,
   reports_progress = true,
   params = { transition = estimator.NONE, observation = estimator.NONE, method = "unscented",
      transition_jacobian = estimator.NONE, observation_jacobian = estimator.NONE, state_cov = estimator.NONE,
      observation_cov = estimator.NONE, initial_mean = estimator.NONE, initial_cov = estimator.NONE, alpha = 1e-3,
      beta = 2, kappa = 0 },
   learned = { loglike = "log likelihood of the rows of fit", n = "number of rows of fit",
      n_features = "number of columns of X", next_mean = "Vector: mean of the state after the last row of fit",
      next_covariance = "Matrix: its covariance" },
   check = check,
   help = {
      use = "NonlinearKalmanFilter { transition = f, observation = h, state_cov = Q, observation_cov = R, "
         .. "initial_mean = m, initial_cov = P }",
      brief = "Extended and unscented Kalman filter and smoother of your own functions.",
      objective = "x[t+1] = f(x[t], t) + w, w ~ N(0, Q); y[t] = h(x[t], t) + e, e ~ N(0, R)",
      params = {
         transition = "f(x, t): the next state as a list; x is a Vector, t the number of the row",
         observation = "h(x, t): the expected row of X as a list",
         method = "unscented: moments from 2 states + 1 points; extended: from derivatives at the mean",
         transition_jacobian = "derivatives of transition, a function (x, t) that returns a matrix of states x states; "
            .. "nil: central differences",
         observation_jacobian = "derivatives of observation, columns x states; nil: central differences",
         state_cov = "Q, states x states",
         observation_cov = "R, columns x columns",
         initial_mean = "mean of the first state",
         initial_cov = "covariance of the first state",
         alpha = "spread of the points of unscented",
         beta = "2 suits normal distributions",
         kappa = "alpha = 1, beta = 0 and kappa = 0 make the cubature filter",
      },
      methods = {
         filter = { use = "filter(X)", brief = "States given the rows up to their own, and predictions of each row.",
            notes = "Returns mean (rows x states), covariance (rows times states x states), prediction, "
               .. "prediction_variance." },
         smooth = { use = "smooth(X)", brief = "States given all rows: mean (rows x states), covariance." },
         forecast = { use = "forecast { steps = 10, level = 0.95 }", brief = "Rows after the last one of fit.",
            notes = "Returns mean, std, low, high (steps x columns)." },
      },
      notes = "Rows of X are one series in time order; nan is a missing value. fit learns nothing but filters X, so "
         .. "that forecast continues after it. States are taken to be normally distributed: where they are not, use "
         .. "ParticleFilter. transform gives the means of the states given all rows, score_samples log p(row | rows "
         .. "before). Cannot be saved, since functions cannot.",
      source = "Julier & Uhlmann, Proc. IEEE 92 (2004); Wan & van der Merwe (2000)",
      example = [[
local model = ml.NonlinearKalmanFilter {
   transition = function(x) return { x[1] + x[2], x[2] } end,
   observation = function(x) return { math.sin(x[1]) } end,
   state_cov = { { 1e-4, 0 }, { 0, 1e-4 } }, observation_cov = { { 0.01 } },
   initial_mean = { 0, 0.1 }, initial_cov = { { 0.1, 0 }, { 0, 0.01 } },
}
print(model:fit({ { 0.1 }, { 0.2 }, { 0.28 }, { 0.4 } }).next_mean)]],
   },
   fit = fit,
   transform = function(self, X) return (states(self, checks.X(self, X), true)) end,
   score_samples = score_samples,
   filter = checks.method("filter", filter),
   smooth = checks.method("smooth", smooth),
   forecast = checks.method("forecast", forecast),
}

return M
