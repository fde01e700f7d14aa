import { describe, expect, it } from 'vitest'
import { ConfigurationError } from '../../shared/configuration-error.js'
import { checkResolved, nameSecrets, type Secrets } from './secrets.js'
import { verifySignature } from './signature.js'

// JavaScript callers may pass anything, whatever the types say.
const bad: [string, unknown][] = [
  ['undefined', undefined],
  ['null', null],
  ['an empty string', ''],
  ['white space', ' \t'],
  ['a trailing newline', 'whsec_test\n'],
  ['a leading space', ' whsec_test'],
  ['a number', 5],
  ['an empty list', []],
  ['a list with an empty string', ['whsec_test', '']],
  ['a named secret that is empty', [{ name: 'old', secret: '' }]],
  ['the string undefined', 'undefined'],
  ['a list with the string null', ['whsec_test', 'null']],
  ['a named secret that is the string of an object', [{ name: 'old', secret: '[object Object]' }]],
  ['a reference to a variable', '${TONPAY_WEBHOOK_SECRET}'],
  ['a secret in quotes', '"whsec_test"'],
  ['a placeholder', '<your-secret>'],
]

describe('nameSecrets', () => {
  it.each(bad)('S9 rejects %s', (_, secrets) => {
    expect(() => nameSecrets(secrets as Secrets)).toThrow(ConfigurationError)
    expect(() => verifySignature('body', 'sha256=', { secrets: secrets as Secrets })).toThrow(
      ConfigurationError,
    )
  })

  it.each([
    'whsec_test\n',
    '"whsec_test"',
    '${A:-whsec_b}',
    1_234_567,
    [{ name: 'old', secret: 1_234_567 }],
  ])('does not quote the secret %j in its error', (secrets) => {
    const read = () => nameSecrets(secrets as Secrets)
    expect(read).toThrow(ConfigurationError)
    expect(read).not.toThrow(/whsec_|1234567/)
  })

  it('rejects a bad secret after a valid one, and each time', () => {
    expect(verifySignature('body', 'sha256=', { secrets: 'whsec_test' }).isValid).toBe(false)
    for (const secrets of ['undefined', 'undefined', '"whsec_test"']) {
      expect(() => verifySignature('body', 'sha256=', { secrets })).toThrow(ConfigurationError)
    }
  })

  it('accepts a secret with `$` in the middle and one in base64', () => {
    const secrets = ['whsec_ab$cd', 'q83vEjRWeA==']
    expect(nameSecrets(secrets).map(({ secret }) => secret)).toEqual(secrets)
  })

  it('names unnamed secrets by their index', () => {
    expect(nameSecrets(['whsec_a', { name: 'old', secret: 'whsec_b' }])).toEqual([
      { name: 'secrets[0]', secret: 'whsec_a' },
      { name: 'old', secret: 'whsec_b' },
    ])
  })
})

describe('checkResolved', () => {
  it('returns the merchant and its named secrets', () => {
    expect(checkResolved({ merchant: 'a', secrets: 'whsec_a' })).toEqual({
      merchant: 'a',
      list: [{ name: 'secrets[0]', secret: 'whsec_a' }],
    })
  })

  it.each([
    ['a bare string', 'whsec_a'],
    ['a bare list', ['whsec_a']],
    ['a named secret', { name: 'a', secret: 'whsec_a' }],
    ['null', null],
    ['a merchant of another type', { merchant: 5, secrets: 'whsec_a' }],
    ['a merchant with NUL', { merchant: 'a\u0000', secrets: 'whsec_a' }],
    ['a merchant without secrets', { merchant: 'a' }],
    ['the string undefined', { merchant: 'a', secrets: 'undefined' }],
    ['a secret in quotes', { merchant: 'a', secrets: ["'whsec_a'"] }],
  ])('S10 rejects %s', (_, resolved) => {
    const error = expect.not.stringContaining('whsec_') as string
    expect(() => checkResolved(resolved as never)).toThrow(ConfigurationError)
    expect(() => checkResolved(resolved as never)).toThrow(error)
  })
})
