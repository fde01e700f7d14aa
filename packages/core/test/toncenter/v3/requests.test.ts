import { OpenAPIBackend, type Document } from 'openapi-backend'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Endpoint } from '../../../src/toncenter/endpoint/endpoint.js'
import type { V3Client } from '../../../src/toncenter/v3/client.js'
import { startMockApi, type ApiRequest, type Reply } from '@tonplug/test-support/mock-api'
import { readDescription, UNDOCUMENTED_PATHS } from './description.js'
import { callMethod, createEveryMethod, endpointNames, endpoints } from './every-endpoint.js'
import { sampleParameters } from './sample-parameters.js'

const boc = 'te6cckEBAQEAAgAAAEysuc0='
const hash = 'b26/Pw8BYz6VY7RyYB/w2Nf8pKBebsg+H4rT1pH5ZEM='

let api: OpenAPIBackend

beforeAll(async () => {
  // The description is read as far as the tests need it; the validator knows the whole format.
  const definition = readDescription() as unknown as Document
  api = new OpenAPIBackend({ definition, strict: true })
  await api.init()
})

/** A client of a server that answers 404 to what the official description allows, and 422 to all else. */
async function start() {
  const { baseUrl, requests } = await startMockApi(judge)
  return { v3: createEveryMethod({ baseUrl, rps: Infinity }), requests }
}

function judge({ method, path, query, headers, body }: ApiRequest): Reply {
  const request = {
    method,
    path: `/api/v3${path}`,
    query: query.toString(),
    headers: headers as Record<string, string>,
    body,
  }
  const isKnown = api.matchOperation(request) !== undefined
  const { valid, errors } = isKnown ? api.validateRequest(request) : { valid: false, errors: [] }
  const error = valid ? 'allowed' : JSON.stringify(errors)
  return { status: valid ? 404 : 422, body: JSON.stringify({ error }) }
}

const documented = endpointNames.filter((name) => {
  const { path, api } = endpoints[name] as Endpoint
  return api === undefined && !UNDOCUMENTED_PATHS.includes(path)
})

/** Further calls: parameters that do not fit the samples, and the shortest calls. */
const further: [what: string, call: (v3: V3Client) => Promise<unknown>][] = [
  ['traces by id', (v3) => v3.traces({ trace_id: [hash, hash] })],
  ['traces by transaction', (v3) => v3.traces({ tx_hash: hash })],
  ['traces by message', (v3) => v3.traces({ msg_hash: hash })],
  ['vesting by contract', (v3) => v3.vesting({ contract_address: '-1:'.padEnd(67, '3') })],
  ['many bodies to decode', (v3) => v3.decode({ bodies: Array.from({ length: 500 }, () => boc) })],
  ['blocks without a filter', (v3) => v3.blocks()],
  ['transactions without a filter', (v3) => v3.transactions()],
  [
    'a get-method without arguments',
    (v3) => v3.runGetMethod({ address: '-1:'.padEnd(67, '3'), method: 'seqno', stack: [] }),
  ],
]

describe('the official description', () => {
  it.each(documented)('allows the request of %s with all its parameters', async (name) => {
    const { v3, requests } = await start()
    await expect(callMethod(v3, name, sampleParameters[name])).rejects.toMatchObject({
      code: 'ERR_TONPLUG_NOT_FOUND',
      details: { reason: 'allowed' },
    })
    expect(requests).toHaveLength(1)
  })

  it.each(further)('allows %s', async (_, call) => {
    const { v3 } = await start()
    await expect(call(v3)).rejects.toMatchObject({ details: { reason: 'allowed' } })
  })

  it('is enforced by the server of these tests', async () => {
    const { v3 } = await start()
    const requests = [
      { path: '/blocks', params: { limit: 5000 } },
      { path: '/blocks', params: { sort: 'up' } },
      { path: '/blocks', params: { seqno: 'x' } },
      { path: '/accountStates' },
      { path: '/masterchainInfo', params: { limit: 1 } },
      { path: '/nothing' },
      { path: '/message', params: { boc } },
      { method: 'POST' as const, path: '/decode', params: { opcodes: 5 } },
    ]
    for (const request of requests) {
      await expect(v3.request(request)).rejects.toMatchObject({ code: 'ERR_TONPLUG_VALIDATION' })
    }
  })
})
