import {
  nominatorEvents,
  nominatorPool,
  nominatorPools,
  nominatorRewards,
  poolValidatorEvents,
  poolValidatorRewards,
} from './schemas/nominator-pools.js'
import {
  validatorComplaints,
  validatorCycles,
  validatorElections,
  validatorEvents,
} from './schemas/validators.js'

/** The schema of each endpoint's result by path, for the build. */
export const validatorsResults = {
  '/staking/nominatorPools/pool': nominatorPool,
  '/staking/nominatorPools/nominator': nominatorPools,
  '/staking/nominatorPools/nominatorEvents': nominatorEvents,
  '/staking/nominatorPools/nominatorRewards': nominatorRewards,
  '/staking/nominatorPools/validatorEvents': poolValidatorEvents,
  '/staking/nominatorPools/validatorRewards': poolValidatorRewards,
  '/validators/events': validatorEvents,
  '/validators/elections': validatorElections,
  '/validators/cycles': validatorCycles,
  '/validators/complaints': validatorComplaints,
}

export type ValidatorsResults = typeof validatorsResults
