import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PayloadError } from './errors.js'
import { isTransferCompleted, parsePayload, type KnownField } from './payload.js'

const data = {
  amount: '10.5',
  rawAmount: '10500000000',
  senderAddr: 'sender',
  recipientAddr: 'recipient',
  asset: 'TON',
  status: 'success',
  reference: 'order-1',
  bodyBase64Hash: 'hash',
  txHash: 'tx',
  traceId: 'trace',
  date: '2024-01-15T14:30:00.000Z',
}
const payload = { event: 'transfer.completed', timestamp: '2024-01-15T14:30:00.000Z', data }

/** A value of each field; a new field must be added, so that the tests below check it. */
const complete: Readonly<Record<KnownField, unknown>> = {
  ...data,
  assetTicker: 'TON',
  commentToSender: 'thanks',
  commentToRecipient: 'order 1',
  isCommentEncrypted: false,
  errorCode: 36,
  errorMessage: 'none',
}

const descriptive = ['amount', 'senderAddr', 'bodyBase64Hash', 'traceId', 'date']
const required = Object.keys(data).filter((field) => !descriptive.includes(field))

function issuesOf(body: string | Uint8Array): readonly { path: string; problem: string }[] {
  try {
    parsePayload(body)
  } catch (error) {
    if (error instanceof PayloadError) return error.details.issues
  }
  throw new Error('expected a PayloadError')
}

describe('parsePayload', () => {
  it('reads the required fields and keeps unknown ones', () => {
    const parsed = parsePayload(JSON.stringify({ ...payload, id: 7, data: { ...data, fee: '1' } }))
    expect(parsed).toEqual({ ...payload, id: 7, data: { ...data, fee: '1' } })
    expect(isTransferCompleted(parsed)).toBe(true)
  })

  it('S109 rejects more than 32,768 levels before it parses them', () => {
    const nested = '['.repeat(8_000_000) + ']'.repeat(8_000_000)
    const before = process.memoryUsage().heapUsed
    const problem = 'the body is not JSON, or has more than 32,768 levels'
    expect(issuesOf(`{"event":"other","data":${nested}}`)).toEqual([{ path: '', problem }])
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(200_000_000)
  })

  it('S24 keeps the data of another event unchanged', () => {
    const refunded = { event: 'transfer.refunded', timestamp: 't', data: [1, null] }
    expect(parsePayload(JSON.stringify(refunded))).toEqual(refunded)
    expect(isTransferCompleted(parsePayload(JSON.stringify(refunded)))).toBe(false)
  })

  it('S24 rejects an event that is not a string', () => {
    expect(issuesOf(JSON.stringify({ ...payload, event: 1 }))).toMatchObject([{ path: 'event' }])
  })

  it.each(required)('S72 rejects a payload without data.%s, and names the path', (field) => {
    const body = JSON.stringify({ ...payload, data: { ...data, [field]: undefined } })
    expect(issuesOf(body)).toMatchObject([{ path: `data.${field}` }])
  })

  it.each(descriptive)('S72 reads a payload whose data.%s is missing or invalid', (field) => {
    for (const value of [undefined, null, 5, {}]) {
      const body = JSON.stringify({ ...payload, data: { ...data, [field]: value } })
      expect(parsePayload(body).data).toEqual({ ...data, [field]: '' })
    }
  })

  it('S72 reads a payload without a timestamp', () => {
    expect(parsePayload(JSON.stringify({ event: payload.event, data }))).toMatchObject({ data })
  })

  it('rejects a number as an amount, because digits may be lost', () => {
    const body = JSON.stringify(payload).replace('"10500000000"', '18446744073709551617')
    expect(issuesOf(body)).toMatchObject([{ path: 'data.rawAmount' }])
  })

  it.each([
    { errorCode: '36' },
    { commentToSender: 5 },
    { assetTicker: null },
    { errorMessage: {} },
  ])('ignores an optional field of an unexpected type: %j', (odd) => {
    const parsed = parsePayload(JSON.stringify({ ...payload, data: { ...data, ...odd } }))
    expect(parsed.data).toMatchObject(data)
  })

  it('S14 rejects bytes that are not UTF-8', () => {
    const bytes = Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xff]), Buffer.from('"}')])
    expect(issuesOf(bytes)).toEqual([{ path: '', problem: 'the body is not UTF-8' }])
  })

  it('S14 reads the next body after one that ended within a character', () => {
    const cut = Buffer.from('{"a":"€').subarray(0, -1)
    expect(issuesOf(cut)).toEqual([{ path: '', problem: 'the body is not UTF-8' }])
    expect(parsePayload(Buffer.from(JSON.stringify(payload)))).toMatchObject(payload)
  })

  it.each([
    '',
    ' ',
    'null',
    '[]',
    '"text"',
    '{}',
    '\ufeff{}',
    '{"a":',
    `${'['.repeat(10_000)}`,
    '1',
  ])('S15 rejects %.20j without quoting it', (body) => {
    expect(() => parsePayload(body)).toThrow(PayloadError)
  })

  it('S15 reads a payload that is nested ten thousand deep', () => {
    const deep = `${'['.repeat(10_000)}${']'.repeat(10_000)}`
    const body = JSON.stringify(payload).replace('{', `{"deep":${deep},`)
    expect(parsePayload(body)).toMatchObject({ event: 'transfer.completed' })
  })

  it('S16 ignores __proto__ and constructor keys', () => {
    const body = JSON.stringify(payload)
      .replace('{', '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},')
      .replace('"data":{', '"data":{"__proto__":{"status":"success","polluted":1},')
    const parsed = parsePayload(body)
    expect(Object.getPrototypeOf(parsed)).toBe(Object.prototype)
    expect(Object.getPrototypeOf(parsed.data)).toBe(Object.prototype)
    expect(({} as { polluted?: number }).polluted).toBeUndefined()
    expect((parsed.data as { polluted?: number }).polluted).toBeUndefined()
  })

  it.each(['\u0000', '\ud800', '\udfff'])(
    'replaces %j by U+FFFD, and a reference that contains it by an empty one',
    (mark) => {
      const body = JSON.stringify({
        ...payload,
        data: { ...data, reference: `a${mark}b`, traceId: mark },
      })
      expect(parsePayload(body).data).toMatchObject({ reference: '', traceId: '\uFFFD' })
    },
  )

  it.each(Object.keys(complete))('reads data.%s of any type as the schema does', (field) => {
    const odd = [undefined, null, '', 'x', 'x'.repeat(1025), 5, true, {}, []]
    for (const value of odd) {
      const bodyWith = (mark: string): string =>
        JSON.stringify({ ...payload, data: { ...complete, [field]: value }, mark })
      expect(readMarked(bodyWith('-'))).toEqual(readMarked(bodyWith('\u0000')))
    }
    const overflow = JSON.stringify({ ...payload, data: { ...complete, [field]: 'big' }, mark: '' })
    const ofInfinity = overflow.replace('"big"', '1e400')
    const bySchema = ofInfinity.replace('"mark":""', String.raw`"mark":"\u0000"`)
    expect(readMarked(ofInfinity)).toEqual(readMarked(bySchema))
  })

  it('reads documented payloads as the schema does', () => {
    const names = [...Object.keys(complete), 'extra', '__proto__']
    const value = fc.oneof(fc.string(), fc.jsonValue(), fc.constant('x'.repeat(1025)))
    const changes = fc.array(fc.tuple(fc.constantFrom(...names), value), { maxLength: 3 })
    fc.assert(
      fc.property(changes, changes, (ofPayload, ofData) => {
        const transfer = writeObject([...fieldsOf(complete), ...ofData.map(toField)])
        const bodyWith = (mark: string): string =>
          writeObject([
            ...fieldsOf({ ...payload, timestamp: 't' }),
            ['data', transfer],
            ...ofPayload.map(toField),
            ['mark', mark],
          ])
        // A payload with NUL is always parsed by the schema.
        expect(readMarked(bodyWith('"-"'))).toEqual(readMarked(bodyWith('"\\u0000"')))
      }),
      { numRuns: 2000 },
    )
  })
})

type Field = [name: string, json: string]

function toField([name, value]: [string, unknown]): Field {
  return [name, JSON.stringify(value)]
}

function fieldsOf(values: object): Field[] {
  return Object.entries(values).map(toField)
}

/** Returns JSON with any keys, including repeated ones. */
function writeObject(fields: readonly Field[]): string {
  return `{${fields.map(([name, json]) => `${JSON.stringify(name)}:${json}`).join(',')}}`
}

/** Returns the result of parsing a body, without its mark. */
function readMarked(body: string): unknown {
  try {
    return { ...parsePayload(body), mark: undefined }
  } catch (error) {
    if (error instanceof PayloadError) return error.details.issues
    throw error
  }
}
