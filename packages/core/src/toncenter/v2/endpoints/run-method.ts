import { optionalParam, createParam } from '../../schema/param.js'
import { addressParam, seqnoParam } from '../../schema/params.js'
import { postEndpoint } from '../endpoint.js'
import { getMethodFailure } from '../../endpoint/get-method.js'
import { legacyStackParam, readLegacyStack, readTypedStack, typedStackParam } from '../stack.js'

const INT32_MAX = 2 ** 31 - 1

/** The name or the id of a get-method. */
const methodParam = createParam<string | number, string | number>(
  'the name of a get-method, or its id',
  (value) => {
    if (typeof value === 'string') return value === '' ? undefined : value
    return Number.isInteger(value) && Math.abs(value) <= INT32_MAX ? value : undefined
  },
)

const call = {
  /** The contract. */
  address: addressParam,
  /** The get-method. */
  method: methodParam,
  /** The masterchain block whose state to use. @default the newest one */
  seqno: optionalParam(seqnoParam),
}

/** Get-methods of contracts. */
export const runMethod = {
  /**
   * Runs a get-method of a contract.
   * The exit codes 0 and 1 mean success. Slices at the top of the stack are returned as cells.
   * @throws {GetMethodError} if the get-method ends with an exit code other than 0 and 1.
   * @example
   * const { stack } = await v2.runGetMethod({ address, method: 'seqno', stack: [] })
   * const [seqno] = stack
   * if (seqno?.type === 'number') console.log(seqno.value)
   */
  runGetMethod: postEndpoint(
    'runGetMethod',
    {
      ...call,
      /** The arguments, in the order of the get-method. */
      stack: legacyStackParam,
    },
    { isRead: true, failure: getMethodFailure(readLegacyStack) },
  ),

  /**
   * Runs a get-method of a contract and distinguishes slices from cells. C++ server only.
   * @throws {GetMethodError} if the get-method ends with an exit code other than 0 and 1.
   * @example
   * const stack = [{ type: 'number', value: 7n }] as const
   * const result = await v2.runGetMethodStd({ address, method: 'get_nft_address_by_index', stack })
   * for (const { type } of result.stack) console.log(type)
   */
  runGetMethodStd: postEndpoint(
    'runGetMethodStd',
    {
      ...call,
      /** The arguments, in the order of the get-method. */
      stack: typedStackParam,
    },
    { servers: 'cpp', isRead: true, failure: getMethodFailure(readTypedStack) },
  ),
}
