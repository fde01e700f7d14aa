import { writeQuery, type QueryValue } from '../endpoint/query.js'
import { InvalidParamsError } from '../errors/params.js'
import { readCallOptions } from '../transport/call-options.js'
import type { Transport } from '../transport/transport.js'
import type { V2RequestOptions, V2ResponseMeta } from './call.js'
import type { Result } from './decode.js'
import { openEnvelope } from './envelope.js'
import { JSON_RPC_PATH } from './json-rpc.js'

/** A request for a path that is not in the table. */
export type V2Request =
  | {
      method?: 'GET' | undefined
      /** Below `/api/v2`, as in `/getMasterchainInfo`. */
      path: string
      params?: Readonly<Record<string, QueryValue | readonly QueryValue[] | undefined>> | undefined
    }
  | {
      method: 'POST'
      /** Below `/api/v2`, as in `/runGetMethod`. */
      path: string
      /** Sent as JSON. */
      params?: Readonly<Record<string, unknown>> | undefined
    }

/**
 * Requests any path and answers what stands under `result`, unchecked: long integers are texts of their digits.
 * GET requests count as reads.
 */
export async function sendRequest(
  transport: Transport,
  { method = 'GET', path, params = {} }: V2Request,
  options: V2RequestOptions,
): Promise<unknown> {
  if (!/^\/[^?#]*$/.test(path)) {
    const problem = 'must begin with / and have no query'
    throw new InvalidParamsError({ endpoint: 'request', issues: [{ path: 'path', problem }] })
  }
  const { requestOptions, tellCaller } = readCallOptions<V2ResponseMeta>(options)
  const given = Object.fromEntries(Object.entries(params).filter(([, one]) => one !== undefined))
  const { value, meta } = await transport.request(
    {
      api: 'v2',
      endpoint: path.slice(1),
      method,
      path,
      ...(method === 'GET' ? { query: writeQuery(given) } : { body: given }),
      isRead: method === 'GET',
      classify(answer) {
        const opened = openEnvelope({ name: path.slice(1) }, answer, path === JSON_RPC_PATH)
        return 'result' in opened ? { kind: 'ok', value: opened } : opened
      },
    },
    requestOptions,
  )
  // `classify` above made it.
  const { result, requestId } = value as Result
  tellCaller({ ...meta, requestId })
  return result
}
