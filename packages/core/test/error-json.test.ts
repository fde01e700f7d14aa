import { describe, expect, it } from 'vitest'
import * as address from '../src/shared/address.js'
import * as api from '../src/toncenter/errors/api.js'
import * as configuration from '../src/shared/configuration-error.js'
import * as getMethod from '../src/toncenter/endpoint/get-method.js'
import * as http from '../src/toncenter/errors/http.js'
import * as repository from '../src/payments/orders/errors.js'
import * as webhook from '../src/payments/webhook/errors.js'
import { TonplugError, copyError } from '../src/shared/tonplug-error.js'
import type { StackItem } from '../src/toncenter/endpoint/stack.js'

const facts = { endpoint: 'runGetMethod', attempts: 2 }

class OddError extends TonplugError {
  override readonly name = 'OddError'
  readonly code = 'ERR_TONPLUG_ODD'

  constructor(details: object, cause?: unknown) {
    super({ message: 'odd', details, cause })
  }
}

function jsonOf(error: Error): unknown {
  return JSON.parse(JSON.stringify(error))
}

/** Constructor arguments for every class. */
const anyFacts: Record<string, unknown> = {
  ...facts,
  status: 500,
  reason: 'told',
  requestId: undefined,
  exitCode: 7,
  gasUsed: 1,
  stack: [{ type: 'number', value: 1n }],
  issues: [{ path: 'a', problem: 'is wrong' }],
  code: 'ERR_TONPLUG_SERVER',
  cause: new Error('before'),
  phase: 'body',
  scope: 'attempt',
  limitMs: 5n,
  input: 'x',
  isRetryable: true,
}

type AnyErrorClass = new (given: unknown) => TonplugError

function isErrorClass(value: unknown): value is AnyErrorClass {
  return typeof value === 'function' && value.prototype instanceof TonplugError
}

const classes = [address, api, configuration, getMethod, http, repository, webhook]
  .flatMap((module) => Object.entries<unknown>(module))
  .flatMap(([name, value]): { name: string; ErrorClass: AnyErrorClass }[] =>
    isErrorClass(value) ? [{ name, ErrorClass: value }] : [],
  )

describe('an error as JSON', () => {
  it('has a test case for every class', () => {
    expect(classes.length).toBeGreaterThan(15)
  })

  it.each(classes)('keeps name, code and message of $name', ({ name, ErrorClass }) => {
    const error = new ErrorClass(anyFacts)
    if (error.name !== name) return // A family, which has no errors of its own.
    const { code, message, retryable } = error
    expect(jsonOf(error)).toMatchObject({ name, code, message, retryable })
  })

  it('contains bigints as strings of digits', () => {
    const stack: StackItem[] = [
      { type: 'tuple', items: [{ type: 'number', value: -(2n ** 256n) }, { type: 'null' }] },
    ]
    const error = new getMethod.GetMethodError({ ...facts, exitCode: 11, gasUsed: 400, stack })
    expect(jsonOf(error)).toMatchObject({
      details: {
        exitCode: 11,
        stack: [
          {
            type: 'tuple',
            items: [{ type: 'number', value: (-(2n ** 256n)).toString() }, { type: 'null' }],
          },
        ],
      },
    })
  })

  it('contains the chain of causes', () => {
    const deepest = Object.assign(new Error('refused'), { code: 'ECONNREFUSED', socket: {} })
    const cause = new TypeError('fetch failed', { cause: deepest })
    const error = new http.TransportError({
      ...facts,
      code: 'ERR_TONPLUG_NETWORK',
      problem: 'the server could not be reached',
      phase: 'headers',
      reason: 'ECONNREFUSED',
      cause,
    })
    expect(jsonOf(error)).toMatchObject({
      cause: {
        name: 'TypeError',
        message: 'fetch failed',
        cause: { name: 'Error', message: 'refused', code: 'ECONNREFUSED' },
      },
    })
    expect(JSON.stringify(error)).not.toContain('socket')
  })

  it('is equal for a copy', () => {
    const error = new http.TransportError({
      ...facts,
      code: 'ERR_TONPLUG_NETWORK',
      problem: 'the server could not be reached',
      phase: 'headers',
      reason: undefined,
    })
    expect(JSON.stringify(copyError(error))).toBe(JSON.stringify(error))
  })

  it('ends at circular and at deeply nested details and causes', () => {
    const round: Record<string, unknown> = { big: 1n }
    round['self'] = round
    const error = new OddError(round)
    error.cause = error
    expect(jsonOf(error)).toMatchObject({ name: 'OddError', details: { big: '1', self: '…' } })

    let items: StackItem[] = []
    for (let depth = 0; depth < 100_000; depth++) items = [{ type: 'list', items }]
    const deep = new getMethod.GetMethodError({ ...facts, exitCode: 2, gasUsed: 0, stack: items })
    expect(JSON.stringify(deep).length).toBeLessThan(2000)
  })

  it.each([
    [
      'a value that cannot be read',
      Object.defineProperty({}, 'a', { enumerable: true, get: fail }),
    ],
    ['a value that cannot be written', { a: { toJSON: fail } }],
    ['no JSON at all', { a: Symbol('a'), b: () => 1, c: Number.NaN, d: new Map([[1n, 2n]]) }],
  ])('is written for any details: %s', (_, details) => {
    expect(jsonOf(new OddError(details))).toMatchObject({ code: 'ERR_TONPLUG_ODD' })
    expect(jsonOf(new OddError({}, details))).toMatchObject({ cause: '…' })
  })

  it('keeps dates and thrown strings', () => {
    const error = new OddError({ at: new Date(0) }, 'thrown')
    expect(jsonOf(error)).toMatchObject({
      details: { at: '1970-01-01T00:00:00.000Z' },
      cause: 'thrown',
    })
  })
})

function fail(): never {
  throw new Error('no')
}
