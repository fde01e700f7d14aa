import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { ConfigurationError } from '../../shared/configuration-error.js'
import { copyCause, createRedact, deepestCode, readApiKey } from './redact.js'

const KEY = 'key_0123456789abcdef'

describe('readApiKey', () => {
  it('removes blanks from both ends, and treats a blank string as absent', () => {
    expect(readApiKey(` ${KEY}\n`)).toBe(KEY)
    expect(readApiKey('')).toBeUndefined()
    expect(readApiKey('  ')).toBeUndefined()
    expect(readApiKey(undefined)).toBeUndefined()
  })

  it.each([`${KEY} x`, `${KEY}\nx`, `${KEY}é`, `${KEY}\0`, 1_234_567, null, {}])(
    'rejects %j without quoting it',
    (key) => {
      // JavaScript callers may pass anything.
      const read = () => readApiKey(key as string)
      expect(read).toThrow(ConfigurationError)
      expect(read).not.toThrow(KEY)
      expect(read).not.toThrow('1234567')
    },
  )
})

describe('readApiKey of a string that can only be a mistake', () => {
  it.each(['undefined', ' null ', 'NaN', '[object Object]', '${KEY}', '$KEY', '%KEY%', '<key>'])(
    'S9 rejects %j',
    (key) => {
      expect(() => readApiKey(key)).toThrow(/^apiKey: must /)
    },
  )

  it('S9 rejects a key in quotes without quoting it', () => {
    expect(() => readApiKey(`"${KEY}"`)).toThrow(/not a placeholder/)
    expect(() => readApiKey(`"${KEY}"`)).not.toThrow(KEY)
  })
})

describe('copyCause', () => {
  it('keeps names, messages, codes and causes only, without the key', () => {
    const root = Object.assign(new Error(`reset ${KEY}`), { code: 'ECONNRESET' })
    const request = { headers: { 'x-api-key': KEY } }
    const thrown = Object.assign(new TypeError(`failed ${KEY}`, { cause: root }), { request })
    const copy = copyCause(thrown, createRedact(KEY))
    expect(copy).toMatchObject({
      name: 'TypeError',
      message: 'failed [API key]',
      cause: { message: 'reset [API key]', code: 'ECONNRESET' },
    })
    expect(inspect(copy, { depth: null, showHidden: true })).not.toContain(KEY)
    expect(copy).not.toHaveProperty('request')
  })

  it('ends at a cyclic cause, and accepts values other than errors', () => {
    const circle = new Error('circle')
    circle.cause = circle
    expect(copyCause(circle, createRedact(KEY)).message).toBe('circle')
    expect(copyCause(`text ${KEY}`, createRedact(KEY)).message).toBe('text [API key]')
  })
})

describe('deepestCode', () => {
  it('reads causes and lists of errors', () => {
    const refused = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })
    const outer = Object.assign(new Error('failed'), { code: 'UND_ERR' })
    outer.cause = new AggregateError([refused])
    expect(deepestCode(outer)).toBe('ECONNREFUSED')
    expect(deepestCode(new Error('no code'))).toBeUndefined()
  })
})
