import type { Endpoint } from '../endpoint/endpoint.js'
import type { ParamsSchema } from '../schema/params-object.js'
import type { V3Results } from './results.js'

/** Defines a GET endpoint of API v3. @param path for example `/jetton/transfers` */
export function getEndpoint<const Path extends keyof V3Results, Params extends ParamsSchema>(
  path: Path,
  params: Params,
  rest: Pick<
    Endpoint<Params, V3Results[Path]>,
    'isUndocumented' | 'takesPost' | 'narrow' | 'whenNone' | 'lookupBy'
  > = {},
): Endpoint<Params, V3Results[Path]> {
  return { name: methodName(path), method: 'GET', path, isRead: true, params, ...rest }
}

/** Defines a POST endpoint of API v3. @param path for example `/runGetMethod` */
export function postEndpoint<const Path extends keyof V3Results, Params extends ParamsSchema>(
  path: Path,
  params: Params,
  rest: Pick<Endpoint<Params, V3Results[Path]>, 'isRead' | 'failure' | 'api' | 'narrow'>,
): Endpoint<Params, V3Results[Path]> {
  return { name: methodName(path), method: 'POST', path, params, ...rest }
}

/** Returns the path in camel case: `jettonTransfers` for `/jetton/transfers`. */
export function methodName(path: string): string {
  return path.slice(1).replaceAll(/\/(\w)/g, (_, letter: string) => letter.toUpperCase())
}
