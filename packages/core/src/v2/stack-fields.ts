import { word } from '../schema/word.js'
import { readLegacyStack, readTypedStack } from './stack-decode.js'

/** The stack in the answer of `runGetMethod`. */
export const legacyStackField = word(readLegacyStack)

/** The stack in the answer of `runGetMethodStd`. */
export const typedStackField = word(readTypedStack)
