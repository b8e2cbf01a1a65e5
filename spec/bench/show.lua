--- The tables of the bench.
local process = require "process"

local M = {}

local function seconds(s)
   if not s then return "" end
   if s < 1e-4 then return ("%.2f us"):format(s * 1e6) end
   if s < 0.1 then return ("%.2f ms"):format(s * 1e3) end
   return ("%.3f s"):format(s)
end

local function figure(value)
   if value == nil then return "" end
   if math.abs(value) >= 1e6 then return ("%.3f"):format(value) end
   return ("%.8g"):format(value)
end

--- Rows of texts, the first is the head; the first two columns to the left, the others to the right.
local function print_table(rows)
   local width = {}
   for _, row in ipairs(rows) do
      for j, text in ipairs(row) do width[j] = math.max(width[j] or 0, utf8.len(text) or #text) end
   end
   for _, row in ipairs(rows) do
      local out = {}
      for j, text in ipairs(row) do
         local blanks = (" "):rep(width[j] - (utf8.len(text) or #text))
         out[j] = j <= 2 and text .. blanks or blanks .. text
      end
      print(("  " .. table.concat(out, "  ")):match "^(.-)%s*$")
   end
end

--- Is `a` as good as `b`, but for what the workload allows?
local function as_good(criterion, a, b)
   if not criterion then return true end
   local x, y = a[criterion.key], b[criterion.key]
   if not x or not y then return true end
   local slack = criterion.slack or criterion.share * math.abs(y)
   if criterion.better == "lower" then return x <= y + slack end
   return x >= y - slack
end

-- Whether a peer computes only a part of our result.
local function is_partial(workload, label)
   for _, peer in ipairs(workload.peers) do
      if peer[1] == label then return peer.part end
   end
end

--- The name of the fastest peer whose result is as good as ours, and complete; or nil.
function M.best_peer(workload, found)
   local best
   for label, figures in pairs(found.peers) do
      local faster = not best or figures.seconds < found.peers[best].seconds
      if faster and as_good(workload.criterion, figures, found.ours) and not is_partial(workload, label) then
         best = label
      end
   end
   return best
end

function M.machine(machine, options)
   print(("%s, %d cores; %s"):format(process.cpu_name(), process.cores(), os.date "%Y-%m-%d %H:%M"))
   print(("limits: our GEMM %.0f GFLOP/s in float64, %.0f in float32 (one thread %.0f, %.0f); memory read at %.1f GB/s")
      :format(machine.gemm, machine.gemm_f32, machine.gemm1, machine.gemm_f321, machine.gb_per_s))
   local load = process.load_average()
   print(("least of %d turns of %g s%s%s%s"):format(options.rounds, options.budget,
      options.threads > 0 and (", %d thread(s)"):format(options.threads) or "",
      options.scale ~= 1 and (", data at %g of their size"):format(options.scale) or "",
      load and (", load average %.1f at the start"):format(load) or ""))
end

local function row_of(who, figures, workload, ours)
   local row = { who, tostring(figures.version or ""), seconds(figures.seconds), seconds(figures.cpu),
      figures.peak and ("%.1f"):format(figures.peak) or "", figures.others and ("%.1f"):format(figures.others) or "" }
   for _, key in ipairs(workload.columns or {}) do row[#row + 1] = figure(figures[key]) end
   row[#row + 1] = ours and ("%.2f%s"):format(ours.seconds / figures.seconds,
      as_good(workload.criterion, figures, ours) and not is_partial(workload, who) and " " or "~") or ""
   return row
end

local function verdict_of(workload, found, best)
   local ours = found.ours
   if workload.bar_seconds then
      local pass = ours.seconds <= workload.bar_seconds and (not workload.bar_peak or not ours.peak
         or ours.peak <= workload.bar_peak)
      local bar = seconds(workload.bar_seconds)
      if workload.bar_peak then bar = bar .. (", %g MB"):format(workload.bar_peak) end
      return bar, pass, nil
   end
   local ratio = best and ours.seconds / found.peers[best].seconds
   return workload.bar and ratio and ("%g"):format(workload.bar) or "", ratio and ratio <= (workload.bar or 0), ratio
end

function M.workload(name, workload, n, machine, found)
   print(("\n%s: %s%s"):format(name, workload.title, n ~= workload.rows and (" (here %d rows)"):format(n) or ""))
   local head = { "", "version", "time", "CPU time", "peak MB", "others" }
   for _, key in ipairs(workload.columns or {}) do head[#head + 1] = key end
   head[#head + 1] = "ours / it"
   local rows, order = { head, row_of("manilius", found.ours, workload) }, {}
   for label in pairs(found.peers) do order[#order + 1] = label end
   table.sort(order, function(a, b) return found.peers[a].seconds < found.peers[b].seconds end)
   for _, label in ipairs(order) do rows[#rows + 1] = row_of(label, found.peers[label], workload, found.ours) end
   print_table(rows)
   for _, peer in ipairs(workload.peers) do
      if found.failed[peer[1]] then print(("  skipped: %s: %s"):format(peer[1], found.failed[peer[1]])) end
   end
   local best = M.best_peer(workload, found)
   local worse = false
   for _, label in ipairs(order) do worse = worse or not as_good(workload.criterion, found.ours, found.peers[label]) end
   local bar, pass, ratio = verdict_of(workload, found, best)
   local limit = workload.limit and workload.limit(machine, n, found.ours)
   local share = limit and limit / found.ours.seconds
   local out = {}
   if ratio then out[#out + 1] = ("%.2f of %s"):format(ratio, best) end
   if ratio and found.ours.cpu and found.peers[best].cpu then
      out[#out] = ("%s (of its CPU time %.2f)"):format(out[#out], found.ours.cpu / found.peers[best].cpu)
   end
   if bar ~= "" then out[#out + 1] = ("bar %s: %s"):format(bar, pass and "pass" or "MISS") end
   if share then
      out[#out + 1] = ("%.0f%% of the machine's limit, %s (%s)"):format(100 * share, seconds(limit), workload.limit_of)
   end
   if worse then out[#out + 1] = "a peer's result is better than ours" end
   if found.load then out[#out + 1] = ("load %.1f"):format(found.load) end
   print("  " .. table.concat(out, "; "))
   return { name = name, time = found.ours.seconds, best = best, ratio = ratio, bar = bar, pass = pass, share = share,
      others = found.ours.others, cpu = ratio and found.ours.cpu / (found.peers[best].cpu or 0) }
end

function M.summary(verdicts)
   print "\nall (others: cores that other processes used meanwhile; ~ above: not as good a result)"
   local rows = { { "", "best peer as good", "ours", "ours / it", "in CPU", "bar", "", "of the limit", "others" } }
   for _, v in ipairs(verdicts) do
      rows[#rows + 1] = { v.name, v.best or "", seconds(v.time), v.ratio and ("%.2f"):format(v.ratio) or "",
         v.cpu and ("%.2f"):format(v.cpu) or "", v.bar,
         v.bar == "" and "" or v.pass and "pass" or "MISS", v.share and ("%.0f%%"):format(100 * v.share) or "",
         v.others and ("%.1f"):format(v.others) or "" }
   end
   print_table(rows)
end

--- Times at n/4, n/2, n, and the power of n with which they grow between neighbors.
function M.growth(workload, best, lines)
   print(("\n%s"):format(workload.title))
   local rows = { { "rows", "", "manilius", "power", best or "", "power", "ratio" } }
   for i, line in ipairs(lines) do
      local before = lines[i - 1]
      local function power(key)
         if not before or not line[key] or not before[key] then return "" end
         return ("%.2f"):format(math.log(line[key] / before[key]) / math.log(line.n / before.n))
      end
      rows[#rows + 1] = { tostring(line.n), "", seconds(line.ours), power "ours", seconds(line.peer), power "peer",
         line.peer and ("%.2f"):format(line.ours / line.peer) or "" }
   end
   print_table(rows)
end

return M
