-- Frames: read a table, inspect it, impute missing values, group, join, and pass it to an estimator.
--
-- Run from the checkout: make all, then lua5.4 examples/frames.lua with LUA_PATH and LUA_CPATH as in the README.

local ml = require "manilius"

local titanic = ml.read_csv("examples/data/titanic.csv", { types = { ticket = "factor" } })
print(titanic:describe())

-- Columns are Vectors and Factors. Conditions on columns are masks.
local boys = titanic:filter(titanic.age:lt(15):mul(titanic.sex:eq "male"))
print(("\n%d boys, mean age %.1f"):format(boys.rows, boys.age:mean()))

-- Survival by class and sex: one row for each group. The median leaves out missing ages.
local by_class = titanic:group("pclass", "sex"):aggregate {
   passengers = { "survived", "size" },
   survived = "mean",
   age = "median",
}
print("\n" .. tostring(by_class:sort("survived", { descending = true })))

-- Join two frames by a common key.
local ports = ml.Frame {
   { "embarked", { "C", "Q", "S" } },
   { "port", { "Cherbourg", "Queenstown", "Southampton" } },
}
local with_port = titanic:join(ports, { on = "embarked", how = "left" })
print("\n" .. tostring(with_port:crosstab("port", "survived")))

-- Select numeric columns, impute missing ages, drop the remaining rows with missing values, and split into X and y.
local X, y = titanic
   :select("pclass", "age", "sibsp", "parch", "fare", "survived")
   :with { female = titanic.sex:eq "female" }
   :fillna { age = titanic:dropna("age").age:median() }
   :dropna()
   :split "survived"
local scaled = ml.StandardScaler {}:fit_transform(X)
local model = ml.LogisticRegression { max_iter = 1000 }:fit(scaled, y)
print(("\ntraining accuracy on %d passengers: %.3f"):format(X.rows, model:score(scaled, y)))
