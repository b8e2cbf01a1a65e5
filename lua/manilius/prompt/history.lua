--- The history of the prompt: chunks of earlier sessions, in a file of the user's state directory.
-- One chunk per line; a backslash is written as \\ and a newline as \n. Each chunk is appended when it is entered, so
-- sessions that run at the same time keep each other's.

local M = {}

local MAX_CHUNKS = 1000

local function encode(chunk)
   return (chunk:gsub("\\", "\\\\"):gsub("\n", "\\n"))
end

local function decode(line)
   return (line:gsub("\\(.)", { n = "\n", ["\\"] = "\\" }))
end

--- The directory of the history file, or nil: $XDG_STATE_HOME/manilius, by default ~/.local/state/manilius.
function M.directory(getenv)
   local state, home = getenv "XDG_STATE_HOME", getenv "HOME"
   if state and state:sub(1, 1) == "/" then return state .. "/manilius" end
   return home and home ~= "" and home .. "/.local/state/manilius" or nil
end

local function read_lines(path)
   local lines, file = {}, io.open(path, "r")
   if not file then return lines end
   for line in file:lines() do lines[#lines + 1] = line end
   file:close()
   return lines
end

-- Replace the file by its last chunks when it has become long.
local function shorten(path, lines)
   if #lines <= 2 * MAX_CHUNKS then return lines end
   local kept = table.move(lines, #lines - MAX_CHUNKS + 1, #lines, 1, {})
   local file = io.open(path .. ".new", "w")
   if file and file:write(table.concat(kept, "\n"), "\n") and file:close() then os.rename(path .. ".new", path) end
   return kept
end

local History = {}
History.__index = History

--- Append a chunk to the file. A chunk that cannot be written is not an error.
function History:add(chunk)
   if chunk == self[#self] or not chunk:find "%S" then return end
   self[#self + 1] = chunk
   local file = self.path and io.open(self.path, "a")
   if not file then return end
   file:write(encode(chunk), "\n")
   file:close()
end

--- Read the history: a list of chunks, the oldest first.
-- directory: where the file is, or nil for a history of this session only
-- make_directory: function(path) that creates one directory
function M.open(directory, make_directory)
   local history = setmetatable({ path = directory and directory .. "/history" }, History)
   if not directory then return history end
   for stop in directory:gmatch "()/" do
      if stop > 1 then make_directory(directory:sub(1, stop - 1)) end
   end
   make_directory(directory)
   for i, line in ipairs(shorten(history.path, read_lines(history.path))) do history[i] = decode(line) end
   return history
end

return M
