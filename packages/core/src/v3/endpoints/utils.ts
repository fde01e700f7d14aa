import { optionalParam } from '../../schema/param.js'
import { atLeastOne, paramsObject } from '../../schema/params-object.js'
import { getEndpoint } from '../endpoint.js'
import { bodyParam, manyParam, opcodeParam } from '../params.js'

/** Utils: what opcodes and bodies of messages mean. */
export const utils = {
  /**
   * The names of opcodes, and what the server understands of message bodies.
   * The answers come in the order of the questions. A name that begins with `unknown` is none; a body that is not
   * understood has a field `error`. Many bodies go as a POST request by themselves.
   * @example
   * const { opcodes } = await v3.decode({ opcodes: [0x0f8a7ea5, '0x178d4519'] })
   * console.log(opcodes)
   */
  decode: getEndpoint('/decode', {
    params: paramsObject(
      {
        /** The opcodes. */
        opcodes: optionalParam(manyParam(opcodeParam)),
        /** The bodies. */
        bodies: optionalParam(manyParam(bodyParam)),
      },
      atLeastOne('opcodes', 'bodies'),
    ),
    takesPost: true,
  }),
}
