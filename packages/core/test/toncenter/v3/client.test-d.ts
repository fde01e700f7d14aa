import type { V3DescribedTypes } from '../../../src/toncenter/v3/endpoints/table.js'
import type { V3EndpointTypes } from '../../../src/toncenter/v3/generated/types.js'
import type { V3Client } from '../../../src/toncenter/v3/client.js'
import type { V3Parameters, V3Result } from '../../../src/toncenter/v3/endpoint-types.js'
import { createV3Client } from '../../../src/toncenter/v3/client.js'
import { createTransport } from '../../../src/toncenter/transport/transport.js'

type Equal<One, Other> =
  (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? true : false

function expectType<_Proof extends true>(): void {}

declare const v3: V3Client
const address = 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N'
const hash = new Uint8Array(32)

createV3Client() satisfies V3Client
createV3Client({ network: 'testnet', apiKey: 'k' }) satisfies V3Client
createV3Client({ transport: createTransport() }) satisfies V3Client
// @ts-expect-error an unknown network
createV3Client({ network: 'devnet' })

async function useEmulation(): Promise<void> {
  const emulated = await v3.emulateTrace({ boc: hash })
  // @ts-expect-error it may be incomplete
  void emulated.transactions
  if (emulated.is_incomplete) void emulated.partial.transactions
  else void emulated.transactions
}
void useEmulation

// Parameters
void v3.masterchainInfo()
void v3.masterchainInfo({}, { signal: AbortSignal.timeout(5), priority: 'high' })
void v3.transactions()
void v3.transactions({ account: address, end_lt: '5', start_utime: new Date(), sort: 'asc' })
void v3.transactions({ account: [address, { toRawString: () => '0:…' }] })
void v3.accountStates({ address: [address] as readonly string[] })
void v3.messages({ opcode: 0x0f8a7ea5, msg_hash: [hash, 'aa'], source: 'null' })
void v3.blocks({ workchain: 0, shard: '8000000000000000', seqno: 5 })
void v3.blocks({ workchain: 0, shard: -1n })
void v3.decode({ opcodes: ['0x1', 2], bodies: hash })
void v3.runGetMethod({ address, method: 'seqno', stack: [{ type: 'number', value: 1n }] })
void v3.emulateTonConnect({ from: address, messages: { address, amount: 1n } })
void v3.emulateTonConnect({ from: address, messages: [{ address, amount: '1', payload: hash }] })
// @ts-expect-error the amount is required
void v3.emulateTonConnect({ from: address, messages: [{ address }] })
// @ts-expect-error the parameters are required
void v3.accountStates()
// @ts-expect-error the address is required
void v3.accountStates({})
// @ts-expect-error a misspelt parameter, which the server would ignore
void v3.transactions({ acount: address })
// @ts-expect-error a parameter of API v2
void v3.transactions({ address })
// @ts-expect-error parameters of an endpoint that takes none
void v3.masterchainInfo({ limit: 5 })
// @ts-expect-error an unknown sort order
void v3.transactions({ sort: 'up' })
// @ts-expect-error a limit is a number
void v3.transactions({ limit: '5' })
// @ts-expect-error a misspelt request option
void v3.masterchainInfo({}, { timeout: 5 })
// @ts-expect-error an unknown method
void v3.getTransactions({ address })
// @ts-expect-error API v3 takes no tuples
void v3.runGetMethod({ address, method: 'a', stack: [{ type: 'tuple', items: [] }] })
// @ts-expect-error API v3 takes names only
void v3.runGetMethod({ address, method: 5, stack: [] })

expectType<Equal<V3Parameters<'masterchainBlockShardState'>, { seqno: number }>>()

// Results
expectType<Equal<V3Result<'masterchainInfo'>['last']['seqno'], number>>()
expectType<Equal<V3Result<'masterchainInfo'>['last']['shard'], string>>()
expectType<Equal<V3Result<'blocks'>['blocks'][number]['gen_utime'], number>>()
expectType<Equal<V3Result<'blocks'>['blocks'][number]['start_lt'], bigint>>()
expectType<Equal<V3Result<'topAccountsByBalance'>, { account: string; balance: bigint }[]>>()
expectType<Equal<V3Result<'estimateFee'>['source_fees']['gas_fee'], bigint>>()

type Transaction = V3Result<'transactions'>['transactions'][number]
type Message = NonNullable<Transaction['in_msg']>
expectType<Equal<Transaction['total_fees'], bigint>>()
expectType<Equal<Transaction['now'], number>>()
expectType<Equal<Transaction['account'], string>>()
expectType<Equal<Transaction['out_msgs'], Message[]>>()
expectType<Equal<Message['value'], bigint | undefined>>()
expectType<Equal<Message['opcode'], string | undefined>>()
expectType<Equal<Message['created_at'], number | undefined>>()
expectType<Equal<Message['value_extra_currencies'], Record<string, bigint> | undefined>>()
expectType<Equal<NonNullable<Message['message_content']>['decoded'], unknown>>()
expectType<Equal<undefined extends Transaction['in_msg'] ? true : false, true>>()

export async function results(): Promise<void> {
  const { transactions, address_book } = await v3.transactions({ account: address })
  const [newest] = transactions
  // @ts-expect-error the list may be empty
  newest.total_fees satisfies bigint
  // @ts-expect-error a misspelt field
  void newest?.utime
  // @ts-expect-error a tick-tock transaction has no message
  void newest?.in_msg.value
  // @ts-expect-error a phase that did not take place is absent
  void newest?.description.compute_ph.success
  // @ts-expect-error the server may not send it
  void address_book[address]
  // @ts-expect-error not every address has an entry
  void (await v3.addressBook({ address }))[address].domain

  const { stack } = await v3.runGetMethod({ address, method: 'seqno', stack: [] })
  if (stack[0]?.type === 'number') stack[0].value satisfies bigint

  const anything = await v3.request({ path: '/new', params: { a: 1n, b: ['x'] } })
  // @ts-expect-error nothing is known about it
  anything.x satisfies unknown
  // @ts-expect-error GET takes no objects
  await v3.request({ path: '/new', params: { a: {} } })
}

// The written types are the types of the endpoints.
declare const written: V3EndpointTypes
declare const described: V3DescribedTypes
written satisfies V3DescribedTypes
described satisfies V3EndpointTypes
