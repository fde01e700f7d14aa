import { expect, it } from 'vitest'
import { parse, safeParse } from './read-schema.js'
import * as field from '../../../src/toncenter/schema/fields.js'

const lists = field.object({
  nullable: field.nullableList(field.bigint),
  present: field.presentList(field.bigint),
})
const maps = field.object({
  map: field.map(field.bigint),
  nullable: field.nullableMap(field.bigint),
})

function pathOfIssue(schema: typeof lists | typeof maps, value: unknown): string | undefined {
  return safeParse(schema, value).issue?.path.join('.')
}

it('reads lists', () => {
  expect(parse(lists, { nullable: ['1'], present: ['2', '3'] })).toEqual({
    nullable: [1n],
    present: [2n, 3n],
  })
})

it('reads a list that may be null as an empty one', () => {
  expect(parse(lists, { nullable: null, present: null })).toEqual({ nullable: [], present: [] })
  expect(parse(lists, { present: [] })).toEqual({ nullable: [], present: [] })
})

it('refuses the absence of a list that must be there', () => {
  expect(pathOfIssue(lists, { nullable: [] })).toBe('present')
})

it('reads maps, one that may be null as an empty one', () => {
  const map = { a: '1', 'b c': '-2' }
  expect(parse(maps, { map, nullable: map })).toEqual({
    map: { a: 1n, 'b c': -2n },
    nullable: { a: 1n, 'b c': -2n },
  })
  expect(parse(maps, { map: {}, nullable: null })).toEqual({ map: {}, nullable: {} })
})

it.each([
  ['present.1', lists, { present: ['1', 'x'] }],
  ['present', lists, { present: {} }],
  ['nullable', lists, { present: [], nullable: 'x' }],
  ['map.b', maps, { map: { a: '1', b: null } }],
  ['map', maps, { map: [] }],
  ['nullable.b', maps, { map: {}, nullable: { b: 'x' } }],
])('rejects an invalid value at %s', (path, schema, value) => {
  expect(pathOfIssue(schema, value)).toBe(path)
})
