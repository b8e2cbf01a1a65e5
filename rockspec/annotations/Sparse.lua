---@meta _
-- luacheck: ignore
-- ml.Sparse: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---A matrix of which only the values that are not 0 are held, by rows.
---
---Values of one place are added. Estimators that take sparse X say so. S.rows, S.cols, S.nnz; S * v and S * X are
---products.
---@class manilius.Sparse
---@operator mul(any): any
---@field cols integer # number of columns
---@field nnz integer # number of values that are held
---@field rows integer # number of rows
local Sparse = {}

---The number in row i and column j.
---@param i integer
---@param j integer
---@return number
function Sparse:get(i, j) end

---Row i: a table of columns, a table of their values.
---@param i integer
---@return table
---@return table
function Sparse:row(i) end

---Rows first to last, a copy.
---@param first? integer
---@param last? integer
---@return manilius.Sparse
function Sparse:slice(first, last) end

---The sum of all values, of each row ("rows") or column ("cols").
---@param axis? "rows"|"cols"
---@return number|manilius.Vector
function Sparse:sum(axis) end

---S transposed.
---@return manilius.Sparse
function Sparse:t() end

---These rows, in this order.
---@param rows integer|manilius.Numbers
---@return manilius.Sparse
function Sparse:take(rows) end

---All of it as a Matrix.
---@return manilius.Matrix
function Sparse:todense() end

---@class manilius
local ml = {}

---@class manilius.Sparse.Maker
---@overload fun(from: any): manilius.Sparse
local SparseMaker = {}

---The values of a Matrix that are not 0.
---@param X manilius.X
---@return any
function SparseMaker.from(X) end

ml.Sparse = SparseMaker
