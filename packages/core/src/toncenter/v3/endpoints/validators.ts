import { enumParam, optionalParam } from '../../schema/param.js'
import { addressParam, boolParam, hashParam } from '../../schema/params.js'
import { atMostOne, type ParamsRule } from '../../schema/params-object.js'
import { blockSeqnoParam, inTime, limitParam } from '../params.js'
import { getEndpoint } from '../endpoint.js'

const MOST_SETS = 100

const ofValidator = {
  /** The account that staked. */
  stake_holder_address: optionalParam(addressParam),
  /** The ADNL address, 256 bits. */
  adnl_address: optionalParam(hashParam),
  /** The public key, 256 bits. */
  validator_pubkey: optionalParam(hashParam),
}

const ofElection = {
  /** The id of the election: the time at which its cycle starts. */
  election_id: optionalParam(blockSeqnoParam),
  ...ofValidator,
}

const ofCycle = {
  /** The time at which the cycle starts. */
  cycle_start: optionalParam(blockSeqnoParam),
  ...ofElection,
}

const page = {
  /** Start time. */
  start_utime: inTime.start_utime,
  /** End time. */
  end_utime: inTime.end_utime,
  /** Maximum number of rows. @default 10 */
  limit: limitParam(),
}

const oneAddress = atMostOne('stake_holder_address', 'adnl_address')

function fewSets(name: string): ParamsRule {
  return {
    text: `limit must be at most ${MOST_SETS} with ${name}`,
    isKept: (_, wire) => wire[name] !== true || Number(wire['limit']) <= MOST_SETS,
  }
}

/** Validators: elections, cycles, complaints. */
export const validators = {
  /**
   * Returns stakes that the elector accepted, rejected or returned, newest first. Amounts are in nanocoins.
   * @example
   * const { events } = await v3.validatorsEvents({ stake_holder_address: address })
   * for (const { type, election_id, amount } of events) console.log(type, election_id, amount)
   */
  validatorsEvents: getEndpoint(
    '/validators/events',
    {
      ...ofValidator,
      /** The type of the events. @default all */
      type: optionalParam(enumParam('stake_accepted', 'stake_rejected', 'stake_recovered')),
      ...page,
    },
    { rules: [oneAddress] },
  ),

  /**
   * Returns elections of validators, newest first. The time bounds apply to `election_id`. Amounts are in nanocoins.
   * @example
   * const { elections } = await v3.validatorsElections({ finished: true, limit: 1 })
   * console.log(elections[0]?.election_id, elections[0]?.total_stake)
   */
  validatorsElections: getEndpoint(
    '/validators/elections',
    {
      ...ofElection,
      /** Includes the participants, or only those that match. `limit` is then at most 100. @default false */
      return_participants: optionalParam(boolParam),
      /** Only elections that have ended, or that have not. @default both */
      finished: optionalParam(boolParam),
      ...page,
    },
    { rules: [oneAddress, fewSets('return_participants')] },
  ),

  /**
   * Returns validation cycles, newest first. The time bounds apply to `cycle_start`. Amounts are in nanocoins.
   * @example
   * const { cycles } = await v3.validatorsCycles({ return_validators: true, limit: 1 })
   * for (const { weight, stake } of cycles[0]?.validators ?? []) console.log(weight, stake)
   */
  validatorsCycles: getEndpoint(
    '/validators/cycles',
    {
      ...ofCycle,
      /** Includes the validators, or only those that match. `limit` is then at most 100. @default false */
      return_validators: optionalParam(boolParam),
      ...page,
    },
    { rules: [oneAddress, fewSets('return_validators')] },
  ),

  /**
   * Returns complaints about validators. The time bounds apply to `created_at`. Amounts are in nanocoins.
   * @example
   * const { complaints } = await v3.validatorsComplaints()
   * for (const { is_passed, suggested_fine } of complaints) console.log(is_passed, suggested_fine)
   */
  validatorsComplaints: getEndpoint(
    '/validators/complaints',
    { ...ofCycle, ...page },
    { rules: [oneAddress] },
  ),
}
