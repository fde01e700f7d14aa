import type { V2DescribedTypes } from '../../../src/toncenter/v2/endpoints/table.js'
import type { V2EndpointTypes } from '../../../src/toncenter/v2/generated/types.js'
import type { V2Client } from '../../../src/toncenter/v2/client.js'
import type { V2Parameters, V2Result } from '../../../src/toncenter/v2/endpoint-types.js'
import { createV2Client } from '../../../src/toncenter/v2/client.js'
import { createTransport } from '../../../src/toncenter/transport/transport.js'

type Equal<One, Other> =
  (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? true : false

function expectType<_Proof extends true>(): void {}

declare const v2: V2Client
const address = 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N'
const hash = new Uint8Array(32)

createV2Client() satisfies V2Client
createV2Client({ network: 'testnet', apiKey: 'k', jsonRpc: true }) satisfies V2Client
createV2Client({ transport: createTransport(), jsonRpc: true }) satisfies V2Client
// @ts-expect-error an unknown network
createV2Client({ network: 'devnet' })

// Parameters
void v2.getMasterchainInfo()
void v2.getMasterchainInfo({}, { signal: AbortSignal.timeout(5), priority: 'high' })
void v2.getConfigAll()
void v2.getAddressBalance({ address: { toRawString: () => '0:…' } })
void v2.getTransactions({ address, lt: 5n, hash, to_lt: '0', limit: 5, archival: 'auto' })
void v2.lookupBlock({ workchain: 0, shard: -1n, unixtime: new Date() })
void v2.runGetMethod({ address, method: 'seqno', stack: [{ type: 'number', value: 1n }] })
// @ts-expect-error the parameters are required
void v2.getAddressBalance()
// @ts-expect-error the address is required
void v2.getAddressBalance({})
// @ts-expect-error a misspelt parameter
void v2.getTransactions({ address, limt: 5 })
// @ts-expect-error parameters of an endpoint that takes none
void v2.getMasterchainInfo({ seqno: 5 })
// @ts-expect-error a seqno is a number
void v2.getAddressBalance({ address, seqno: '5' })
// @ts-expect-error a misspelt request option
void v2.getMasterchainInfo({}, { timeout: 5 })
// @ts-expect-error an unknown method
void v2.getMasterchaininfo()

expectType<Equal<V2Parameters<'getMasterchainBlockSignatures'>, { seqno: number }>>()

// Results
expectType<Equal<V2Result<'getAddressBalance'>, bigint>>()
expectType<Equal<V2Result<'packAddress'>, string>>()
expectType<Equal<V2Result<'jsonRPC'>, unknown>>()
expectType<Equal<V2Result<'getMasterchainInfo'>['last']['seqno'], number>>()
expectType<Equal<V2Result<'getMasterchainInfo'>['last']['shard'], string>>()
expectType<Equal<V2Result<'estimateFee'>['source_fees']['gas_fee'], bigint>>()

type Transaction = V2Result<'getTransactions'>[number]
expectType<Equal<Transaction['fee'], bigint>>()
expectType<Equal<Transaction['utime'], number>>()
expectType<Equal<Transaction['transaction_id'], { lt: bigint; hash: string }>>()
expectType<Equal<NonNullable<Transaction['in_msg']>['value'], bigint>>()
expectType<Equal<undefined extends Transaction['in_msg'] ? true : false, true>>()

export async function results(): Promise<void> {
  const [newest] = await v2.getTransactions({ address })
  // @ts-expect-error the list may be empty
  newest.fee satisfies bigint
  // @ts-expect-error a misspelt field
  void newest?.utme
  // @ts-expect-error a tick-tock transaction has no message
  void newest?.in_msg.value
  const data = newest?.in_msg?.msg_data
  if (data?.['@type'] === 'msg.dataText') data.text satisfies string | undefined
  // @ts-expect-error only raw data has a body
  if (data?.['@type'] === 'msg.dataText') void data.body

  const token = await v2.getTokenData({ address })
  if (token.contract_type === 'jetton_master') token.total_supply satisfies bigint
  // @ts-expect-error a wallet has no supply
  if (token.contract_type === 'jetton_wallet') void token.total_supply

  const { account_state: state } = await v2.getExtendedAddressInformation({ address })
  if (state['@type'] === 'rwallet.accountState') state.unlocked_balance satisfies bigint

  const status = await v2.getAddressState({ address })
  status satisfies string

  const anything = await v2.request({ path: '/getNew', params: { a: 1n, b: ['x'] } })
  // @ts-expect-error nothing is known about it
  anything.x satisfies unknown
  // @ts-expect-error GET takes no objects
  await v2.request({ path: '/getNew', params: { a: {} } })
}

// The written types are the types of the endpoints.
declare const written: V2EndpointTypes
declare const described: V2DescribedTypes
written satisfies V2DescribedTypes
described satisfies V2EndpointTypes
