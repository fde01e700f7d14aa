import { describe, expect, it } from 'vitest'
import { parse, safeParse } from './read-schema.js'
import * as field from '../../../src/toncenter/schema/fields.js'

const schema = field.tree('children', field.object({ lt: field.bigint }))

describe('tree', () => {
  it('reads every node, in order', () => {
    const leaf = (lt: string) => ({ lt, children: [] })
    const root = { lt: '1', children: [{ lt: '2', children: [leaf('3'), leaf('4')] }, leaf('5')] }
    expect(parse(schema, root)).toEqual({
      lt: 1n,
      children: [
        {
          lt: 2n,
          children: [
            { lt: 3n, children: [] },
            { lt: 4n, children: [] },
          ],
        },
        { lt: 5n, children: [] },
      ],
    })
  })

  it('reads leaves that have null or nothing for their children', () => {
    expect(
      parse(schema, { lt: '1', children: [{ lt: '2', children: null }, { lt: '3' }] }),
    ).toEqual({
      lt: 1n,
      children: [
        { lt: 2n, children: [] },
        { lt: 3n, children: [] },
      ],
    })
  })

  it('keeps fields that it does not know', () => {
    expect(parse(schema, { lt: '1', more: { a: 1 } })).toEqual({
      lt: 1n,
      more: { a: 1 },
      children: [],
    })
  })

  it('reads trees that are deeper than the call stack', () => {
    const DEPTH = 100_000
    let root: object = { lt: '0' }
    for (let lt = 1; lt < DEPTH; lt++) root = { lt: String(lt), children: [root] }
    let depth = 0
    for (let at = [parse(schema, root)]; at[0] !== undefined; at = at[0].children) depth++
    expect(depth).toBe(DEPTH)
  })

  it.each([
    ['lt', { lt: 'x' }],
    ['children', { lt: '1', children: {} }],
    ['children.1.lt', { lt: '1', children: [{ lt: '1' }, { lt: 'x' }] }],
    [
      'children.0.children.2',
      { lt: '1', children: [{ lt: '1', children: [{ lt: '1' }, { lt: '1' }, 5] }] },
    ],
    ['', null],
  ])('rejects the invalid value %j', (path, value) => {
    expect(safeParse(schema, value).issue?.path.join('.')).toBe(path)
  })
})
