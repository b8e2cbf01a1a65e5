--- Data that several workloads write and read.
local M = {}

--- X and y from the directory of a workload.
function M.read(ml, path)
   return { x = ml.read_npy(path "X.npy"), y = ml.read_npy(path "y.npy"):col(1) }
end

--- A writer of y = X b + 5 e with normal X and e, where nine tenths of b are 0.
function M.sparse_line(columns)
   return function(ml, path, n)
      local x = ml.normal(n, columns, 1)
      local b = ml.normal(columns, nil, 2)
      for j = columns // 10 + 1, columns do b[j] = 0 end
      ml.write_npy(path "X.npy", x)
      ml.write_npy(path "y.npy", ml.Matrix(x * b + ml.normal(n, nil, 3) * 5))
   end
end

--- A writer of normal X and of y = 0 or 1, drawn with the probabilities of a logistic model.
function M.two_classes(columns)
   return function(ml, path, n)
      local x = ml.normal(n, columns, 1)
      local z, u = x * (ml.normal(columns, nil, 2) * 0.2), ml.random(n, nil, 3)
      ml.write_npy(path "X.npy", x)
      ml.write_npy(path "y.npy", ml.Matrix(u:lt(z:sigmoid())))
   end
end

--- A function that fits new(ml) to nine tenths of the rows; M.accuracy measures the result on the others.
function M.fit_nine_tenths(new, ml, path)
   local x, y = ml.read_npy(path "X.npy"), ml.read_npy(path "y.npy"):col(1)
   local n = x.rows * 9 // 10
   local labels = y:slice(1, n)
   local train, test, answers = x:slice(1, n):copy(), x:slice(n + 1, x.rows):copy(), y:slice(n + 1, x.rows)
   return function() return { model = new(ml):fit(train, labels), test = test, answers = answers } end
end

function M.accuracy(_, r)
   local label, right = r.model:predict(r.test), 0
   for i = 1, #label do right = right + (label[i] == r.answers[i] and 1 or 0) end
   return { accuracy = right / #label }
end

return M
