import { describe, expect, it } from 'vitest'
import { createSendCheckpoint } from '../../../src/toncenter/chain/send-checkpoint.js'
import { sendAndWait, type SendClients } from '../../../src/toncenter/chain/send-and-wait.js'
import type { MessageProgress } from '../../../src/toncenter/chain/wait-options.js'
import { waitForMessage } from '../../../src/toncenter/chain/wait-for-message.js'
import type { RateLimiter } from '../../../src/toncenter/transport/rate-limiter.js'
import { isTonplugError } from '../../../src/shared/tonplug-error.js'
import { LIMITED, REFUSED_KEY, type Reception } from './mock-network.js'
import { boc, startCrossing, type Crossing } from './crossing.js'

/** The error that the work ends with. */
async function failureOf(work: Promise<unknown>): Promise<unknown> {
  return await work.then(
    () => undefined,
    (error: unknown) => error,
  )
}

function validUntilIn({ clock }: Crossing, seconds: number): number {
  return Math.floor(clock.nowMs() / 1000) + seconds
}

describe('sendAndWait', () => {
  it('reports each step from the pending to the final blocks, and then the trace', async () => {
    const crossing = await startCrossing()
    const { clients, chain, hash } = crossing
    crossing.at(1000, () => chain.show('pending'))
    crossing.at(5000, () => chain.show('confirmed'))
    crossing.at(9000, () => chain.show('finalized'))
    const steps: MessageProgress[] = []
    const landed = await crossing.run(
      sendAndWait(clients, boc, { onProgress: (step) => void steps.push(step) }),
    )
    expect(steps.map(({ status }) => status)).toEqual(['pending', 'confirmed', 'finalized'])
    expect(steps.every(({ trace }) => trace?.trace_id === landed.trace.trace_id)).toBe(true)
    expect(landed).toMatchObject({ hash, status: 'finalized', outcome: 'success' })
    expect(landed.reason).toBeUndefined()
    expect(landed.transactions.map((one) => one.hash)).toEqual(landed.trace.transactions_order)
    expect(landed.transactions[0]?.in_msg?.source).toBeUndefined()
    expect(chain.sentAtMs()).toEqual([0])
    expect(chain.requests[0]?.body).toBe(JSON.stringify({ boc }))
  })

  it('requests only confirmed traces when those are enough', async () => {
    const crossing = await startCrossing()
    crossing.chain.show('confirmed')
    const landed = await crossing.run(sendAndWait(crossing.clients, boc, { until: 'confirmed' }))
    expect(landed.status).toBe('confirmed')
  })

  it('sends again every ten seconds until the message has landed', async () => {
    const crossing = await startCrossing()
    const { chain } = crossing
    crossing.at(21_000, () => chain.show('finalized'))
    await crossing.run(sendAndWait(crossing.clients, boc))
    expect(chain.sentAtMs()).toEqual([0, 10_000, 20_000])
  })

  it('does not send again while a trace is pending, and does when it is gone', async () => {
    const crossing = await startCrossing()
    const { chain } = crossing
    const steps: string[] = []
    crossing.at(1000, () => chain.show('pending'))
    crossing.at(25_000, () => chain.drop())
    crossing.at(30_000, () => chain.show('finalized'))
    await crossing.run(
      sendAndWait(crossing.clients, boc, { onProgress: ({ status }) => void steps.push(status) }),
    )
    expect(steps).toEqual(['pending', 'unseen', 'finalized'])
    expect(chain.sentAtMs()).toEqual([0, 26_000])
  })

  it('finds the message in an index that is forty seconds behind', async () => {
    const crossing = await startCrossing()
    const { chain, clock } = crossing
    const startMs = clock.nowMs()
    chain.lagMs = 40_000
    chain.receptions = ['take', 'reject']
    crossing.at(1000, () => chain.show('finalized'))
    const landed = await crossing.run(sendAndWait(crossing.clients, boc))
    expect(landed.outcome).toBe('success')
    expect(clock.nowMs() - startMs).toBeGreaterThanOrEqual(41_000)
  })

  it.each<Reception>(['lost', 'busy', 'duplicate'])(
    'finds a message that landed although the first answer was: %s',
    async (reception) => {
      const crossing = await startCrossing({ retry: { maxAttempts: 1 } })
      const { chain } = crossing
      chain.receptions = [reception, 'reject']
      crossing.at(500, () => chain.show('finalized'))
      chain.lagMs = 25_000
      const landed = await crossing.run(sendAndWait(crossing.clients, boc))
      expect(landed.outcome).toBe('success')
      expect(chain.sentAtMs().length).toBeGreaterThan(1)
    },
  )

  it('does not treat the rejection of a resend as a failure, whichever attempt was lost', async () => {
    const crossing = await startCrossing()
    const { chain } = crossing
    // The transport sends again by itself, and receives the rejection.
    chain.receptions = ['lost', 'reject']
    crossing.at(100_000, () => chain.show('finalized'))
    const landed = await crossing.run(sendAndWait(crossing.clients, boc))
    expect(landed.outcome).toBe('success')
  })

  it('lands without a list of pending traces, as on some servers', async () => {
    const crossing = await startCrossing()
    crossing.chain.hasForecasts = false
    crossing.at(3000, () => crossing.chain.show('finalized'))
    expect((await crossing.run(sendAndWait(crossing.clients, boc))).status).toBe('finalized')
  })

  it('sends with priority once, and without it from then on', async () => {
    const priorities: string[] = []
    const limiter: RateLimiter = {
      acquire: async ({ priority }) => void priorities.push(priority),
      pause: () => undefined,
    }
    const crossing = await startCrossing({ limiter, rps: undefined })
    crossing.at(11_000, () => crossing.chain.show('finalized'))
    await crossing.run(sendAndWait(crossing.clients, boc))
    expect(priorities[0]).toBe('normal')
    expect(new Set(priorities.slice(1))).toEqual(new Set(['low']))
  })
})

describe('a message that a node rejects immediately', () => {
  it('is rejected when the index is as far as the node and does not have it', async () => {
    const crossing = await startCrossing()
    const { chain, clock } = crossing
    const startMs = clock.nowMs()
    chain.receptions = ['reject']
    chain.lagMs = 30_000
    const error = await crossing.run(failureOf(sendAndWait(crossing.clients, boc)))
    expect(error).toMatchObject({ code: 'ERR_TONPLUG_MESSAGE_REJECTED', exitCode: 33 })
    expect(clock.nowMs() - startMs).toBeGreaterThanOrEqual(30_000 + 16 * 400)
    expect(chain.sentAtMs()).toEqual([0])
  })

  it('is not rejected when it had landed before and the index is behind', async () => {
    const crossing = await startCrossing()
    const { chain } = crossing
    chain.receptions = ['reject']
    chain.show('finalized')
    chain.lagMs = 30_000
    expect((await crossing.run(sendAndWait(crossing.clients, boc))).outcome).toBe('success')
  })

  it('is not rejected when the index shows it shortly after newer blocks', async () => {
    const crossing = await startCrossing()
    crossing.chain.receptions = ['reject']
    // The look at 8 s is the first one with sixteen blocks more.
    crossing.at(9000, () => crossing.chain.show('finalized'))
    expect((await crossing.run(sendAndWait(crossing.clients, boc))).outcome).toBe('success')
  })

  it('has an unknown outcome while the index does not advance', async () => {
    const crossing = await startCrossing()
    crossing.chain.receptions = ['reject']
    crossing.chain.lagMs = 3_600_000
    const error = await crossing.run(failureOf(sendAndWait(crossing.clients, boc)))
    expect(error).toMatchObject({
      code: 'ERR_TONPLUG_CONFIRMATION_TIMEOUT',
      cause: { code: 'ERR_TONPLUG_MESSAGE_REJECTED' },
    })
  })

  it('has an unknown outcome when it may have been sent before', async () => {
    const crossing = await startCrossing()
    crossing.chain.receptions = ['reject']
    const checkpoint = await createSendCheckpoint(boc)
    const error = await crossing.run(failureOf(sendAndWait(crossing.clients, checkpoint)))
    expect(error).toMatchObject({ code: 'ERR_TONPLUG_CONFIRMATION_TIMEOUT' })
  })
})

describe('a message that never lands', () => {
  it('has expired when the index has everything up to a minute after validUntil', async () => {
    const crossing = await startCrossing()
    const { chain, clock } = crossing
    chain.lagMs = 20_000
    const startMs = clock.nowMs()
    const validUntil = validUntilIn(crossing, 25)
    const options = { validUntil, timeoutMs: 300_000 }
    const error = await crossing.run(failureOf(sendAndWait(crossing.clients, boc, options)))
    expect(error).toMatchObject({
      code: 'ERR_TONPLUG_MESSAGE_EXPIRED',
      message: expect.stringContaining(crossing.hash),
      status: 'unseen',
      checkpoint: { hash: crossing.hash, boc, validUntil },
    })
    expect(clock.nowMs() - startMs).toBeGreaterThan(25_000 + 60_000 + 20_000)
    expect(chain.sentAtMs()).toEqual([0, 10_000, 20_000])
  })

  it('is sent although this clock is past validUntil, which refers to chain time', async () => {
    const crossing = await startCrossing()
    crossing.at(1000, () => crossing.chain.show('finalized'))
    const options = { validUntil: validUntilIn(crossing, -30), timeoutMs: 300_000 }
    const landed = await crossing.run(sendAndWait(crossing.clients, boc, options))
    expect(landed.outcome).toBe('success')
    expect(crossing.chain.sentAtMs()).toEqual([0])
  })

  it('is reported as rejected when the chain is past validUntil too', async () => {
    const crossing = await startCrossing()
    crossing.chain.receptions = ['reject']
    const options = { validUntil: validUntilIn(crossing, -30), timeoutMs: 300_000 }
    const error = await crossing.run(failureOf(sendAndWait(crossing.clients, boc, options)))
    expect(error).toMatchObject({ code: 'ERR_TONPLUG_MESSAGE_REJECTED' })
  })

  it('has not expired while its trace is pending', async () => {
    const crossing = await startCrossing()
    crossing.chain.show('pending')
    crossing.at(200_000, () => crossing.chain.show('finalized'))
    const options = { validUntil: validUntilIn(crossing, 5), timeoutMs: 300_000 }
    const landed = await crossing.run(sendAndWait(crossing.clients, boc, options))
    expect(landed.status).toBe('finalized')
  })

  it('is waited for until timeoutMs, and later from the checkpoint point, as JSON', async () => {
    const crossing = await startCrossing()
    const { chain, clock, clients } = crossing
    const startMs = clock.nowMs()
    const error = await crossing.run(failureOf(sendAndWait(clients, boc, { timeoutMs: 30_500 })))
    expect(clock.nowMs() - startMs).toBe(30_500)
    expect(error).toMatchObject({
      code: 'ERR_TONPLUG_CONFIRMATION_TIMEOUT',
      message: expect.stringMatching(
        /did not have it after timeoutMs \(30500\).*do not sign another/,
      ),
      retryable: true,
      status: 'unseen',
      checkpoint: { hash: crossing.hash, boc },
    })
    const { checkpoint } = error as { checkpoint: Parameters<typeof sendAndWait>[1] }
    const stored = JSON.parse(JSON.stringify(checkpoint)) as Parameters<typeof sendAndWait>[1]
    chain.show('finalized')
    const sent = chain.sentAtMs().length
    expect((await crossing.run(sendAndWait(clients, stored))).outcome).toBe('success')
    expect((await crossing.run(waitForMessage(clients.v3, stored))).outcome).toBe('success')
    expect(chain.sentAtMs().length).toBe(sent)
  })

  it('has an unknown outcome when the rate limit prevented every send', async () => {
    const crossing = await startCrossing({
      limiter: { acquire: () => new Promise<void>(() => undefined), pause: () => undefined },
      rps: undefined,
    })
    const error = await crossing.run(failureOf(sendAndWait(crossing.clients, boc)))
    expect(error).toMatchObject({
      code: 'ERR_TONPLUG_CONFIRMATION_TIMEOUT',
      cause: { code: 'ERR_TONPLUG_TIMEOUT', attempts: 0 },
    })
    expect(crossing.chain.requests).toEqual([])
  })
})

describe('a search that is behind the newest block of the index', () => {
  const asksOf = ({ chain }: Crossing) => {
    const accounts = chain.requests.filter(({ path }) => path === '/api/v2/getAddressInformation')
    const transactions = chain.requests.filter(({ query }) => query.has('tx_hash'))
    return { accounts: accounts.length, transactions: transactions.length }
  }

  it('does not report a landed message as expired', async () => {
    const crossing = await startCrossing()
    crossing.chain.searchLagMs = 200_000
    crossing.at(1000, () => crossing.chain.show('finalized'))
    const options = { validUntil: validUntilIn(crossing, 25), timeoutMs: 300_000 }
    const landed = await crossing.run(sendAndWait(crossing.clients, boc, options))
    expect(landed.outcome).toBe('success')
    const [about] = crossing.chain.requests.filter(({ path }) =>
      path.endsWith('AddressInformation'),
    )
    expect(about?.query.get('address')).toBe(`0:${'07'.repeat(32)}`)
    expect(asksOf(crossing).accounts).toBe(1)
  })

  it('leaves the outcome open when timeoutMs is over, and warns against another message', async () => {
    const crossing = await startCrossing()
    crossing.chain.searchLagMs = 3_600_000
    crossing.at(1000, () => crossing.chain.show('finalized'))
    const options = { validUntil: validUntilIn(crossing, 25) }
    const error = await crossing.run(failureOf(sendAndWait(crossing.clients, boc, options)))
    expect(error).toMatchObject({
      code: 'ERR_TONPLUG_CONFIRMATION_TIMEOUT',
      message: expect.stringContaining('do not sign another one'),
    })
  })

  it('does not report a message that had landed before as rejected', async () => {
    const crossing = await startCrossing()
    crossing.chain.receptions = ['reject']
    crossing.chain.searchLagMs = 100_000
    crossing.chain.show('finalized')
    expect((await crossing.run(sendAndWait(crossing.clients, boc))).outcome).toBe('success')
  })

  it('is not considered current because a node is behind as well', async () => {
    const crossing = await startCrossing()
    Object.assign(crossing.chain, { searchLagMs: 200_000, accountLagMs: 150_000 })
    crossing.at(1000, () => crossing.chain.show('finalized'))
    const options = { validUntil: validUntilIn(crossing, 25), timeoutMs: 300_000 }
    const landed = await crossing.run(sendAndWait(crossing.clients, boc, options))
    expect(landed.outcome).toBe('success')
  })

  it('is excluded by two requests, which happen only at the verdict', async () => {
    const crossing = await startCrossing()
    const options = { validUntil: validUntilIn(crossing, 25) }
    const error = await crossing.run(failureOf(sendAndWait(crossing.clients, boc, options)))
    expect(error).toMatchObject({ code: 'ERR_TONPLUG_MESSAGE_EXPIRED' })
    expect(asksOf(crossing)).toEqual({ accounts: 1, transactions: 1 })
  })

  it('does not affect an account without transactions', async () => {
    const crossing = await startCrossing()
    crossing.chain.receptions = ['reject']
    crossing.chain.isNewAccount = true
    const error = await crossing.run(failureOf(sendAndWait(crossing.clients, boc)))
    expect(error).toMatchObject({ code: 'ERR_TONPLUG_MESSAGE_REJECTED' })
    expect(asksOf(crossing)).toEqual({ accounts: 1, transactions: 0 })
  })
})

describe('failures during sendAndWait', () => {
  it('cause no more requests than the rate limit allows, during many 429 responses', async () => {
    const crossing = await startCrossing({ rps: 1 })
    const { chain } = crossing
    crossing.at(1000, () => chain.show('finalized'))
    crossing.at(1500, () => {
      chain.fault = { status: 429, body: LIMITED }
    })
    crossing.at(60_000, () => {
      chain.fault = { status: 429, body: LIMITED, headers: { 'retry-after': '7' } }
    })
    crossing.at(85_000, () => {
      chain.fault = undefined
    })
    const work = sendAndWait(crossing.clients, boc, { timeoutMs: 200_000 })
    expect((await crossing.run(work)).outcome).toBe('success')
    const times = chain.requests.map(({ atMs }) => atMs)
    const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0))
    expect(times.length).toBeGreaterThan(10)
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(1000)
  })

  it('are retried when the index fails', async () => {
    const crossing = await startCrossing()
    const { chain } = crossing
    chain.fault = { status: 500, body: '{"error":"timeout: context deadline exceeded"}' }
    crossing.at(60_000, () => {
      chain.fault = undefined
      chain.show('finalized')
    })
    expect((await crossing.run(sendAndWait(crossing.clients, boc))).outcome).toBe('success')
  })

  it('end the wait when the index rejects the key, with an error that the message may land', async () => {
    const crossing = await startCrossing()
    const { chain, clients } = crossing
    chain.fault = { status: 401, body: REFUSED_KEY }
    const error = await crossing.run(failureOf(sendAndWait(clients, boc)))
    expect(error).toMatchObject({
      code: 'ERR_TONPLUG_CONFIRMATION_INTERRUPTED',
      message: expect.stringContaining('it may still land'),
      checkpoint: { hash: crossing.hash, boc },
      cause: { code: 'ERR_TONPLUG_AUTHENTICATION' },
    })
  })

  it('are thrown unchanged when nothing was sent', async () => {
    const crossing = await startCrossing()
    crossing.chain.receptions = ['refuse-key']
    const error = await crossing.run(failureOf(sendAndWait(crossing.clients, boc)))
    expect(error).toMatchObject({ code: 'ERR_TONPLUG_AUTHENTICATION' })
    expect(crossing.chain.sentAtMs()).toEqual([0])
  })

  it('do not end the wait when sending fails and the message may be on its way', async () => {
    const crossing = await startCrossing()
    crossing.chain.receptions = ['take', 'refuse-key']
    crossing.at(15_000, () => crossing.chain.show('finalized'))
    expect((await crossing.run(sendAndWait(crossing.clients, boc))).outcome).toBe('success')
  })

  it.each<[string, number, Reception]>([
    ['while it sends', 0, 'ignore'],
    ['while it waits', 1500, 'take'],
    ['after some looks', 7000, 'take'],
  ])('end the wait with the reason of an abort %s', async (_, delayMs, reception) => {
    const crossing = await startCrossing()
    crossing.chain.receptions = [reception]
    const controller = new AbortController()
    const reason = new Error('the server is going down')
    crossing.at(delayMs, () => controller.abort(reason))
    const { signal } = controller
    const error = await crossing.run(failureOf(sendAndWait(crossing.clients, boc, { signal })))
    expect(error).toBe(reason)
    expect(crossing.clock.pendingTimers()).toEqual([])
  })

  it('end the wait when onProgress throws', async () => {
    const crossing = await startCrossing()
    crossing.chain.show('pending')
    const trouble = new Error('the log is full')
    const onProgress = (): void => {
      throw trouble
    }
    const work = failureOf(sendAndWait(crossing.clients, boc, { onProgress }))
    expect(await crossing.run(work)).toBe(trouble)
  })
})

describe('an invalid argument', () => {
  it.each<[string, object, string]>([
    ['a misspelt option', { timeoutMS: 5 }, 'did you mean timeoutMs?'],
    ['a wrong until', { until: 'pending' }, "until: must be 'confirmed' or 'finalized'"],
    ['no time', { timeoutMs: 0 }, 'timeoutMs: must be a number above 0'],
    ['a wrong pace', { resendMs: -1 }, 'resendMs: must be a number above 0'],
    ['a wrong priority', { priority: 'urgent' }, "priority: must be 'high' or 'normal' or 'low'"],
    ['a wrong time', { validUntil: 'tomorrow' }, 'validUntil: must be a Date'],
  ])('is refused for %s, ahead of any request', async (_, options, problem) => {
    const { clients, chain } = await startCrossing()
    const error = await failureOf(sendAndWait(clients, boc, options))
    expect(isTonplugError(error) && error.message).toContain(problem)
    expect(chain.requests).toEqual([])
  })

  it('is a call without its clients, or with the two exchanged', async () => {
    const { clients, chain } = await startCrossing()
    const { v2, v3 } = clients
    const call = '; call sendAndWait({ v2, v3 }, message)'
    const cases: [unknown, string][] = [
      [v2, `v2: must be a client of API v2${call}`],
      [undefined, `v2: must be a client of API v2${call}`],
      [{ v2: v3, v3: v2 }, `v2: must be a client of API v2${call}`],
      [{ v2, v3: v2 }, `v3: must be a client of API v3${call}`],
      [{ v2 }, `v3: must be a client of API v3${call}`],
    ]
    for (const [given, message] of cases) {
      // As a caller without types.
      await expect(sendAndWait(given as SendClients, boc)).rejects.toMatchObject({
        code: 'ERR_TONPLUG_CONFIGURATION',
        message,
      })
    }
    await expect(waitForMessage(v2 as never, boc)).rejects.toMatchObject({
      code: 'ERR_TONPLUG_CONFIGURATION',
      message: 'v3: must be a client of API v3; call waitForMessage(v3, message)',
    })
    expect(chain.requests).toEqual([])
  })

  it('is neither a hash nor a message, and the error names both', async () => {
    const { clients } = await startCrossing()
    for (const message of ['zz', 5, null]) {
      // As a caller without types.
      await expect(waitForMessage(clients.v3, message as string)).rejects.toMatchObject({
        code: 'ERR_TONPLUG_INVALID_PARAMS',
        message: expect.stringMatching(/^message: must be a 256-bit hash: .*; or a bag of cells: /),
      })
    }
  })

  it('is a hash, which can only be waited for', async () => {
    const { clients, hash } = await startCrossing()
    await expect(sendAndWait(clients, { hash })).rejects.toMatchObject({
      code: 'ERR_TONPLUG_INVALID_PARAMS',
      message: expect.stringContaining('waitForMessage needs none'),
    })
    await expect(sendAndWait(clients, hash)).rejects.toMatchObject({
      code: 'ERR_TONPLUG_INVALID_PARAMS',
    })
    await expect(waitForMessage(clients.v3, { hash: 'none' })).rejects.toMatchObject({
      code: 'ERR_TONPLUG_INVALID_PARAMS',
    })
  })
})
