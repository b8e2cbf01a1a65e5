--- The DIMACS formats: `p cnf` for formulas, `p edge` for graphs.

local M = {}

local function fail(who, path, line, what, ...)
   error(("%s: %s:%d: " .. what):format(who, path, line, ...), 0)
end

local function content(who, path)
   if type(path) ~= "string" then error(("%s: path must be a string, got %s"):format(who, type(path)), 0) end
   if not io or not io.open then error(who .. ": path requires io.open, which is not available", 0) end
   local file, reason = io.open(path, "rb")
   if not file then error(("%s: %s"):format(who, reason), 0) end
   local text = file:read "a"
   file:close()
   if not text then error(("%s: %s cannot be read"):format(who, path), 0) end
   return text
end

local function whole(who, path, line, word, low, high, what)
   local value = word and math.tointeger(tonumber(word))
   if not value or value < low or value > high then
      fail(who, path, line, "%s must be a whole number from %d to %d, got '%s'", what, low, high,
         (word or ""):sub(1, 20))
   end
   return value
end

-- The two numbers of the problem line.
local function header(who, path, line, text, kind)
   local found, first, second = text:match "^p%s+(%S+)%s+(%S+)%s+(%S+)%s*$"
   if found ~= kind and not (kind == "edge" and found == "col") then
      fail(who, path, line, "the problem line must be 'p %s <numbers>', got '%s'", kind, text:sub(1, 40))
   end
   return whole(who, path, line, first, 0, 100000000, "the first number"),
      whole(who, path, line, second, 0, 1000000000, "the second number")
end

--- The number of variables and the clauses of a file in DIMACS CNF.
function M.formula(who, path)
   local n, m, clauses, clause, at = nil, nil, {}, {}, 0
   for text in (content(who, path) .. "\n"):gmatch "(.-)\r?\n" do
      at = at + 1
      if text:find "^%s*%%" then break end -- SATLIB ends its files with a line %
      if text:find "^p" then
         if n then fail(who, path, at, "there is a second problem line") end
         n, m = header(who, path, at, text, "cnf")
      elseif text:find "%S" and not text:find "^c" then
         if not n then fail(who, path, at, "clauses must come after the line 'p cnf <variables> <clauses>'") end
         for word in text:gmatch "%S+" do
            local literal = whole(who, path, at, word, -n, n, "a literal")
            if literal ~= 0 then clause[#clause + 1] = literal else clauses[#clauses + 1], clause = clause, {} end
         end
      end
   end
   if not n then fail(who, path, at, "there is no line 'p cnf <variables> <clauses>'") end
   if #clause > 0 then fail(who, path, at, "the last clause does not end with 0") end
   if #clauses ~= m then fail(who, path, at, "%d clauses were announced, got %d", m, #clauses) end
   return n, clauses
end

--- The number of vertices and the edges { i, j } of a file in the DIMACS format of graphs.
function M.graph(who, path)
   local n, edges, at = nil, {}, 0
   for text in (content(who, path) .. "\n"):gmatch "(.-)\r?\n" do
      at = at + 1
      if text:find "^p" then
         if n then fail(who, path, at, "there is a second problem line") end
         n = header(who, path, at, text, "edge")
      elseif text:find "^e" then
         if not n then fail(who, path, at, "edges must come after the line 'p edge <vertices> <edges>'") end
         local i, j = text:match "^e%s+(%S+)%s+(%S+)%s*$"
         edges[#edges + 1] = { whole(who, path, at, i, 1, n, "a vertex"), whole(who, path, at, j, 1, n, "a vertex") }
         if edges[#edges][1] == edges[#edges][2] then fail(who, path, at, "an edge joins vertex %s with itself", i) end
      elseif text:find "%S" and not text:find "^[cnd]" then
         fail(who, path, at, "a line must begin with c, p or e, got '%s'", text:sub(1, 20))
      end
   end
   if not n then fail(who, path, at, "there is no line 'p edge <vertices> <edges>'") end
   return n, edges
end

return M
