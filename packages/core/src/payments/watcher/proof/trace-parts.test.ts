import { expect, it } from 'vitest'
import { readTraceParts, type PartReader } from './trace-parts.js'

/** An index with a chain of transactions, each the cause of the next one. */
function createChain(length: number) {
  const all = Array.from({ length }, (_, at) => ({
    hash: `t${at}`,
    lt: BigInt(at),
    now: 1,
    trace_id: 'x',
    account: '0:1',
    in_msg: { hash: `m${at}`, source: at === 0 ? undefined : '0:1', destination: '0:2' },
    out_msgs: at === length - 1 ? [] : [{ hash: `m${at + 1}`, source: '0:2', destination: '0:1' }],
  }))
  let requests = 0
  const client = {
    transactions: async ({ hash }: { hash: readonly string[] }) => {
      requests += 1
      return { transactions: all.filter((one) => hash.includes(one.hash)) }
    },
    messages: async ({ msg_hash }: { msg_hash: readonly string[] }) => {
      requests += 1
      const messages = msg_hash.map((hash) => {
        const at = Number(hash.slice(1))
        return { hash, in_msg_tx_hash: all[at]?.hash, out_msg_tx_hash: all[at - 1]?.hash }
      })
      return { messages }
    },
  }
  // The fields that reading a part needs.
  return { client: client as unknown as PartReader, requests: () => requests }
}

it.each([3, 100, 400, 600])(
  'reads a part of a trace with %i steps by few requests',
  async (length) => {
    const { client, requests } = createChain(length)

    const [part] = await readTraceParts(client, { large: [], hashes: ['t1'] }, {})

    expect(requests()).toBeLessThan(120)
    const known = part?.transactions_order.length ?? 0
    // One more than the known ones where the rest is missing.
    expect(part?.trace_info.transactions).toBe(length > 50 ? known + 1 : known)
  },
)
