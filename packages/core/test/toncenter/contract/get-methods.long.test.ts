import {
  beginCell,
  contractAddress,
  toNano,
  TupleReader,
  type ContractProvider,
  type TupleItem,
} from '@ton/core'
import { expect, test } from 'vitest'
import { type Chain, walletV4 } from '@tonplug/simulator'
import { probeCode } from '../chain/probe.js'
import { serveChain } from '../chain/served-chain.js'
import { comparable } from './comparable.js'
import { openers, ours, type Opener } from './openers.js'
import { senderOf } from './scripts.js'

// Each test begins a chain of its own.
const CELL = beginCell().storeUint(7, 32).endCell()

interface Probe {
  chain: Chain
  opener: Opener
  /** Over the API. */
  provider: ContractProvider
  /** The sandbox's own, without an API between: what the right answer is. */
  direct: ContractProvider
}

async function probe(name: keyof typeof openers): Promise<Probe> {
  const served = await serveChain()
  const { chain } = served
  const opener = openers[name](served)
  const { wallet, keys } = walletV4(1)
  await chain.fund(wallet.address, toNano(5))
  const init = { code: probeCode(), data: CELL }
  const address = contractAddress(0, init)
  const sender = await senderOf(opener, { wallet, keys })
  await opener.provider(address, init).internal(sender, { value: '1', bounce: false })
  return {
    chain,
    opener,
    provider: opener.provider(address),
    direct: chain.blockchain.provider(address),
  }
}

/** Reads the rest of a stack; slices are read as cells, since the servers do not distinguish them. */
function itemsOf(stack: TupleReader): TupleItem[] {
  const items: TupleItem[] = []
  while (stack.remaining > 0) {
    const item = stack.pop()
    items.push(item.type === 'slice' ? { type: 'cell', cell: item.cell } : item)
  }
  return items
}

test.each(
  ours.flatMap((name) => ['nested', 'lists', 'numbers'].map((method) => [method, name] as const)),
)(
  'reads the stack of the method %s as the virtual machine has it over %s',
  async (method, name) => {
    const { provider, direct } = await probe(name)

    const { stack, gasUsed } = await provider.get(method, [])
    const right = await direct.get(method, [])

    expect(comparable(itemsOf(stack))).toEqual(comparable(itemsOf(right.stack)))
    expect(gasUsed).toBe(right.gasUsed)
  },
)

test.each(ours)('reads nested tuples and lists with a TupleReader over %s', async (name) => {
  const { provider } = await probe(name)

  const { stack: nested } = await provider.get('nested', [])
  const outer = nested.readTuple()
  expect(outer.readNumber()).toBe(1)
  const inner = outer.readTuple()
  expect(inner.readNumber()).toBe(2)
  const innermost = inner.readTuple()
  expect([innermost.readNumber(), innermost.readNumber()]).toEqual([3, 4])
  expect(innermost.readTuple().readNumber()).toBe(5)
  expect(outer.readTupleOpt()).toBeNull()

  const { stack: lists } = await provider.get('lists', [])
  expect(lists.readLispList()).toEqual([1n, 2n, 3n].map((value) => ({ type: 'int', value })))
  expect(lists.readLispList()).toEqual([])
  const both = lists.readLispList()
  expect(new TupleReader(both).readLispList()).toHaveLength(3)
  const pair = lists.readTuple()
  expect([pair.readNumber(), pair.readNumber()]).toEqual([1, 2])
})

test('TonClient leaves bare values inside a tuple; ours does not', async () => {
  const { provider } = await probe('TonClient')
  const { stack } = await provider.get('nested', [])
  expect(stack.pop()).toEqual({ type: 'tuple', items: [1n, [2n, [3n, 4n, [5n]]], []] })
})

test.each(ours)('integers keep all their bits over %s', async (name) => {
  const { provider } = await probe(name)
  const { stack } = await provider.get('numbers', [])
  expect(Array.from({ length: 4 }, () => stack.readBigNumber())).toEqual([
    -1n,
    2n ** 256n - 1n,
    -(2n ** 256n),
    0n,
  ])
})

test.each(ours)('a get-method is found by its id over %s', async (name) => {
  const { provider } = await probe(name)
  const { stack } = await provider.get(77_777, [])
  expect(stack.readNumber()).toBe(42)
})

test.each(ours)('cells and slices are arguments over %s', async (name) => {
  const { provider } = await probe(name)
  const args: TupleItem[] = [
    { type: 'cell', cell: CELL },
    { type: 'slice', cell: CELL },
  ]
  const { stack } = await provider.get('echo_cells', args)
  expect(stack.readCell().equals(CELL)).toBe(true)
  expect(stack.readCell().equals(CELL)).toBe(true)
})

test('any tuple is an argument over API v2, and is returned unchanged', async () => {
  const { provider } = await probe('API v2')
  const int = (value: bigint): TupleItem => ({ type: 'int', value })
  const tuple = (...items: TupleItem[]): TupleItem => ({ type: 'tuple', items })
  const list = tuple(int(1n), tuple(int(2n), { type: 'null' }))
  const slice: TupleItem = { type: 'slice', cell: CELL }
  for (const argument of [
    tuple(),
    tuple(int(-5n)),
    tuple(int(1n), tuple(int(2n), tuple())),
    tuple({ type: 'null' }, slice, { type: 'cell', cell: CELL }),
    tuple(list, list),
    list,
  ]) {
    const { stack } = await provider.get('echo', [argument])
    expect(comparable(stack.pop())).toEqual(comparable(argument))
  }
})

test('API v3 rejects a tuple, and names the argument', async () => {
  const { provider } = await probe('API v3')
  const tuple: TupleItem = { type: 'tuple', items: [] }
  await expect(provider.get('echo', [tuple])).rejects.toMatchObject({
    name: 'InvalidParamsError',
    message: expect.stringContaining('stack[0]') as string,
  })
})

test.each(ours)('arguments that no server accepts are rejected over %s', async (name) => {
  const { provider } = await probe(name)
  const builder: TupleItem = { type: 'tuple', items: [{ type: 'builder', cell: CELL }] }
  await expect(provider.get('echo', [builder])).rejects.toThrow(
    'runGetMethod: stack[0].items[0] expected a number, cell, slice, tuple or null; received builder',
  )
  await expect(provider.get('echo', [{ type: 'nan' }])).rejects.toMatchObject({
    code: 'ERR_TONPLUG_INVALID_PARAMS',
  })
})

test.each(
  ours.flatMap((name) =>
    (
      [
        ['failing', 777],
        ['missing', 11],
      ] as const
    ).map(([method, exitCode]) => [method, exitCode, name] as const),
  ),
)('calls the method %s, which fails with exit code %i, over %s', async (method, exitCode, name) => {
  const { provider } = await probe(name)
  await expect(provider.get(method, [])).rejects.toMatchObject({ name: 'GetMethodError', exitCode })
})

test('TonClient fails for the same get-methods', async () => {
  const { provider } = await probe('TonClient')
  await expect(provider.get('failing', [])).rejects.toThrow('exit_code: 777')
  await expect(provider.get('missing', [])).rejects.toThrow('exit_code: 11')
})

test.each(ours)(
  'a get-method of an account without a contract fails with exit code -13 over %s',
  async (name) => {
    const { opener } = await probe(name)
    const { wallet } = walletV4(9)
    await expect(opener.provider(wallet.address).get('seqno', [])).rejects.toMatchObject({
      name: 'GetMethodError',
      exitCode: -13,
    })
  },
)

test.each(ours)('exit code 1 is success over %s', async (name) => {
  const { provider } = await probe(name)
  const { stack } = await provider.get('other_success', [])
  expect(stack.readNumber()).toBe(0)
})

test.each(ours)(
  'a value that no response can contain is an error with its position over %s',
  async (name) => {
    const { provider } = await probe(name)
    await expect(provider.get('unwritable', [])).rejects.toMatchObject({
      code: 'ERR_TONPLUG_CONTRACT_DATA',
      details: { subject: 'stack', path: '[0]' },
    })
  },
)
