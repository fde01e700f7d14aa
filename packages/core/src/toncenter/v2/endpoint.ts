import type { Endpoint } from '../endpoint/endpoint.js'
import type { ParamsSchema } from '../schema/params-object.js'
import type { V2Results } from './results.js'

export function getEndpoint<const Name extends keyof V2Results, Params extends ParamsSchema>(
  name: Name,
  params: Params,
  rest: Pick<Endpoint<Params, V2Results[Name]>, 'servers' | 'whenUnused'> = {},
): Endpoint<Params, V2Results[Name]> {
  return { name, method: 'GET', path: `/${name}`, isRead: true, params, ...rest }
}

export function postEndpoint<const Name extends keyof V2Results, Params extends ParamsSchema>(
  name: Name,
  params: Params,
  rest: Pick<Endpoint<Params, V2Results[Name]>, 'servers' | 'isRead' | 'failure'>,
): Endpoint<Params, V2Results[Name]> {
  return { name, method: 'POST', path: `/${name}`, params, ...rest }
}
