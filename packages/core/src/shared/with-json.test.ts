import { expect, it } from 'vitest'
import { withJson } from './with-json.js'

it('writes bigints at every depth as decimal strings', () => {
  const value = withJson({
    rawAmount: 2n ** 80n,
    items: [{ price: 1n }, undefined],
    at: new Date(0),
  })
  expect(JSON.parse(JSON.stringify({ nested: [value] }))).toEqual({
    nested: [
      {
        rawAmount: '1208925819614629174706176',
        items: [{ price: '1' }, null],
        at: '1970-01-01T00:00:00.000Z',
      },
    ],
  })
})

it('keeps all digits where BigInt.prototype has a toJSON of the app', () => {
  const prototype = BigInt.prototype as { toJSON?: () => unknown }
  prototype.toJSON = () => 0
  try {
    expect(JSON.stringify(withJson({ rawAmount: 5n }))).toBe('{"rawAmount":"5"}')
  } finally {
    delete prototype.toJSON
  }
})

it('adds nothing that a copy, a comparison or structuredClone sees', () => {
  const value = withJson({ rawAmount: 5n })
  expect(Object.keys(value)).toEqual(['rawAmount'])
  expect(value).toStrictEqual({ rawAmount: 5n })
  expect({ ...value }).not.toHaveProperty('toJSON')
  expect(structuredClone(value)).toEqual({ rawAmount: 5n })
})

it('calls toJSON of the objects inside', () => {
  const entity = { rawAmount: 1n, toJSON: () => 'entity' }
  expect(JSON.stringify(withJson({ entity }))).toBe('{"entity":"entity"}')
})
