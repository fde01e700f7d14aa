import { createFakeClock } from '@tonplug/testing'
import { expect, it } from 'vitest'
import type { V3Trace, V3Transaction } from '../../../toncenter/v3/generated/types.js'
import { createTraceReader, type TraceSource } from './trace-reader.js'

/** Returns a final trace of transactions without messages between accounts. Its hashes begin with its number. */
function traceOf(number: number, size: number): V3Trace {
  const rows = Array.from({ length: size }, (_, place): [string, V3Transaction] => {
    const hash = Buffer.from(hashOf(number, place), 'hex').toString('base64')
    const fields = { hash, lt: BigInt(place + 1), now: 1, account: '', total_fees: 0n }
    const state = { finality: 'finalized', out_msgs: [], description: { type: 'ord' } }
    return [hash, { ...fields, ...state } as unknown as V3Transaction]
  })
  const counts = { messages: size, transactions: size, pending_messages: 0 }
  return {
    start_lt: 1n,
    start_utime: 1,
    trace_info: { trace_state: 'complete', ...counts },
    transactions_order: rows.map(([hash]) => hash),
    transactions: Object.fromEntries(rows),
  }
}

function hashOf(number: number, place: number): string {
  return `${number.toString(16).padStart(32, '0')}${place.toString(16).padStart(32, '0')}`
}

it('shares traces of at most 4,000 transactions', async () => {
  const reads: number[] = []
  const traces = async ({ tx_hash }: { tx_hash: readonly string[] }) => {
    const number = Number.parseInt(String(tx_hash[0]).slice(0, 32), 16)
    reads.push(number)
    return { traces: [traceOf(number, 1500)], address_book: {}, metadata: {} }
  }
  const clock = createFakeClock()
  const reader = createTraceReader({ traces } as unknown as TraceSource, clock)
  const { signal } = new AbortController()
  const find = (number: number, place: number) =>
    reader.find({ txHash: hashOf(number, place) }, { signal })
  for (const number of [1, 2, 1, 2]) await find(number, 7)
  expect(reads).toEqual([1, 2])
  // The oldest one makes room for the third.
  for (const number of [3, 2, 3, 1]) await find(number, 1499)
  expect(reads).toEqual([1, 2, 3, 1])
})

it('aborts a read that several proofs wait for when all of them have ended', async () => {
  const signals: AbortSignal[] = []
  const traces = (_: unknown, { signal }: { signal: AbortSignal }) => {
    signals.push(signal)
    return new Promise<never>(() => undefined)
  }
  const reader = createTraceReader({ traces } as unknown as TraceSource, createFakeClock())
  const endings = [1, 2].map(() => new AbortController())
  const found = endings.map(({ signal }) => reader.find({ txHash: hashOf(1, 7) }, { signal }))
  for (const [index, ending] of endings.entries()) {
    ending.abort()
    await expect(found[index]).rejects.toThrow('aborted')
    expect(signals.map(({ aborted }) => aborted)).toEqual([index === 1])
  }
})
