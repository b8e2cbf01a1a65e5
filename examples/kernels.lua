-- Kernels as values: airline passengers by month, with kernels for the trend and the season.

local ml = require "manilius"
local kernel = ml.kernel

local data = ml.read_csv "examples/data/airpassengers.csv" -- thousands, Box and Jenkins (1976)
local years, log_passengers = ml.range(0, #data - 1):div(12), data.passengers:log()
local train = 120 -- ten years; the last two are to be predicted
local X, y = years:slice(1, train):reshape(train, 1), log_passengers:slice(1, train)
local later, seen = years:slice(train + 1, #data):reshape(#data - train, 1), log_passengers:slice(train + 1, #data)
local mean = y:mean()

local kernels = {
   { "smooth", kernel.RBF { length = 1 } },
   { "trend", kernel.Linear {} + 1 },
   { "season", kernel.Linear {} + 1 + kernel.Periodic { period = 1, length = 0.5 } },
   { "changing season", kernel.Linear {} + 1
      + kernel.Periodic { period = 1, length = 0.5 } * kernel.RBF { length = 10 } },
}
for _, one in ipairs(kernels) do
   local model = ml.KernelRidge { kernel = one[2], alpha = 0.01 }:fit(X, y - mean)
   local predicted = model:predict(later) + mean
   print(("%-16s mean error of the forecast %4.1f%%   %s"):format(one[1],
      100 * ((predicted - seen):abs():exp():mean() - 1), one[2]))
end

-- A kernel is a value: it has hyperparameters, gives its matrix and gradient, and can be saved.
local k = kernels[4][2]
for j, name in ipairs(k.theta_names) do print(("%-24s %.2f"):format(name, math.exp(k.theta[j]))) end
print(k:matrix(X, later))
assert(ml.load(ml.dump(k)) == k)
