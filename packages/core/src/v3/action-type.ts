import { paramWord } from '../schema/param.js'
import type { Action } from './schemas/action.js'

const ACTION_TYPE = /^[A-Za-z0-9_.]+$/

/** The type of an action; servers know more types than these, and short cuts for several of them. */
export type ActionType = Action['type'] | (string & {})

/** The type of an action, or a short cut for several. */
export const actionTypeParam = paramWord<string, ActionType>(
  'a type of actions, as in jetton_transfer',
  (value) => (typeof value === 'string' && ACTION_TYPE.test(value) ? value : undefined),
)
