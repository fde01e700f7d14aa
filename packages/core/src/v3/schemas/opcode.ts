import { word } from '../../schema/word.js'
import { readOpcode } from '../read-opcode.js'

/**
 * The first 32 bits of a body, as in `0x0f8a7ea5`. The official description says that they come as a number, which is
 * read to the same text. Source: API facts, part 0.
 */
export const opcodeField = word(readOpcode)
