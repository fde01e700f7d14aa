import assert from 'node:assert/strict'
import type { TupleItem } from '@ton/core'
import { toStackArguments, toTupleItems } from '../../../packages/core/src/contract/stack.js'
import type { Conversion, StackItem } from '../../../packages/core/src/toncenter/endpoint/stack.js'
import { ContractDataError } from '../../../packages/core/src/contract/contract-error.js'
import {
  decodeLegacyStack,
  decodeTypedStack,
  encodeLegacyStack,
  encodeTypedStack,
} from '../../../packages/core/src/toncenter/v2/stack.js'
import { decodeStack, encodeStack } from '../../../packages/core/src/toncenter/v3/stack.js'
import { documented, join, JSON_WORDS, jsonOf, nest, type Target, wrap } from '../target.js'

const NUMBER = '{"@type":"tvm.stackEntryNumber","number":{"number":"1"}}'
const TUPLE = '{"@type":"tvm.stackEntryTuple","tuple":{"elements":['

/** The stack formats: the decoder and the encoder of each. */
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
      // A decoded stack may contain entries that cannot be sent.
      if (decoded.isConverted) encode(decoded.entries)
    }
    const decoded = decodeTypedStack(json)
    if (decoded.isConverted) checkRoundTrips(decoded.entries)
  },
}

/** Checks that items survive a round trip through arguments and through tuple items of `@ton/core`. */
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
  // Nested pairs are encoded as one list, which is less deep than the tuples, so encoding cannot fail because of the depth.
  assert.ok(once.isConverted, 'what @ton/core has of it cannot be written')
  const again = decodeTypedStack(once.entries)
  assert.ok(again.isConverted, 'what was written cannot be read')
  const twice = encodeTypedStack(toStackArguments(toTupleItems(again.entries)))
  assert.equal(text(twice), text(once))
}

function text(conversion: Conversion<unknown>): string {
  return JSON.stringify(conversion)
}
