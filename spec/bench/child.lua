--- One task in a process of its own, started by run.lua:
---   child.lua make <workload> <directory> <n>
---   child.lua ours <workload> <directory> <n> <budget> [key=value ...]   figures of the peers, for a race to a mark
---   child.lua machine
package.path = "spec/bench/?.lua;" .. package.path
local ml = require "manilius"
local core = require "manilius.core"
local measure = require "measure"
local process = require "process"

local task, name, directory, n, budget = arg[1], arg[2], arg[3], tonumber(arg[4]), tonumber(arg[5])

local function path(file) return directory .. "/" .. file end

if task == "machine" then
   local figures = {}
   for _, threads in ipairs { 1, process.cores() } do
      core.memory.threads(threads)
      figures["gemm" .. (threads > 1 and "" or "1")] = core.product_peak(2000, false)
      figures["gemm_f32" .. (threads > 1 and "" or "1")] = core.product_peak(2000, true)
   end
   local room = process.free_megabytes()
   local values = (not room or room > 2000) and 1e8 or 1e7
   local x = ml.ones(values // 100 | 0, 100)
   local _, read = measure.repeated(function() return x:sum() end, 1, 10)
   figures.gb_per_s = values * 8e-9 / read.seconds
   measure.report(figures)
   return
end

local workload = require("work." .. name)
if task == "make" then
   workload.make(ml, path, n)
   return
end

local given = {}
for i = 6, #arg do
   local key, value = arg[i]:match "^([^=]+)=(.*)$"
   given[key] = tonumber(value) or value
end
core.memory.threads(given.threads or 0)
local run, data = workload.ours(ml, path, n, given)
local result, figures
if workload.measure then
   result, figures = workload.measure(run, data, budget)
else
   result, figures = measure.repeated(run, budget)
end
for key, value in pairs(workload.quality(ml, result, data) or {}) do figures[key] = value end
figures.version = ml._VERSION
measure.report(figures)
