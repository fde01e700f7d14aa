import { optionalParam, createParam } from '../../schema/param.js'
import { stringParam } from '../../schema/params.js'
import { isObject } from '../../../shared/is-object.js'
import { postEndpoint } from '../endpoint.js'

const paramsParam = createParam<
  Readonly<Record<string, unknown>>,
  Readonly<Record<string, unknown>>
>('an object', (value) => (isObject(value) ? value : undefined))

/** The Python server accepts only strings. */
const idParam = createParam<string, string | number>('a string or an integer', (value) =>
  typeof value === 'string' || Number.isSafeInteger(value) ? String(value) : undefined,
)

/** The JSON-RPC endpoint. */
export const rpc = {
  /**
   * Calls any method by its name and returns `result` of the response, unchecked.
   * The methods of the client do the same with types; the option `jsonRpc` sends all of them this way.
   * @example
   * const info = await v2.jsonRPC({ method: 'getMasterchainInfo' })
   * console.log(info)
   */
  jsonRPC: postEndpoint(
    'jsonRPC',
    {
      /** The version of JSON-RPC. @default '2.0' */
      jsonrpc: optionalParam(stringParam),
      /** Sent as a string. Not significant: the C++ server does not return it. @default '1' */
      id: optionalParam(idParam),
      /** The name of the method. */
      method: stringParam,
      /** Its parameters, as sent. @default {} */
      params: optionalParam(paramsParam),
    },
    { isRead: false },
  ),
}
