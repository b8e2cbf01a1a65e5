--- Writes all C files as one, for hosts that add a file to their build rather than a library.
--
--    lua5.4 rockspec/amalgamate.lua manilius.c src/core/context.c src/core/memory.c ...
--
-- Many files define private names such as `fit`. A name that more than one file declares at file scope gets the path
-- of the file as a suffix. Kernels (*_kernel.c) are enclosed in pragmas with the flags that the Makefile gives them.

local file_out = assert(io.open(assert(arg[1], "amalgamate.lua: the C file to write is missing"), "w"))

-- The output, kept in memory until all system headers are known.
local out = { parts = {} }

function out:write(...)
   table.move({ ... }, 1, select("#", ...), #self.parts + 1, self.parts)
end

local function text_of(path)
   local file = assert(io.open(path, "rb"))
   local text = file:read "a"
   file:close()
   return text
end

-- --- tokens ---

-- Of tokens of more than one character, by their first one.
local patterns = { ["/"] = { "^/%*.-%*/", "^//[^\n]*" }, ["-"] = { "^%->" }, ["."] = { "^%.?%d[%w_.]*" } }
for byte = 0, 255 do
   local char = string.char(byte)
   if char:find "[%a_]" then patterns[char] = { "^[%a_][%w_]*" } end
   if char:find "%d" then patterns[char] = { "^%d[%w_.]*" } end
   if char:find "%s" then patterns[char] = { "^%s+" } end
end
table.insert(patterns.L, 1, '^L"[^"\\\n]*"')

local function quoted_at(text, at, mark)
   local stop = "[\\" .. mark .. "]"
   local i = text:find(stop, at + 1)
   while text:sub(i, i) == "\\" do i = text:find(stop, i + 2) end
   return text:sub(at, i)
end

--- All tokens of a text, including white space and comments.
local function tokenize(text)
   local tokens, at = {}, 1
   while at <= #text do
      local first, token = text:sub(at, at), nil
      if first == '"' or first == "'" then token = quoted_at(text, at, first) end
      for _, pattern in ipairs(not token and patterns[first] or {}) do
         token = token or text:match(pattern, at)
      end
      tokens[#tokens + 1] = token or first
      at = at + #tokens[#tokens]
   end
   return tokens
end

local keywords = {}
for word in ([[auto break case char const continue default do double else enum extern float for goto if inline int long
   register restrict return short signed sizeof static struct switch typedef union unsigned void volatile while
   _Static_assert __attribute__]]):gmatch "%S+" do keywords[word] = true end

local function is_name(text) return text ~= nil and text:find "^[%a_]" ~= nil and not keywords[text] end

-- --- private names of a file ---

--- The tokens of declarations and statements: no white space, comments or preprocessor lines. Each is { text =, at =
-- index in `tokens` }.
local function significant(tokens)
   local list, in_directive, at_line_start = {}, false, true
   for i, text in ipairs(tokens) do
      if text:find "^%s" then
         local continued = (tokens[i - 1] or ""):find "\\$"
         if text:find "\n" and not continued then in_directive, at_line_start = false, true end
      elseif not text:find "^/[*/]" then
         if text == "#" and at_line_start then in_directive = true end
         at_line_start = false
         if not in_directive then list[#list + 1] = { text = text, at = i } end
      end
   end
   return list
end

-- Add the names that a `static` declaration declares: names outside brackets that precede "(", "=", "[", "," or ";".
-- Only the first such name, and those after a comma, are declared.
local function add_declared(tokens, i, own)
   if tokens[i].text == "MN_CLONES" then -- static MN_CLONES(type, name, ...)
      while tokens[i].text ~= "," do i = i + 1 end
      own[tokens[i + 1].text] = true
      return
   end
   local depth, first = 0, true
   for k = i, #tokens do
      local text, before, after = tokens[k].text, tokens[k - 1].text, tokens[k + 1] and tokens[k + 1].text
      if depth == 0 and is_name(text) and (after == "=" or after == "[" or after == ";" or after == "," or after == "(")
         and before ~= "__attribute__" and (first or before == "," or before == "*") then
         own[text] = true
         if after == "(" then return end
         first = false
      end
      if depth == 0 and first and text == "(" and after == "*" then -- static double (*const steps[])(size_t) = ...
         local at = k + 2
         while not is_name(tokens[at].text) do at = at + 1 end
         own[tokens[at].text], first = true, false
      end
      if text == "(" or text == "{" then depth = depth + 1 end
      if text == ")" or text == "}" then depth = depth - 1 end
      if depth == 0 and text == ";" then return end
   end
end

local function add_constants(tokens, i, own)
   while tokens[i].text ~= "{" do i = i + 1 end
   repeat
      i = i + 1
      local before = tokens[i - 1].text
      if is_name(tokens[i].text) and (before == "{" or before == ",") then own[tokens[i].text] = true end
   until tokens[i].text == "}"
end

-- The last name before the semicolon of a typedef.
local function typedef_name(tokens, i)
   local depth = 0
   while tokens[i].text ~= ";" or depth > 0 do
      if tokens[i].text == "{" then depth = depth + 1 elseif tokens[i].text == "}" then depth = depth - 1 end
      i = i + 1
   end
   return tokens[i - 1].text
end

--- The private names that a file declares at file scope: static names, tags, enumerators, types, macros.
local function own_names(source, tokens)
   local own, depth, is_static = {}, 0, { static = true }
   for name, first in ("\n" .. source):gmatch "\n%s*#%s*define%s+([%w_]+)[ \t]*([^%s]*)" do
      own[name], is_static[name] = "macro", first == "static" -- #define INLINE static inline ...
   end
   local function at_file_scope(i, text, next, second)
      if is_static[text] then
         add_declared(tokens, i + 1, own)
      elseif text == "typedef" then
         local name = typedef_name(tokens, i)
         if is_name(name) then own[name] = true end
      elseif text == "enum" and (next == "{" or second == "{") then
         add_constants(tokens, i, own)
      elseif text ~= "MN_CLONES" and text:find "^%u[%u%d_]+$" and next == "(" and is_name(second) then
         own[second] = true -- UNARY(each_sign, MN_SIGN) defines the function each_sign
      end
   end
   for i, s in ipairs(tokens) do
      local next, second = tokens[i + 1] and tokens[i + 1].text, tokens[i + 2] and tokens[i + 2].text
      if depth == 0 then at_file_scope(i, s.text, next, second) end
      if (s.text == "struct" or s.text == "union" or s.text == "enum") and second == "{" then own[next] = true end
      if s.text == "{" then depth = depth + 1 elseif s.text == "}" then depth = depth - 1 end
   end
   return own
end

-- --- renaming ---

-- Mark the names of members in the bodies of structs and unions: names that precede ";", "," or "[".
local function mark_members(tokens)
   local stack = {}
   for i, s in ipairs(tokens) do
      if s.text == "{" then
         local tag = tokens[i - 1] and tokens[i - 1].text
         local key = is_name(tag) and tokens[i - 2] and tokens[i - 2].text or tag
         stack[#stack + 1] = key == "struct" or key == "union"
      elseif s.text == "}" then
         stack[#stack] = nil
      elseif stack[#stack] and is_name(s.text) then
         local after, before = tokens[i + 1].text, tokens[i - 1].text
         local ends = after == ";" or after == "," or after == "[" or after == ":" or (after == ")" and before == "*")
         s.member = ends and before ~= "[" and before ~= "struct" and before ~= "enum"
      end
   end
end

-- Mark macro arguments that name members, such as the second one of offsetof and of MN_REAL(struct ridge, alpha, ...).
local function mark_arguments(tokens)
   for i, s in ipairs(tokens) do
      if (s.text:find "^MN_%u+" or s.text == "offsetof") and tokens[i + 1] and tokens[i + 1].text == "(" then
         local k = i + 2
         if tokens[k].text == "struct" then k = k + 1 end
         if tokens[k + 1].text == "," and is_name(tokens[k].text) and tokens[k + 2] then
            local m = k + 2
            if tokens[k - 1].text == "struct" then
               repeat
                  tokens[m].member = true
                  m = m + 1
               until tokens[m].text == "," or tokens[m].text == ")"
            end
         end
      end
   end
end

-- Append the suffix to the given names, except members.
local function renamed(text, names, suffix)
   if not next(names) then return text end
   local tokens = tokenize(text)
   local list = significant(tokens)
   mark_members(list)
   mark_arguments(list)
   local keep = {}
   for i, s in ipairs(list) do
      local before = list[i - 1] and list[i - 1].text
      if s.member or before == "." or before == "->" then keep[s.at] = true end
   end
   for i, token in ipairs(tokens) do
      if names[token] and not keep[i] and not ((tokens[i - 1] or ""):find "[.>]$" and tokens[i - 1] ~= ">") then
         tokens[i] = token .. suffix
      end
   end
   return table.concat(tokens)
end

-- --- headers ---

local included, GUARD = {}, "#ifndef [%w_]+_H\n"

-- The full path of an included header. Generated files in build/ include headers of src/lua.
local function resolve(folder, path)
   local full = (folder:find "^src" and folder or "src/lua") .. "/" .. path
   repeat
      local shorter, changes = full:gsub("[^/]+/%.%./", "", 1)
      full = shorter
   until changes == 0
   return full
end

--- The text of a file with its headers inlined: those with an include guard once, the others each time.
local function inlined(path)
   local folder = path:match "^(.*)/"
   local text = text_of(path)
   return (("\n" .. text):gsub('\n#include "([^"]+)"[^\n]*', function(name)
      local full = resolve(folder, name)
      local header = text_of(full)
      if header:find(GUARD) then
         if included[full] then return "\n" end
         included[full] = true
      end
      return "\n" .. inlined(full)
   end):sub(2))
end

-- --- output ---

local files = {}
local count = {}
for i = 2, #arg do
   local text = text_of(arg[i])
   local is_generated = not arg[i]:find "^src/" -- the Lua files as arrays, whose names are unique
   local own = is_generated and {} or own_names(text, significant(tokenize(text)))
   local folder = arg[i]:match "^(.*)/"
   local suffix = "__" .. arg[i]:gsub("^src/", ""):gsub("%.c$", ""):gsub("/", "_")
   files[#files + 1] = { path = arg[i], text = text, own = own, suffix = suffix, folder = folder }
   for name in pairs(own) do count[name] = (count[name] or 0) + 1 end
end

file_out:write [[
/* manilius as a single file, to compile with a host program. manilius.h documents its functions; all other symbols are
 * hidden. Compile as C11 with -O2; the headers of Lua 5.4 are required unless MANILIUS_NO_LUA is defined. Link with
 * -lz -lm -lpthread -ldl. SPDX-License-Identifier: MIT */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <math.h>
]]

-- glibc declares vector variants of these functions only under -ffast-math, which cannot be set for part of a file.
-- Kernels therefore call aliases that are declared with vector variants. The value is the number of arguments.
local vectorized = { exp = 1, log = 1, sin = 1, cos = 1, pow = 2, expm1 = 1, log1p = 1, tanh = 1 }
local vector_names = {}
for name in pairs(vectorized) do vector_names[#vector_names + 1] = name end
table.sort(vector_names)

local GCC = "#if defined(__GNUC__) && !defined(__clang__) && defined(__OPTIMIZE__)\n"
local HAS_VECTORS = "#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && __GLIBC_PREREQ(2, 35)\n"

file_out:write "#ifndef __GLIBC_PREREQ\n#define __GLIBC_PREREQ(a, b) 0\n#endif\n"
file_out:write(HAS_VECTORS)
for _, name in ipairs(vector_names) do
   local arguments = vectorized[name] == 2 and "double, double" or "double"
   file_out:write(('double mn_loop_%s(%s) __asm__("%s")'):format(name, arguments, name),
      ' __attribute__((const, nothrow, simd("notinbranch")));\n')
end
file_out:write "#endif\n"

-- Define macros that replace the functions by their aliases, or undefine them.
local function write_aliases(define)
   out:write(HAS_VECTORS)
   for _, name in ipairs(vector_names) do
      out:write(define and ("#define %s mn_loop_%s\n"):format(name, name) or ("#undef %s\n"):format(name))
   end
   out:write "#endif\n"
end

local function is_lua(path) return path:find "^src/lua/" ~= nil end

-- All headers come first, so that none is enclosed in the pragmas of a kernel; those of the Lua binding last.
for _, in_binding in ipairs { false, true } do
   out:write(in_binding and "#ifndef MANILIUS_NO_LUA\n" or "")
   for _, file in ipairs(files) do
      for name in ("\n" .. file.text):gmatch '\n#include "([^"]+%.h)"' do
         local full = resolve(file.folder, name)
         if is_lua(full) == in_binding and not included[full] and text_of(full):find(GUARD) then
            included[full] = true
            out:write(inlined(full), "\n")
         end
      end
   end
   out:write(in_binding and "#endif\n" or "")
end

-- Write one source file. The Lua binding and the Lua files are omitted if MANILIUS_NO_LUA is defined.
local function write_file(file)
   local names = {}
   for name in pairs(file.own) do names[name] = count[name] > 1 or nil end
   local is_kernel, in_binding = file.path:find "_kernel%.c$", is_lua(resolve(file.folder, "x"))
   out:write("\n/* ", file.path, " */\n", in_binding and "#ifndef MANILIUS_NO_LUA\n" or "")
   if is_kernel then
      out:write(GCC, '#pragma GCC push_options\n#pragma GCC optimize("O3", "fast-math")\n#endif\n')
      write_aliases(true)
   end
   out:write(renamed(inlined(file.path), names, file.suffix))
   if is_kernel then
      write_aliases(false)
      out:write(GCC, "#pragma GCC pop_options\n#endif\n")
   end
   local macros = {}
   for name, kind in pairs(file.own) do
      if kind == "macro" then macros[#macros + 1] = names[name] and name .. file.suffix or name end
   end
   table.sort(macros)
   for _, name in ipairs(macros) do out:write("#undef ", name, "\n") end
   out:write(in_binding and "#endif\n" or "")
end

for _, file in ipairs(files) do write_file(file) end

-- System headers come first. All symbols declared after them are hidden, except those of manilius.h.
local body, system, seen = table.concat(out.parts), { {}, {} }, {}
for name in body:gmatch "\n#include (<[^>\n]+>)" do
   local group = (name == "<lua.h>" or name == "<lauxlib.h>") and 2 or 1
   if not seen[name] and name ~= "<immintrin.h>" then
      seen[name] = true
      table.insert(system[group], "#include " .. name .. "\n")
   end
end
file_out:write(table.concat(system[1]), "#ifndef MANILIUS_NO_LUA\n", table.concat(system[2]), "#endif\n")
file_out:write("#if defined(__GNUC__)\n#pragma GCC visibility push(hidden)\n#endif\n", body)
file_out:write "#if defined(__GNUC__)\n#pragma GCC visibility pop\n#endif\n"
file_out:close()
