import { createV2Client } from '@tonplug/core/toncenter'
import type { RequestHandler } from 'express'
import { describe, expect, it } from 'vitest'
import { tonplugClients } from '../src/clients-middleware.js'
import { expressVersions } from './support/express-versions.js'
import { listen } from './support/listen.js'

/** An external message to the account 0:0707…, with an empty body. */
const BOC = 'te6cckEBAQEAJQAARYgADg4ODg4ODg4ODg4ODg4ODg4ODg4ODg4ODg4ODg4ODg4EIJtQFQ=='
const HASH = Buffer.alloc(32, 9).toString('base64')

const TRACE = {
  trace_id: HASH,
  start_lt: '1',
  start_utime: 1_780_000_000,
  trace_info: { trace_state: 'complete', messages: 1, transactions: 1, pending_messages: 0 },
  transactions_order: [HASH],
  transactions: {
    [HASH]: {
      account: `0:${'07'.repeat(32)}`,
      hash: HASH,
      lt: '1',
      now: 1_780_000_000,
      total_fees: '1',
      description: { type: 'ord', aborted: false, compute_ph: { success: true, exit_code: 0 } },
      out_msgs: [],
      finality: 'finalized',
    },
  },
}

const sendRoute: RequestHandler = async ({ tonplug }, response, next) => {
  try {
    const { outcome, status } = await tonplug.sendAndWait(BOC, { pollMs: 1 })
    response.json({ outcome, status })
  } catch (error) {
    next(error)
  }
}

describe.each(expressVersions)('req.tonplug.sendAndWait in %s', (_version, express) => {
  it('sends with API v2 and finds the message with API v3', async () => {
    const asked: string[] = []
    const { url: baseUrl } = await listen((request, response) => {
      const path = request.url?.split('?')[0] ?? ''
      asked.push(path)
      const body = path.startsWith('/api/v2')
        ? { ok: true, result: { '@type': 'ok' } }
        : { traces: path === '/api/v3/traces' ? [TRACE] : [], address_book: {}, metadata: {} }
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    })
    const clients = tonplugClients({ baseUrl, rps: Infinity })
    const { url } = await listen(express().use(clients).post('/', sendRoute))
    const answer = await fetch(url, { method: 'POST' })
    expect(await answer.json()).toEqual({ outcome: 'success', status: 'finalized' })
    expect([asked[0], asked.at(-1)]).toEqual(['/api/v2/sendBoc', '/api/v3/traces'])
  })

  it('rejects when the client of API v3 is missing', async () => {
    const { url } = await listen(
      express()
        .use(tonplugClients({ v2: createV2Client({ network: 'testnet' }) }))
        .use((request, response) => {
          request.tonplug
            .sendAndWait(BOC)
            .catch((error: Error) => void response.send(error.message))
        }),
    )
    expect(await (await fetch(url)).text()).toContain('v3: is missing; pass it to tonplugClients')
  })
})
