import { internal, toNano } from '@ton/core'
import { createPaymentVerifier, type TransferData } from '@tonplug/core'
import { createTransport, createV3Client, type Fetch } from '@tonplug/core/toncenter'
import { createFakeClock } from '@tonplug/testing'
import { walletV4 } from '@tonplug/simulator'
import { describe, expect, it } from 'vitest'
import { serveChain } from '../../toncenter/chain/served-chain.js'
import { bodyOf, claimOf, createPayer, orderFor } from './payer.js'
import { lying, type Lie } from './two-sources.js'

const ours = walletV4(90).wallet.address
const COUNT = 4
const DOWN = { status: 500, body: '{"error":"down"}' }

type Verdict = Awaited<ReturnType<ReturnType<typeof createPaymentVerifier>['verify']>>

/** A wallet that has paid four orders in one batch, and a verifier. */
async function startBatch(fetches: readonly (Fetch | undefined)[] = [], count: 1 | 2 = 1) {
  const { chain, v3Server } = await serveChain()
  const payer = await createPayer(chain, 80)
  const numbers = Array.from({ length: COUNT }, (_, number) => number)
  const payments = numbers.map((number) => ({ reference: `order-${number}`, value: toNano(1) }))
  const batch = payments.map(({ reference, value }) =>
    internal({ to: ours, value, bounce: false, body: bodyOf(reference) }),
  )
  const root = await payer.send(batch)
  const paid = root.children.map((child, number) => {
    const { reference, value: amount } = payments[number]!
    const body = bodyOf(reference)
    return claimOf(child, { reference, sender: payer.address, to: ours, amount, body })
  })
  const clock = createFakeClock()
  const index = (fetch: Fetch = globalThis.fetch) =>
    createV3Client({
      transport: createTransport({
        baseUrl: v3Server.url,
        rps: Infinity,
        fetch,
        retry: { maxAttempts: 1 },
      }),
    })
  const sources = count === 1 ? [index(fetches[0])] : [index(fetches[0]), index(fetches[1])]
  const verifier = createPaymentVerifier({ sources: sources as [(typeof sources)[0]], clock })
  const prove = (
    transfer: TransferData,
    signal: AbortSignal = new AbortController().signal,
  ): Promise<Verdict> => verifier.verify({ transfer, order: orderFor(transfer) }, { signal })
  const reads = (): number => v3Server.requests.filter(({ path }) => path.includes('traces')).length
  const proveAll = async (): Promise<string[]> =>
    (await Promise.all(paid.map((one) => prove(one)))).map(outcomeOf)
  return { v3Server, clock, paid, prove, proveAll, reads }
}

function outcomeOf(verdict: Verdict): string {
  return verdict.kind === 'verified' ? verdict.kind : `${verdict.kind} ${verdict.reason}`
}

/** Changes the first response with a trace. */
function lyingOnce(lie: Lie): Fetch {
  let isFirst = true
  return lying((text) => {
    if (!isFirst || !text.includes('"traces"')) return text
    isFirst = false
    return lie(text)
  })
}

/** Removes the transaction of the last payment, as if the trace had not had it. */
function withoutLast(text: string): string {
  const response = JSON.parse(text)
  const [trace] = response.traces
  const last: string = trace.transactions_order.pop()
  const { in_msg } = trace.transactions[last]
  delete trace.transactions[last]
  const root = trace.transactions[trace.trace.tx_hash]
  root.out_msgs = root.out_msgs.filter(({ hash }: { hash: string }) => hash !== in_msg.hash)
  trace.trace.children = trace.trace.children.filter(
    ({ tx_hash }: { tx_hash: string }) => tx_hash !== last,
  )
  trace.trace_info.transactions--
  trace.trace_info.messages--
  return JSON.stringify(response)
}

const all = (outcome: string): string[] => Array.from({ length: COUNT }, () => outcome)

describe('payments in one trace', () => {
  it('are proven by one response, at once and within half a minute', async () => {
    const { clock, proveAll, reads } = await startBatch()
    expect([await proveAll(), reads()]).toEqual([all('verified'), 1])
    await clock.advance(29_999)
    expect([await proveAll(), reads()]).toEqual([all('verified'), 1])
    await clock.advance(1)
    expect([await proveAll(), reads()]).toEqual([all('verified'), 2])
  })

  it.each<[string, Lie]>([
    ['goes on', (text) => text.replace('"pending_messages":0', '"pending_messages":1')],
    ['is not final', (text) => text.replaceAll('"finality":"finalized"', '"finality":"confirmed"')],
    [
      'lacks a body',
      (text) => text.replaceAll(/"message_content":\{[^}]*\}/g, '"message_content":null'),
    ],
  ])('are read again when the trace %s', async (_, lie) => {
    const { paid, prove, proveAll, reads } = await startBatch([lyingOnce(lie)])
    expect((await prove(paid[0]!)).kind).toBe('pending')
    expect([await proveAll(), reads()]).toEqual([all('verified'), 2])
  })

  it('are proven when the trace has grown since it was read', async () => {
    const { paid, prove, proveAll, reads } = await startBatch([lyingOnce(withoutLast)])
    expect(outcomeOf(await prove(paid[0]!))).toBe('verified')
    expect(reads()).toBe(1)
    expect(outcomeOf(await prove(paid[3]!))).toBe('verified')
    expect([await proveAll(), reads()]).toEqual([all('verified'), 2])
  })

  it('are proven beside claims on the trace that are not true', async () => {
    const { paid, prove, proveAll, reads } = await startBatch()
    await proveAll()
    const forged = { ...paid[0]!, rawAmount: toNano(2).toString() }
    const foreign = { ...paid[1]!, recipientAddr: walletV4(91).wallet.address.toString() }
    expect(outcomeOf(await prove(forged))).toBe('contradicted other_amount')
    expect(outcomeOf(await prove(foreign))).toBe('contradicted other_recipient')
    // No trace that was read for another payment refutes one.
    expect(reads()).toBe(3)
    expect([await proveAll(), reads()]).toEqual([all('verified'), 3])
  })

  it('are proven when one report names the trace of another payment', async () => {
    const { paid, prove, proveAll } = await startBatch()
    const [first, second] = paid
    const wrong = { ...first!, txHash: 'ab'.repeat(32) }
    const verdicts = await Promise.all([prove(wrong), prove(second!), prove(first!)])
    expect(verdicts.map(outcomeOf)).toEqual(['pending not_found', 'verified', 'verified'])
    expect(await proveAll()).toEqual(all('verified'))
  })

  it('are read again after an error', async () => {
    const { v3Server, proveAll, reads } = await startBatch()
    v3Server.fault = () => DOWN
    expect([await proveAll(), reads()]).toEqual([all('pending unreachable'), 1])
    v3Server.fault = undefined
    expect([await proveAll(), reads()]).toEqual([all('verified'), 2])
  })

  it('do not inherit a lie of the second source', async () => {
    const lie: Lie = (text) => text.replaceAll('"1000000000"', '"2000000000"')
    const { paid, prove, proveAll, reads } = await startBatch([undefined, lyingOnce(lie)], 2)
    expect(outcomeOf(await prove(paid[0]!))).toBe('contradicted sources_differ')
    expect(reads()).toBe(2)
    expect(await proveAll()).toEqual(all('verified'))
  })

  it('are refused while the second source lies', async () => {
    const lie: Lie = (text) => text.replaceAll('"1000000000"', '"2000000000"')
    const { proveAll } = await startBatch([undefined, lying(lie)], 2)
    expect(await proveAll()).toEqual(all('contradicted sources_differ'))
    expect(await proveAll()).toEqual(all('contradicted sources_differ'))
  })

  it('are proven when the proof that has asked is aborted, and abort the request together', async () => {
    const { v3Server, paid, prove, reads } = await startBatch()
    const [first, second] = [new AbortController(), new AbortController()]
    const begin = () => [prove(paid[0]!, first.signal), prove(paid[1]!, second.signal)] as const
    const [aborted, proven] = begin()
    first.abort(new Error('closed'))
    await expect(aborted).rejects.toThrow('closed')
    expect([outcomeOf(await proven), reads()]).toEqual(['verified', 1])
    v3Server.fault = () => 'hang'
    const third = new AbortController()
    const hanging = prove({ ...paid[2]!, txHash: 'cd'.repeat(32) }, third.signal)
    await expect.poll(() => v3Server.hanging).toBe(1)
    third.abort(new Error('closed'))
    await expect(hanging).rejects.toThrow('closed')
    await expect.poll(() => v3Server.hanging).toBe(0)
  })
})
