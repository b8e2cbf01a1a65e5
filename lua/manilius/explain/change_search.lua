--- The search for counterfactuals: for each set of changed columns, the cheapest candidate that meets the target.
--
-- Small finite spaces are searched completely. In others, changes of single columns and rows of the data are the first
-- population of a genetic search. Its best candidates are then refined: changes are undone, changes of numbers are
-- reduced as far as the boundary allows (bisection), and the nearest point of the linearized boundary is tried.

local core = require "manilius.core"

local M = {}

local MAX_ALL, BLOCK = 20000, 4000
local SINGLES = 16 -- values along the range of a column, and as many quantiles
local POPULATION, CHILDREN, PER_SET = 100, 100, 3
local MAX_GENERATIONS, PATIENCE = 200, 25
local MIN_REFINED, MAX_ROUNDS, BISECTIONS = 12, 30, 40
local FULL_ROUNDS = 4 -- later rounds refine the best entries only
local STEP = 1e-4 -- of numerical differences, in units of the scale of a column
local IMPROVEMENT = 1e-9 -- relative decrease of the costs that is worth another round
-- Multiples of a change that are tried in turn: to reduce it, to enlarge it, and to find a boundary close to it.
local REDUCED = {}
for s = 1, 16 do REDUCED[s] = s / 16 end
local ENLARGED = { 1, 1.25, 1.5, 2, 3, 5, 8 }
local CLOSE = { 0.9, 0.97, 0.99, 0.999, 1, 1.001, 1.01, 1.03, 1.1, 1.25, 1.5 }
local PARTS = { 1, 0.5, 0.2, 0.05 } -- of the distance to a linearized boundary
local INVALID = 1e9 -- ranks candidates that miss the target after those that meet it

-- --- measuring ---

-- Measure candidates and keep the cheapest of each set of changed columns.
local function measure(self, candidates)
   local met, margin, shown = self.target.measure(self.assemble(self.space:decode(candidates)))
   local cost, count, key = core.explain.change_costs(self.space, candidates)
   self.evaluations = self.evaluations + candidates.rows
   local at = met:nonzero()
   for i = 1, #at do
      local k = at[i]
      local known = self.found[key[k]]
      if count[k] > 0 and (not known or cost[k] < known.cost) then
         self.found[key[k]] = { row = candidates:row(k):copy():as_row(), cost = cost[k], count = count[k],
            key = key[k], shown = shown[k] }
      end
   end
   local nearest = margin:argmin()
   if nearest and (not self.nearest or margin[nearest] < self.nearest.margin) then
      self.nearest = { margin = margin[nearest], shown = shown[nearest] }
   end
   return met, margin, cost, key
end

local function by_cost(a, b)
   if a.cost ~= b.cost then return a.cost < b.cost end
   if a.count ~= b.count then return a.count < b.count end
   return a.key < b.key
end

-- The entries found so far, cheapest first.
local function sorted(self)
   local list = {}
   for _, entry in pairs(self.found) do list[#list + 1] = entry end
   table.sort(list, by_cost)
   return list
end

-- --- genetic search ---

-- The best measured candidates, at most PER_SET for each set of changed columns: { rows, rank, key }.
local function select_best(candidates, rank, key)
   local order, kept, counts = rank:argsort(), {}, {}
   for i = 1, #order do
      local k = order[i]
      local count = counts[key[k]] or 0
      if count < PER_SET and #kept < POPULATION then
         kept[#kept + 1], counts[key[k]] = k, count + 1
      end
   end
   local at = core.Vector(kept)
   return { rows = candidates:take(at), rank = rank:take(at), key = key:take(at) }
end

local function ranked(self, candidates)
   local met, margin, cost, key = measure(self, candidates)
   margin = margin:isfinite():where(margin:maximum(0), INVALID)
   return met:where(cost, cost + INVALID * (1 + margin / self.unit)), key
end

local function join(a, b) return core.vcat(a:as_column(), b:as_column()):col(1):copy() end

local function total_cost(self, n)
   local list, sum = sorted(self), 0
   for i = 1, math.min(n, #list) do sum = sum + list[i].cost end
   return sum, math.min(n, #list)
end

-- Genetic search; a later round also starts from the entries found so far.
local function evolve(self, n, seed, round)
   local pool = self.space:pool(self.columns, seed)
   local first = core.vcat(pool, self.space:singles(pool, SINGLES))
   for _, entry in ipairs(table.move(sorted(self), 1, POPULATION, 1, {})) do first = core.vcat(first, entry.row) end
   local population = select_best(first, ranked(self, first))
   local best, found = total_cost(self, n)
   local stale, stream = 0, round * (MAX_GENERATIONS + 1)
   for generation = 1, MAX_GENERATIONS do
      local children = core.explain.breed_changes(self.space, population.rows, pool, seed, stream + generation,
         CHILDREN)
      local rank, key = ranked(self, children)
      population = select_best(core.vcat(population.rows, children), join(population.rank, rank),
         join(population.key, key))
      local now, number = total_cost(self, n)
      stale = (number > found or now < best) and 0 or stale + 1
      best, found = now, number
      if stale >= PATIENCE then break end
   end
end

-- --- sets of columns ---

-- Does entry a change all columns that b changes?
local function covers(self, a, b)
   for j = 1, #self.space.row do
      if b.row:get(1, j) ~= self.space.row[j] and a.row:get(1, j) == self.space.row[j] then return false end
   end
   return true
end

-- Does an entry differ enough from a cheaper one? It must not change all columns of that one, and if it changes only
-- such columns, at most half of them.
local function differs(self, entry, cheaper)
   return not covers(self, entry, cheaper) and (entry.count <= cheaper.count / 2 or not covers(self, cheaper, entry))
end

-- The n cheapest that differ from all cheaper ones.
local function diverse(self, n)
   local out = {}
   for _, entry in ipairs(sorted(self)) do
      local is_new = #out < n
      for _, cheaper in ipairs(out) do is_new = is_new and differs(self, entry, cheaper) end
      if is_new then out[#out + 1] = entry end
   end
   return out
end

-- --- refinement ---

-- The pairs { e = entry, j = changed column } that `accepts` returns true for.
local function changed_columns(self, entries, accepts)
   local jobs = {}
   for e, entry in ipairs(entries) do
      for j = 1, #self.space.row do
         if entry.row:get(1, j) ~= self.space.row[j] and accepts(j, entry) then jobs[#jobs + 1] = { e = e, j = j } end
      end
   end
   return jobs
end

local function with_values(entries, jobs, values)
   local list = {}
   for k, job in ipairs(jobs) do
      list[k] = entries[job.e].row:copy()
      list[k]:set(1, job.j, values[k])
   end
   return core.vcat(table.unpack(list))
end

-- Replace entries with cheaper candidates that meet the target; candidate k belongs to job k. True if any was replaced.
local function replace(self, entries, jobs, candidates)
   local met, _, cost, key = measure(self, candidates)
   local any = false
   for k, job in ipairs(jobs) do
      if met[k] == 1 and cost[k] < entries[job.e].cost then
         entries[job.e], any = self.found[key[k]], true
      end
   end
   return any
end

-- Undo single changes as long as the others suffice.
local function undo_changes(self, entries)
   repeat
      local jobs, values = changed_columns(self, entries, function(_, entry) return entry.count > 1 end), {}
      if #jobs == 0 then return end
      for k, job in ipairs(jobs) do values[k] = self.space.row[job.j] end
   until not replace(self, entries, jobs, with_values(entries, jobs, values))
end

-- For each of n changes the first of the ascending `multiples` that meets the target, and the one before it; 1 and 1 if
-- none does. points: Vector of n multiples -> candidates
local function bracket(self, n, multiples, points)
   local low, high = core.full(n, 1, 1):col(1):copy(), core.full(n, 1, 1):col(1):copy()
   local open = n
   for s, t in ipairs(multiples) do
      if open == 0 then break end
      local met = measure(self, points(core.Vector(n, t)))
      for k = 1, n do
         if met[k] == 1 and low[k] == 1 and high[k] == 1 then
            low[k], high[k], open = s > 1 and multiples[s - 1] or 0, t, open - 1
         end
      end
   end
   return low, high
end

-- The candidates at the smallest multiple of each change that meets the target, by bisection between two `multiples`.
local function smallest(self, n, multiples, points)
   local low, high = bracket(self, n, multiples, points)
   for _ = 1, BISECTIONS do
      local middle = (low + high) / 2
      local met = measure(self, points(middle))
      low, high = met:where(low, middle), met:where(middle, high)
   end
   return points(high)
end

-- Reduce the change of each number as far as the others suffice.
local function reduce_changes(self, entries)
   local jobs = changed_columns(self, entries, function(j) return self.space:is_number(j) end)
   if #jobs == 0 then return end
   local from, change = core.Vector(#jobs, 0), core.Vector(#jobs, 0)
   for k, job in ipairs(jobs) do
      from[k] = self.space.row[job.j]
      change[k] = entries[job.e].row:get(1, job.j) - from[k]
   end
   replace(self, entries, jobs, smallest(self, #jobs, REDUCED, function(t)
      return core.explain.permit_changes(self.space, with_values(entries, jobs, from + change:mul(t)))
   end))
end

-- --- the linearized boundary ---

-- The gradients of the margin at the entries, by central differences; 0 for columns that are not numbers.
local function gradients(self, entries)
   local jobs, up, down, step = {}, {}, {}, {}
   for e, entry in ipairs(entries) do
      for j = 1, #self.space.row do
         if self.space:is_number(j) then
            local k, value = #jobs + 1, entry.row:get(1, j)
            jobs[k], step[k] = { e = e, j = j }, STEP * self.space.scale[j]
            up[k], down[k] = value + step[k], value - step[k]
         end
      end
   end
   if #jobs == 0 then return nil end
   local out = core.zeros(#entries, #self.space.row)
   local function margin_of(values)
      local candidates = with_values(entries, jobs, values)
      self.evaluations = self.evaluations + candidates.rows
      return (select(2, self.target.measure(self.assemble(self.space:decode(candidates)))))
   end
   local slope = (margin_of(up) - margin_of(down)) / (core.Vector(step) * 2)
   for k, job in ipairs(jobs) do
      if slope[k] - slope[k] == 0 then out:set(job.e, job.j, slope[k]) end
   end
   return out
end

-- Points toward which the entries move: at PARTS of the distance to the nearest point of the linearized boundary, which
-- changes only the columns changed so far, or any column.
local function boundary_points(self, entries, gradient)
   local space, jobs, rows_of, slopes, free = self.space, {}, {}, {}, {}
   local variable = space.kind:gt(0):as_row()
   for e, entry in ipairs(entries) do
      local slope = gradient:slice(e, e)
      if slope:abs():max() > 0 then
         for _, mask in ipairs { entry.row:ne(space.row:as_row()), variable } do
            jobs[#jobs + 1], rows_of[#rows_of + 1], slopes[#slopes + 1], free[#free + 1] = e, entry.row, slope, mask
         end
      end
   end
   if #jobs == 0 then return nil end
   local from = core.vcat(table.unpack(rows_of))
   local to = core.explain.nearest_on_planes(space, from, core.vcat(table.unpack(slopes)),
      core.vcat(table.unpack(free)))
   local of_entry, ends = {}, {}
   for _, part in ipairs(PARTS) do
      ends[#ends + 1] = from + (to - from) * part
      for _, e in ipairs(jobs) do of_entry[#of_entry + 1] = { e = e } end
   end
   return of_entry, core.vcat(table.unpack(ends))
end

-- The changes of numbers from the row to each of the points `ends`.
local function changes_to(space, ends)
   local ones, numbers = core.full(ends.rows, 1, 1), space.kind:gt(0):mul(space.kind:lt(space.kinds.LEVEL))
   return (ends - ones * space.row:as_row()):mul(ones * numbers:as_row())
end

-- Row k of a Matrix times t[k].
local function scaled(changes, t) return changes:mul(t:as_column() * core.full(1, changes.cols, 1)) end

-- Move the entries to where the lines from the row to their boundary points cross the boundary.
local function cross_boundary(self, entries)
   local space, gradient = self.space, gradients(self, entries)
   if not gradient then return end
   local jobs, ends = boundary_points(self, entries, gradient)
   if not jobs then return end
   local changes = changes_to(space, ends)
   replace(self, entries, jobs, smallest(self, #jobs, CLOSE, function(t)
      return core.explain.permit_changes(space, ends + scaled(changes, t - 1))
   end))
end

-- The entries to refine: those that differ enough from cheaper ones, and the cheapest changes of single columns.
local function to_refine(self, n)
   local most = math.max(MIN_REFINED, 2 * n)
   local out, seen = diverse(self, most), {}
   for _, entry in ipairs(out) do seen[entry.key] = true end
   for _, entry in ipairs(sorted(self)) do
      if entry.count == 1 and not seen[entry.key] and #out < 2 * most then out[#out + 1] = entry end
   end
   return out
end

local function refine(self, entries, n)
   if #entries == 0 then return end
   for round = 1, MAX_ROUNDS do
      if round == FULL_ROUNDS then
         table.sort(entries, by_cost)
         entries = table.move(entries, 1, math.min(#entries, n + 2), 1, {})
      end
      local before, after = 0, 0
      for _, entry in ipairs(entries) do before = before + entry.cost end
      undo_changes(self, entries)
      reduce_changes(self, entries)
      cross_boundary(self, entries)
      for _, entry in ipairs(entries) do after = after + entry.cost end
      if before - after <= IMPROVEMENT * before then break end
   end
   for _, entry in ipairs(entries) do entry.refined = true end
end

-- The row with only the largest half, quarter, ... of the changes of an entry.
local function sparser_rows(self, entry)
   local space, order, out = self.space, {}, {}
   local function size(j)
      return space:is_number(j) and math.abs(entry.row:get(1, j) - space.row[j]) / space.scale[j] or 1
   end
   for j = 1, #space.row do
      if entry.row:get(1, j) ~= space.row[j] then order[#order + 1] = j end
   end
   table.sort(order, function(a, b)
      local first, second = size(a), size(b)
      if first ~= second then return first > second end
      return a < b
   end)
   local keep = #order // 2
   while keep >= 1 do
      local row = space.row:as_row():copy()
      for k = 1, keep do row:set(1, order[k], entry.row:get(1, order[k])) end
      out[#out + 1], keep = row, keep // 2
   end
   return out
end

-- Measure candidates that change fewer columns, but by more.
local function add_sparser(self, entries)
   local space, list = self.space, {}
   for _, entry in ipairs(entries) do
      for _, row in ipairs(sparser_rows(self, entry)) do list[#list + 1] = row end
   end
   if #list == 0 then return end
   local ends = core.vcat(table.unpack(list))
   local changes = changes_to(space, ends)
   measure(self, smallest(self, #list, ENLARGED, function(t)
      return core.explain.permit_changes(space, ends + scaled(changes, t - 1))
   end))
end

-- Two rounds of genetic search and refinement, then refinement of the answers that were not refined yet.
local function search(self, n, seed)
   for round = 1, 2 do
      evolve(self, n, seed, round)
      add_sparser(self, table.move(sorted(self), 1, n, 1, {}))
      refine(self, to_refine(self, n), n)
   end
   for _ = 1, MAX_ROUNDS do
      local rest = {}
      for _, entry in ipairs(diverse(self, n)) do
         if not entry.refined then rest[#rest + 1] = entry end
      end
      if #rest == 0 then return end
      for _, entry in ipairs(rest) do entry.refined = true end
      refine(self, rest, n)
   end
end

--- Search. space: of change_space; columns: of X; assemble: columns -> X; target: of manilius.explain.change_target.
-- @return list of { row = Matrix of one row, cost, count, shown }, and { evaluations, complete, nearest }
function M.run(space, columns, assemble, target, n, seed)
   local self = { space = space, columns = columns, assemble = assemble, target = target, found = {}, evaluations = 0 }
   local _, margin = measure(self, space.row:as_row())
   self.unit = math.max(math.abs(margin[1]), 1e-300)
   local all = space:all(MAX_ALL)
   if all then
      for first = 1, all.rows, BLOCK do measure(self, all:slice(first, math.min(first + BLOCK - 1, all.rows))) end
   else
      search(self, n, seed)
   end
   return diverse(self, n), { evaluations = self.evaluations, complete = all ~= nil, nearest = self.nearest }
end

return M
