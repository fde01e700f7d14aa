import type { Endpoint } from '../endpoint/endpoint.js'
import { writeQuery } from '../endpoint/query.js'
import type { WireParams } from '../schema/check-params.js'
import type { TransportRequest } from '../transport/transport.js'

/** Characters of a query's values that every proxy on the way takes, percent-encoding included. */
const LONGEST_QUERY = 2000

/** Writes a call. A query that is too long for a URL goes as POST where the endpoint takes that. */
export function writeRequest(
  { method, path, takesPost }: Endpoint,
  params: WireParams,
): Pick<TransportRequest, 'method' | 'path' | 'query' | 'body'> {
  if (method === 'POST') return { method, path, body: params }
  const query = writeQuery(params)
  const length = query.reduce((sum, [name, value]) => sum + name.length + value.length, 0)
  if (takesPost === true && length > LONGEST_QUERY) return { method: 'POST', path, body: params }
  return { method, path, query }
}
