import type { Endpoint } from '../endpoint/endpoint.js'
import type { ParamsSchema } from '../schema/params-object.js'
import type { V3Results } from './results.js'

/** An endpoint of API v3 that is asked with GET. @param path as in `/jetton/transfers` */
export function getEndpoint<const Path extends keyof V3Results, Params extends ParamsSchema>(
  path: Path,
  rest: Pick<
    Endpoint<Params, V3Results[Path]>,
    'params' | 'isUndocumented' | 'takesPost' | 'narrow' | 'whenNone' | 'lookupBy'
  >,
): Endpoint<Params, V3Results[Path]> {
  return { name: methodName(path), method: 'GET', path, isRead: true, ...rest }
}

/** An endpoint of API v3 that is asked with POST. @param path as in `/runGetMethod` */
export function postEndpoint<const Path extends keyof V3Results, Params extends ParamsSchema>(
  path: Path,
  rest: Pick<Endpoint<Params, V3Results[Path]>, 'params' | 'isRead' | 'failure'>,
): Endpoint<Params, V3Results[Path]> {
  return { name: methodName(path), method: 'POST', path, ...rest }
}

/** The path, camel-joined: `/jetton/transfers` is `jettonTransfers`. */
function methodName(path: string): string {
  return path.slice(1).replaceAll(/\/(\w)/g, (_, letter: string) => letter.toUpperCase())
}
