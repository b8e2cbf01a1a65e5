--- All modules that define classes of estimators in Lua: required before an archive is read.
require "manilius.pipeline"
require "manilius.columns"
require "manilius.search"
return true
