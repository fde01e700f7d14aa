import { describe, expect, it } from 'vitest'
import * as address from '../src/errors/address.js'
import * as api from '../src/errors/api.js'
import * as configuration from '../src/errors/configuration.js'
import * as getMethod from '../src/errors/get-method.js'
import * as http from '../src/errors/http.js'
import * as params from '../src/errors/params.js'
import * as repository from '../src/errors/repository.js'
import * as webhook from '../src/errors/webhook.js'
import { TonplugError, copyError } from '../src/errors/tonplug-error.js'
import type { StackItem } from '../src/endpoint/stack.js'

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

/** What every class is built from, whatever it takes. */
const anyFacts: Record<string, unknown> = {
  ...facts,
  status: 500,
  reason: 'told',
  requestId: undefined,
  exitCode: 7,
  gasUsed: 1,
  stack: [{ type: 'number', value: 1n }],
  issues: [{ path: 'a', problem: 'is wrong' }],
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

const classes = [address, api, configuration, getMethod, http, params, repository, webhook]
  .flatMap((module) => Object.entries<unknown>(module))
  .flatMap(([name, value]): { name: string; ErrorClass: AnyErrorClass }[] =>
    isErrorClass(value) ? [{ name, ErrorClass: value }] : [],
  )

describe('an error as JSON', () => {
  it('is found for every class', () => {
    expect(classes.length).toBeGreaterThan(20)
  })

  it.each(classes)('$name says what it is', ({ name, ErrorClass }) => {
    const error = new ErrorClass(anyFacts)
    if (error.name !== name) return // A family, which has no errors of its own.
    const { code, message, retryable } = error
    expect(jsonOf(error)).toMatchObject({ name, code, message, retryable })
  })

  it('has bigints as their digits', () => {
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

  it('has the cause, and the causes of that', () => {
    const deepest = Object.assign(new Error('refused'), { code: 'ECONNREFUSED', socket: {} })
    const cause = new TypeError('fetch failed', { cause: deepest })
    const error = new http.NetworkError({
      ...facts,
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

  it('is the same of a copy', () => {
    const error = new http.NetworkError({ ...facts, phase: 'headers', reason: undefined })
    expect(JSON.stringify(copyError(error))).toBe(JSON.stringify(error))
  })

  it('ends where details or causes lead back to themselves, and where they are too deep', () => {
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
  ])('is written whatever the details hold: %s', (_, details) => {
    expect(jsonOf(new OddError(details))).toMatchObject({ code: 'ERR_TONPLUG_ODD' })
    expect(jsonOf(new OddError({}, details))).toMatchObject({ cause: '…' })
  })

  it('keeps dates and what a thrown text says', () => {
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
