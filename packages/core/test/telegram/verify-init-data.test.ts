import { createHmac, generateKeyPairSync, sign } from 'node:crypto'
import { verifyTelegramInitData, type InitDataOptions } from '@tonplug/core/telegram'
import { createFakeClock } from '@tonplug/testing'
import { describe, expect, it } from 'vitest'

const TOKEN = '7342037359:AAHI25ES9xCOMPokpYoz-p8XVrZUdygo2J4'
const NOW = Date.UTC(2026, 10, 27) / 1000
const clock = createFakeClock({ startMs: NOW * 1000 })
const user = { id: 279_058_397, first_name: 'Zoë + "=&', language_code: 'en' }
const FIELDS: Record<string, string> = {
  query_id: 'AAHdF6IQAAAAAN0XohDhrOrc',
  user: JSON.stringify(user),
  auth_date: `${NOW - 60}`,
  signature: 'A'.repeat(86),
  chat_type: 'private',
}
const { publicKey, privateKey } = generateKeyPairSync('ed25519')
const telegramKey = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('hex')

function lines(fields: Record<string, string>): string {
  const pairs = Object.entries(fields).map(([name, value]) => `${name}=${value}`)
  return pairs.toSorted().join('\n')
}

/** Writes the data as Telegram does for the bot of a token. */
function botData(fields: Record<string, string> = FIELDS, token = TOKEN): string {
  const secret = createHmac('sha256', Buffer.from('WebAppData')).update(token).digest()
  const hash = createHmac('sha256', secret).update(lines(fields)).digest('hex')
  return new URLSearchParams({ ...fields, hash }).toString()
}

/** Writes the data as Telegram does for other parties. */
function telegramData(botId: string, fields: Record<string, string> = FIELDS): string {
  const { signature: _, ...signed } = fields
  const text = `${botId}:WebAppData\n${lines(signed)}`
  const signature = sign(null, Buffer.from(text), privateKey).toString('base64url')
  return new URLSearchParams({ ...signed, signature, hash: '0'.repeat(64) }).toString()
}

const check = (initData: string, options: InitDataOptions = {}) =>
  verifyTelegramInitData(initData, { token: TOKEN, clock, ...options })

const checkForOthers = (initData: string, botId: string | number = '7342037359') =>
  verifyTelegramInitData(initData, { botId, publicKey: telegramKey, clock })

describe('verifyTelegramInitData with the token of the bot', () => {
  it('returns the user, the date and the fields', () => {
    expect(check(botData())).toMatchObject({
      isValid: true,
      user,
      authDate: new Date((NOW - 60) * 1000),
      fields: { query_id: 'AAHdF6IQAAAAAN0XohDhrOrc', chat_type: 'private' },
    })
  })

  it('accepts the sample of public documentation', () => {
    // Source: https://docs.telegram-mini-apps.com/packages/tma-js-init-data/validating
    const sample =
      'query_id=AAHdF6IQAAAAAN0XohDhrOrc&user=%7B%22id%22%3A279058397%2C%22first_name%22%3A%22Vladislav%22%2C%22last_name%22%3A%22Kibenko%22%2C%22username%22%3A%22vdkfrost%22%2C%22language_code%22%3A%22ru%22%2C%22is_premium%22%3Atrue%7D&auth_date=1662771648&hash=c501b71e775f74ce10e377dea85a7ea24ecd640b223ea86dfe453e0eaed2e2b2'
    const token = '5768337691:AAH5YkoiEuPk8-FZa32hStHTqXiLPtAEhx8'
    const then = createFakeClock({ startMs: 1_662_771_648_000 })
    expect(check(sample, { token, clock: then })).toMatchObject({
      isValid: true,
      user: { id: 279_058_397, username: 'vdkfrost' },
    })
    expect(check(sample, { token })).toEqual({ isValid: false, reason: 'too_old' })
  })

  it.each<[string, string]>([
    ['of another bot', botData(FIELDS, '1:another')],
    ['with a changed user', botData().replace('279058397', '279058398')],
    ['with an added field', `${botData()}&start_param=x`],
    ['without its signature field', botData().replace(/signature=A+&/, '')],
    ['with a hash of other length', botData().replace(/hash=../, 'hash=')],
    ['signed for other parties', telegramData('7342037359')],
  ])('S154 refuses data %s', (_, initData) => {
    expect(check(initData)).toEqual({ isValid: false, reason: 'mismatch' })
  })

  it('S154 refuses replayed data after an hour, and data from the future', () => {
    const aged = (seconds: number) => botData({ ...FIELDS, auth_date: `${NOW - seconds}` })
    expect(check(aged(3600)).isValid).toBe(true)
    expect(check(aged(3601))).toEqual({ isValid: false, reason: 'too_old' })
    expect(check(aged(301), { maxAgeMs: 300_000 })).toEqual({ isValid: false, reason: 'too_old' })
    expect(check(aged(-60)).isValid).toBe(true)
    expect(check(aged(-61))).toEqual({ isValid: false, reason: 'in_future' })
  })

  it.each<[string, string, string]>([
    ['malformed', 'a repeated field', `${botData()}&user=%7B%22id%22%3A1%7D`],
    ['malformed', 'a repeated hash', `${botData()}&hash=${'0'.repeat(64)}`],
    ['malformed', 'fields in one value', joined('auth_date', 'chat_type')],
    ['malformed', 'a part of a value in its name', botData().replace('user=', 'user%3D%7B=')],
    ['malformed', 'a date that is a word', botData({ ...FIELDS, auth_date: 'now' })],
    ['malformed', 'a user without an id', botData({ ...FIELDS, user: '{}' })],
    ['malformed', 'a user that is not JSON', botData({ ...FIELDS, user: '{' })],
    ['missing', 'no hash', new URLSearchParams(FIELDS).toString()],
    ['missing', 'no date', botData({ user: '{}' })],
    ['missing', 'nothing', ''],
  ])('S154 refuses as %s: %s', (reason, _, initData) => {
    expect(check(initData)).toEqual({ isValid: false, reason })
  })

  /** Moves a field into the value of the one before: the signed string stays the same. */
  function joined(first: string, second: string): string {
    const data = new URLSearchParams(botData())
    data.set(first, `${data.get(first)}\n${second}=${data.get(second)}`)
    data.delete(second)
    return data.toString()
  }
})

describe('verifyTelegramInitData with the id of a bot', () => {
  it('accepts data that Telegram has signed for it', () => {
    const initData = telegramData('7342037359')
    expect(checkForOthers(initData)).toMatchObject({ isValid: true, user })
    expect(checkForOthers(initData, 7_342_037_359)).toMatchObject({ isValid: true, user })
  })

  it.each<[string, string]>([
    ['for another bot', telegramData('1')],
    ['and that were changed', telegramData('7342037359').replace('279058397', '279058398')],
    ['with a short signature', telegramData('7342037359').replace(/signature=../, 'signature=')],
    ['with the hash of a bot only', botData()],
  ])('S154 refuses data %s', (_, initData) => {
    expect(checkForOthers(initData)).toEqual({ isValid: false, reason: 'mismatch' })
  })

  it('S154 refuses data that another key has signed', () => {
    const options = { botId: '7342037359', clock }
    expect(verifyTelegramInitData(telegramData('7342037359'), options)).toEqual({
      isValid: false,
      reason: 'mismatch',
    })
  })
})

it.each<[string, InitDataOptions]>([
  ['token', { token: '' }],
  ['token', { token: ' 1:abc' }],
  ['options', {}],
  ['options', { token: TOKEN, botId: 1 }],
  ['botId', { botId: '1:abc' }],
  ['maxAgeMs', { token: TOKEN, maxAgeMs: 0 }],
  ['publicKey', { botId: 1, publicKey: 'ab' }],
])('verifyTelegramInitData rejects an invalid %s: %o', (option, options) => {
  expect(() => verifyTelegramInitData(botData(), options)).toThrow(
    expect.objectContaining({ code: 'ERR_TONPLUG_CONFIGURATION', details: { option } }),
  )
})
