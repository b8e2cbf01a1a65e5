--- Studentized residuals and dffits of GLM, against R.

local ml = require "manilius"
local support = dofile "spec/support.lua"
local oracle = dofile "spec/fixtures/glm/influence.lua"

local cars = ml.read_csv "examples/data/mtcars.csv"
local weights = {}
for i = 1, cars.rows do weights[i] = 1 + (i - 1) % 3 end

local cases = {
   poisson = { { family = "poisson" }, { "wt", "hp" }, cars.carb },
   binomial = { { family = "binomial" }, { "wt" }, cars.am },
   gamma = { { family = "gamma", link = "log" }, { "wt", "hp" }, cars.mpg },
   weighted = { {}, { "wt", "hp" }, cars.mpg, { weights = weights } },
}

describe("diagnostics of GLM", function()
   for name, case in pairs(cases) do
      it("agree with rstudent and dffits: " .. name, function()
         local X = cars:select(case[2])
         case[1].tol = 1e-13
         local model = ml.GLM(case[1]):fit(X, case[3], case[4])
         local rows = model:diagnostics(X, case[3], case[4])
         support.near_all(oracle[name].studentized, rows.studentized, 1e-7, "studentized", 1e-2)
         support.near_all(oracle[name].dffits, rows.dffits, 1e-7, "dffits", 1e-2)
      end)
   end

   it("are those of LinearRegression for normal errors", function()
      local X = cars:select { "wt", "hp" }
      local glm = ml.GLM {}:fit(X, cars.mpg):diagnostics(X, cars.mpg)
      local ols = ml.LinearRegression {}:fit(X, cars.mpg):diagnostics(X, cars.mpg).rows
      support.near_all(ols.studentized, glm.studentized, 1e-9, "studentized")
      support.near_all(ols.dffits, glm.dffits, 1e-9, "dffits")
   end)
end)
