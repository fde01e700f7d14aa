import type { WebhookResponse, WebhookReceiver, WebhookRequest } from '@tonplug/core'
import { describeWebhookAdapter } from '@tonplug/testing'
import { describe, expect, it } from 'vitest'
import { serveNode } from './node-server.js'
import { findPassing } from './passing-tests.js'

type Receive = WebhookReceiver['receive']

interface Sabotage {
  /** A fault of the adapter. */
  mistake: string
  /** Tests that must fail. */
  noticedBy: RegExp
  /** Changes the receiver that the adapter calls. */
  change: (receive: Receive) => Receive
}

const SABOTAGES: readonly Sabotage[] = [
  {
    mistake: 'parses the body and writes it again',
    noticedBy: /S13 are verified exactly: (spaces|numbers|escapes|duplicate|integer-like)/,
    change: withBody((text) => JSON.stringify(JSON.parse(text))),
  },
  {
    mistake: 'decodes the body with replacement characters',
    noticedBy: /S14|S15 a byte order mark|lone surrogate in UTF-8|overlong/,
    change: withBody((text) => text.replace('\ufeff', '')),
  },
  {
    mistake: 'acknowledges everything',
    noticedBy: /responds with 4\d\d|reads no request from/,
    change: withAnswer((answer) => ({ ...answer, status: 200, body: '{"ok":true}' })),
  },
  {
    mistake: 'leaves out the headers of the response',
    noticedBy: /responds with 405|responds with 503/,
    change: withAnswer(({ headers, ...answer }) => {
      return { ...answer, headers: { 'content-type': headers['content-type'] ?? '' } }
    }),
  },
  {
    mistake: 'returns the reason',
    noticedBy: /responds with 401|responds with 400/,
    change: withAnswer((answer) => ({ ...answer, body: JSON.stringify(answer.decision) })),
  },
  {
    mistake: 'responds before a decision is stored',
    noticedBy: /S44|S48|S51 responds/,
    change: (receive) => async (request) => {
      receive({ ...request, rawBody: await readAll(request) }).catch(() => undefined)
      const headers = { 'content-type': 'application/json' }
      const decision = { kind: 'unknown_order', reference: '', txHash: '' } as const
      return { status: 200, headers, body: '{"ok":true}', decision }
    },
  },
  {
    mistake: 'has its own size limit',
    noticedBy: /when the limit is higher/,
    change: (receive) => async (request) => {
      const bytes = await readAll(request)
      return receive({ ...request, rawBody: bytes.subarray(0, 100_000) })
    },
  },
  {
    mistake: 'passes one signature header',
    noticedBy: /> x-pay-signature|header of the options/,
    change: (receive) => (request) => {
      const signature = String(toRecord(request.headers)['x-tonpay-signature'])
      return receive({ ...request, headers: { 'x-tonpay-signature': signature } })
    },
  },
  {
    mistake: 'passes the first of repeated headers',
    noticedBy: /S3 a repeated signature|header that is sent twice|a list of signatures/,
    change: (receive) => (request) => {
      const headers = Object.entries(toRecord(request.headers)).map(([name, value]) => {
        return [name, String(value).split(', ')[0]] as const
      })
      return receive({ ...request, headers: Object.fromEntries(headers) })
    },
  },
  {
    mistake: 'passes the path without its query',
    noticedBy: /S10 receives path/,
    change: (receive) => (request) => receive({ ...request, url: request.url?.split('?')[0] }),
  },
  {
    mistake: 'reveals a signature to the sender',
    noticedBy: /reveals no secret/,
    change: (receive) => async (request) => {
      const answer = await receive(request)
      const signature = toRecord(request.headers)['x-tonpay-signature']
      return { ...answer, headers: { ...answer.headers, 'x-expected': String(signature) } }
    },
  },
  {
    mistake: 'passes no headers but the signature',
    noticedBy: /S65 S66|S10 receives path|responds with 415/,
    change: (receive) => (request) => {
      const { 'x-tonpay-signature': signature } = toRecord(request.headers)
      return receive({ ...request, headers: { 'x-tonpay-signature': String(signature) } })
    },
  },
  {
    mistake: 'requires descriptive fields of the payload',
    noticedBy: /S72 a payload with the required fields/,
    change: withPayloadCheck(({ data }) => typeof data?.['date'] === 'string'),
  },
  {
    mistake: 'compares the amount for display itself',
    noticedBy: /S73/,
    change: withPayloadCheck(
      ({ data }) => Number(data?.['amount'] ?? 0) * 1e9 === Number(data?.['rawAmount'] ?? 0),
    ),
  },
  {
    mistake: 'sends the stack of an error to the sender',
    noticedBy: /S63 reveals (neither|no detail when the receiver throws an error)/,
    change: withError((error) => (error instanceof Error ? String(error.stack) : '')),
  },
  {
    mistake: 'sends the message of an error to the sender',
    noticedBy: /S63 reveals no detail/,
    change: withError((error) => (error instanceof Error ? error.message : String(error))),
  },
  {
    mistake: 'sends the class of an error to the sender',
    noticedBy: /S63 reveals neither/,
    change: withError((error) => (error instanceof Error ? error.name : '')),
  },
  {
    mistake: 'acknowledges a delivery after an error',
    noticedBy: /S63 reveals (neither|no detail)/,
    change: withError(() => '{"ok":true}', 200),
  },
  {
    mistake: 'handles nothing after an error',
    noticedBy: /S63 reveals (neither|no detail)/,
    change: (receive) => {
      let hasFailed = false
      return async (request) => {
        if (hasFailed) throw new Error('closed')
        return receive(request).catch((error: unknown) => {
          hasFailed = true
          throw error
        })
      }
    },
  },
  {
    mistake: 'drops requests with the content type of a form',
    noticedBy: /S17/,
    change: (receive) => (request) => {
      const { 'content-type': type } = toRecord(request.headers)
      return receive(type === 'application/json' ? request : { ...request, rawBody: '' })
    },
  },
]

describe('describeWebhookAdapter', () => {
  it.each(SABOTAGES)('notices an adapter that $mistake', async ({ change, noticedBy }) => {
    const makeHarness = () => ({
      start: (receiver: WebhookReceiver) =>
        serveNode({ ...receiver, receive: change((request) => receiver.receive(request)) }),
    })
    const define = describeWebhookAdapter.bind(undefined, 'sabotaged', makeHarness)
    expect(await findPassing(define, noticedBy)).toEqual([])
  })
})

function withBody(rewrite: (text: string) => string): Sabotage['change'] {
  return (receive) => async (request) => {
    const text = (await readAll(request)).toString()
    return receive({ ...request, rawBody: rewrite(text) })
  }
}

function withAnswer(rewrite: (answer: WebhookResponse) => WebhookResponse): Sabotage['change'] {
  return (receive) => async (request) => rewrite(await receive(request))
}

interface Payload {
  data?: Record<string, unknown> | undefined
}

/** Responds with 400 itself when a payload does not pass a check. */
function withPayloadCheck(check: (payload: Payload) => boolean): Sabotage['change'] {
  return (receive) => async (request) => {
    const rawBody = await readAll(request)
    const payload = JSON.parse(rawBody.toString()) as Payload
    if (check(payload)) return receive({ ...request, rawBody })
    const decision = { kind: 'unknown_order', reference: '', txHash: '' } as const
    return { status: 400, headers: {}, body: '{"ok":false}', decision }
  }
}

/** Responds itself where the receiver throws. */
function withError(toBody: (error: unknown) => string, status = 500): Sabotage['change'] {
  return (receive) => (request) =>
    receive(request).catch((error: unknown) => {
      const decision = { kind: 'unknown_order', reference: '', txHash: '' } as const
      return { status, headers: {}, body: toBody(error), decision }
    })
}

async function readAll({ rawBody }: WebhookRequest): Promise<Buffer> {
  const { signal } = new AbortController()
  const body =
    typeof rawBody === 'function' ? await rawBody({ maxBodyBytes: Infinity, signal }) : rawBody
  return Buffer.from(await new Response(body as string | ArrayBuffer).arrayBuffer())
}

function toRecord(headers: WebhookRequest['headers']): Record<string, unknown> {
  return headers instanceof Headers ? Object.fromEntries(headers) : headers
}
