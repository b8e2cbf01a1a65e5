-- Formula models to export: factors of labels and of numbers, interactions, polynomials, functions, an offset, and
-- ensembles of formula models.
local ml = require "manilius"

local cars = ml.read_csv "examples/data/mtcars.csv"
local flowers = ml.read_csv "examples/data/iris.csv"

return function(add)
   local new = cars:slice(3, 11)
   local function line(name, text, near) add("formula_" .. name, ml.LinearRegression { formula = text }:fit(cars), new,
      true, near and { predict = true }) end
   line("plain", "mpg ~ wt + hp")
   line("factor", "mpg ~ wt * factor(cyl) + am")
   line("numbers", "mpg ~ I((wt - 3)^2 / -hp) + sqrt(disp) + abs(-qsec):wt - 1")
   line("products", "mpg ~ hp:wt + wt:factor(cyl) + factor(am):factor(cyl)")
   line("poly", "mpg ~ poly(disp, 3) + poly(wt, 2)*am")
   line("raw", "mpg ~ poly(disp, 2, raw = TRUE)")
   line("functions", "mpg ~ log(wt) + log(hp, 2) + log10(disp) + exp(wt - 2) + I(2^wt) + I(wt^1.5)", true)
   line("truths", "mpg ~ I(wt > 3 & hp <= 150) + (am == 1 | cyl %in% c(4, 6)):wt + I(3 * (gear != 4) + (!(vs == 1)))")
   line("scaled", "mpg ~ scale(wt) + scale(hp, scale = FALSE) + I(scale(disp)^2)")
   line("contrasts", "mpg ~ C(factor(cyl), contr.sum) + ordered(gear) * wt + relevel(factor(carb), ref = 4)")
   line("helmert", "mpg ~ C(cyl, contr.helmert) + C(factor(gear), base = 2)")
   add("formula_offset", ml.GLM { family = "poisson", formula = "carb ~ wt + offset(log(hp))" }:fit(cars), new, true,
      { predict = true })
   add("formula_labels", ml.LogisticRegression { formula = "species ~ sepal_length + poly(petal_width, 2)" }:fit(
      flowers), flowers:slice(95, 104))
   local y, half = flowers.petal_length, ml.Vector(150, 0)
   for i = 1, 150 do half[i] = i % 3 end
   local rest = flowers:select("sepal_length", "species", "petal_width"):with { kind = half }
   add("formula_of_labels", ml.Ridge { formula = "~ sepal_length * species + factor(kind)" }:fit(rest, y),
      rest:slice(48, 56))
   add("formula_releveled", ml.Ridge { formula = "~ relevel(species, ref = 'virginica') * petal_width" }:fit(rest, y),
      rest:slice(48, 56))
   add("formula_vote", ml.VotingRegressor { ml.Ridge { formula = "~ species + petal_width" },
      ml.DecisionTreeRegressor { max_depth = 3 }, ml.BaggingRegressor { ml.LinearRegression {
         formula = "~ log(petal_width) + factor(kind)" }, n_estimators = 3 } }:fit(rest, y), rest:slice(48, 56), true,
      { predict = true, transform = true })
   add("formula_search", ml.GridSearch { ml.Pipeline { ml.Ridge { formula = "~ species + petal_width" } },
      { formulamodel__model__alpha = { 0.1, 1 } },
      cv = ml.KFold { k = 3, seed = 1 } }:fit(rest, y), rest:slice(48, 56))
   local bag = ml.BaggingRegressor { ml.Ridge { formula = "~ sepal_length + species" }, n_estimators = 6,
      max_samples = 10, seed = 2 }:fit(rest:slice(30, 110), y:slice(30, 110):copy())
   local differ = {}
   for i, member in ipairs(bag.estimators) do differ[i] = #member.design.learned.species.levels end
   assert(table.concat(differ):find "2" and table.concat(differ):find "3", "the members know the same levels")
   add("formula_levels", bag, rest:slice(40, 60))
end
