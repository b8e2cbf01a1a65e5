-- Bayesian networks: ask the chest clinic of Lauritzen and Spiegelhalter, then learn it from 5,000 patients.

local ml = require "manilius"

local clinic = ml.read_bif "examples/data/asia.bif"
print(clinic)
print(clinic:text { dysp = "yes", asia = "yes" })

print "What does an X-ray add?"
local before = clinic:probability({ lung = "yes" }, { dysp = "yes", smoke = "yes" })
local after = clinic:probability({ lung = "yes" }, { dysp = "yes", smoke = "yes", xray = "yes" })
print(("lung cancer of a smoker with dyspnoea: %.3f, with a positive X-ray: %.3f"):format(before, after))
print(clinic:sensitivity({ lung = "yes" }, { dysp = "yes", xray = "yes" }):head(4))

local patients = clinic:sample(5000, 1)
local learned = ml.BayesNet { structure = "tabu" }:fit(patients)
print(learned)
print(learned:cpdag())
print(("mean log-likelihood of new patients: %.4f, of the true network: %.4f"):format(
   learned:score(clinic:sample(5000, 2)), clinic:score(clinic:sample(5000, 2))))
