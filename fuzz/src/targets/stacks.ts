import assert from 'node:assert/strict'
import type { TupleItem } from '@ton/core'
import {
  toStackArguments,
  toTupleItems,
} from '../../../packages/core/src/toncenter/contract/stack.js'
import type { StackItem } from '../../../packages/core/src/toncenter/endpoint/stack.js'
import { ContractDataError } from '../../../packages/core/src/toncenter/contract/contract-error.js'
import { Mismatch } from '../../../packages/core/src/toncenter/schema/mismatch.js'
import {
  legacyStackParam,
  readLegacyStack,
  readTypedStack,
  typedStackParam,
} from '../../../packages/core/src/toncenter/v2/stack.js'
import { readStack, stackArgumentsParam } from '../../../packages/core/src/toncenter/v3/stack.js'
import { documented, join, JSON_WORDS, jsonOf, nest, type Target, wrap } from '../target.js'

const NUMBER = '{"@type":"tvm.stackEntryNumber","number":{"number":"1"}}'
const TUPLE = '{"@type":"tvm.stackEntryTuple","tuple":{"elements":['

/** The stack formats: the reader and the parameter of each. */
const NOTATIONS = [
  [readLegacyStack, legacyStackParam],
  [readTypedStack, typedStackParam],
  [readStack, stackArgumentsParam],
] as const

export const stacksTarget: Target = {
  name: 'stacks',
  words: [
    '["num",',
    '"0x1f"',
    '"-0x',
    '"-',
    '["cell",{"bytes":"',
    '["tuple",{"elements":[',
    '["list",',

    NUMBER,
    TUPLE,
    '"@type":',
    '"tvm.stackEntryList"',
    '"list":',
    '"elements":',
    '"tvm.stackEntrySlice"',

    '{"type":"num","value":"',
    '{"type":"tuple","value":[',
    '{"type":"list","value":',
    '"null"',
    '"cell"',
    '"te6cckEBAQEAAgAAAEysuc0="',
    ...JSON_WORDS,
    '1',
    '0x',
  ],
  grow: {
    numbers: (bytes) => wrap('[', '["num","0x1f"],', '["null"]]', bytes),
    'a long number': (bytes) => wrap('[["num","0x', 'f', '"]]', bytes),
    'typed tuples': (bytes) => join('[', nest(TUPLE, NUMBER, ']}}', bytes), ']'),
    'tuples of v3': (bytes) =>
      join('[', nest('{"type":"tuple","value":[', '{"type":"num","value":"1"}', ']}', bytes), ']'),
    'a list': (bytes) =>
      wrap('[{"type":"list","value":[', '{"type":"num","value":"1"},', '1]}]', bytes),
  },
  check(input) {
    const json = jsonOf(input)
    for (const [read, param] of NOTATIONS) {
      const stack = received(() => read(json))
      // A received stack may contain entries that cannot be sent.
      if (stack !== undefined) encode(param, stack)
    }
    const stack = received(() => readTypedStack(json))
    if (stack !== undefined) checkRoundTrips(stack)
  },
}

/** Returns the stack; `undefined` if it is refused. */
function received(read: () => StackItem[]): StackItem[] | undefined {
  let stack: StackItem[] | undefined
  documented(Mismatch, () => (stack = read()))
  return stack
}

/** Returns the arguments as sent; `undefined` if they are refused. */
function encode(param: (typeof NOTATIONS)[number][1], stack: readonly unknown[]): unknown {
  let isRefused = false
  // Received entries need not be arguments.
  const sent = param.read(stack as never, () => void (isRefused = true))
  return isRefused ? undefined : sent
}

/** Checks that items survive a round trip through arguments and through tuple items of `@ton/core`. */
function checkRoundTrips(stack: readonly StackItem[]): void {
  const sent = encode(typedStackParam, stack)
  if (sent === undefined) return
  assert.equal(text(encode(typedStackParam, readTypedStack(sent))), text(sent))
  let tuples: TupleItem[] | undefined
  documented(ContractDataError, () => (tuples = toTupleItems(stack)))
  if (tuples === undefined) return
  const once = encode(typedStackParam, toStackArguments(tuples))
  // Nested pairs are encoded as one list, which is less deep than the tuples, so encoding cannot fail because of the depth.
  assert.ok(once !== undefined, 'what @ton/core has of it cannot be written')
  const again = readTypedStack(once)
  const twice = encode(typedStackParam, toStackArguments(toTupleItems(again)))
  assert.equal(text(twice), text(once))
}

function text(stack: unknown): string {
  return JSON.stringify(stack)
}
