import assert from 'node:assert/strict'
import type { TupleItem } from '@ton/core'
import { toStackArguments, toTupleItems } from '../../../packages/core/src/contract/stack.js'
import type { Conversion, StackItem } from '../../../packages/core/src/endpoint/stack.js'
import { ContractDataError } from '../../../packages/core/src/errors/contract.js'
import { decodeLegacyStack, decodeTypedStack } from '../../../packages/core/src/v2/stack-decode.js'
import { encodeLegacyStack, encodeTypedStack } from '../../../packages/core/src/v2/stack-encode.js'
import { decodeStack, encodeStack } from '../../../packages/core/src/v3/stack.js'
import { documented, join, JSON_WORDS, jsonOf, nest, type Target, wrap } from '../target.js'

const NUMBER = '{"@type":"tvm.stackEntryNumber","number":{"number":"1"}}'
const TUPLE = '{"@type":"tvm.stackEntryTuple","tuple":{"elements":['

/** Each notation: how an answer in it is read, and how it is written. */
const NOTATIONS = [
  [decodeLegacyStack, encodeLegacyStack],
  [decodeTypedStack, encodeTypedStack],
  [decodeStack, encodeStack],
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
    for (const [decode, encode] of NOTATIONS) {
      const decoded: Conversion<StackItem> = decode(json)
      // What an answer holds need not be what can be sent.
      if (decoded.isConverted) encode(decoded.entries)
    }
    const decoded = decodeTypedStack(json)
    if (decoded.isConverted) checkRoundTrips(decoded.entries)
  },
}

/** Items go through arguments, and through what `@ton/core` has, without a change. */
function checkRoundTrips(stack: readonly StackItem[]): void {
  const sent = encodeTypedStack(stack)
  if (!sent.isConverted) return
  const received = decodeTypedStack(sent.entries)
  assert.ok(received.isConverted, 'what was written cannot be read')
  assert.equal(text(encodeTypedStack(received.entries)), text(sent))
  let tuples: TupleItem[] | undefined
  documented(ContractDataError, () => (tuples = toTupleItems(stack)))
  if (tuples === undefined) return
  const once = encodeTypedStack(toStackArguments(tuples))
  // A list of pairs is written as one list, so it nests less deep than the tuples; not the other way round.
  assert.ok(once.isConverted, 'what @ton/core has of it cannot be written')
  const again = decodeTypedStack(once.entries)
  assert.ok(again.isConverted, 'what was written cannot be read')
  const twice = encodeTypedStack(toStackArguments(toTupleItems(again.entries)))
  assert.equal(text(twice), text(once))
}

function text(conversion: Conversion<unknown>): string {
  return JSON.stringify(conversion)
}
