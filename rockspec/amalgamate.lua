--- Writes all C files as one, for hosts that add a file to their build rather than a library.
--
--    lua5.4 rockspec/amalgamate.lua manilius.c src/core/context.c src/core/memory.c ...
--
-- Files have names of their own (each estimator has its `fit`), so what is declared at the outer level of more than one
-- file gets the name of its file added. Hot loops (*_kernel.c) stand under the flags that the Makefile gives them.

local file_out = assert(io.open(assert(arg[1], "amalgamate.lua: the C file to write is missing"), "w"))

-- What is written, in memory until all system headers are known.
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

-- --- words of C ---

local patterns = { "^/%*.-%*/", "^//[^\n]*", '^L?"[^"\\\n]*"', "^[%a_][%w_]*", "^%.?%d[%w_.]*", "^%->", "^%s+" }

local function quoted_at(text, at, mark)
   local i = at + 1
   while text:sub(i, i) ~= mark do i = i + (text:sub(i, i) == "\\" and 2 or 1) end
   return text:sub(at, i)
end

--- All of a text as a list of words; space and comments count as words too.
local function words_of(text)
   local words, at = {}, 1
   while at <= #text do
      local first, word = text:sub(at, at), nil
      if first == '"' or first == "'" then word = quoted_at(text, at, first) end
      for i = 1, word and 0 or #patterns do
         word = word or text:match(patterns[i], at)
      end
      words[#words + 1] = word or first
      at = at + #words[#words]
   end
   return words
end

local keywords = {}
for word in ([[auto break case char const continue default do double else enum extern float for goto if inline int long
   register restrict return short signed sizeof static struct switch typedef union unsigned void volatile while
   _Static_assert __attribute__]]):gmatch "%S+" do keywords[word] = true end

local function is_name(word) return word ~= nil and word:find "^[%a_]" ~= nil and not keywords[word] end

-- --- what a file declares for itself ---

--- Words that matter, with their place: neither space nor comments nor lines of the preprocessor.
local function sense_of(words)
   local sense, skipping, fresh = {}, false, true
   for i, word in ipairs(words) do
      if word:find "^%s" then
         if word:find "\n" and not (words[i - 1] or ""):find "\\$" then skipping, fresh = false, true end
      elseif not word:find "^/[*/]" then
         if word == "#" and fresh then skipping = true end
         fresh = false
         if not skipping then sense[#sense + 1] = { word = word, at = i } end
      end
   end
   return sense
end

-- The names that a declaration beginning with `static` declares: words before "(", "=", "[", "," or ";" at no depth,
-- the first of them and those behind a comma.
local function add_declared(sense, i, own)
   if sense[i].word == "MN_CLONES" then -- static MN_CLONES(type, name, ...)
      while sense[i].word ~= "," do i = i + 1 end
      own[sense[i + 1].word] = true
      return
   end
   local depth, first = 0, true
   for k = i, #sense do
      local word, before, after = sense[k].word, sense[k - 1].word, sense[k + 1] and sense[k + 1].word
      if depth == 0 and is_name(word) and (after == "=" or after == "[" or after == ";" or after == "," or after == "(")
         and before ~= "__attribute__" and (first or before == "," or before == "*") then
         own[word] = true
         if after == "(" then return end
         first = false
      end
      if word == "(" or word == "{" then depth = depth + 1 end
      if word == ")" or word == "}" then depth = depth - 1 end
      if depth == 0 and word == ";" then return end
   end
end

local function add_constants(sense, i, own)
   while sense[i].word ~= "{" do i = i + 1 end
   repeat
      i = i + 1
      local before = sense[i - 1].word
      if is_name(sense[i].word) and (before == "{" or before == ",") then own[sense[i].word] = true end
   until sense[i].word == "}"
end

-- The last name before the semicolon of a typedef.
local function typedef_name(sense, i)
   local depth = 0
   while sense[i].word ~= ";" or depth > 0 do
      if sense[i].word == "{" then depth = depth + 1 elseif sense[i].word == "}" then depth = depth - 1 end
      i = i + 1
   end
   return sense[i - 1].word
end

--- Names at the outer level that only this file uses: static ones, tags, constants, types, macros.
local function own_names(text, sense)
   local own, depth = {}, 0
   for name in ("\n" .. text):gmatch "\n%s*#%s*define%s+([%w_]+)" do own[name] = "macro" end
   local function outer(i, word, after, behind)
      if word == "static" then
         add_declared(sense, i + 1, own)
      elseif word == "typedef" then
         local name = typedef_name(sense, i)
         if is_name(name) then own[name] = true end
      elseif word == "enum" and (after == "{" or behind == "{") then
         add_constants(sense, i, own)
      elseif word ~= "MN_CLONES" and word:find "^%u[%u%d_]+$" and after == "(" and is_name(behind) then
         own[behind] = true -- UNARY(each_sign, MN_SIGN) makes a function of that name
      end
   end
   for i, s in ipairs(sense) do
      local after, behind = sense[i + 1] and sense[i + 1].word, sense[i + 2] and sense[i + 2].word
      if depth == 0 then outer(i, s.word, after, behind) end
      if (s.word == "struct" or s.word == "union" or s.word == "enum") and behind == "{" then own[after] = true end
      if s.word == "{" then depth = depth + 1 elseif s.word == "}" then depth = depth - 1 end
   end
   return own
end

-- --- renaming ---

-- Bodies of structs and unions: there a name before ";", "," or "[" is that of a member.
local function mark_members(sense)
   local stack = {}
   for i, s in ipairs(sense) do
      if s.word == "{" then
         local tag = sense[i - 1] and sense[i - 1].word
         local key = is_name(tag) and sense[i - 2] and sense[i - 2].word or tag
         stack[#stack + 1] = key == "struct" or key == "union"
      elseif s.word == "}" then
         stack[#stack] = nil
      elseif stack[#stack] and is_name(s.word) then
         local after, before = sense[i + 1].word, sense[i - 1].word
         local ends = after == ";" or after == "," or after == "[" or after == ":" or (after == ")" and before == "*")
         s.member = ends and before ~= "[" and before ~= "struct" and before ~= "enum"
      end
   end
end

-- The second argument of MN_REAL(struct ridge, alpha, ...), offsetof and their like names a member.
local function mark_arguments(sense)
   for i, s in ipairs(sense) do
      if (s.word:find "^MN_%u+" or s.word == "offsetof") and sense[i + 1] and sense[i + 1].word == "(" then
         local k = i + 2
         if sense[k].word == "struct" then k = k + 1 end
         if sense[k + 1].word == "," and is_name(sense[k].word) and sense[k + 2] then
            local m = k + 2
            if sense[k - 1].word == "struct" then
               repeat
                  sense[m].member = true
                  m = m + 1
               until sense[m].word == "," or sense[m].word == ")"
            end
         end
      end
   end
end

local function renamed(text, names, suffix)
   if not next(names) then return text end
   local words = words_of(text)
   local sense = sense_of(words)
   mark_members(sense)
   mark_arguments(sense)
   local keep = {}
   for i, s in ipairs(sense) do
      local before = sense[i - 1] and sense[i - 1].word
      if s.member or before == "." or before == "->" then keep[s.at] = true end
   end
   for i, word in ipairs(words) do
      if names[word] and not keep[i] and not ((words[i - 1] or ""):find "[.>]$" and words[i - 1] ~= ">") then
         words[i] = word .. suffix
      end
   end
   return table.concat(words)
end

-- --- headers ---

local included, GUARD = {}, "#ifndef [%w_]+_H\n"

-- What is made under build/ has its headers in src/lua.
local function resolve(folder, path)
   local full = (folder:find "^src" and folder or "src/lua") .. "/" .. path
   repeat
      local shorter, changes = full:gsub("[^/]+/%.%./", "", 1)
      full = shorter
   until changes == 0
   return full
end

--- A text with its own headers in place: those with a guard once, the others each time.
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

-- --- the whole ---

local files = {}
local count = {}
for i = 2, #arg do
   local text = text_of(arg[i])
   local is_made = not arg[i]:find "^src/" -- the Lua files as arrays, under names that nobody else has
   local own = is_made and {} or own_names(text, sense_of(words_of(text)))
   local folder, short = arg[i]:match "^(.*)/([^/]+)%.c$"
   files[#files + 1] = { path = arg[i], text = text, own = own, suffix = "__" .. short, folder = folder }
   for name in pairs(own) do count[name] = (count[name] or 0) + 1 end
end

file_out:write [[
/* manilius in one file, for hosts that add a file to their build rather than a library; manilius.h says what it has.
 * Compile it as C11 with the headers of Lua 5.4 in reach, or with MANILIUS_NO_LUA defined; -O2 is meant. No other name
 * leaves the library or program that it becomes a part of. Link -lz -lm -lpthread -ldl. SPDX-License-Identifier: MIT */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <math.h>
]]

-- What the flags of *_kernel.c do for these functions (glibc has them for vectors) cannot be had for a part of a file:
-- there the compiler must be told under names of their own.
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

local function write_names(of_loops)
   out:write(HAS_VECTORS)
   for _, name in ipairs(vector_names) do
      out:write(of_loops and ("#define %s mn_loop_%s\n"):format(name, name) or ("#undef %s\n"):format(name))
   end
   out:write "#endif\n"
end

local function is_lua(path) return path:find "^src/lua/" ~= nil end

-- All headers first, so that none stands under the flags of a hot loop; those of the binding behind the others.
for _, of_lua in ipairs { false, true } do
   out:write(of_lua and "#ifndef MANILIUS_NO_LUA\n" or "")
   for _, file in ipairs(files) do
      for name in ("\n" .. file.text):gmatch '\n#include "([^"]+%.h)"' do
         local full = resolve(file.folder, name)
         if is_lua(full) == of_lua and not included[full] and text_of(full):find(GUARD) then
            included[full] = true
            out:write(inlined(full), "\n")
         end
      end
   end
   out:write(of_lua and "#endif\n" or "")
end

-- A host without Lua leaves out the binding and the Lua files.
local function write_file(file)
   local names = {}
   for name in pairs(file.own) do names[name] = count[name] > 1 or nil end
   local of_loops, of_lua = file.path:find "_kernel%.c$", is_lua(resolve(file.folder, "x"))
   out:write("\n/* ", file.path, " */\n", of_lua and "#ifndef MANILIUS_NO_LUA\n" or "")
   if of_loops then
      out:write(GCC, '#pragma GCC push_options\n#pragma GCC optimize("O3", "fast-math")\n#endif\n')
      write_names(true)
   end
   out:write(renamed(inlined(file.path), names, file.suffix))
   if of_loops then
      write_names(false)
      out:write(GCC, "#pragma GCC pop_options\n#endif\n")
   end
   for name, kind in pairs(file.own) do
      if kind == "macro" then out:write("#undef ", names[name] and name .. file.suffix or name, "\n") end
   end
   out:write(of_lua and "#endif\n" or "")
end

for _, file in ipairs(files) do write_file(file) end

-- Names of the system are its own; all behind them is hidden, but for what manilius.h shows.
local body, system, seen = table.concat(out.parts), { {}, {} }, {}
for name in body:gmatch "\n#include (<[^>\n]+>)" do
   local of_lua = (name == "<lua.h>" or name == "<lauxlib.h>") and 2 or 1
   if not seen[name] and name ~= "<immintrin.h>" then
      seen[name] = true
      table.insert(system[of_lua], "#include " .. name .. "\n")
   end
end
file_out:write(table.concat(system[1]), "#ifndef MANILIUS_NO_LUA\n", table.concat(system[2]), "#endif\n")
file_out:write("#if defined(__GNUC__)\n#pragma GCC visibility push(hidden)\n#endif\n", body)
file_out:write "#if defined(__GNUC__)\n#pragma GCC visibility pop\n#endif\n"
file_out:close()
