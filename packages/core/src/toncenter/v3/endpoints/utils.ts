import { optionalParam } from '../../schema/param.js'
import { atLeastOne } from '../../schema/params-object.js'
import { getEndpoint } from '../endpoint.js'
import { bodyParam, manyParam, opcodeParam } from '../params.js'

/** Utilities: decoding of opcodes and message bodies. */
export const utils = {
  /**
   * Returns the names of opcodes, and message bodies as the server decodes them.
   * Results have the order of the parameters. A name that begins with `unknown` is unknown; a body that cannot be
   * decoded has a field `error`. Long lists of bodies are sent with POST.
   * @example
   * const { opcodes } = await v3.decode({ opcodes: [0x0f8a7ea5, '0x178d4519'] })
   * console.log(opcodes)
   */
  decode: getEndpoint(
    '/decode',
    {
      /** The opcodes. */
      opcodes: optionalParam(manyParam(opcodeParam)),
      /** The bodies. */
      bodies: optionalParam(manyParam(bodyParam)),
    },
    { rules: [atLeastOne('opcodes', 'bodies')], takesPost: true },
  ),
}
