import { rowsWithAddresses } from '../v3/schemas/address-book.js'
import {
  nominatorEvents,
  nominatorPool,
  nominatorRewards,
  poolStake,
  poolValidatorEvents,
  poolValidatorRewards,
} from './schemas/nominator-pools.js'
import { complaint, cycle, election, validatorEvents } from './schemas/validators.js'

/** The schema of each endpoint's result by path, for the build. */
export const validatorsResults = {
  '/staking/nominatorPools/pool': nominatorPool,
  '/staking/nominatorPools/nominator': rowsWithAddresses('nominator_pools', poolStake),
  '/staking/nominatorPools/nominatorEvents': nominatorEvents,
  '/staking/nominatorPools/nominatorRewards': nominatorRewards,
  '/staking/nominatorPools/validatorEvents': poolValidatorEvents,
  '/staking/nominatorPools/validatorRewards': poolValidatorRewards,
  '/validators/events': validatorEvents,
  '/validators/elections': rowsWithAddresses('elections', election),
  '/validators/cycles': rowsWithAddresses('cycles', cycle),
  '/validators/complaints': rowsWithAddresses('complaints', complaint),
}

export type ValidatorsResults = typeof validatorsResults
