import { Address, beginCell } from '@ton/core'
import { describe, expect, it } from 'vitest'
import {
  findRefundMessage,
  type RefundReader,
} from '../../../src/payments/ledger/refund-message.js'
import { canonicalTransactionHash } from '../../../src/payments/orders/transaction-hash.js'
import { canonicalAddress } from '../../../src/shared/address.js'
import type { V3Result } from '../../../src/toncenter/v3/endpoint-types.js'
import {
  bouncedBy,
  rawOf,
  writeTrace,
  type WrittenTransaction,
} from '../../toncenter/sending/written-trace.js'

const [shop, payer, stranger] = [0xa1, 0xb0, 0xca].map(
  (fill) => new Address(0, Buffer.alloc(32, fill)),
) as [Address, Address, Address]
const signed = beginCell().storeUint(0x7369676e, 32).endCell()
const bodyHash = 'the hash of the body'

/** A trace in which the shop's wallet returns one coin. */
interface Sent {
  trace: V3Result<'traces'>
  hash: string
  sentIn: string
}

async function send(
  refund: Partial<WrittenTransaction> = {},
  value = 1_000_000_000n,
): Promise<Sent> {
  const message = { from: shop, to: payer, value }
  const trace = await writeTrace({
    in: { from: null, to: shop, body: signed },
    out: [{ in: message, ...refund }],
  })
  const [first] = trace.traces
  const [sentIn = ''] = first?.transactions_order ?? []
  const hash = first?.transactions?.[sentIn]?.out_msgs[0]?.hash ?? ''
  return { trace, hash, sentIn }
}

const bounced = {
  description: bouncedBy(1),
  out: [{ in: { from: payer, to: shop, bounced: true } }],
}

interface Listed {
  hash: string
  source?: string
  out_msg_tx_hash?: string
  created_lt?: bigint
}

/** An index that lists these messages, and has these traces. */
function indexOf(messages: readonly Listed[], traces: readonly Sent[]): RefundReader {
  const reader = {
    messages: async (query: object) => {
      const expected = { body_hash: bodyHash, source: wallet, direction: 'out' }
      expect(query).toMatchObject(expected)
      return { messages: messages.map((message) => ({ source: rawOf(shop), ...message })) }
    },
    traces: async ({ tx_hash: [sentIn] }: { tx_hash: string[] }) =>
      traces.find((sent) => sent.sentIn === sentIn)?.trace ?? { traces: [] },
  }
  return reader as unknown as RefundReader
}

const wallet = canonicalAddress(rawOf(shop))
const find = (
  messages: readonly Listed[],
  traces: readonly Sent[],
): ReturnType<typeof findRefundMessage> =>
  findRefundMessage(indexOf(messages, traces), { wallet, bodyHash })
const listed = ({ hash, sentIn }: Sent, lt = 1n): Listed => ({
  hash,
  out_msg_tx_hash: sentIn,
  created_lt: lt,
})
const foundAs = (state: string, { hash, sentIn }: Sent): object => ({
  hash,
  refund: { state, txHash: canonicalTransactionHash(sentIn) },
})

describe('the search for the message of a refund', () => {
  it('returns undefined when the wallet sent none', async () => {
    expect(await find([], [])).toBeUndefined()
  })

  it('returns a message that arrived as the refund', async () => {
    const sent = await send()
    expect(await find([listed(sent)], [sent])).toEqual(foundAs('refunded', sent))
  })

  it('ignores the same message of another wallet', async () => {
    const sent = await send()
    const foreign = { ...listed(sent), source: rawOf(stranger) }
    expect(await find([foreign], [sent])).toBeUndefined()
  })

  it('ignores a message without a source', async () => {
    const sent = await send()
    const reader = indexOf([], [sent])
    const messages = [listed(sent)]
    const nameless = { ...reader, messages: async () => ({ messages }) } as unknown as RefundReader
    expect(await findRefundMessage(nameless, { wallet, bodyHash })).toBeUndefined()
  })

  it('returns undefined for a message that bounced', async () => {
    const sent = await send(bounced)
    expect(await find([listed(sent)], [sent])).toBeUndefined()
  })

  it('finds the message that arrived after one that bounced', async () => {
    const [returned, sent] = [await send(bounced, 2n), await send({}, 3n)]
    const second = { ...sent, sentIn: 'b'.repeat(64) }
    expect(await find([listed(returned), listed(second, 2n)], [returned, second])).toEqual(
      foundAs('refunded', second),
    )
  })

  it('returns the older of two messages that arrived, in whatever order they are listed', async () => {
    const older = await send()
    const newer = { ...older, sentIn: 'c'.repeat(64) }
    expect(await find([listed(newer, 7n), listed(older, 5n)], [older, newer])).toEqual(
      foundAs('refunded', older),
    )
    expect(await find([listed(older, 5n), listed(newer, 7n)], [older, newer])).toEqual(
      foundAs('refunded', older),
    )
  })

  it('prefers a message that arrived to an older one that is on its way', async () => {
    const arrived = await send()
    const pending = { ...arrived, sentIn: 'd'.repeat(64) }
    expect(await find([listed(pending, 1n), listed(arrived, 2n)], [arrived])).toEqual(
      foundAs('refunded', arrived),
    )
  })

  it('reports a message as sent while the index does not return its trace', async () => {
    const sent = await send()
    expect(await find([listed(sent)], [])).toEqual(foundAs('sent', sent))
  })

  it('reports a message as sent while the trace is incomplete', async () => {
    const sent = await send({ out: [{ from: payer, to: stranger, value: 1n }] })
    expect(await find([listed(sent)], [sent])).toEqual(foundAs('sent', sent))
  })

  it('reports a message as sent while its block is not final', async () => {
    const sent = await send({ marks: { finality: 'confirmed' } })
    expect(await find([listed(sent)], [sent])).toEqual(foundAs('sent', sent))
  })

  it('reports a message as sent when the trace does not contain it', async () => {
    const sent = await send()
    const other = { ...sent, hash: 'e'.repeat(64) }
    expect(await find([listed(other)], [sent])).toEqual(foundAs('sent', other))
  })

  it.each([undefined, ''])(
    'waits when the index names the transaction that sent the message as %o',
    async (sentIn) => {
      const { hash } = await send()
      const message: Listed = { hash, ...(sentIn === undefined ? {} : { out_msg_tx_hash: sentIn }) }
      const reason = 'the index does not name the transaction that sent the transfer'
      expect(await find([message], [])).toEqual({ hash, refund: { state: 'waiting', reason } })
    },
  )
})
