--- Reads chunks from the user: with the line editor where there is one, else as plain lines.

local history = require "manilius.prompt.history"

local M = {}

local PROMPT, CONTINUED = "> ", ">> "

local Editor = {}
Editor.__index = Editor

--- The next chunk; nil and "interrupted" after Ctrl-C; nil at the end of the input.
function Editor:read()
   local chunk, reason = self.editor:read(PROMPT)
   if not chunk and not reason then print() end
   if chunk and chunk:find "%S" then
      self.editor:remember(chunk)
      self.history:add(chunk)
   end
   return chunk, reason
end

function Editor:close() self.editor:close() end

local Plain = {}
Plain.__index = Plain

-- A line; nil at the end of the input; nil and "interrupted" after Ctrl-C.
function Plain:line(prompt)
   if not self.console then return io.read "l" end
   io.write(prompt)
   io.flush()
   if self.console.wait() then
      print()
      return nil, "interrupted"
   end
   local line, problem = io.read "l"
   if not line then print() end
   return line, problem and "interrupted"
end

function Plain:read()
   local chunk
   repeat
      local line, reason = self:line(chunk and CONTINUED or PROMPT)
      if not line then return not reason and chunk or nil, reason end
      chunk = chunk and chunk .. "\n" .. line or line
   until self.is_complete(chunk)
   return chunk
end

function Plain.close() end

-- Write to the terminal at once, since the editor draws the line after it.
local function write(text)
   io.write(text)
   io.flush()
end

--- The input of a session.
-- console: the module manilius.console, or nil if it is not available
-- is_complete: function(chunk)
-- complete: function(text, cursor), the edit that Tab makes
function M.open(console, is_complete, complete)
   local editor = console and console.open_editor(is_complete, complete, write)
   if not editor then
      -- With a prompt and Ctrl-C only where a user types.
      local terminal = console and console.is_terminal() and console or nil
      return setmetatable({ is_complete = is_complete, console = terminal }, Plain)
   end
   local chunks = history.open(history.directory(os.getenv), console.make_directory)
   for _, chunk in ipairs(chunks) do editor:remember(chunk) end
   return setmetatable({ editor = editor, history = chunks }, Editor)
end

return M
