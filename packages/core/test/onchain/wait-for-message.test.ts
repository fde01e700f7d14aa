import { describe, expect, it } from 'vitest'
import { describeTrace } from '../../src/onchain/describe-trace.js'
import { waitForMessage } from '../../src/onchain/wait-for-message.js'
import type { MessageProgress } from '../../src/onchain/wait-options.js'
import type { Trace } from '../../src/v3/schemas/trace.js'
import { capturedTrace } from './chain-stand-in.js'
import { boc, startCrossing } from './crossing.js'

/** What an index that counts only what it has says of the captured trace without one of its five transactions. */
const FOUR: Trace['trace_info'] = {
  trace_state: 'complete',
  messages: 4,
  transactions: 4,
  pending_messages: 0,
}

/** The trace as an index tells it that does not have the last of its transactions yet. */
function withoutLast(trace: ReturnType<typeof capturedTrace>): object {
  // The captured answer has them by hash.
  const entries = Object.entries(trace['transactions'] as object)
  return { ...trace, transactions: Object.fromEntries(entries.slice(0, -1)) }
}

describe('waitForMessage', () => {
  it('finds a message by itself, by its bytes, and by its hash in any spelling', async () => {
    const crossing = await startCrossing()
    const { chain, hash } = crossing
    chain.show('finalized')
    const bytes = Buffer.from(hash, 'base64')
    const spellings = [
      boc,
      Buffer.from(boc, 'base64'),
      hash,
      bytes.toString('hex'),
      bytes,
      { hash },
    ]
    for (const message of spellings) {
      const landed = await crossing.run(waitForMessage(crossing.clients.v3, message))
      expect(landed).toMatchObject({ hash, status: 'finalized', outcome: 'success' })
    }
    expect(chain.sentAtMs()).toEqual([])
    expect(chain.asked.length).toBe(spellings.length)
  })

  it('tells that a message has landed, and waits for what it causes', async () => {
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
    const described = steps.flatMap(({ trace }) => (trace ? describeTrace(trace) : []))
    expect(described[0]).toMatchObject({
      outcome: 'unknown',
      reason: 'the index does not have all of its transactions yet: 4 came',
      isComplete: false,
      isFinal: false,
    })
  })

  it('says in the error how far the message had come', async () => {
    const crossing = await startCrossing()
    crossing.chain.show('pending')
    const work = waitForMessage(crossing.clients.v3, crossing.hash, { timeoutMs: 5000 })
    await expect(crossing.run(work)).rejects.toMatchObject({
      code: 'ERR_TONPLUG_CONFIRMATION_TIMEOUT',
      status: 'pending',
      resume: { hash: crossing.hash },
      message: expect.stringContaining('only a forecast of it was there'),
    })
  })

  it.each<[string, object, string]>([
    ['broken', { trace_state: 'broken', pending_messages: 1 }, 'could not put the trace together'],
    ['too large', { transactions: 4001 }, 'the index does not tell its transactions: too large'],
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

  it('says in words what went wrong in a trace that has landed', async () => {
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

  it('ends by an abort, at once when it comes before', async () => {
    const crossing = await startCrossing()
    const reason = new Error('gone')
    const signal = AbortSignal.abort(reason)
    await expect(waitForMessage(crossing.clients.v3, boc, { signal })).rejects.toBe(reason)
    expect(crossing.chain.asked).toEqual([])
  })

  it('costs two requests for each look at a message that is not there', async () => {
    const crossing = await startCrossing()
    const work = waitForMessage(crossing.clients.v3, boc, { timeoutMs: 20_000 })
    await expect(crossing.run(work)).rejects.toMatchObject({ status: 'unseen' })
    expect(crossing.chain.asked.length).toBe(20)
  })
})
