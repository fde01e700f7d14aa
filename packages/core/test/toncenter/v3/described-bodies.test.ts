import { describe, expect, it } from 'vitest'
import { parseJson } from '../../../src/toncenter/transport/lossless-json.js'
import { readResult } from '../../../src/toncenter/v3/response.js'
import { methodOf } from './description.js'
import { decoders, endpoints, schemaOf, type EndpointName } from './every-endpoint.js'
import { describedBodies, descriptions, type DescribedBody } from './described-bodies.js'
import { undescribedIn } from './undescribed.js'

/**
 * Required fields of every row, by the names of the descriptions. Lists may be null, but not
 * absent. All else, which is to say most, may be null or absent on the wire. Source: API facts, part 2.3.
 */
const NEEDED: Readonly<Record<string, string>> = {
  AccountBalance: 'account balance',
  AccountStateFull: 'address',
  ActiveNominatorInfo: 'address balance',
  Action: 'action_id start_lt end_lt start_utime end_utime type',
  Block: 'workchain shard seqno root_hash file_hash start_lt end_lt gen_utime',
  BlockId: 'workchain shard seqno',
  DNSAuction: 'domain nft_item_address',
  DNSRecord: 'domain nft_item_address',
  JettonBurn:
    'query_id owner jetton_wallet jetton_master amount transaction_hash transaction_lt transaction_now transaction_aborted',
  JettonMaster: 'address total_supply last_transaction_lt',
  JettonTransfer:
    'query_id source destination amount source_wallet jetton_master transaction_hash transaction_lt transaction_now transaction_aborted',
  JettonWallet: 'address balance owner jetton last_transaction_lt',
  MasterchainInfo: 'first last',
  Message: 'hash',
  Multisig: 'address last_transaction_lt',
  MultisigOrder: 'address multisig_address last_transaction_lt',
  NFTCollection: 'address last_transaction_lt next_item_index',
  NFTItem: 'address init index last_transaction_lt',
  NFTSale: 'address type',
  NFTTransfer:
    'query_id nft_address transaction_hash transaction_lt transaction_now transaction_aborted',
  NominatorPoolEvent: 'utime tx_hash tx_lt type pool_address nominator_address amount',
  NominatorPoolPosition: 'pool_address balance',
  NominatorPoolValidatorEvent: 'utime tx_hash tx_lt type pool_address validator_address amount',
  NominatorPoolValidatorReward: 'utime tx_hash tx_lt reward',
  NominatorPoolValidatorRewardsResponse: 'total_on_page',
  NominatorReward: 'utime tx_hash tx_lt reward',
  NominatorRewardsResponse: 'total_on_page',
  Trace: 'start_lt start_utime trace_info',
  TraceMeta: 'trace_state messages transactions pending_messages',
  Transaction: 'account hash lt now total_fees description',
  TransactionDescr: 'type',
  V2AddressInformation: 'balance status',
  V2EstimateFeeResult: 'source_fees',
  V2EstimatedFee: 'in_fwd_fee storage_fee gas_fee fwd_fee',
  V2WalletInformation: 'balance status',
  ValidatorComplaint: 'cycle_start complaint_hash',
  ValidatorCycle: 'cycle_start cycle_end',
  ValidatorElection: 'election_id',
  ValidatorEvent: 'utime tx_hash tx_lt type amount',
  WalletState: 'address is_wallet',
}
/** A body's own list or lists of rows. */
const LIST =
  /^(?:accounts|wallets|actions|auctions|blocks|complaints|cycles|elections|events|rewards|nominator_pools|records|messages|orders|multisigs|traces|transactions|vesting_contracts|jetton_\w+|nft_\w+)$/
/** Fields inside optional objects: if one is missing, only its object is omitted. */
const LENIENT = /\.collection\.\w+$|\.nft_item\./

type Place = DescribedBody['places'][number]

/** Keeps one place for each field of an object. */
function onePerField(places: readonly Place[]): Place[] {
  return [...new Map(places.map((place) => [`${place.owner}.${place.name}`, place])).values()]
}

function isNeeded({ owner, name, keys }: Place): boolean {
  return NEEDED[owner]?.split(' ').includes(name) === true && !LENIENT.test(keys.join('.'))
}

function isList({ owner, name }: Place): boolean {
  return owner.endsWith('Response') && LIST.test(name)
}

async function problemOf(path: string, body: unknown): Promise<string | undefined> {
  // Every path of the descriptions has a method, as another test says.
  const name = methodOf(path) as EndpointName
  const text = JSON.stringify(body)
  const json = parseJson(text)
  const answer = { status: 200, headers: new Headers(), text, json, retryAfterMs: undefined }
  const reading = { endpoint: endpoints[name], decoder: decoders[name], params: {} }
  const read = readResult(answer, reading)
  return read.kind === 'ok' ? undefined : read.error({ endpoint: name, attempts: 1 }).message
}

/** Returns a body with another value at some places; `undefined` removes it. */
function bodyWith(body: unknown, places: readonly Place[], value: null | undefined): unknown {
  const copy = structuredClone(body)
  for (const { keys } of places) {
    const holder = keys
      .slice(0, -1)
      .reduce<unknown>(
        (inner, key) => (isHolder(inner) ? Reflect.get(inner, key) : undefined),
        copy,
      )
    if (isHolder(holder)) Reflect.set(holder, String(keys.at(-1)), value)
  }
  return copy
}

function isHolder(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

const bodies = descriptions.flatMap((file) =>
  describedBodies(file).map((described) => ({ file, ...described })),
)

describe('responses made from the descriptions', () => {
  it('cover all descriptions', () => {
    expect(bodies.length).toBeGreaterThan(60)
    expect(bodies.flatMap(({ places }) => places).length).toBeGreaterThan(4000)
  })

  it.each(bodies)('are accepted with every field: $path of $file', async ({ path, body }) => {
    expect(await problemOf(path, body)).toBeUndefined()
  })

  it.each(bodies)('have no field that the schema lacks: $path of $file', ({ path, body }) => {
    expect(undescribedIn(schemaOf(methodOf(path) as EndpointName), body)).toEqual([])
  })

  it.each(bodies)(
    'are accepted with any optional field null or absent: $path of $file',
    async ({ path, body, places }) => {
      for (const place of onePerField(places)) {
        for (const value of [null, undefined]) {
          const problem = await problemOf(path, bodyWith(body, [place], value))
          const isRefused = isNeeded(place) || (value === undefined && isList(place))
          expect({ place, value, isRefused: problem !== undefined, problem }).toMatchObject({
            isRefused,
          })
        }
      }
    },
  )

  it.each(bodies)(
    'are accepted with only the required fields: $path of $file',
    async (described) => {
      const { path, body, places } = described
      const others = places.filter((place) => !isNeeded(place) && !isList(place))
      expect(await problemOf(path, bodyWith(body, others, null))).toBeUndefined()
      expect(await problemOf(path, bodyWith(body, others, undefined))).toBeUndefined()
    },
  )
})
