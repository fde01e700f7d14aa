import { describe, expect, it } from 'vitest'
import { createSendCheckpoint } from '../../../src/toncenter/chain/send-checkpoint.js'
import { sendAndWait, type SendOptions } from '../../../src/toncenter/chain/send-and-wait.js'
import { waitForMessage } from '../../../src/toncenter/chain/wait-for-message.js'
import type { RateLimiter } from '../../../src/toncenter/transport/rate-limiter.js'
import type { TransportOptions } from '../../../src/toncenter/transport/options.js'
import { createTransport } from '../../../src/toncenter/transport/transport.js'
import { createV2Client } from '../../../src/toncenter/v2/client.js'
import { createV3Client } from '../../../src/toncenter/v3/client.js'
import { startMockNetwork, type Reception } from './mock-network.js'
import { boc, startCrossing, type Crossing } from './crossing.js'

const ONCE: SendOptions = { resendMs: Infinity }

/** Two servers, and clients that use the second one while the first one fails. */
async function startTwoServers(options: TransportOptions = {}) {
  const crossing = await startCrossing()
  const other = await startMockNetwork(crossing.clock, crossing.hash)
  const servers = [crossing.chain, other]
  const transport = createTransport({
    baseUrl: servers.map(({ baseUrl }) => baseUrl),
    clock: crossing.clock,
    rps: Infinity,
    fetch: crossing.fetch,
    ...options,
  })
  const v2 = createV2Client({ transport })
  const clients = { v2, v3: createV3Client({ transport }) }
  return {
    ...crossing,
    clients,
    show: () => servers.forEach((server) => server.show('finalized')),
    /** Counts the requests with the message, over both servers. */
    countSends: () =>
      servers.flatMap(({ requests }) => requests).filter(({ body }) => body.includes(boc)).length,
  }
}

function validUntilIn({ clock }: Pick<Crossing, 'clock'>, seconds: number): number {
  return Math.floor(clock.nowMs() / 1000) + seconds
}

describe('sendAndWait with resendMs: Infinity', () => {
  it.each<Reception>(['take', 'lost', 'reset', 'failed', 'unavailable', 'busy', 'duplicate'])(
    'S87 sends exactly one request when the outcome of the send is: %s',
    async (reception) => {
      const line = await startTwoServers()
      line.chain.receptions = [reception]
      line.at(60_000, line.show)
      const landed = await line.run(sendAndWait(line.clients, boc, ONCE))
      expect(landed.outcome).toBe('success')
      expect(line.countSends()).toBe(1)
    },
  )

  it('S87 sends exactly one request through /jsonRPC', async () => {
    const { chain, clients, ...crossing } = await startCrossing()
    chain.receptions = ['reset']
    const arrived = () => chain.requests.filter(({ body }) => body.includes(boc))
    const transport = createTransport({
      baseUrl: chain.baseUrl,
      clock: crossing.clock,
      rps: Infinity,
      fetch: async (url, init) => {
        const response = await crossing.fetch(url, init)
        // The message was received, and its response is lost.
        if (init.body?.includes(boc) === true) throw new Error('the connection broke')
        return response
      },
    })
    const v2 = createV2Client({ transport, jsonRpc: true })
    crossing.at(30_000, () => chain.show('finalized'))
    await crossing.run(sendAndWait({ ...clients, v2 }, boc, ONCE))
    expect(arrived().map(({ path }) => path)).toEqual(['/api/v2/jsonRPC'])
  })

  it('S87 rejects with the 429 of the only request', async () => {
    const line = await startTwoServers()
    line.chain.receptions = ['limited']
    await expect(line.run(sendAndWait(line.clients, boc, ONCE))).rejects.toMatchObject({
      code: 'ERR_TONPLUG_RATE_LIMIT',
      attempts: 1,
      details: { reason: 'Ratelimit exceeded', serverCode: 429 },
    })
    expect(line.countSends()).toBe(1)
  })

  it('S87 keeps waiting until timeoutMs when the response is lost and the message never lands', async () => {
    const line = await startTwoServers()
    line.chain.receptions = ['reset']
    await expect(line.run(sendAndWait(line.clients, boc, ONCE))).rejects.toMatchObject({
      code: 'ERR_TONPLUG_CONFIRMATION_TIMEOUT',
      cause: { code: 'ERR_TONPLUG_NETWORK', attempts: 1 },
    })
    expect(line.countSends()).toBe(1)
  })

  it('S87 sends the request later when the rate limit prevented it before', async () => {
    let refusals = 3
    const limiter: RateLimiter = {
      acquire: () => (refusals-- > 0 ? Promise.reject(new Error('gone')) : Promise.resolve()),
      pause: () => undefined,
    }
    const line = await startTwoServers({ limiter, rps: undefined })
    line.at(60_000, line.show)
    await line.run(sendAndWait(line.clients, boc, ONCE))
    expect(line.countSends()).toBe(1)
  })

  it('S87 does not send what an earlier call may have sent', async () => {
    const line = await startTwoServers()
    const checkpoint = await createSendCheckpoint(boc)
    line.at(20_000, line.show)
    expect((await line.run(sendAndWait(line.clients, checkpoint, ONCE))).outcome).toBe('success')
    expect(line.countSends()).toBe(0)
  })

  it('S87 reports a message that was not sent again as expired, with proof from the node', async () => {
    const crossing = await startCrossing()
    const checkpoint = await createSendCheckpoint(boc, { validUntil: validUntilIn(crossing, 5) })
    await expect(
      crossing.run(sendAndWait(crossing.clients, checkpoint, ONCE)),
    ).rejects.toMatchObject({
      code: 'ERR_TONPLUG_MESSAGE_EXPIRED',
    })
    expect(crossing.chain.sentAtMs()).toEqual([])
  })
})

describe('a message that is past validUntil', () => {
  it('S87 is not reported as expired by waitForMessage, which asks only an index', async () => {
    const crossing = await startCrossing()
    const validUntil = validUntilIn(crossing, -3600)
    const work = waitForMessage(crossing.clients.v3, boc, { validUntil })
    await expect(crossing.run(work)).rejects.toMatchObject({
      code: 'ERR_TONPLUG_CONFIRMATION_TIMEOUT',
      status: 'unseen',
      checkpoint: { hash: crossing.hash, boc, validUntil },
    })
    const paths = new Set(crossing.chain.requests.map(({ path }) => path))
    expect(paths).toEqual(new Set(['/api/v3/traces', '/api/v3/pendingTraces']))
  })

  it('S87 is not reported as expired while the node has no state of the account', async () => {
    const crossing = await startCrossing()
    crossing.chain.hasAccount = false
    const work = sendAndWait(crossing.clients, boc, { validUntil: validUntilIn(crossing, 5) })
    await expect(crossing.run(work)).rejects.toMatchObject({
      code: 'ERR_TONPLUG_CONFIRMATION_TIMEOUT',
    })
  })

  it('S87 is not reported as expired while the state of the node is older than that', async () => {
    const crossing = await startCrossing()
    crossing.chain.accountLagMs = 3_600_000
    const work = sendAndWait(crossing.clients, boc, { validUntil: validUntilIn(crossing, 5) })
    await expect(crossing.run(work)).rejects.toMatchObject({
      code: 'ERR_TONPLUG_CONFIRMATION_TIMEOUT',
    })
  })
})
