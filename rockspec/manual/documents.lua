--- Programs in Markdown pages: their fenced blocks and outputs.
--
-- The Lua blocks of a page are one program: later ones see the locals of earlier ones. Each is compared with the block
-- of `text` that follows it.
-- @module manual.documents

local M = {}

function M.read(path)
   local file = assert(io.open(path, "rb"))
   local text = file:read "a"
   file:close()
   return text
end

--- The fenced blocks of a page, in order: { language =, text =, line = of its first line }.
function M.blocks(page)
   local found, open, line = {}, nil, 0
   for one in (page .. "\n"):gmatch "(.-)\n" do
      line = line + 1
      local language = one:match "^```(%w*)%s*$"
      if open and language == "" then
         open.text = table.concat(open.lines, "\n") .. (#open.lines > 0 and "\n" or "")
         found[#found + 1] = open
         open = nil
      elseif open then
         table.insert(open.lines, one)
      elseif language then
         open = { language = language, line = line + 1, lines = {} }
      end
   end
   return found
end

--- The Lua blocks of a page, each with the output shown after it ("" if none is shown).
function M.programs(page)
   local blocks, list = M.blocks(page), {}
   for i, block in ipairs(blocks) do
      if block.language == "lua" then
         local after = blocks[i + 1]
         list[#list + 1] = block
         block.shown = after and after.language == "text" and after.text or ""
      end
   end
   return list
end

-- Join the blocks to one chunk whose line numbers are those of the page, so that error messages refer to the page.
local function assemble(programs)
   local parts, line = {}, 1
   for _, block in ipairs(programs) do
      parts[#parts + 1] = ("\n"):rep(block.line - line) .. block.text .. "__next_block()"
      line = block.line + select(2, block.text:gsub("\n", ""))
   end
   return table.concat(parts)
end

-- Run a chunk with the global `print` replaced, so that output of the library (ml.help) is captured too.
local function run_with(print, chunk)
   local original = _G.print
   _G.print = print
   local ok, message = pcall(chunk)
   _G.print = original
   if not ok then error(message, 0) end
end

-- Two functions: a `print` that collects its output, and one that returns and clears the collected output.
local function collector()
   local lines = {}
   return function(...)
      local parts = table.pack(...)
      for i = 1, parts.n do parts[i] = tostring(parts[i]) end
      lines[#lines + 1] = table.concat(parts, "\t", 1, parts.n) .. "\n"
   end, function()
      local text = table.concat(lines):gsub("[ \t]+\n", "\n")
      lines = {}
      return text
   end
end

--- The output of a program.
-- @tparam string source
-- @tparam string name of the program, for error messages
-- @tparam table|nil globals additional global variables
function M.printed(source, name, globals)
   local print, collected = collector()
   local env = setmetatable({}, { __index = function(_, key)
      local own = globals and globals[key]
      if own ~= nil then return own end
      return _G[key]
   end })
   run_with(print, assert(load(source, name, "t", env)))
   return collected()
end

--- The list of outputs of the programs of a page.
function M.outputs(programs, name)
   local print, collected = collector()
   local out = {}
   local env = setmetatable({ __next_block = function() out[#out + 1] = collected() end },
      { __index = _G })
   run_with(print, assert(load(assemble(programs), "@" .. name, "t", env)))
   return out
end

local function lines_of(text)
   local list = {}
   for line in text:gmatch "([^\n]*)\n" do list[#list + 1] = line end
   return list
end

-- Replace the elements first .. last of a list by `others`.
local function splice(lines, first, last, others)
   local tail = table.move(lines, last + 1, #lines, 1, {})
   for i = #lines, first, -1 do lines[i] = nil end
   table.move(others, 1, #others, first, lines)
   table.move(tail, 1, #tail, #lines + 1, lines)
end

--- The page with the current outputs of its programs.
function M.updated(page, name)
   local blocks, lines = M.blocks(page), lines_of(page)
   local outputs = M.outputs(M.programs(page), name)
   local at = #outputs
   for i = #blocks, 1, -1 do -- backwards, so that the line numbers above stay valid
      if blocks[i].language == "lua" then
         local after, printed = blocks[i + 1], lines_of(outputs[at])
         at = at - 1
         if after and after.language == "text" then
            splice(lines, after.line, after.line + #after.lines - 1, printed)
         elseif #printed > 0 then
            local fence = blocks[i].line + #blocks[i].lines
            splice(lines, fence + 1, fence, { "", "```text", table.unpack(printed) })
            table.insert(lines, fence + #printed + 3, "```")
         end
      end
   end
   return table.concat(lines, "\n") .. "\n"
end

return M
