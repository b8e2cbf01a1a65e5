--- The command `manilius`: runs scripts and chunks, or starts the prompt.

local M = {}

local USAGE = [=[
usage: manilius [options] [script [arguments]]

  -e CHUNK     run a chunk of Lua; may be given several times
  -i           start the prompt after the script or chunks
  -            run a script from standard input
  --debug      show tracebacks of errors
  --version    show the version
  --help       show this help

Without a script or -e the prompt starts. The library is loaded as the global ml. Scripts find their arguments in ...
and in arg, as with lua.]=]

-- Options that do not take a value: their names in the result of parse.
local FLAGS = { ["-i"] = "interactive", ["--debug"] = "debug", ["--version"] = "version", ["-v"] = "version",
   ["--help"] = "help", ["-h"] = "help" }

--- The options, chunks and script of a list of arguments; nil and a message for a wrong option.
function M.parse(arguments)
   local wanted, i = { chunks = {} }, 1
   while arguments[i] do
      local word = arguments[i]
      if word == "-e" then
         i = i + 1
         if not arguments[i] then return nil, "-e needs a chunk" end
         table.insert(wanted.chunks, arguments[i])
      elseif FLAGS[word] then
         wanted[FLAGS[word]] = true
      elseif word:find "^%-." and word ~= "--" then
         return nil, ("unknown option '%s'"):format(word)
      else
         wanted.script = word == "--" and i + 1 or i
         break
      end
      i = i + 1
   end
   if not arguments[wanted.script or 0] then wanted.script = nil end
   return wanted
end

local function complain(message)
   io.stderr:write("manilius: ", message, "\n")
   return 1
end

-- The text of an error, with a traceback of the script if it is wanted.
local function describe(value, with_traceback)
   local meta = getmetatable(value)
   local text = tostring(value)
   if type(value) == "table" and not (meta and meta.__tostring) then text = "(error object is a table)" end
   if not with_traceback then return text end
   return (debug.traceback(text, 3):gsub("\n%s*%[C%]: in function 'xpcall'.*", ""))
end

local function run(chunk, problem, wanted, ...)
   if not chunk then return complain(problem) end
   local ok, message = xpcall(chunk, function(value) return describe(value, wanted.debug) end, ...)
   return ok and 0 or complain(message)
end

-- As lua does: arg[0] is the script, the words before it have negative indices.
local function script_arguments(arguments, script)
   local shifted = {}
   for i = script - #arguments - 1, #arguments do shifted[i - script] = arguments[i] end
   return shifted
end

local function run_script(arguments, wanted)
   local path = arguments[wanted.script]
   _G.arg = script_arguments(arguments, wanted.script)
   local chunk, problem
   if path == "-" then
      chunk, problem = loadfile()
   else
      chunk, problem = loadfile(path)
   end
   return run(chunk, problem, wanted, table.unpack(arguments, wanted.script + 1))
end

local function run_all(arguments, wanted)
   local status = 0
   for _, chunk in ipairs(wanted.chunks) do
      local compiled, problem = load(chunk, "=(command line)")
      if status == 0 then status = run(compiled, problem, wanted) end
   end
   if status == 0 and wanted.script then status = run_script(arguments, wanted) end
   return status
end

--- Run the command. Returns the exit status.
function M.run(arguments)
   local wanted, problem = M.parse(arguments)
   if not wanted then return complain(problem .. "\n" .. USAGE) end
   local ml = require "manilius"
   if wanted.help or wanted.version then
      print(wanted.help and USAGE or ("manilius %s, %s"):format(ml._VERSION, _VERSION))
      return 0
   end
   _G.ml = ml
   local status = run_all(arguments, wanted)
   if wanted.interactive or not wanted.script and #wanted.chunks == 0 then
      require "manilius.prompt".start { debug = wanted.debug }
      return 0
   end
   return status
end

return M
