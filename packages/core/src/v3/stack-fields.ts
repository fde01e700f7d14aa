import { word } from '../schema/word.js'
import { readStack } from './stack.js'

/** The stack in the answer of `runGetMethod`. */
export const stackField = word(readStack)
