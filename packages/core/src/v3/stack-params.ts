import { stackParam } from '../endpoint/stack-param.js'
import type { StackArgument } from '../endpoint/stack.js'
import { encodeStack, type WireEntry } from './stack.js'

/** What `runGetMethod` of API v3 takes: no tuples, lists and nulls. */
export type V3StackArgument = Extract<StackArgument, { type: 'number' | 'cell' | 'slice' }>

/** The arguments of `runGetMethod`. */
export const stackArgumentsParam = stackParam<WireEntry, V3StackArgument>(encodeStack)
