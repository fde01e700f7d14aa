import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import {
  address,
  asset,
  functionSchema,
  objectWith,
  parseOptions,
  positive,
  timerMs,
} from './options.js'

const schema = z.strictObject({
  wallets: z.array(address).optional(),
  asset: asset.optional(),
  level: z.enum(['low', 'high']).default('low'),
  retry: z.strictObject({ attempts: z.int().min(1).default(3) }).optional(),
  apiKey: z.string().min(1).optional(),
  timeoutMs: timerMs.optional(),
  factor: positive.optional(),
  count: z.number().min(0).max(9).optional(),
  isOn: z.boolean().optional(),
  onEnd: functionSchema().optional(),
  store: objectWith<Map<string, string>>('a Map. Create one', ['get', 'set']).optional(),
})

describe('parseOptions', () => {
  it('returns the options with their defaults', () => {
    const store = new Map<string, string>()
    const options = parseOptions(schema, { retry: {}, store, factor: Infinity })
    expect(options).toEqual({ level: 'low', retry: { attempts: 3 }, store, factor: Infinity })
    expect(options.store).toBe(store)
  })

  it('treats undefined values as left out, even of unknown options', () => {
    const options = parseOptions(schema, { other: undefined, retry: { times: undefined } })
    expect(options).toEqual({ level: 'low', retry: { attempts: 3 } })
  })

  it('reads the options of a class instance', () => {
    class Settings {
      get level() {
        return 'high'
      }
    }
    expect(parseOptions(schema, new Settings())).toEqual({ level: 'high' })
  })

  it.each<[unknown, string]>([
    [undefined, 'options: must be an object; received undefined'],
    [[], 'options: must be an object; received an empty list'],
    [{ wallet: [] }, 'wallet: is not an option here; did you mean wallets?'],
    [{ retry: { attempt: 1 } }, 'retry.attempt: is not an option here; did you mean attempts?'],
    [{ retry: { attempts: 0 } }, 'retry.attempts: must be at least 1; received 0'],
    [{ retry: { attempts: 1.5 } }, 'retry.attempts: must be a whole number; received 1.5'],
    [
      { wallets: ['${SHOP_WALLET}'] },
      'wallets[0]: must not be a reference to a variable that was not replaced; received a string of 14 characters. Set the variable, and replace it before the server starts',
    ],
    [{ retry: null }, 'retry: must be an object; received null'],
    [{ level: 'medium' }, `level: must be 'low' or 'high'; received "medium"`],
    [{ isOn: 'yes' }, 'isOn: must be true or false; received a string of 3 characters'],
    [{ apiKey: '' }, 'apiKey: must not be empty; received an empty string'],
    [{ apiKey: 5n }, 'apiKey: must be a string; received 5'],
    [{ count: NaN }, 'count: must be a finite number; received NaN'],
    [{ count: 10 }, 'count: must be at most 9; received 10'],
    [{ factor: 0 }, 'factor: must be a number above zero; received 0'],
    [
      { timeoutMs: 2 ** 31 },
      'timeoutMs: must be a number of milliseconds above zero and up to 2147483647; received 2147483648',
    ],
    [{ onEnd: {} }, 'onEnd: must be a function; received an object'],
    [{ store: 'redis' }, 'store: must be a Map; received a string of 5 characters. Create one'],
    [{ store: { get() {} } }, 'store: must be a Map; received an object without set. Create one'],
    [
      { store: Promise.resolve() },
      'store: must be a Map; received a promise without get, set. Create one',
    ],
    [{ wallets: 'EQ' }, 'wallets: must be a list; received a string of 2 characters'],
    [{ wallets: [5] }, 'wallets[0]: must be a TON address; received 5'],
    [
      { wallets: [''] },
      'wallets[0]: must be a TON address; received an empty string. Set the variable or field that it is read from',
    ],
    [
      { asset: 'USD₮' },
      `asset: must be 'TON' or the address of a jetton master; received "USD₮". Pass the address`,
    ],
    [{ asset: '' }, "asset: must be 'TON' or a jetton master; received an empty string. Set"],
    [{ asset: 'undefined' }, 'asset: must be set; received "undefined" as a string. Set'],
    [{ wallets: ['EQ'] }, 'wallets[0]: "EQ" is not a TON address: expected workchain:hash'],
  ])('rejects %o', (given, message) => {
    expect(() => parseOptions(schema, given)).toThrow(
      expect.objectContaining({
        code: 'ERR_TONPLUG_CONFIGURATION',
        details: { option: message.split(':')[0] },
        message: expect.stringContaining(message),
      }),
    )
  })

  it('lists the options when none is similar to an unknown one', () => {
    expect(() => parseOptions(z.strictObject({ one: z.string() }), { zzzzzzzz: 1 })).toThrow(
      /^zzzzzzzz: is not an option here; .*one/,
    )
  })

  it('names the argument that holds the options', () => {
    const at = { path: 'filter' }
    expect(() => parseOptions(schema, { count: -1 }, at)).toThrow('filter.count: must be at least')
    expect(() => parseOptions(schema, { counts: 1 }, at)).toThrow('filter.counts: is not')
    expect(() => parseOptions(schema, null, at)).toThrow('filter: must be an object')
  })

  it('never shows a string that may be a secret', () => {
    const given = { apiKey: ['sk-1234'], retry: 'sk-1234', onEnd: 'sk-1234' }
    for (const [name, value] of Object.entries(given)) {
      expect(() => parseOptions(schema, { [name]: value })).toThrow(
        expect.not.stringContaining('sk-1234'),
      )
    }
  })
})
