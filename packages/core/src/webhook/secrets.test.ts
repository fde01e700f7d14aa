import { describe, expect, it } from 'vitest'
import { ConfigurationError } from '../errors/configuration.js'
import { nameSecrets, type Secrets } from './secrets.js'
import { verifySignature } from './signature.js'

// What JavaScript callers may hand over, whatever the types say.
const bad: [string, unknown][] = [
  ['undefined', undefined],
  ['null', null],
  ['an empty text', ''],
  ['white space', ' \t'],
  ['a trailing newline', 'whsec_test\n'],
  ['a leading space', ' whsec_test'],
  ['a number', 5],
  ['an empty list', []],
  ['a list with an empty text', ['whsec_test', '']],
  ['a named secret that is empty', [{ name: 'old', secret: '' }]],
]

describe('nameSecrets', () => {
  it.each(bad)('S9 refuses %s', (_, secrets) => {
    expect(() => nameSecrets(secrets as Secrets)).toThrow(ConfigurationError)
    expect(() => verifySignature('body', 'sha256=', { secrets: secrets as Secrets })).toThrow(
      ConfigurationError,
    )
  })

  it('never says the secret', () => {
    expect(() => nameSecrets('whsec_test\n')).toThrow(expect.not.stringContaining('whsec_'))
  })

  it('names what has no name by its place', () => {
    expect(nameSecrets(['whsec_a', { name: 'old', secret: 'whsec_b' }])).toEqual([
      { name: 'secrets[0]', secret: 'whsec_a' },
      { name: 'old', secret: 'whsec_b' },
    ])
  })
})
