--- Completion: the names that can stand at the cursor.

local context = require "manilius.prompt.context"
local core = require "manilius.core"
local names = require "manilius.prompt.names"
local text = require "manilius.text"

local M = {}

local is_operator = context.is_operator

local function sorted(list)
   table.sort(list)
   return list
end

-- Those that begin with the word, ignoring case if there are none that match exactly.
local function matching(list, word)
   local exact, similar = {}, {}
   for _, name in ipairs(list) do
      if name:sub(1, #word) == word then exact[#exact + 1] = name end
      if name:sub(1, #word):lower() == word:lower() then similar[#similar + 1] = name end
   end
   return #exact > 0 and exact or similar
end

-- --- names ---

local standard = {} -- the globals of Lua itself
for name in next, _G do standard[name] = true end

-- Global names and keywords; without the beginning of a word only those that the user has defined.
local function globals(env, word)
   local list = {}
   for name in next, env do
      if type(name) == "string" and name:find "^[%a_][%w_]*$" and (word ~= "" or not standard[name]) then
         list[#list + 1] = name
      end
   end
   if word ~= "" then table.move(context.keywords, 1, #context.keywords, #list + 1, list) end
   return sorted(list)
end

-- The keys that the table that begins at token i already has.
local function keys_of(tokens, i)
   local keys, depth = {}, 0
   for j = i + 1, #tokens do
      local token = tokens[j]
      if is_operator(token, "{") or is_operator(token, "(") then depth = depth + 1 end
      if is_operator(token, "}") or is_operator(token, ")") then depth = depth - 1 end
      if depth == 0 and token.kind == "name" and is_operator(tokens[j + 1], "=") then keys[token.text] = true end
   end
   return keys
end

-- The owner of a grid of parameters, as in ml.GridSearch { model, { alpha = { 1, 2 } } }: set_params of the model.
local function owner_of_grid(tokens, open, env)
   local outer = open[#open - 1]
   local search = outer and is_operator(tokens[outer], "{") and context.owner(tokens, outer, env)
   local topic = search and names.topic_of(search)
   if not topic or not topic.name:find "Search$" then return nil end
   for i = outer + 1, open[#open] - 1 do
      if is_operator(tokens[i + 1], ",") then
         local model = context.resolve(tokens, i, env)
         return model and { object = model, method = "set_params" }
      end
   end
end

-- "alpha = ", ... where a key of a table of parameters can stand; `tokens` end before the word.
local function parameters(tokens, env)
   local open = context.open_brackets(tokens)
   local brace, last = open[#open], tokens[#tokens]
   if not brace or not is_operator(tokens[brace], "{") then return {} end
   if not (is_operator(last, "{") or is_operator(last, ",") or is_operator(last, ";")) then return {} end
   local owner = context.owner(tokens, brace, env) or owner_of_grid(tokens, open, env)
   local given, list = keys_of(tokens, brace), {}
   for _, name in ipairs(owner and names.parameters(owner) or {}) do
      if not given[name] then list[#list + 1] = name .. " = " end
   end
   return list
end

-- No name follows a string, a number or a closing bracket directly.
local function ends_operand(token)
   return token ~= nil and (token.kind == "string" or token.kind == "number"
      or is_operator(token, ")") or is_operator(token, "]") or is_operator(token, "}"))
end

local function complete_name(tokens, word, env)
   local last = tokens[#tokens]
   if word == "" and ends_operand(last) then return {} end
   if is_operator(last, ".") or is_operator(last, ":") then
      local what = context.resolve(tokens, #tokens - 1, env)
      return what and matching(names.members(what, last.text == ":"), word) or {}
   end
   local list = matching(parameters(tokens, env), word)
   return #list > 0 and list or matching(globals(env, word), word)
end

-- --- strings ---

local function add_columns(list, seen, value)
   for _, name in ipairs(names.columns(value)) do
      if not seen[name] then list[#list + 1] = name end
      seen[name] = true
   end
end

-- The columns of the Frames that the code names; if it names none, of all global Frames.
local function columns(tokens, env)
   local list, seen = {}, {}
   for i, token in ipairs(tokens) do
      if token.kind == "name" then
         local what = context.resolve(tokens, i, env)
         add_columns(list, seen, what and what.value)
      end
   end
   if #list > 0 then return list end
   for _, value in next, env do add_columns(list, seen, value) end
   return sorted(list)
end

-- The choices of the parameter whose value the string is.
local function choices(tokens, env)
   local n, open = #tokens, context.open_brackets(tokens)
   if not is_operator(tokens[n], "=") or not tokens[n - 1] or #open == 0 then return {} end
   local owner = context.owner(tokens, open[#open], env)
   return owner and names.choices(owner, tokens[n - 1].text) or {}
end

-- Does the string name a file, as the argument of ml.read_csv, ml.load or fig:save?
local function is_path(tokens)
   local name = tokens[#tokens]
   if is_operator(name, "(") then name = tokens[#tokens - 1] end
   if not name or name.kind ~= "name" then return false end
   return name.text:find "^read_" or name.text:find "^write_" or name.text:find "_chunks$" or name.text == "load"
      or name.text == "save" or name.text == "dofile"
end

local function files(path)
   local folder, list = path:match "^.*/" or "", {}
   local quoted = "'" .. (folder == "" and "." or folder):gsub("'", "'\\''") .. "'"
   local pipe = io.popen and io.popen("LC_ALL=C ls -1p -- " .. quoted .. " 2>/dev/null", "r")
   if not pipe then return list end
   for name in pipe:lines() do list[#list + 1] = folder .. name end
   pipe:close()
   return list
end

-- Returns the candidates and the part of the string that they replace. The name of a file closes the quote.
local function complete_string(tokens, content, env, quote)
   if is_path(tokens) then
      local list = matching(files(content), content)
      if #list == 1 and not list[1]:find "/$" then list[1] = list[1] .. quote end
      return list, content
   end
   local list = matching(choices(tokens, env), content)
   if #list > 0 then return list, content end
   local all = columns(tokens, env)
   list = matching(all, content)
   if #list > 0 then return list, content end
   local word = content:match "[%w_.]*$" -- in a formula
   return matching(all, word), word
end

-- --- help ---

local function complete_help(word, env)
   local bare = word:gsub("^ml%.", "")
   local head, member = bare:match "^([%w_]+)[.:]([%w_]*)$"
   if head then
      local list = {}
      for _, name in ipairs(matching(names.topics(head), member)) do
         list[#list + 1] = word:sub(1, #word - #member) .. name
      end
      return list
   end
   local list = matching(names.topics(), bare)
   for i, name in ipairs(list) do list[i] = word:sub(1, #word - #bare) .. name end
   return #list > 0 and list or matching(globals(env, word), word)
end

-- --- the whole ---

--- What can stand at the cursor. Returns the candidates and the part of the code before the cursor that they replace.
-- code: the code before the cursor
-- env: the table of globals
function M.candidates(code, env)
   local topic = code:match "^%s*%?%s*([%w_.:]*)$"
   if topic then return complete_help(topic, env), topic end
   local tokens = context.tokens(code)
   local last = tokens[#tokens]
   if last and last.open then
      tokens[#tokens] = nil
      if last.kind ~= "string" then return {}, "" end
      local content = last.text:gsub("^[\"']", ""):gsub("^%[=*%[", "")
      return complete_string(tokens, content, env, last.text:match "^[\"']" or "")
   end
   local word = code:match "[%a_][%w_]*$" or ""
   if word ~= "" and last.kind == "name" then tokens[#tokens] = nil end
   if last and last.kind == "number" and word == "" and code:find "%w$" then return {}, "" end
   return complete_name(tokens, word, env), word
end

local function common_prefix(list)
   local prefix = list[1]
   for _, name in ipairs(list) do
      while name:sub(1, #prefix) ~= prefix do prefix = prefix:sub(1, -2) end
   end
   return prefix
end

local DEFAULT_ROWS, OTHER_ROWS = 24, 4 -- rows of the terminal; those that the list leaves free

-- As many candidates as fit the terminal, in columns, sorted downwards.
local function listing(list)
   local shown, width = {}, 0
   for i, name in ipairs(list) do
      shown[i] = name:gsub(" = $", ""):match "([^/]*/?)$"
      width = math.max(width, text.width_of(shown[i]) + 2)
   end
   local _, rows = core.terminal()
   rows = math.max((rows and rows > 0 and rows or DEFAULT_ROWS) - OTHER_ROWS, 1)
   local across = math.max(1, core.screen() // width)
   for i = rows * across + 1, #list do shown[i] = nil end
   local down, lines = (#shown + across - 1) // across, {}
   for row = 1, down do
      local cells = {}
      for i = row, #shown, down do cells[#cells + 1] = text.pad(shown[i], width) end
      lines[row] = table.concat(cells):gsub("%s+$", "")
   end
   if #list > #shown then lines[#lines + 1] = ("... %d more"):format(#list - #shown) end
   return table.concat(lines, "\n")
end

local INDENT = "   "

--- The edit that the Tab key makes: the number of bytes to delete before the cursor, the text to insert, and a text to
-- show (nil if there is nothing to choose from); nil if there are no candidates. Tab indents at the start of a line.
function M.edit(code, env)
   if code:find "^%s*$" or code:find "\n%s*$" then return 0, INDENT end
   local list, word = M.candidates(code, env)
   if #list == 0 then return nil end
   local prefix = common_prefix(list)
   local shown = #list > 1 and #prefix <= #word and listing(list) or nil
   if #prefix < #word then return 0, "", shown end
   if prefix:sub(1, #word) == word then return 0, prefix:sub(#word + 1), shown end
   return #word, prefix, shown
end

return M
