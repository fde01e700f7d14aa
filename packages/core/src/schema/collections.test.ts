import { expect, it } from 'vitest'
import { mapField, nullableListField, nullableMapField, presentListField } from './collections.js'
import { bigintField, objectField } from './fields.js'

const lists = objectField({
  nullable: nullableListField(bigintField),
  present: presentListField(bigintField),
})
const maps = objectField({ map: mapField(bigintField), nullable: nullableMapField(bigintField) })

function pathOfIssue(schema: typeof lists | typeof maps, value: unknown): string | undefined {
  return schema.safeParse(value).error?.issues[0]?.path.join('.')
}

it('reads lists', () => {
  expect(lists.parse({ nullable: ['1'], present: ['2', '3'] })).toEqual({
    nullable: [1n],
    present: [2n, 3n],
  })
})

it('reads a list that may be null as an empty one', () => {
  expect(lists.parse({ nullable: null, present: null })).toEqual({ nullable: [], present: [] })
  expect(lists.parse({ present: [] })).toEqual({ nullable: [], present: [] })
})

it('refuses the absence of a list that must be there', () => {
  expect(pathOfIssue(lists, { nullable: [] })).toBe('present')
})

it('reads maps, one that may be null as an empty one', () => {
  const map = { a: '1', 'b c': '-2' }
  expect(maps.parse({ map, nullable: map })).toEqual({
    map: { a: 1n, 'b c': -2n },
    nullable: { a: 1n, 'b c': -2n },
  })
  expect(maps.parse({ map: {}, nullable: null })).toEqual({ map: {}, nullable: {} })
})

it.each([
  ['present.1', lists, { present: ['1', 'x'] }],
  ['present', lists, { present: {} }],
  ['nullable', lists, { present: [], nullable: 'x' }],
  ['map.b', maps, { map: { a: '1', b: null } }],
  ['map', maps, { map: [] }],
  ['nullable.b', maps, { map: {}, nullable: { b: 'x' } }],
])('tells that %s is wrong', (path, schema, value) => {
  expect(pathOfIssue(schema, value)).toBe(path)
})
