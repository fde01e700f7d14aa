import { checkFunction } from './check-function.js'
import { callListener } from '../runtime/around.js'
import { checkOptionNames, REQUEST_OPTIONS } from './option-names.js'
import type { RequestOptions } from './options.js'

/** Options of one call of an API's client. */
interface CallOptions<Meta> extends RequestOptions {
  onResponse?: ((meta: Meta) => void) | undefined
}

const CALL_OPTIONS = [...REQUEST_OPTIONS, 'onResponse']

/**
 * Takes apart what the transport is given, and what tells the caller how the answer came about. A caller who throws
 * then only harms itself.
 * @throws {ConfigurationError} for an option that does not exist, and for a listener that is no function.
 */
export function readCallOptions<Meta>(options: CallOptions<Meta>): {
  requestOptions: RequestOptions
  tellCaller: (meta: Meta) => void
} {
  checkOptionNames(options, CALL_OPTIONS)
  const { onResponse, ...requestOptions } = options
  checkFunction('onResponse', onResponse)
  const tellCaller = (meta: Meta): void => {
    if (onResponse !== undefined) callListener(() => onResponse(meta))
  }
  return { requestOptions, tellCaller }
}
