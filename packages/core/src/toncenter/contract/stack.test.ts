import { beginCell, type TupleItem } from '@ton/core'
import { expect, test } from 'vitest'
import { comparable } from '../../../test/toncenter/contract/comparable.js'
import type { StackItem } from '../endpoint/stack.js'
import { toStackArguments, toTupleItems, toTupleReader } from './stack.js'

const CELL = beginCell().storeUint(5, 8).endCell()
const BOC = CELL.toBoc().toString('base64')
const DEPTH = 100_000

test('reads each kind of entry', () => {
  const one: StackItem = { type: 'number', value: 1n }
  expect(
    comparable(
      toTupleItems([
        one,
        { type: 'null' },
        { type: 'cell', boc: BOC },
        { type: 'slice', boc: BOC },
        { type: 'tuple', items: [one, { type: 'tuple', items: [] }] },
        { type: 'list', items: [one, { type: 'list', items: [one] }] },
      ]),
    ),
  ).toEqual(
    comparable([
      { type: 'int', value: 1n },
      { type: 'null' },
      { type: 'cell', cell: CELL },
      { type: 'slice', cell: CELL },
      tuple(int(1n), tuple()),
      tuple(int(1n), tuple(tuple(int(1n), { type: 'null' }), { type: 'null' })),
    ]),
  )
})

test('the top of the stack is read first', () => {
  const reader = toTupleReader([
    { type: 'number', value: 1n },
    { type: 'cell', boc: BOC },
  ])
  expect(reader.readBigNumber()).toBe(1n)
  expect(reader.readCell().equals(CELL)).toBe(true)
})

test('reports the path of invalid cells', () => {
  const broken: StackItem = {
    type: 'list',
    items: [{ type: 'null' }, { type: 'cell', boc: 'te6c' }],
  }
  expect(() => toTupleItems([{ type: 'tuple', items: [broken] }])).toThrow(
    'stack[0].items[0].items[1].boc: expected a BoC with one root',
  )
})

test('writes a list of pairs as a list, and other pairs as tuples', () => {
  const list = tuple(int(1n), tuple(int(2n), { type: 'null' }))
  expect(toStackArguments([list, tuple(int(1n), int(2n)), tuple(), { type: 'null' }])).toEqual([
    {
      type: 'list',
      items: [
        { type: 'number', value: 1n },
        { type: 'number', value: 2n },
      ],
    },
    {
      type: 'tuple',
      items: [
        { type: 'number', value: 1n },
        { type: 'number', value: 2n },
      ],
    },
    { type: 'tuple', items: [] },
    { type: 'null' },
  ])
})

test('neither depth nor length overflows the call stack', () => {
  let deep: StackItem = { type: 'null' }
  for (let depth = 0; depth < DEPTH; depth++) deep = { type: 'tuple', items: [deep] }
  const long: StackItem = {
    type: 'list',
    items: Array.from({ length: DEPTH }, () => ({ type: 'null' })),
  }
  const [first, second] = toTupleItems([deep, long])
  let depth = 0
  for (let at = first; at?.type === 'tuple'; at = at.items[0]) depth++
  expect(depth).toBe(DEPTH)
  const [argument] = toStackArguments([second!])
  expect(argument?.type === 'list' && argument.items.length).toBe(DEPTH)
})

function int(value: bigint): TupleItem {
  return { type: 'int', value }
}

function tuple(...items: TupleItem[]): TupleItem {
  return { type: 'tuple', items }
}
