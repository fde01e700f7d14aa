import * as z from 'zod/mini'
import type { Word } from '../schema/word.js'
import { decodeLegacyStack, decodeTypedStack } from './stack-decode.js'
import { encodeLegacyStack, encodeTypedStack, type WireEntry } from './stack-encode.js'
import type { Conversion, StackArgument, StackItem } from './stack.js'

/** The stack in the answer of `runGetMethod`. */
export const legacyStackField: Word<StackItem[]> = stackWord(decodeLegacyStack)

/** The stack in the answer of `runGetMethodStd`. */
export const typedStackField: Word<StackItem[]> = stackWord(decodeTypedStack)

/** The arguments of `runGetMethod`. */
export const legacyStackParam: Word<WireEntry[], readonly StackArgument[]> =
  stackWord(encodeLegacyStack)

/** The arguments of `runGetMethodStd`. */
export const typedStackParam: Word<WireEntry[], readonly StackArgument[]> =
  stackWord(encodeTypedStack)

/** A word whose issue points into the stack. */
function stackWord<Entry, Input>(
  convert: (stack: unknown) => Conversion<Entry>,
): Word<Entry[], Input> {
  const schema = z.transform((stack: Input, context): Entry[] => {
    const conversion = convert(stack)
    if (conversion.isConverted) return conversion.entries
    const { path, expected } = conversion
    context.issues.push({ code: 'custom', message: expected, path, input: stack })
    return z.NEVER
  })
  // `z.transform` types its output as awaited, which is the same for an array.
  return schema as Word<Entry[], Input>
}
