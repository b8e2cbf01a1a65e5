--- Memory, processor time and hardware from the operating system; some of it only where there is /proc.
local M = {}

local function read(path)
   local file = io.open(path, "r")
   if not file then return nil end
   local text = file:read "a"
   file:close()
   return text
end

--- Megabytes of the kinds "VmRSS" (now) and "VmHWM" (at most since the start, or since forget_peak).
function M.memory(kind)
   local text = read "/proc/self/status"
   local kilobytes = text and text:match(kind .. ":%s*(%d+)")
   return kilobytes and tonumber(kilobytes) / 1024
end

function M.forget_peak()
   local file = io.open("/proc/self/clear_refs", "w")
   if not file then return end
   file:write "5"
   file:close()
end

--- Seconds that all cores together have been busy since the machine started.
function M.busy()
   local text = read "/proc/stat"
   if not text then return nil end
   local user, nice, system, _, _, irq, soft, steal = text:match(
      "cpu +(%d+) (%d+) (%d+) (%d+) (%d+) (%d+) (%d+) (%d+)")
   return (user + nice + system + irq + soft + steal) / 100
end

function M.load_average()
   local text = read "/proc/loadavg"
   return text and tonumber(text:match "^%S+")
end

function M.free_megabytes()
   local text = read "/proc/meminfo"
   local kilobytes = text and text:match "MemAvailable:%s*(%d+)"
   return kilobytes and tonumber(kilobytes) / 1024
end

function M.cpu_name()
   local text = read "/proc/cpuinfo"
   return text and text:match "model name%s*:%s*([^\n]+)" or "a CPU without a name"
end

function M.cores()
   local text, n = read "/proc/cpuinfo" or "", 0
   for _ in text:gmatch "processor%s*:" do n = n + 1 end
   return n > 0 and n or 1
end

function M.exists(path)
   local file = io.open(path, "r")
   if file then file:close() end
   return file ~= nil
end

--- A word that the shell takes as it is.
function M.quote(word) return "'" .. tostring(word):gsub("'", "'\\''") .. "'" end

--- The values of the line "BENCH key=value ..." of a command, or nil and what it said last instead.
function M.run(words, limit)
   local quoted = {}
   for i, word in ipairs(words) do quoted[i] = M.quote(word) end
   local command = table.concat(quoted, " ") .. " 2>&1"
   if os.execute "command -v timeout >/dev/null 2>&1" then command = ("timeout %d "):format(limit) .. command end
   local pipe = assert(io.popen(command, "r"))
   local values, last
   for line in pipe:lines() do
      if line:match "^BENCH " then
         values = {}
         for key, value in line:gmatch "([%w_]+)=(%S+)" do values[key] = tonumber(value) or value end
      elseif line:match "%S" then
         last = line
      end
   end
   local _, how, code = pipe:close()
   if values then return values end
   if code == 124 then last = ("not done after %d s"):format(limit) end
   return nil, last or ("%s %s"):format(how, code)
end

return M
