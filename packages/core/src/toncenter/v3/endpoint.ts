import type { Endpoint, EndpointOptions } from '../endpoint/endpoint.js'
import type { ParamsSchema, ParamsShape } from '../schema/params-object.js'
import type { V3Results } from './results.js'

/** Defines a GET endpoint of API v3. @param path for example `/jetton/transfers` */
export function getEndpoint<const Path extends keyof V3Results, Shape extends ParamsShape>(
  path: Path,
  shape: Shape,
  { rules = [], ...rest }: EndpointOptions<V3Results[Path]> = {},
): Endpoint<ParamsSchema<Shape>, V3Results[Path]> {
  const name = methodName(path)
  return { name, method: 'GET', path, isRead: true, params: { shape, rules }, ...rest }
}

/** Defines a POST endpoint of API v3. @param path for example `/runGetMethod` */
export function postEndpoint<const Path extends keyof V3Results, Shape extends ParamsShape>(
  path: Path,
  shape: Shape,
  options: EndpointOptions<V3Results[Path]> & Pick<Endpoint, 'isRead'>,
): Endpoint<ParamsSchema<Shape>, V3Results[Path]> {
  return { ...getEndpoint(path, shape, options), method: 'POST' }
}

/** Returns the path in camel case: `jettonTransfers` for `/jetton/transfers`. */
function methodName(path: string): string {
  return path.slice(1).replaceAll(/\/(\w)/g, (_, letter: string) => letter.toUpperCase())
}
