import { optionalParam, paramWord } from '../../schema/param.js'
import { textParam } from '../../schema/params.js'
import { paramsObject } from '../../schema/params-object.js'
import { isObject } from '../../schema/readers.js'
import { postEndpoint } from '../endpoint.js'

const paramsParam = paramWord<Readonly<Record<string, unknown>>, Readonly<Record<string, unknown>>>(
  'an object',
  (value) => (isObject(value) ? value : undefined),
)

/** The Python server takes texts only. */
const idParam = paramWord<string, string | number>('a text or an integer', (value) =>
  typeof value === 'string' || Number.isSafeInteger(value) ? String(value) : undefined,
)

/** The JSON-RPC entrance. */
export const rpc = {
  /**
   * Any method by its name, unchecked: what is under `result` in the answer.
   * The methods of the client do the same with types; the option `jsonRpc` sends them all this way.
   * @example
   * const info = await v2.jsonRPC({ method: 'getMasterchainInfo' })
   * console.log(info)
   */
  jsonRPC: postEndpoint('jsonRPC', {
    params: paramsObject({
      /** The version of JSON-RPC. @default '2.0' */
      jsonrpc: optionalParam(textParam),
      /** Goes as a text. It tells nothing: the C++ server does not send it back. @default '1' */
      id: optionalParam(idParam),
      /** The name of the method. */
      method: textParam,
      /** Its parameters, as they go on the wire. @default {} */
      params: optionalParam(paramsParam),
    }),
    isRead: false,
  }),
}
