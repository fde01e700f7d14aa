import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { ConfigurationError } from '../errors/configuration.js'
import { copyCause, createRedact, deepestCode, readApiKey } from './redact.js'

const KEY = 'key_0123456789abcdef'

describe('readApiKey', () => {
  it('takes blanks away from both ends, and nothing for no key', () => {
    expect(readApiKey(` ${KEY}\n`)).toBe(KEY)
    expect(readApiKey('')).toBeUndefined()
    expect(readApiKey('  ')).toBeUndefined()
    expect(readApiKey(undefined)).toBeUndefined()
  })

  it.each([`${KEY} x`, `${KEY}\nx`, `${KEY}é`, `${KEY}\0`])('refuses %j unquoted', (key) => {
    const read = () => readApiKey(key)
    expect(read).toThrow(ConfigurationError)
    expect(read).not.toThrow(KEY)
  })
})

describe('copyCause', () => {
  it('keeps names, messages, codes and causes, but neither the key nor anything else', () => {
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

  it('ends at a cause that goes in circles, and takes what is no error', () => {
    const circle = new Error('circle')
    circle.cause = circle
    expect(copyCause(circle, createRedact(KEY)).message).toBe('circle')
    expect(copyCause(`text ${KEY}`, createRedact(KEY)).message).toBe('text [API key]')
  })
})

describe('deepestCode', () => {
  it('looks into causes and into lists of errors', () => {
    const refused = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })
    const outer = Object.assign(new Error('failed'), { code: 'UND_ERR' })
    outer.cause = new AggregateError([refused])
    expect(deepestCode(outer)).toBe('ECONNREFUSED')
    expect(deepestCode(new Error('no code'))).toBeUndefined()
  })
})
