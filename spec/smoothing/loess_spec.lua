local ml = require "manilius"
local support = require "spec.support"
local wanted = require "spec.fixtures.smoothing.loess"

local near, near_all = support.near, support.near_all
local cars = ml.read_csv "examples/data/cars.csv" -- R's data of this name
local cars_x, cars_y = ml.Matrix(cars.speed), cars.distance
local speeds = ml.Matrix(ml.Vector { 3, 5, 10.5, 22, 30 })
local two = { { 100, 2.5 }, { 150, 3.2 }, { 300, 5 } }

local function columns(frame, names)
   local rows = {}
   for i = 1, frame.rows do
      local row, complete = {}, true
      for j, name in ipairs(names) do
         row[j] = frame[name][i]
         complete = complete and row[j] == row[j] and row[j] ~= nil
      end
      if complete then rows[#rows + 1] = row end
   end
   return ml.Matrix(rows)
end

-- The residuals of the R fits are sums of up to 272 products, and standard errors divide small differences.
local function agrees(name, model, x, y, new, weights)
   local r = wanted[name]
   model:fit(x, y, { weights = weights })
   near_all(r.fitted, model:predict(x), 1e-8, name .. " fitted", 1)
   near_all(r.predicted, model:predict(new), 1e-8, name .. " predicted", 1)
   near(r.sigma[1], model.sigma, 1e-8, name .. " sigma")
   near(r.trace[1], model.trace_hat, 1e-8, name .. " trace")
   near(r.enp[1], model.enp, 1e-8, name .. " enp")
   near(r.one_delta[1], model.one_delta, 1e-8, name .. " one_delta")
   near(r.two_delta[1], model.two_delta, 1e-8, name .. " two_delta")
   near(r.df[1], model.df, 1e-8, name .. " df")
   local bands = model:intervals(new, { kind = "confidence", level = 0.9 })
   near_all(r.std_error, bands.std_error, 1e-7, name .. " standard error")
   if model.family == "symmetric" then near_all(r.robustness, model.robustness, 1e-8, name .. " robustness", 1) end
end

describe("Loess", function()
   it("equals R's loess with surface = 'direct' on one column", function()
      local weights = {}
      for i = 1, 50 do weights[i] = 1 + i % 4 / 2 end
      agrees("default", ml.Loess {}, cars_x, cars_y, speeds)
      agrees("symmetric", ml.Loess { family = "symmetric" }, cars_x, cars_y, speeds)
      agrees("narrow", ml.Loess { span = 0.4, degree = 1 }, cars_x, cars_y, speeds)
      agrees("constant", ml.Loess { span = 0.5, degree = 0 }, cars_x, cars_y, speeds)
      agrees("wide", ml.Loess { span = 2 }, cars_x, cars_y, speeds)
      agrees("weighted", ml.Loess {}, cars_x, cars_y, speeds, weights)
      agrees("weighted_symmetric", ml.Loess { family = "symmetric" }, cars_x, cars_y, speeds, weights)
   end)

   it("equals R's loess on several columns", function()
      local models = ml.read_csv "examples/data/mtcars.csv"
      local x, y = columns(models, { "hp", "wt" }), models.mpg
      agrees("mtcars", ml.Loess {}, x, y, two)
      agrees("mtcars_line", ml.Loess { degree = 1, span = 0.6, normalize = false }, x, y, two)
      agrees("mtcars_symmetric", ml.Loess { degree = 1, family = "symmetric" }, x, y, two)
      local air = columns(ml.read_csv "examples/data/airquality.csv", { "solar_r", "wind", "temp", "ozone" })
      agrees("air", ml.Loess {}, air:select { 1, 2, 3 }, air:col(4), { { 150, 10, 75 }, { 200, 8, 85 } })
      local geyser = ml.read_csv "examples/data/faithful.csv"
      agrees("faithful", ml.Loess { span = 0.3 }, columns(geyser, { "eruptions" }), geyser.waiting,
         { { 1.5 }, { 3 }, { 5.5 } })
   end)

   it("computes traces of the matrix whose columns are fits to unit vectors", function()
      local n, x = 14, ml.normal(14, 2, 3)
      local eye, rows = {}, {}
      for j = 1, n do
         local unit = ml.zeros(n, 1):col(1)
         unit[j] = 1
         eye[j] = ml.Loess { degree = 1, statistics = "none" }:fit(x, unit):predict(x)
      end
      local trace = 0
      for i = 1, n do
         rows[i] = {}
         for j = 1, n do rows[i][j] = (i == j and 1 or 0) - eye[j][i] end
         trace = trace + eye[i][i]
      end
      local residual = ml.Matrix(rows)
      local product = residual * residual:t()
      local one, square = 0, 0
      for i = 1, n do
         one = one + product:get(i, i)
         for j = 1, n do square = square + product:get(i, j) ^ 2 end
      end
      local model = ml.Loess { degree = 1 }:fit(x, ml.normal(n, nil, 4))
      near(trace, model.trace_hat, 1e-12)
      near(one, model.one_delta, 1e-12)
      near(square, model.two_delta, 1e-12)
      local fast = ml.Loess { degree = 1, statistics = "trace" }:fit(x, ml.normal(n, nil, 4))
      near(one, fast.df, 1e-12)
      assert.is_nil(fast.two_delta)
   end)

   it("reproduces polynomials up to its degree, near and far from the rows", function()
      local x = ml.normal(40, 2, 5)
      local function f(a, b) return 2 - a + 3 * b + a * b - b * b + 0.5 * a * a * b - a ^ 3 end
      local y = {}
      for i = 1, 40 do y[i] = f(x:get(i, 1), x:get(i, 2)) end
      local model = ml.Loess { degree = 3, span = 0.6 }:fit(x, y)
      for _, point in ipairs { { 0.3, -0.2 }, { 2, 2 }, { -30, 40 } } do
         near(f(point[1], point[2]), model:predict { point }[1], 1e-8, "cubic")
      end
      assert.is_nil(ml.Loess { degree = 3, span = 0.2 }:fit(x:slice(1, 10), ml.Vector(y):slice(1, 10)).sigma)
   end)

   it("gives t intervals of observations and means", function()
      local model = ml.Loess {}:fit(cars_x, cars_y)
      local mean = model:intervals(speeds, { kind = "confidence" })
      local new, predictive = model:intervals(speeds), model:predict_interval(speeds)
      local t = ml.special.t_quantile(0.975, model.df)
      for i = 1, #speeds do
         near(mean.fit[i] - t * mean.std_error[i], mean.low[i], 1e-12)
         near(math.sqrt(mean.std_error[i] ^ 2 + model.sigma ^ 2), new.std_error[i], 1e-12)
         near(mean.fit[i] + t * new.std_error[i], new.high[i], 1e-12)
         near(new.high[i], predictive.high[i], 1e-15)
         near(new.std_error[i], predictive.std[i], 1e-15)
      end
   end)

   it("ignores outliers with the family symmetric", function()
      local x, y = {}, {}
      for i = 1, 60 do x[i], y[i] = { i / 10 }, math.sin(i / 10) + 0.01 * (i % 3) end
      for i = 5, 60, 11 do y[i] = y[i] + 20 end
      local plain = ml.Loess { span = 0.4 }:fit(x, y)
      local robust = ml.Loess { span = 0.4, family = "symmetric", iterations = 8 }:fit(x, y)
      for i = 1, 60 do
         if i % 11 ~= 5 then near(math.sin(i / 10), robust:predict { x[i] }[1], 0.05, "robust", 1) end
      end
      assert(math.abs(plain:predict { { 3 } }[1] - math.sin(3)) > 0.5)
      assert.equal(0, robust.robustness[5])
   end)

   it("has a stated answer for degenerate rows", function()
      near(7, ml.Loess {}:fit({ { 3 } }, { 7 }):predict { { 100 } }[1], 1e-15, "one row")
      near(2, ml.Loess {}:fit({ { 3 }, { 3 }, { 3 } }, { 1, 2, 3 }):predict { { -1 } }[1], 1e-15, "equal x")
      near(5, ml.Loess {}:fit({ { 1 }, { 2 } }, { 3, 5 }):predict { { 5 } }[1], 1e-12, "the farther row has weight 0")
      local x, y = {}, {}
      for i = 1, 20 do x[i], y[i] = { i <= 15 and 1 or i }, i end
      near(8, ml.Loess { span = 0.5 }:fit(x, y):predict { { 1 } }[1], 1e-12, "ties fill the neighborhood")
      local twice = {}
      for i = 1, 20 do twice[i] = { i, 2 * i } end
      near(7.25, ml.Loess {}:fit(twice, ml.range(1, 20)):predict { { 7.25, 14.5 } }[1], 1e-10, "collinear columns")
      near(4, ml.Loess {}:fit({ { 1, 2, 3 }, { 4, 5, 7 } }, { 4, 4 }):predict { { 0, 0, 1 } }[1], 1e-12, "n < p")
   end)

   it("explains what it cannot do", function()
      local line = ml.Loess {}:fit({ { 1 }, { 2 }, { 3 } }, { 1, 2, 4 })
      support.refuses("Loess: intervals requires residual degrees of freedom", line.intervals, line, { { 1 } })
      local none = ml.Loess { statistics = "none" }:fit(cars_x, cars_y)
      support.refuses("requires a fit with statistics = 'exact' or 'trace'", none.intervals, none, { { 1 } })
      local wide = ml.Loess { degree = 3 }
      support.refuses("degree 3 in 300 columns has too many terms; lower degree", wide.fit, wide, ml.normal(5, 300, 1),
         { 1, 2, 3, 4, 5 })
   end)

   it("finds the same neighbors for many points as for one", function()
      for width = 1, 3 do
         local x = ml.normal(2400, width, width)
         for i = 1, 300 do x[i] = x[i + 300]:copy() end -- duplicates
         local y = (x:col(1) * 6):sin() + ml.normal(2400, 1, 9):flatten() * 0.1
         local weights = ml.normal(2400, 1, 4):flatten():abs()
         for _, degree in ipairs { 0, 1, 2 } do
            local model = ml.Loess { span = 0.05, degree = degree, statistics = "none" }
            model:fit(x, y, { weights = weights })
            local all = model:predict(x)
            for i = 1, 2400, 83 do near(model:predict { x[i] }[1], all[i], 1e-9, width .. " columns, row " .. i) end
         end
      end
   end)

   it("takes all rows at distance 0 if these are more than the neighbors", function()
      local x, y = {}, {}
      for i = 1, 1000 do x[i], y[i] = { i <= 500 and 1 or i }, i <= 500 and i or 2 end
      local model = ml.Loess { span = 0.05, degree = 0, statistics = "none" }:fit(x, y)
      near(250.5, model:predict(x)[1], 1e-9)
   end)
end)
