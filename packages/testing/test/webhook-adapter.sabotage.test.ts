import type { Answer, WebhookReceiver, WebhookRequest } from '@tonplug/core'
import { describeWebhookAdapter } from '@tonplug/testing'
import { describe, expect, it } from 'vitest'
import { serveNode } from './node-server.js'
import { findPassing } from './passing-tests.js'

type Receive = WebhookReceiver['receive']

interface Sabotage {
  /** What is wrong with the adapter. */
  mistake: string
  /** The tests that must notice. */
  noticedBy: RegExp
  /** What stands between the adapter and the receiver. */
  change: (receive: Receive) => Receive
}

const SABOTAGES: readonly Sabotage[] = [
  {
    mistake: 'parses the body and writes it again',
    noticedBy: /S13 (spaces|numbers|escapes|duplicate|integer-like)/,
    change: withBody((text) => JSON.stringify(JSON.parse(text))),
  },
  {
    mistake: 'decodes the body with replacement characters',
    noticedBy: /S14|S15 a byte order mark|half of a pair in UTF-8|overlong/,
    change: withBody((text) => text.replace('\ufeff', '')),
  },
  {
    mistake: 'acknowledges everything',
    noticedBy: /answers 4\d\d|takes no request out of/,
    change: withAnswer((answer) => ({ ...answer, status: 200, body: '{"ok":true}' })),
  },
  {
    mistake: 'leaves out the headers of the answer',
    noticedBy: /answers 405|answers 503/,
    change: withAnswer(({ headers, ...answer }) => {
      return { ...answer, headers: { 'content-type': headers['content-type'] ?? '' } }
    }),
  },
  {
    mistake: 'says why',
    noticedBy: /answers 401|answers 400/,
    change: withAnswer((answer) => ({ ...answer, body: JSON.stringify(answer.decision) })),
  },
  {
    mistake: 'answers before anything is decided',
    noticedBy: /S44|S48|S51 when/,
    change: (receive) => async (request) => {
      receive({ ...request, rawBody: await readAll(request) }).catch(() => undefined)
      const headers = { 'content-type': 'application/json' }
      const decision = { kind: 'unmatched', reference: '', txHash: '' } as const
      return { status: 200, headers, body: '{"ok":true}', decision }
    },
  },
  {
    mistake: 'has a limit of its own',
    noticedBy: /when the limit is higher/,
    change: (receive) => async (request) => {
      const bytes = await readAll(request)
      return receive({ ...request, rawBody: bytes.subarray(0, 100_000) })
    },
  },
  {
    mistake: 'knows one signature header',
    noticedBy: /> x-pay-signature|header of your own/,
    change: (receive) => (request) => {
      const signature = String(toRecord(request.headers)['x-tonpay-signature'])
      return receive({ ...request, headers: { 'x-tonpay-signature': signature } })
    },
  },
  {
    mistake: 'takes the first of repeated headers',
    noticedBy: /S3 a repeated signature|header that is sent twice|a list of signatures/,
    change: (receive) => (request) => {
      const headers = Object.entries(toRecord(request.headers)).map(([name, value]) => {
        return [name, String(value).split(', ')[0]] as const
      })
      return receive({ ...request, headers: Object.fromEntries(headers) })
    },
  },
  {
    mistake: 'hands on the path without its query',
    noticedBy: /S10 gets path/,
    change: (receive) => (request) => receive({ ...request, url: request.url?.split('?')[0] }),
  },
  {
    mistake: 'shows a signature to the sender',
    noticedBy: /puts no secret/,
    change: (receive) => async (request) => {
      const answer = await receive(request)
      const signature = toRecord(request.headers)['x-tonpay-signature']
      return { ...answer, headers: { ...answer.headers, 'x-expected': String(signature) } }
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

function withAnswer(rewrite: (answer: Answer) => Answer): Sabotage['change'] {
  return (receive) => async (request) => rewrite(await receive(request))
}

async function readAll({ rawBody }: WebhookRequest): Promise<Buffer> {
  if (typeof rawBody !== 'function') return Buffer.from(rawBody)
  const { signal } = new AbortController()
  return Buffer.from(await rawBody({ maxBodyBytes: Infinity, signal }))
}

function toRecord(headers: WebhookRequest['headers']): Record<string, unknown> {
  return headers instanceof Headers ? Object.fromEntries(headers) : headers
}
