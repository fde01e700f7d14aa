import { createTransferClient, createV2Client, createV3Client } from '@tonplug/core/toncenter'
import { startMockApi, type Reply } from '@tonplug/test-support/mock-api'
import { listTestdata, readTestdata } from '@tonplug/test-support/testdata'
import { describe, expect, it } from 'vitest'
import { sampleParameters as v2Parameters } from '../v2/sample-parameters.js'
import { leavesOf, parseDigits } from '../v2/raw-digits.js'
import { sampleParameters as v3Parameters } from '../v3/sample-parameters.js'

type Api = 'v2' | 'v3'

async function open(reply: Reply, options: object = {}) {
  const { baseUrl, requests } = await startMockApi(() => reply)
  const retry = { minDelayMs: 0, maxDelayMs: 0 }
  const all = { baseUrl, rps: Infinity, retry, ...options }
  const clients = { v2: createV2Client(all), v3: createV3Client(all) }
  const call = async (api: Api, name: string): Promise<unknown> => {
    const parameters: Readonly<Record<string, unknown>> = api === 'v2' ? v2Parameters : v3Parameters
    // A method of any name takes its own parameters.
    const client = clients[api] as unknown as Record<string, (given: unknown) => Promise<unknown>>
    return client[name]?.(parameters[name])
  }
  return { call, requests, gateway: createTransferClient(all) }
}

async function failureOf(reply: Reply, api: Api, name: string, options?: object) {
  const { call, requests } = await open(reply, options)
  const error: unknown = await call(api, name).then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  return { error, sent: requests.length }
}

/** Every value with its path. Null and absent are alike, and values that are converted are left out. */
function describeLeaves(result: unknown): string[] {
  return leavesOf(result)
    .filter(({ path, value }) => value !== null && value !== undefined && !isConverted(path))
    .map(({ path, value }) => `${path} ${String(value)}`)
    .toSorted()
}

function isConverted(path: string): boolean {
  return path.startsWith('/stack/') || /\/mc_seqno_(?:start|end)$/.test(path)
}

const NAMES: Readonly<Record<string, string>> = {
  jetton_wallets: 'jettonWallets',
  jetton_transfers: 'jettonTransfers',
}

interface Expected {
  status: number
  code: string
  /** A part of `reason`, or of `excerpt`. */
  text: string
  /** Requests with at most four attempts. */
  sent: number
}

const ERRORS: Readonly<Record<string, Expected>> = {
  v2__error__21: {
    status: 503,
    code: 'LITESERVER_NOT_READY',
    text: 'No working liteservers',
    sent: 4,
  },
  v2__error__26: { status: 522, code: 'HTTP_STATUS', text: 'error code: 522', sent: 4 },
  v2__error__28: { status: 403, code: 'HTTP_STATUS', text: 'error code: 1015', sent: 1 },
  v2__error__29: {
    status: 200,
    code: 'RESPONSE_SHAPE',
    text: '7CybhNEPAFmnaeJypOBhfpbGhnfZCCX4Ub1wJhXiMi4=',
    sent: 1,
  },
  v2__error__30: { status: 401, code: 'AUTHENTICATION', text: 'API key does not exist', sent: 1 },
  v2__error__31: {
    status: 400,
    code: 'UNKNOWN_METHOD',
    text: 'the method does not exist/is not available',
    sent: 1,
  },
  v2__error__32: {
    status: 422,
    code: 'VALIDATION',
    text: 'query.address: field required',
    sent: 1,
  },
  v3__error__2: { status: 500, code: 'SERVER', text: 'cannot switch to state 12', sent: 2 },
  v3__error__3: { status: 500, code: 'VALIDATION', text: 'failed to decode: schema', sent: 1 },
  v3__error__5: { status: 503, code: 'HTTP_STATUS', text: 'upstream connect error', sent: 4 },
  v3__error__6: { status: 404, code: 'UNKNOWN_METHOD', text: 'no Route matched', sent: 1 },
  // An older index, which does not say whether a transfer failed.
  v3__jetton_transfers__1: {
    status: 200,
    code: 'RESPONSE_SHAPE',
    text: '"jetton_transfers"',
    sent: 1,
  },
  v3__jetton_transfers__2: {
    status: 200,
    code: 'RESPONSE_SHAPE',
    text: '"jetton_transfers"',
    sent: 1,
  },
}

const FILES = listTestdata('responses').map((file) => {
  const [api, field] = file.replace('.json', '').split('__') as [Api, string]
  const error = ERRORS[file.replace('.json', '')]
  return { file, api, name: NAMES[field] ?? field, error }
})

describe('a response that was found in use', () => {
  it.each(FILES.filter(({ error }) => error === undefined))(
    'is decoded without loss: $file',
    async ({ file, api, name }) => {
      const body = readTestdata(`responses/${file}`)
      const { call } = await open({ body })
      const wire = parseDigits(body)
      const result = api === 'v2' ? (wire as { result: unknown }).result : wire
      expect(describeLeaves(await call(api, name))).toEqual(describeLeaves(result))
    },
  )

  it.each(FILES.flatMap(({ error, ...file }) => (error === undefined ? [] : [{ ...file, error }])))(
    'is an error with its status and its content: $file',
    async ({ file, api, name, error: expected }) => {
      const { status, code, text } = expected
      const endpoint = name === 'error' ? (api === 'v2' ? 'getTransactions' : 'traces') : name
      const reply = { status, body: readTestdata(`responses/${file}`) }
      const { error, sent } = await failureOf(reply, api, endpoint)
      expect(error).toMatchObject({ code: `ERR_TONPLUG_${code}`, details: { status } })
      expect(JSON.stringify(error)).toContain(JSON.stringify(text).slice(1, -1))
      expect(sent).toBe(expected.sent)
    },
  )
})

/** Bodies of proxies, each with its text. */
const BODIES: [title: string, body: string, text: string][] = [
  ['an error object', '{"error":{"code":-32000,"message":"a text"}}', 'a text'],
  ['an error object in an envelope', '{"ok":false,"error":{"message":"a text"}}', 'a text'],
  ['an error object in an error object', '{"error":{"error":"a text"}}', 'a text'],
  ['a message', '{"message":"a text"}', 'a text'],
  ['an unknown object', '{"problem":["a text"]}', 'a text'],
  ['a list', '["a text"]', 'a text'],
  ['a string', '"a text"', 'a text'],
  ['a number', '4711', '4711'],
  ['plain text', 'a text', 'a text'],
  ['HTML', '<html><body>a text</body></html>', 'a text'],
  ['an empty body', '', ''],
  ['null', 'null', ''],
]

describe.each([400, 404, 429, 500, 502])('an error of a proxy with status %i', (status) => {
  it.each(BODIES)('keeps the status and the content of %s', async (_, body, text) => {
    for (const contentType of ['application/json', 'text/html']) {
      const reply = { status, body, headers: { 'content-type': contentType } }
      const once = { retry: { maxAttempts: 1 } }
      const { gateway } = await open(reply, once)
      const failures = [
        (await failureOf(reply, 'v2', 'getTransactions', once)).error,
        (await failureOf(reply, 'v3', 'transactions', once)).error,
        await gateway.byBodyHash('0'.repeat(64)).catch((error: unknown) => error),
      ]
      const details = status === 429 ? {} : { status }
      // Null: the gateway has no such transfer.
      for (const error of failures.filter((one) => one !== null)) {
        expect(error).toMatchObject({ code: expect.stringMatching(/^ERR_TONPLUG_/), details })
        expect(JSON.stringify(error)).toContain(text)
      }
    }
  })
})

describe('a refusal with status 200', () => {
  it.each(['{"error":{"code":-32601,"message":"no such method"},"id":"1","jsonrpc":"2.0"}'])(
    'keeps the message and the code of a proxy of JSON-RPC',
    async (body) => {
      for (const api of ['v2', 'v3'] as const) {
        const name = api === 'v2' ? 'getTransactions' : 'transactions'
        const { error, sent } = await failureOf({ body }, api, name)
        expect(error).toMatchObject({
          code: 'ERR_TONPLUG_UNKNOWN_METHOD',
          details: { reason: 'no such method', serverCode: -32601 },
        })
        expect(sent).toBe(1)
      }
    },
  )

  it('keeps its status and the beginning of its body in the wrong shape', async () => {
    for (const body of ['{"a":1}', '{"ok":true,"result":7}', '{"ok":null}']) {
      const { error } = await failureOf({ body }, 'v2', 'getTransactions')
      const details = { status: 200, excerpt: body }
      expect(error).toMatchObject({ code: 'ERR_TONPLUG_RESPONSE_SHAPE', details })
    }
  })
})

describe('a transient fault', () => {
  const body = JSON.stringify({ ok: false, code: 500, error: 'cannot switch to state 12' })

  it('is retried once with status 500 of a read', async () => {
    for (const [api, name] of [
      ['v2', 'getTransactions'],
      ['v3', 'transactions'],
    ] as const) {
      expect((await failureOf({ status: 500, body }, api, name)).sent).toBe(2)
    }
  })

  it('is not retried with status 500 of a message', async () => {
    expect((await failureOf({ status: 500, body }, 'v2', 'sendBoc')).sent).toBe(1)
    expect((await failureOf({ status: 500, body }, 'v3', 'message')).sent).toBe(1)
  })

  it('is not retried with one attempt, nor when a node has answered', async () => {
    const once = { retry: { maxAttempts: 1 } }
    expect((await failureOf({ status: 500, body }, 'v2', 'getTransactions', once)).sent).toBe(1)
    const ofNode = body.replace('cannot', 'LITE_SERVER_UNKNOWN: cannot')
    const { sent } = await failureOf({ status: 500, body: ofNode }, 'v2', 'getTransactions')
    expect(sent).toBe(1)
  })
})

describe('a 503 of getTokenData', () => {
  const bodyOf = (error: string): string => JSON.stringify({ ok: false, error, code: 503 })

  it.each(["'NoneType' object has no attribute 'refs'", 'KeyError: 17', 'Not enough bits'])(
    'is not retried when it reports the exception %j',
    async (text) => {
      const reply = { status: 503, body: bodyOf(text) }
      const { error, sent } = await failureOf(reply, 'v2', 'getTokenData')
      expect(error).toMatchObject({ code: 'ERR_TONPLUG_SERVER', retryable: false })
      expect(error).toMatchObject({ details: { status: 503, reason: text } })
      expect(sent).toBe(1)
    },
  )

  it.each([
    bodyOf('No working liteservers with ls_index=None, archival=None'),
    bodyOf('Service Temporarily Unavailable'),
    bodyOf(''),
    '<h1>503</h1>',
    '',
  ])('is retried when it may pass: %s', async (body) => {
    expect((await failureOf({ status: 503, body }, 'v2', 'getTokenData')).sent).toBe(4)
  })
})
