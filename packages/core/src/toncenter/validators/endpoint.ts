import type { Endpoint } from '../endpoint/endpoint.js'
import type { ParamsSchema } from '../schema/params-object.js'
import { methodName } from '../v3/endpoint.js'
import type { ValidatorsResults } from './results.js'

/** Defines an endpoint of validators. @param path for example `/validators/cycles` */
export function getEndpoint<
  const Path extends keyof ValidatorsResults,
  Params extends ParamsSchema,
>(path: Path, params: Params): Endpoint<Params, ValidatorsResults[Path]> {
  return { name: methodName(path), method: 'GET', path, isRead: true, params }
}
