import type { Endpoint } from '../endpoint/endpoint.js'
import type { ParamsRule, ParamsSchema, ParamsShape } from '../schema/params-object.js'
import { methodName } from '../v3/endpoint.js'
import type { ValidatorsResults } from './results.js'

/** Defines an endpoint of validators. @param path for example `/validators/cycles` */
export function getEndpoint<const Path extends keyof ValidatorsResults, Shape extends ParamsShape>(
  path: Path,
  shape: Shape,
  { rules = [] }: { rules?: readonly ParamsRule[] } = {},
): Endpoint<ParamsSchema<Shape>, ValidatorsResults[Path]> {
  return { name: methodName(path), method: 'GET', path, isRead: true, params: { shape, rules } }
}
