--- Functions called by exported programs, written in the row language for all target languages.
--
-- Sums are taken in the same order as in src/linalg/ordered.h.

local language = require "manilius.export.language"

-- A function that computes an ordered sum of `term` over j < n.
local function ordered(head, term)
   local lane = term:gsub("%f[%w]j%f[%W]", "(at + l)")
   return ([[
function real %s {
   real sum = 0.0 int at = 0
   if n >= 16 {
      reals lane[16] int whole = n - n %% 16
      while at < whole { for l < 16 { lane[l] += %s } at += 16 }
      sum = add_lanes(lane)
   }
   for j = at < n { sum += %s }
   return sum
}]]):format(head, lane, term)
end

-- Horner's scheme.
local function horner(name, at, coefficients)
   local lines = { ("real %s = %s"):format(name, coefficients[#coefficients]) }
   for k = #coefficients - 1, 1, -1 do
      lines[#lines + 1] = ("%s = %s * %s + %s"):format(name, name, at, coefficients[k])
   end
   return table.concat(lines, " ")
end

local function ratio(at, above, below)
   return horner("above", at, above) .. " " .. horner("below", at, below)
end

local parts = {
   [[
function real add_lanes(result lane) {
   for l < 8 { lane[l] += lane[l + 8] }
   for l < 4 { lane[l] += lane[l + 4] }
   for l < 2 { lane[l] += lane[l + 2] }
   return lane[0] + lane[1]
}
function real largest_absolute(int n, reals a) {
   real largest = 0.0
   for j < n {
      real size = abs(a[j])
      largest = size > largest ? size : largest
   }
   return largest
}
function int count_below(reals a, int i, int n, real value) {
   int low = 0 int high = n
   while low < high {
      int middle = half(low + high)
      if a[i + middle] < value { low = middle + 1 } else { high = middle }
   }
   return low
}
function int count_at_most(reals a, int i, int n, real value) {
   int low = 0 int high = n
   while low < high {
      int middle = half(low + high)
      if a[i + middle] <= value { low = middle + 1 } else { high = middle }
   }
   return low
}
function none walk_each(int n, reals x, ints first, int from, ints left, ints feature, reals cut, ints missing,
   counts at) {
   for k < n {
      int now = first[from + k] int next = left[now]
      while next != now {
         int j = feature[now] real value = x[j]
         now = next + (value <= cut[now] or (isnan(value) and missing[now] > 0) ? 0 : 1)
         next = left[now]
      }
      at[k] = now
   }
}
function none walk(int n, int whole, reals x, ints first, int from, ints left, ints feature, reals cut, ints missing,
   counts at) {
   walk_each(n, x, first, from, left, feature, cut, missing, at)
}
function real clamp(real value, real low, real high) {
   return value < low ? low : (value > high ? high : value)
}
function none log_softmax(int n, result row) {
   real largest = row[0] real sum = 0.0
   for c = 1 < n { largest = row[c] > largest ? row[c] : largest }
   if largest == infinity or largest == -infinity {
      for c < n { row[c] = -log(n + 0.0) }
   } else {
      for c < n { sum += exp(row[c] - largest) }
      real shift = largest + log(sum)
      for c < n { row[c] -= shift }
   }
}]],
   ordered("dot(int n, reals a, int i, reals b, int k)", "a[i + j] * b[k + j]"),
   ordered("distance2(int n, reals a, int i, reals b, int k)", "(a[i + j] - b[k + j]) * (a[i + j] - b[k + j])"),
   ordered("manhattan(int n, reals a, int i, reals b, int k)", "abs(a[i + j] - b[k + j])"),
   ordered("absolutes(int n, reals a)", "abs(a[j])"),
   ordered("gaussian(int n, reals a, reals mean, reals scale, int k)",
      "(a[j] - mean[k + j]) * (a[j] - mean[k + j]) * scale[k + j]"),
   -- As in src/stats/special_normal.c; the rounding error of x r is computed by splitting into 26-bit halves, without
   -- fma.
   [[
function real normal_sf(real x) {
   real r = 0.70710678118654752440
   real z = x * r real tail = 0.5 * erfc(z)
   if !(z > 1 and z < 27) { return tail }
   real split = x * 134217729.0
   real high = split - (split - x) real low = x - high
   real split_r = r * 134217729.0
   real high_r = split_r - (split_r - r) real low_r = r - high_r
   real lost = high * high_r - z + high * low_r + low * high_r + low * low_r
   real z_low = lost - x * 4.8336466567264565e-17
   return tail - z_low * exp(-(z * z)) / 1.77245385090551602730
}]],
   -- For languages without erfc: W. J. Cody, Mathematics of Computation 23 (1969).
   "function real erfc(real x) { real y = abs(x) real q = x * x if y <= 0.46875 {",
   ratio("q", { "3.20937758913846947e+3", "3.77485237685302021e+2", "1.13864154151050156e+2", "3.16112374387056560",
      "1.85777706184603153e-1" }, { "2.84423683343917062e+3", "1.28261652607737228e+3", "2.44024637934444173e+2",
      "2.36012909523441209e+1", "1.0" }),
   "return 1.0 - x * above / below } real value = 0.0 if y <= 4 {",
   ratio("y", { "1.23033935479799725e+3", "2.05107837782607147e+3", "1.71204761263407058e+3", "8.81952221241769090e+2",
      "2.98635138197400131e+2", "6.61191906371416295e+1", "8.88314979438837594", "5.64188496988670089e-1",
      "2.15311535474403846e-8" }, { "1.23033935480374942e+3", "3.43936767414372164e+3", "4.36261909014324716e+3",
      "3.29079923573345963e+3", "1.62138957456669019e+3", "5.37181101862009858e+2", "1.17693950891312499e+2",
      "1.57449261107098347e+1", "1.0" }),
   "value = above / below } else { q = 1.0 / (y * y)",
   ratio("q", { "6.58749161529837803e-4", "1.60837851487422766e-2", "1.25781726111229246e-1", "3.60344899949804439e-1",
      "3.05326634961232344e-1", "1.63153871373020978e-2" }, { "2.33520497626869185e-3", "6.05183413124413191e-2",
      "5.27905102951428412e-1", "1.87295284992346725", "2.56852019228982242", "1.0" }),
   "value = (5.6418958354775628695e-1 - q * above / below) / y }",
   -- exp(-y^2), with y truncated so that its square is exact
   "real cut = index(y * 16.0) / 16.0 value *= exp(-(cut * cut)) * exp(-((y - cut) * (y + cut)))",
   "return x < 0 ? 2.0 - value : value }",
   -- Wichura's AS 241, as in src/stats/special_normal.c.
   "function real normal_quantile(real p) { real q = p - 0.5 if abs(q) <= 0.425 { real r = 0.180625 - q * q ",
   ratio("r", { "3.3871328727963666080", "1.3314166789178437745e+2", "1.9715909503065514427e+3",
      "1.3731693765509461125e+4", "4.5921953931549871457e+4", "6.7265770927008700853e+4", "3.3430575583588128105e+4",
      "2.5090809287301226727e+3" }, { "1.0", "4.2313330701600911252e+1", "6.8718700749205790830e+2",
      "5.3941960214247511077e+3", "2.1213794301586595867e+4", "3.9307895800092710610e+4", "2.8729085735721942674e+4",
      "5.2264952788528545610e+3" }),
   "return q * above / below } real r = sqrt(-log(p < 1.0 - p ? p : 1.0 - p)) real z = 0.0 if r <= 5 { r -= 1.6 ",
   ratio("r", { "1.42343711074968357734", "4.63033784615654529590", "5.76949722146069140550",
      "3.64784832476320460504", "1.27045825245236838258", "2.41780725177450611770e-1", "2.27238449892691845833e-2",
      "7.74545014278341407640e-4" }, { "1.0", "2.05319162663775882187", "1.67638483018380384940",
      "6.89767334985100004550e-1", "1.48103976427480074590e-1", "1.51986665636164571966e-2",
      "5.47593808499534494600e-4", "1.05075007164441684324e-9" }),
   "z = above / below } else { r -= 5.0 ",
   ratio("r", { "6.65790464350110377720", "5.46378491116411436990", "1.78482653991729133580",
      "2.96560571828504891230e-1", "2.65321895265761230930e-2", "1.24266094738807843860e-3",
      "2.71155556874348757815e-5", "2.01033439929228813265e-7" }, { "1.0", "5.99832206555887937690e-1",
      "1.36929880922735805310e-1", "1.48753612908506148525e-2", "7.86869131145613259100e-4",
      "1.84631831751005468180e-5", "1.42151175831644588870e-7", "2.04426310338993978564e-15" }),
   "z = above / below } return q < 0 ? -z : z }",
}

--- Functions by name, parsed.
return language.parse_functions(table.concat(parts, "\n"))
