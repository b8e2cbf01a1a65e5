--- The prompt of the program `manilius`: reads chunks, runs them, and shows results and errors.
--
--    model = ml.Ridge { alpha = 2 }    chunks define globals, also with `local`
--    model                             expressions are shown, unless they end with a semicolon
--    ?Ridge                            help on a name or value; ?words searches, ? lists everything
--    debug                             the traceback of the last error
--
-- Ctrl-C clears the line or interrupts the chunk, Ctrl-D ends the session.

local complete = require "manilius.prompt.complete"
local evaluate = require "manilius.prompt.evaluate"
local input = require "manilius.prompt.input"

local M = {}

local Session = {}
Session.__index = Session

-- Without the C module, Ctrl-C ends the program.
local function load_console()
   local ok, console = pcall(require, "manilius.console")
   return ok and console or nil
end

-- --- coroutines ---

-- coroutine.wrap in terms of coroutine.resume, which the console replaces.
local function wrap(resume)
   local function results(co, ok, ...)
      if ok then return ... end
      coroutine.close(co)
      error(..., 0)
   end
   return function(f)
      local co = coroutine.create(f)
      return function(...) return results(co, resume(co, ...)) end
   end
end

-- Let Ctrl-C interrupt code in coroutines, too.
local function track_coroutines(console)
   rawset(coroutine, "resume", console.resume)
   rawset(coroutine, "wrap", wrap(console.resume))
end

-- --- commands ---

local function member(value, name) return value[name] end

-- Help on a member of a variable, as in ?model.fit: on the member of its class, else on the value. Returns whether it
-- exists.
local function help_on_member(words)
   local ml, topics = require "manilius", require "manilius.help.topics"
   local owner, name = words:match "^([%a_][%w_]*)[.:]([%a_][%w_]*)$"
   local value = owner and rawget(_G, owner)
   local class = value ~= nil and value ~= ml and topics.name_of(value)
   if not class then return false end
   local ok, one = pcall(member, value, name)
   if class == "FormulaModel" then class = topics.name_of(value.model) or class end
   for _, topic in ipairs { class .. "." .. name, ok and type(one) == "userdata" and topics.name_of(one) or nil } do
      if pcall(topics.find, topic) then
         ml.help(topic)
         return true
      end
   end
   return false
end

-- The name that a mistyped class stands for is printed before what a search finds. Returns whether there is one.
local function suggest(name)
   local near = name:find "^%u[%w_]*$"
      and require "manilius.core".nearest(name, require "manilius.help.topics".all_names())
   if near then print(("unknown name '%s'; did you mean '%s'?"):format(name, near)) end
   return near ~= nil and near ~= false
end

local SHORT = 2 -- words that a search would find everywhere

-- Say what a variable without help is: ?x, ?x.field. Returns whether that is all there is to say.
local function describe_variable(words)
   local name = words:match "^([%a_][%w_]*)$" or words:match "^([%a_][%w_]*)[.:][%a_][%w_]*$"
   if not name then return false end
   local value = rawget(_G, name)
   if value == nil then
      local searched = name == words and #name > SHORT
      print(("%s is nil: there is no variable of this name%s"):format(name, searched and "; a search finds:" or ""))
      return not searched
   end
   local kind = type(value)
   local scalar = kind == "number" or kind == "boolean" or kind == "string"
   print(("%s is %s"):format(name, scalar and ("%q"):format(value) or "a " .. kind))
   return true
end

-- Help on a name or a value of the user; for other words, what a search finds.
local function help(words)
   local ml = require "manilius"
   local topics = require "manilius.help.topics"
   local value = words:find "^[%a_][%w_]*$" and rawget(_G, words)
   if words == "" or value == ml then return ml.help() end
   if value ~= nil and value ~= false and topics.name_of(value) then return ml.help(value) end
   if help_on_member(words) then return end
   local name = words:gsub("^[\"'](.*)[\"']$", "%1")
   if pcall(topics.find, name) then return ml.help(name) end
   if suggest(name) or not describe_variable(words) then ml.find(name) end
end

-- The function that a chunk stands for if it is a command.
function Session:command_of(chunk)
   local words = chunk:match "^%s*%?%s*(.-)%s*$"
   if words then return function() help(words) end end
   local word = chunk:match "^%s*(%a+)%s*$" or chunk:match "^%s*(%a+)%s*%(%s*%)%s*$"
   if word == "debug" then return function() print(self.traceback or "no error yet") end end
   if word == "help" and rawget(_G, word) == nil then return function() help "" end end
   if (word == "exit" or word == "quit") and rawget(_G, word) == nil then
      return function() self.ended = true end
   end
end

-- --- chunks ---

local function report(message)
   io.stdout:flush()
   io.stderr:write(message, "\n")
end

local function run_and_show(run, shown)
   if shown then
      evaluate.show(run())
   else
      run()
   end
end

--- Run a chunk or command. Errors are reported.
function Session:run(chunk)
   local run, shown = self:command_of(chunk), false
   if not run then
      run, shown = evaluate.compile(chunk)
      if not run then return report(evaluate.message(shown, chunk)) end
   end
   self.call(run_and_show, function(value)
      local ok, message = pcall(evaluate.message, value, chunk)
      local trace = evaluate.traceback(value, 2)
      if message ~= "interrupted" then self.traceback = trace end
      report(self.debug and trace or ok and message or tostring(message))
   end, run, shown)
end

function Session:loop()
   while not self.ended do
      local chunk, reason = self.input:read()
      if chunk then
         if chunk:find "%S" then self:run(chunk) end
      elseif reason ~= "interrupted" then
         break
      end
   end
end

local function set_locale()
   if os.setlocale("", "ctype") == "C" then os.setlocale("C.UTF-8", "ctype") end
end

local function banner(ml)
   return ("manilius %s, %s. ? lists everything, ?Ridge explains a name, ?words searches; Tab completes, Ctrl-D ends.")
      :format(ml._VERSION, _VERSION)
end

--- Run a session, until the input ends.
-- options: debug = true shows the traceback of every error
function M.start(options)
   local ml = require "manilius"
   local console = load_console()
   local self = setmetatable({ debug = options and options.debug, call = xpcall }, Session)
   _G.ml = ml
   ml.progress(true)
   if warn then warn "@on" end
   if console then
      console.catch_interrupts()
      track_coroutines(console)
      self.call = console.call
   end
   set_locale()
   self.input = input.open(console, evaluate.is_complete, function(text, cursor)
      return complete.edit(text:sub(1, cursor), _G)
   end)
   if console and console.is_terminal() then print(require "manilius.text".wrap(banner(ml), 0)) end
   self:loop()
   self.input:close()
end

return M
