import { stackParam } from '../endpoint/stack-param.js'
import type { StackArgument } from '../endpoint/stack.js'
import { encodeLegacyStack, encodeTypedStack, type WireEntry } from './stack-encode.js'

/** The arguments of `runGetMethod`. */
export const legacyStackParam = stackParam<WireEntry, StackArgument>(encodeLegacyStack)

/** The arguments of `runGetMethodStd`. */
export const typedStackParam = stackParam<WireEntry, StackArgument>(encodeTypedStack)
