import type { Endpoint, EndpointOptions } from '../endpoint/endpoint.js'
import type { ParamsSchema, ParamsShape } from '../schema/params-object.js'
import type { V2Results } from './results.js'

export function getEndpoint<const Name extends keyof V2Results, Shape extends ParamsShape>(
  name: Name,
  shape: Shape,
  { rules = [], ...rest }: EndpointOptions<V2Results[Name]> = {},
): Endpoint<ParamsSchema<Shape>, V2Results[Name]> {
  return { name, method: 'GET', path: `/${name}`, isRead: true, params: { shape, rules }, ...rest }
}

export function postEndpoint<const Name extends keyof V2Results, Shape extends ParamsShape>(
  name: Name,
  shape: Shape,
  options: EndpointOptions<V2Results[Name]> & Pick<Endpoint, 'isRead'>,
): Endpoint<ParamsSchema<Shape>, V2Results[Name]> {
  return { ...getEndpoint(name, shape, options), method: 'POST' }
}
