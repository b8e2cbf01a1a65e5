-- Winsorizer, CyclicalFeatures, FunctionTransformer, DatetimeFeatures, LagFeatures and WindowFeatures against
-- feature_engine, pandas and formulas.
local ml = require "manilius"
local fixture = require "spec.fixtures.preprocess.features"
local support = require "spec.support"
local timed = require "spec.fixtures.preprocess.timed"

local nan = 0 / 0

-- Equal rows, where missing values are equal too.
local function same_rows(wanted, got, tolerance, text)
   assert.equal(#wanted, #got)
   for i, row in ipairs(wanted) do
      for j, value in ipairs(row) do
         local where = ("%s [%d][%d]"):format(text, i, j)
         if value ~= value then
            assert(got[i][j] ~= got[i][j], where)
         else
            support.near(value, got[i][j], tolerance, where, 1)
         end
      end
   end
end

-- Columns from..to of a Matrix.
local function columns_of(X, from, to)
   local list = {}
   for j = from, to do list[#list + 1] = X:col(j) end
   return ml.hcat(table.unpack(list))
end

describe("Winsorizer", function()
   it("gives the values of feature_engine", function()
      for _, case in ipairs(fixture.winsorizer) do
         local out = ml.Winsorizer(case.params):fit_transform(fixture.X)
         same_rows(case.out, out, 1e-13, case.params.capping_method .. " " .. case.params.tail)
      end
   end)

   it("keeps missing values, and columns without spread", function()
      local X = { { 1, nan }, { 1, 2 }, { 1, 3 }, { 50, 4 } }
      for _, method in ipairs { "iqr", "mad", "quantiles" } do
         local model = ml.Winsorizer { capping_method = method, fold = 0.4 }
         model:fit { { 1, 1 }, { 1, 2 }, { 1, 3 }, { 1, 4 } }
         assert.equal(-math.huge, model.left_caps[1])
         local out = model:transform(X)
         assert.is_true(out[4][1] == 50 and out[1][2] ~= out[1][2])
      end
   end)

   it("refuses a fraction beyond the median", function()
      support.refuses("fold must be < 0.5", function()
         ml.Winsorizer { capping_method = "quantiles", fold = 0.6 }:fit { { 1 }, { 2 } }
      end)
   end)
end)

describe("CyclicalFeatures", function()
   it("gives the values of feature_engine", function()
      local out = ml.CyclicalFeatures { drop_original = true }:fit_transform(ml.Matrix(fixture.X):abs())
      same_rows(fixture.cyclical, out, 1e-13, "cyclical")
   end)

   it("takes periods by name, and keeps the columns first", function()
      local X = ml.Frame { { "hour", { 0, 6, 12 } }, { "degree", { 0, 90, 180 } } }
      local model = ml.CyclicalFeatures { max_values = { hour = 24, degree = 360 } }:fit(X)
      assert.same({ "hour", "degree", "hour_sin", "hour_cos", "degree_sin", "degree_cos" }, model:output_names())
      same_rows({ { 0, 0, 0, 1, 0, 1 }, { 6, 90, 1, 0, 1, 0 }, { 12, 180, 0, -1, 0, -1 } },
         model:transform(X):matrix(), 1e-15, "periods")
   end)
end)

describe("FunctionTransformer", function()
   local X = ml.Matrix { { 0.5, 1 }, { 2, 7 } }

   it("applies functions by name, and their inverses", function()
      for _, name in ipairs { "identity", "log", "log1p", "exp", "expm1", "sqrt", "reciprocal" } do
         local model = ml.FunctionTransformer { func = name }:fit(X)
         local wanted = name == "identity" and X or name == "reciprocal" and 1 / X or X[name](X)
         assert.same(wanted:totable(), model:transform(X):totable())
         same_rows(X, model:inverse_transform(wanted), 1e-14, name)
      end
      assert.is_false(ml.FunctionTransformer { func = "square" }:can "inverse_transform")
      local square = ml.FunctionTransformer { func = "square", inverse_func = "sqrt" }
      same_rows(X, square:fit(X):inverse_transform(X:square()), 1e-15, "square")
   end)

   it("refuses results that are not finite, and wrong inverses", function()
      support.refuses("log of X must be finite, got nan for %-1 in row 2, column 1", function()
         ml.FunctionTransformer { func = "log" }:transform { { 1 }, { -1 } }
      end)
      support.refuses("inverse_func must invert func, but returns 1 for %-1 in row 2", function()
         ml.FunctionTransformer { func = "square", inverse_func = "sqrt" }:fit { { 1 }, { -1 } }
      end)
      ml.FunctionTransformer { func = "square", inverse_func = "sqrt", check_inverse = false }:fit { { -1 } }
   end)

   it("saves, and runs in the folds of a Pipeline", function()
      local loaded = ml.load(ml.FunctionTransformer { func = "sqrt" }:fit(X):dump())
      same_rows(X, loaded:inverse_transform(X:sqrt()), 1e-15, "loaded")
      local pipe = ml.Pipeline { ml.FunctionTransformer { func = "log1p" }, ml.Ridge {} }
      local Z, y = support.data("diabetes", "progression")
      Z = Z:matrix():abs()
      local plain = ml.cross_validate(ml.Ridge {}, Z:log1p(), y, { cv = 3 })
      assert.near(plain.mean.r2, ml.cross_validate(pipe, Z, y, { cv = 3 }).mean.r2, 1e-12)
   end)

   it("applies Lua functions", function()
      local double = ml.FunctionTransformer { func = function(x) return 2 * x end, inverse_func = function(x)
         return x / 2
      end }
      assert.same((2 * X):totable(), double:fit_transform(X):totable())
      assert.same(X:totable(), double:inverse_transform(2 * X):totable())
      local pipe = ml.Pipeline { double, ml.LinearRegression {} }:fit({ { 1 }, { 2 }, { 3 } }, { 2, 4, 6 })
      assert.near(8, pipe:predict({ { 4 } })[1], 1e-12)
      support.refuses("inverse_func must invert func", function()
         ml.FunctionTransformer { func = "exp", inverse_func = function(x) return x end }:fit(X)
      end)
      support.refuses("func must return as many rows as X, 2, got 1", function()
         ml.FunctionTransformer { func = function(x) return x:slice(1, 1) end }:fit(X)
      end)
      support.refuses("func must return a Matrix, Vector, Sparse or Frame, got number", function()
         ml.FunctionTransformer { func = function() return 1 end }:fit(X)
      end)
   end)
end)

describe("DatetimeFeatures", function()
   local all = { quarter = true, week = true, day_of_year = true, weekend = true }

   it("gives the parts of pandas, for text and Unix seconds", function()
      local columns = ml.Frame { { "text", ml.Factor(fixture.text) }, { "seconds", fixture.seconds } }
      local out = ml.DatetimeFeatures(all):fit_transform(columns):matrix()
      same_rows(fixture.dates, columns_of(out, 1, 11), 0, "text")
      same_rows(fixture.dates, columns_of(out, 12, 22), 0, "seconds")
   end)

   it("adds sine and cosine, and names its columns", function()
      local model = ml.DatetimeFeatures { year = false, month = false, day_of_month = true, day_of_week = false,
         hour = true, minute = false, second = false, cyclical = true }
      local out = model:fit_transform(ml.Frame { { "at", { "2024-02-29T06:00", "2023-01-31 18:00:00.5+01:00" } } })
      assert.same({ "at_day_of_month", "at_day_of_month_sin", "at_day_of_month_cos", "at_hour", "at_hour_sin",
         "at_hour_cos" }, model:output_names())
      same_rows({ { 29, 0, 1, 6, 1, 0 }, { 31, 0, 1, 18, -1, 0 } }, out:matrix(), 1e-14, "circle")
   end)

   it("returns whole numbers, which a Frame shows without a decimal point", function()
      local days = ml.Frame { { "day", { "2024-02-29", "2025-12-01" } } }
      local out = ml.DatetimeFeatures { hour = false, minute = false, second = false }:fit_transform(days)
      assert.same({ "whole", "whole", "whole", "whole" }, { table.unpack(out.types) })
      assert.truthy(tostring(out):find("\n1 +2024 +2 +29 +3\n"))
      local cyclical = ml.DatetimeFeatures { cyclical = true, year = true, month = true, day_of_month = false,
         day_of_week = false, hour = false, minute = false, second = false }:fit_transform(days)
      assert.same({ "whole", "whole", "number", "number" }, { table.unpack(cyclical.types) })
   end)

   it("reads dates that fit did not see, keeps missing ones, and refuses other text", function()
      local model = ml.DatetimeFeatures {}:fit(ml.Frame { { "day", { "2024-01-01", "2024-01-02" } } })
      local out = model:transform(ml.Frame { { "day", ml.Factor { "1999-12-31", n = 2 } } }):matrix()
      assert.same({ 1999, 12, 31, 4, 0, 0, 0 }, out[1]:totable())
      assert.is_true(out[2][1] ~= out[2][1])
      for _, text in ipairs { "2023-02-29", "yesterday", "2024-1-1", "2024-01-01T", "2024-01-01 25:00", "2024-01-01x",
         "" } do
         support.refuses("must have dates such as", function()
            model:transform(ml.Frame { { "day", ml.Factor { text } } })
         end)
      end
      for _, seconds in ipairs { 1e20, 1714521600000, 253402300800 } do
         support.refuses("Unix seconds up to the year 9999 %(divide milliseconds by 1000%), got .* in row 1, column 2 "
            .. "%('b'%)", function()
            ml.DatetimeFeatures {}:fit(ml.Frame { { "a", { 0 } }, { "b", { seconds } } })
         end)
      end
      assert.equal(9999, ml.DatetimeFeatures {}:fit_transform({ { 253402300799 } }):get(1, 1))
   end)
end)

describe("LagFeatures", function()
   it("shifts as pandas does, and names its columns", function()
      local model = ml.LagFeatures { periods = { 1, 3 }, drop_original = true }
      local out = model:fit_transform(fixture.series)
      same_rows(fixture.lag[1], columns_of(out, 1, 2), 0, "lag 1")
      same_rows(fixture.lag[2], columns_of(out, 3, 4), 0, "lag 3")
      assert.same({ "x1_lag_1", "x2_lag_1", "x1_lag_3", "x2_lag_3" }, model:output_names())
      support.refuses("periods must be distinct integers >= 1, got 1.5", function()
         ml.LagFeatures { periods = 1.5 }:fit(fixture.series)
      end)
   end)

   it("does not look into another series", function()
      local model = ml.LagFeatures { fill_value = -1 }:fit { { 1 } }
      local out = model:transform({ { 1 }, { 2 }, { 3 } }, { lengths = { 2, 1 } })
      assert.same({ { 1, -1 }, { 2, 1 }, { 3, -1 } }, out:totable())
   end)
end)

describe("WindowFeatures", function()
   it("gives the values of pandas", function()
      for i, case in ipairs(fixture.window) do
         local settings = { drop_original = true, mean = false, [case.name] = true }
         for name, value in pairs(case.params) do settings[name] = value end
         local out = ml.WindowFeatures(settings):fit_transform(fixture.series)
         same_rows(case.out, out, 1e-13, ("%d %s"):format(i, case.name))
      end
   end)

   it("does not look into another series, and names its columns", function()
      local model = ml.WindowFeatures { window = { 2, 1 }, min_periods = 1, max = true }
      local out = model:fit({ { 1 } }):transform({ { 1 }, { 2 }, { 3 }, { 9 } }, { lengths = { 3, 1 } })
      same_rows({ { 1, nan, nan, nan, nan }, { 2, 1, 1, 1, 1 }, { 3, 1.5, 2, 2, 2 },
         { 9, nan, nan, nan, nan } }, out, 0, "series")
      assert.same({ "x1", "x1_window_2_mean", "x1_window_2_max", "x1_window_1_mean", "x1_window_1_max" },
         model:output_names())
      support.refuses("at least one of mean, std, min, max and sum", function()
         ml.WindowFeatures { mean = false }:fit { { 1 } }
      end)
   end)
end)

-- The columns of a table of the fixture, with times as text or as Unix seconds.
local function frame_of(columns, time)
   return ml.Frame { { "group", ml.Factor(columns.group) },
      { "time", time == "text" and ml.Factor(columns.text) or ml.Vector(columns.seconds) },
      { "x", ml.Vector(columns.x) } }
end

local function same_column(wanted, got, tolerance, text)
   local rows, values = {}, {}
   for i, value in ipairs(wanted) do rows[i], values[i] = { value }, { got[i] } end
   same_rows(rows, values, tolerance, text)
end

describe("Series with times", function()
   for _, time in ipairs { "text", "seconds" } do
      local days = frame_of(timed.days, time)

      it("have the lags of pandas, with gaps and rows in any order: " .. time, function()
         local model = ml.LagFeatures { periods = { 1, 7 }, group = "group", time = "time", unit = "day" }
         local out = model:fit_transform(days)
         same_column(timed.lag.day, out.x_lag_1, 0, "day")
         same_column(timed.lag.week, out.x_lag_7, 0, "week")
         assert.same({ "group", "time", "x", "x_lag_1", "x_lag_7" }, model:output_names())
         local weeks = ml.LagFeatures { group = "group", time = "time", unit = "week" }:fit_transform(days)
         same_column(timed.lag.week, weeks.x_lag_1, 0, "one week")
         local loaded = ml.load(model:dump())
         assert.equal(tostring(out), tostring(loaded:transform(days)))
      end)

      it("have the windows of pandas: " .. time, function()
         local settings = { window = 7, group = "group", time = "time", unit = "day", std = true, min = true,
            max = true, sum = true }
         local out = ml.WindowFeatures(settings):fit_transform(days)
         for name, wanted in pairs(timed.before) do same_column(wanted, out["x_window_7_" .. name], 1e-12, name) end
         settings.periods = 0
         out = ml.WindowFeatures(settings):fit_transform(days)
         for name, wanted in pairs(timed.including) do same_column(wanted, out["x_window_7_" .. name], 1e-12, name) end
      end)

      it("may have any distances: " .. time, function()
         local minutes = frame_of(timed.minutes, time)
         local out = ml.WindowFeatures { window = 5, group = "group", time = "time", unit = "hour" }
            :fit_transform(minutes)
         same_column(timed.hours, out.x_window_5_mean, 1e-12, "hours")
         out = ml.WindowFeatures { window = 720, group = "group", time = "time", unit = "minute", min_periods = 3,
            mean = false, sum = true }:fit_transform(minutes)
         same_column(timed.two_hours, out.x_window_720_sum, 1e-12, "minutes")
      end)
   end

   it("give Unix seconds for dates that are text, of which fit has not seen all", function()
      local days = frame_of(timed.days, "text")
      local model = ml.LagFeatures { group = "group", time = "time", unit = "day" }:fit(days)
      local later = ml.Frame { { "group", { "A", "A", "new" } },
         { "time", { "2031-05-02", "2031-05-01T02:00+02:00", "2031-05-02" } }, { "x", { 2, 1, 3 } } }
      local out = model:transform(later)
      same_column({ 1935446400, 1935360000, 1935446400 }, out.time, 0, "seconds")
      same_column({ 1, nan, nan }, out.x_lag_1, 0, "lag")
      assert.equal("whole", out.types[2])
      local dates = ml.DatetimeFeatures { hour = false, minute = false, second = false }
      local parts = dates:fit_transform(out:select "time")
      assert.same({ 2031, 5, 2, 4 }, { parts.time_year[1], parts.time_month[1], parts.time_day_of_month[1],
         parts.time_day_of_week[1] })
   end)

   it("by group alone are the series of the option lengths", function()
      local X = ml.Matrix { { 2, 10 }, { 1, 20 }, { 2, 30 }, { 1, 40 }, { 2, 50 } }
      local sorted = ml.Matrix { { 20 }, { 40 }, { 10 }, { 30 }, { 50 } }
      for _, model in ipairs { ml.LagFeatures { periods = { 1, 2 }, drop_original = true },
         ml.WindowFeatures { window = 2, min_periods = 1, drop_original = true } } do
         local wanted = model:fit_transform(sorted, nil, { lengths = { 2, 3 } }):totable()
         local got = model:clone():set_params { group = 1 }:fit_transform(X):totable()
         for i, at in ipairs { 2, 4, 1, 3, 5 } do
            table.insert(wanted[i], 1, X:get(at, 1))
            same_rows({ wanted[i] }, { got[at] }, 0, tostring(model))
         end
      end
   end)

   it("take time from the option lengths, and times without dates", function()
      local X = { { 3, 30 }, { 1, 10 }, { 2, 21 }, { 1, 11 } }
      local out = ml.LagFeatures { time = 1 }:fit_transform(X, nil, { lengths = { 2, 2 } })
      same_rows({ { 3, 30, nan }, { 1, 10, nan }, { 2, 21, 11 }, { 1, 11, nan } }, out:totable(), 0, "lengths")
   end)

   it("explain what is wrong with them", function()
      local days = frame_of(timed.days, "text")
      local function refused(pattern, settings, X, options, class)
         support.refuses(pattern, function() (class or ml.LagFeatures)(settings):fit(X or days, nil, options) end)
      end
      refused("group must name columns of X, got 'grup'; did you mean 'group'", { group = "grup" })
      refused("unit must be second, minute, hour, day or week for a time column of texts", { time = "time" })
      refused("times of a series must be distinct, got the same in rows %d+ and %d+; set group",
         { time = "time", unit = "day" })
      refused("group and time must be different columns, got column 1 for both", { group = 1, time = 1 })
      refused("X must have a column of numbers besides group and time", { group = "x" })
      refused("lengths must be nil if group is set, got 2 lengths", { group = "group" }, nil, { lengths = { 50, 4 } })
      refused("time must be given for every row, got a missing value in row 2", { time = 1 }, { { 1, 1 }, { nan, 2 } })
      refused("group must be given for every row, got a missing value in row 2", { group = 1 },
         ml.Frame { { "g", ml.Factor { "a", nil, "b" } }, { "x", { 1, 2, 3 } } })
      refused("time must be dates such as 2024%-05%-01 .*, got 2024%-13%-01 in row 1", { time = 1, unit = "day" },
         ml.Frame { { "day", { "2024-13-01" } }, { "x", { 1 } } })
      refused("min_periods must be at most the smallest window, 2, got 3", { window = { 5, 2 }, min_periods = 3 },
         { { 1 }, { 2 } }, nil, ml.WindowFeatures)
   end)
end)
