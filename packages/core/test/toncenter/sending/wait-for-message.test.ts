import { describe, expect, it } from 'vitest'
import { parseTrace } from '../../../src/toncenter/chain/parse-trace.js'
import { waitForMessage } from '../../../src/toncenter/chain/wait-for-message.js'
import type { MessageProgress } from '../../../src/toncenter/chain/wait-options.js'
import type { Trace } from '../../../src/toncenter/v3/schemas/trace.js'
import { capturedTrace } from './mock-network.js'
import { boc, startCrossing } from './crossing.js'

/** The recorded trace without one of its five transactions, as an index that counts only known ones writes it. */
const FOUR: Trace['trace_info'] = {
  trace_state: 'complete',
  messages: 4,
  transactions: 4,
  pending_messages: 0,
}

/** The trace in an index that does not have its last transaction yet. */
function withoutLast(trace: ReturnType<typeof capturedTrace>): object {
  // The captured answer has them by hash.
  const entries = Object.entries(trace['transactions'] as object)
  return { ...trace, transactions: Object.fromEntries(entries.slice(0, -1)) }
}

describe('waitForMessage', () => {
  it('finds a message by its cell, by its bytes, and by its hash in any encoding', async () => {
    const crossing = await startCrossing()
    const { chain, hash } = crossing
    chain.show('finalized')
    const bytes = Buffer.from(hash, 'base64')
    const encodings = [
      boc,
      Buffer.from(boc, 'base64'),
      hash,
      bytes.toString('hex'),
      bytes,
      { hash },
    ]
    for (const message of encodings) {
      const landed = await crossing.run(waitForMessage(crossing.clients.v3, message))
      expect(landed).toMatchObject({ hash, status: 'finalized', outcome: 'success' })
    }
    expect(chain.sentAtMs()).toEqual([])
    expect(chain.requests.length).toBe(encodings.length)
  })

  it('reports that a message has landed, and waits for the messages that it causes', async () => {
    const crossing = await startCrossing()
    const { chain } = crossing
    const trace = capturedTrace()
    const complete = JSON.stringify(trace)
    const trace_info = { ...trace.trace_info, trace_state: 'pending', pending_messages: 2 }
    chain.trace = JSON.stringify({ ...trace, trace_info })
    chain.show('finalized')
    crossing.at(9000, () => {
      chain.trace = complete
    })
    const steps: MessageProgress[] = []
    const onProgress = (step: MessageProgress): void => void steps.push(step)
    await crossing.run(waitForMessage(crossing.clients.v3, boc, { onProgress }))
    expect(steps.map(({ status }) => status)).toEqual(['landed', 'finalized'])
  })

  it.each<[string, Partial<Trace>]>([
    ['counts it', { transactions_order: [], trace: undefined }],
    ['names it in the order', { trace: undefined, trace_info: FOUR }],
    ['names it in the tree', { transactions_order: [], trace_info: FOUR }],
  ])('waits for a transaction that the index does not tell yet, but %s', async (_, more) => {
    const crossing = await startCrossing()
    const { chain } = crossing
    const whole = capturedTrace()
    chain.trace = JSON.stringify({ ...withoutLast(whole), ...more })
    chain.show('finalized')
    crossing.at(9000, () => {
      chain.trace = JSON.stringify(whole)
    })
    const steps: MessageProgress[] = []
    const onProgress = (step: MessageProgress): void => void steps.push(step)
    const landed = await crossing.run(waitForMessage(crossing.clients.v3, boc, { onProgress }))
    expect(steps.map(({ status }) => status)).toEqual(['landed', 'finalized'])
    expect(landed).toMatchObject({ outcome: 'success', transactions: { length: 5 } })
    const described = steps.flatMap(({ trace }) => (trace ? parseTrace(trace) : []))
    expect(described[0]).toMatchObject({
      outcome: 'unknown',
      reason: 'the index does not have all of its transactions yet: it returned 4',
      isComplete: false,
      isFinal: false,
    })
  })

  it('reports in the error how far the message had come', async () => {
    const crossing = await startCrossing()
    crossing.chain.show('pending')
    const work = waitForMessage(crossing.clients.v3, crossing.hash, { timeoutMs: 5000 })
    await expect(crossing.run(work)).rejects.toMatchObject({
      code: 'ERR_TONPLUG_CONFIRMATION_TIMEOUT',
      status: 'pending',
      checkpoint: { hash: crossing.hash },
      message: expect.stringContaining('only an emulated trace existed'),
    })
  })

  it.each<[string, object, string]>([
    ['broken', { trace_state: 'broken', pending_messages: 1 }, 'could not assemble the trace'],
    ['too large', { transactions: 4001 }, 'the index did not return its transactions: too large'],
  ])('answers one that is %s, and that nothing is known of its end', async (kind, info, reason) => {
    const crossing = await startCrossing()
    const { trace, transactions, transactions_order, ...rest } = capturedTrace()
    const large = { ...rest, is_incomplete: true, warning: 'too large' }
    const whole = { ...rest, trace, transactions, transactions_order }
    const sent = kind === 'broken' ? whole : large
    crossing.chain.trace = JSON.stringify({
      ...sent,
      trace_info: { ...rest.trace_info, ...info },
    })
    crossing.chain.show('finalized')
    const landed = await crossing.run(waitForMessage(crossing.clients.v3, boc))
    expect(landed).toMatchObject({
      status: 'finalized',
      outcome: 'unknown',
      reason: expect.stringContaining(reason),
    })
  })

  it('describes the failure in a trace that has landed', async () => {
    const crossing = await startCrossing()
    const { chain } = crossing
    chain.trace = chain.trace.replace(
      '"success":true,"valid":true,"no_funds":false',
      '"success":false,"valid":true,"no_funds":true',
    )
    chain.trace = chain.trace.replace('"result_code":0', '"result_code":37')
    chain.show('finalized')
    const landed = await crossing.run(waitForMessage(crossing.clients.v3, boc))
    expect(landed).toMatchObject({
      outcome: 'failure',
      reason: expect.stringMatching(
        /^0:[0-9A-F]{64}: its actions failed with result code 37 \(not/,
      ),
    })
  })

  it('ends when it is aborted, immediately if it was aborted before', async () => {
    const crossing = await startCrossing()
    const reason = new Error('gone')
    const signal = AbortSignal.abort(reason)
    await expect(waitForMessage(crossing.clients.v3, boc, { signal })).rejects.toBe(reason)
    expect(crossing.chain.requests).toEqual([])
  })

  it('costs two requests for each search of a missing message', async () => {
    const crossing = await startCrossing()
    const work = waitForMessage(crossing.clients.v3, boc, { timeoutMs: 20_000 })
    await expect(crossing.run(work)).rejects.toMatchObject({ status: 'unseen' })
    expect(crossing.chain.requests.length).toBe(20)
  })
})
