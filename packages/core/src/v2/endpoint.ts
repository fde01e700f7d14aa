import type { Endpoint } from '../endpoint/endpoint.js'
import type { ParamsSchema } from '../schema/params-object.js'
import type { V2Results } from './results.js'

/** An endpoint of API v2 that is asked with GET. */
export function getEndpoint<const Name extends keyof V2Results, Params extends ParamsSchema>(
  name: Name,
  rest: Pick<Endpoint<Params, V2Results[Name]>, 'params' | 'servers' | 'whenUnused'>,
): Endpoint<Params, V2Results[Name]> {
  return { name, method: 'GET', path: `/${name}`, isRead: true, ...rest }
}

/** An endpoint of API v2 that is asked with POST. */
export function postEndpoint<const Name extends keyof V2Results, Params extends ParamsSchema>(
  name: Name,
  rest: Pick<Endpoint<Params, V2Results[Name]>, 'params' | 'servers' | 'isRead' | 'failure'>,
): Endpoint<Params, V2Results[Name]> {
  return { name, method: 'POST', path: `/${name}`, ...rest }
}
