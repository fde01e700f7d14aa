import { describe, expect, it } from 'vitest'
import { ConfigurationError } from '../../src/errors/configuration.js'
import { isTonplugError } from '../../src/errors/tonplug-error.js'
import { createTransport } from '../../src/transport/transport.js'
import { createV3Client, type V3Client } from '../../src/v3/client.js'
import { v3Endpoints, type V3EndpointName } from '../../src/v3/endpoints/table.js'
import { startApiServer } from '../v2/api-server.js'
import { sampleParameters } from './sample-parameters.js'

/** What a program without types may pass by mistake. */
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

const names = Object.keys(v3Endpoints) as V3EndpointName[]

async function start() {
  const { baseUrl, arrived } = await startApiServer(() => ({ status: 404, text: '{"error":"x"}' }))
  const v3 = createV3Client({ baseUrl, rps: Infinity, retry: { maxAttempts: 1 } })
  const codeOf = async (call: () => unknown): Promise<string> => {
    try {
      await call()
      return 'success'
    } catch (error) {
      if (isTonplugError(error)) return error.code
      throw error
    }
  }
  /** As a program without types calls it. */
  const callOf = (name: V3EndpointName) => v3[name] as (...given: unknown[]) => Promise<unknown>
  return { v3, arrived, codeOf, callOf }
}

describe('odd arguments', () => {
  it.each(names)('%s answers every one of them with an error of tonplug', async (name) => {
    const { codeOf, callOf } = await start()
    const call = callOf(name)
    const fine = ['ERR_TONPLUG_INVALID_PARAMS', 'ERR_TONPLUG_NOT_FOUND']
    expect(fine).toContain(await codeOf(() => call()))
    expect(fine).toContain(await codeOf(() => call(undefined, undefined)))
    for (const odd of ODD) {
      expect(fine).toContain(await codeOf(() => call(odd)))
      for (const parameter of Object.keys(v3Endpoints[name].params.shape)) {
        const params = { ...sampleParameters[name], [parameter]: odd }
        expect(fine).toContain(await codeOf(() => call(params)))
      }
    }
  })

  it.each(names)('%s says what it needs when it is called without any', async (name) => {
    const { arrived, codeOf, callOf } = await start()
    const { shape, rules } = v3Endpoints[name].params
    const isNeedy =
      Object.values<object>(shape).some((param) => !('isOptional' in param)) ||
      rules.some((rule) => !rule.isKept(() => false, {}))
    const code = await codeOf(callOf(name))
    expect(code).toBe(isNeedy ? 'ERR_TONPLUG_INVALID_PARAMS' : 'ERR_TONPLUG_NOT_FOUND')
    expect(arrived).toHaveLength(isNeedy ? 0 : 1)
  })

  it('options that are undefined are left out', async () => {
    const { arrived, codeOf, callOf } = await start()
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
    expect(arrived).toHaveLength(3)
  })

  it('of request are refused', async () => {
    const { v3, arrived, codeOf } = await start()
    const request = (...given: unknown[]) =>
      v3.request(...(given as Parameters<V3Client['request']>))
    for (const odd of [...ODD, { path: 5 }, { path: 'x' }, { path: '/x', method: 'PUT' }]) {
      expect(await codeOf(() => request(odd))).toBe('ERR_TONPLUG_INVALID_PARAMS')
    }
    expect(await codeOf(() => request())).toBe('ERR_TONPLUG_INVALID_PARAMS')
    expect(await codeOf(() => request({ path: '/x', params: 5 }))).toBe(
      'ERR_TONPLUG_INVALID_PARAMS',
    )
    expect(arrived).toEqual([])
    expect(
      await codeOf(() => request({ path: '/x', method: undefined, params: undefined }, undefined)),
    ).toBe('ERR_TONPLUG_NOT_FOUND')
  })
})

describe('options of the client', () => {
  it('an undefined transport is none', async () => {
    const { baseUrl, arrived } = await startApiServer(() => '[]')
    const v3 = createV3Client({ transport: undefined as never, baseUrl })
    expect(await v3.topAccountsByBalance()).toEqual([])
    expect(arrived).toHaveLength(1)
  })

  it('a client in place of a transport is refused', () => {
    const transport = createV3Client()
    // @ts-expect-error it has a `request` too, and every call would be answered with nothing
    expect(() => createV3Client({ transport })).toThrow('transport: is no transport; give what')
  })

  it('beside a transport, or misspelt, are refused', () => {
    const transport = createTransport()
    // @ts-expect-error they would do nothing
    expect(() => createV3Client({ transport, apiKey: 'k' })).toThrow(ConfigurationError)
    // @ts-expect-error a misspelt option
    expect(() => createV3Client({ apikey: 'k' })).toThrow('did you mean apiKey?')
  })
})
