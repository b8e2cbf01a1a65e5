---@meta _
-- luacheck: ignore
-- ml.Sparse: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---A sparse matrix in CSR format: only nonzero values are stored.
---
---Duplicate entries are summed. The help of an estimator says whether it supports sparse X. S.rows, S.cols and
---S.nnz give the size; S * v and S * X are matrix products.
---@class manilius.Sparse
---@operator mul(any): any
---@field cols integer # number of columns
---@field nnz integer # number of stored values
---@field rows integer # number of rows
local Sparse = {}

---The element in row i and column j.
---@param i integer
---@param j integer
---@return number
function Sparse:get(i, j) end

---Row i: a table of column indices and a table of values.
---@param i integer
---@return table
---@return table
function Sparse:row(i) end

---Rows first to last (a copy).
---@param first? integer
---@param last? integer
---@return manilius.Sparse
function Sparse:slice(first, last) end

---Sum of all values, or of each row ("rows") or column ("cols").
---@param axis? "rows"|"cols"
---@return number|manilius.Vector
function Sparse:sum(axis) end

---The transpose of S.
---@return manilius.Sparse
function Sparse:t() end

---The rows with these indices, in this order; may repeat.
---@param rows integer|manilius.Numbers
---@return manilius.Sparse
function Sparse:take(rows) end

---Convert to a dense Matrix.
---@return manilius.Matrix
function Sparse:todense() end

---@class manilius
local ml = {}

---@class manilius.Sparse.Maker
---@overload fun(from: any): manilius.Sparse
local SparseMaker = {}

---Convert a Matrix to a Sparse.
---@param X manilius.X
---@return any
function SparseMaker.from(X) end

ml.Sparse = SparseMaker
