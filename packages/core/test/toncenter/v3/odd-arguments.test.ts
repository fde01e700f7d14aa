import { describe, expect, it } from 'vitest'
import { ConfigurationError } from '../../../src/shared/configuration-error.js'
import { isTonplugError } from '../../../src/shared/tonplug-error.js'
import { createTransport } from '../../../src/toncenter/transport/transport.js'
import { createV3Client, type V3Client } from '../../../src/toncenter/v3/client.js'
import { startMockApi } from '@tonplug/test-support/mock-api'
import {
  callMethod,
  createEveryMethod,
  endpointNames,
  endpoints,
  type EndpointName,
} from './every-endpoint.js'
import { sampleParameters } from './sample-parameters.js'

/** Arguments that a program without types may pass by mistake. */
const ODD: readonly unknown[] = [
  null,
  Number.NaN,
  -1,
  1.5,
  10n ** 40n,
  '',
  'x',
  true,
  Symbol('odd'),
  () => 1,
  {},
  [],
  [undefined],
  [null],
  [[]],
  [{ type: 'number' }],
  Object.create(null),
  new Date(Number.NaN),
  new Map(),
  { toRawString: 5, toBoc: 5 },
  { toRawString: () => null, toBoc: () => null },
  new Uint8Array(3),
]

async function start() {
  const { baseUrl, requests } = await startMockApi(() => ({ status: 404, body: '{"error":"x"}' }))
  const v3 = createEveryMethod({ baseUrl, rps: Infinity, retry: { maxAttempts: 1 } })
  const codeOf = async (call: () => unknown): Promise<string> => {
    try {
      await call()
      return 'success'
    } catch (error) {
      if (isTonplugError(error)) return error.code
      throw error
    }
  }
  const callOf =
    (name: EndpointName) =>
    (...given: unknown[]) =>
      callMethod(v3, name, ...given)
  return { v3, requests, codeOf, callOf }
}

describe('odd arguments', () => {
  it.each(endpointNames)('make %s reject each of them with an error of tonplug', async (name) => {
    const { codeOf, callOf } = await start()
    const call = callOf(name)
    const fine = ['ERR_TONPLUG_INVALID_PARAMS', 'ERR_TONPLUG_NOT_FOUND']
    expect(fine).toContain(await codeOf(() => call()))
    expect(fine).toContain(await codeOf(() => call(undefined, undefined)))
    for (const odd of ODD) {
      expect(fine).toContain(await codeOf(() => call(odd)))
      for (const parameter of Object.keys(endpoints[name].params.shape)) {
        const params = { ...sampleParameters[name], [parameter]: odd }
        expect(fine).toContain(await codeOf(() => call(params)))
      }
    }
  })

  it.each(endpointNames)(
    'make %s name its required parameters when none is passed',
    async (name) => {
      const { requests, codeOf, callOf } = await start()
      const { shape, rules } = endpoints[name].params
      const isNeedy =
        Object.values<object>(shape).some((param) => !('isOptional' in param)) ||
        rules.some((rule) => !rule.isKept(() => false, {}))
      const code = await codeOf(callOf(name))
      expect(code).toBe(isNeedy ? 'ERR_TONPLUG_INVALID_PARAMS' : 'ERR_TONPLUG_NOT_FOUND')
      expect(requests).toHaveLength(isNeedy ? 0 : 1)
    },
  )

  it('include undefined options, which count as absent', async () => {
    const { requests, codeOf, callOf } = await start()
    const options = {
      signal: undefined,
      timeoutMs: undefined,
      deadlineMs: undefined,
      priority: undefined,
      headers: undefined,
      onResponse: undefined,
    }
    for (const given of [undefined, {}, options]) {
      const code = await codeOf(() => callOf('masterchainInfo')({}, given))
      expect(code).toBe('ERR_TONPLUG_NOT_FOUND')
    }
    expect(requests).toHaveLength(3)
  })

  it('are rejected by request', async () => {
    const { v3, requests, codeOf } = await start()
    const request = (...given: unknown[]) =>
      v3.request(...(given as Parameters<V3Client['request']>))
    for (const odd of [...ODD, { path: 5 }, { path: 'x' }, { path: '/x', method: 'PUT' }]) {
      expect(await codeOf(() => request(odd))).toBe('ERR_TONPLUG_INVALID_PARAMS')
    }
    expect(await codeOf(() => request())).toBe('ERR_TONPLUG_INVALID_PARAMS')
    expect(await codeOf(() => request({ path: '/x', params: 5 }))).toBe(
      'ERR_TONPLUG_INVALID_PARAMS',
    )
    expect(requests).toEqual([])
    expect(
      await codeOf(() => request({ path: '/x', method: undefined, params: undefined }, undefined)),
    ).toBe('ERR_TONPLUG_NOT_FOUND')
  })
})

describe('options of the client', () => {
  it('may include an undefined transport, which counts as absent', async () => {
    const { baseUrl, requests } = await startMockApi(() => '[]')
    const v3 = createV3Client({ transport: undefined as never, baseUrl })
    expect(await v3.topAccountsByBalance()).toEqual([])
    expect(requests).toHaveLength(1)
  })

  it('rejects a client as the transport', () => {
    const transport = createV3Client()
    // @ts-expect-error it has a `request` too, and every call would be answered with nothing
    expect(() => createV3Client({ transport })).toThrow(
      'transport: must be a transport from createTransport()',
    )
  })

  it('are rejected beside a transport, or with a wrong name', () => {
    const transport = createTransport()
    // @ts-expect-error they would do nothing
    expect(() => createV3Client({ transport, apiKey: 'k' })).toThrow(ConfigurationError)
    // @ts-expect-error a misspelt option
    expect(() => createV3Client({ apikey: 'k' })).toThrow('did you mean apiKey?')
  })
})
