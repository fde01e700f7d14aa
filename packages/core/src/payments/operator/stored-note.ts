import { isObject } from '../../shared/is-object.js'
import type { OperatorNote } from './note.js'

/** Returns the note that an operator's report stores beside the transfer. */
export function noteOf(rawBody: string): Partial<OperatorNote> {
  const body: unknown = JSON.parse(rawBody)
  const operator = isObject(body) ? body['operator'] : undefined
  if (!isObject(operator)) return {}
  const { by, reason } = operator
  return {
    ...(typeof by === 'string' && { by }),
    ...(typeof reason === 'string' && { reason }),
  }
}
