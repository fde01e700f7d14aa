import { ConfigurationError } from '../errors/configuration.js'
import type { Decision, DecisionKind } from '../orders/decision.js'
import { findingsOf, type Finding } from '../orders/finding.js'
import type { Order } from '../orders/order.js'
import type { FindingEvents, Handler, HandlerEvent, HandlerEvents, Handlers } from './handlers.js'
import type { NewHandlerTask } from './inbox.js'

/** The name of a receiver that was given none. */
export const DEFAULT_NAME = 'default'

const EVENTS: readonly HandlerEvent[] = [
  'onPaid',
  'onFailed',
  'onMismatched',
  'onUnmatched',
  'onExtraPayment',
  'onUnverified',
  'onLostWebhook',
  'onUnderpaid',
  'onOverpaid',
  'onPaidTwice',
  'onPaidLate',
  'onPaidEarly',
  'onWrongAsset',
]

/** The handlers of each finding. */
export const EVENT_OF_FINDING: Record<Finding, keyof FindingEvents> = {
  lost_webhook: 'onLostWebhook',
  underpaid: 'onUnderpaid',
  overpaid: 'onOverpaid',
  paid_twice: 'onPaidTwice',
  paid_late: 'onPaidLate',
  paid_early: 'onPaidEarly',
  wrong_asset: 'onWrongAsset',
}

const EVENT_OF: Record<DecisionKind, HandlerEvent | undefined> = {
  paid: 'onPaid',
  failed: 'onFailed',
  amount_mismatch: 'onMismatched',
  asset_mismatch: 'onMismatched',
  recipient_mismatch: 'onMismatched',
  rejected: 'onMismatched',
  unmatched: 'onUnmatched',
  extra_payment: 'onExtraPayment',
  paid_after_cancel: 'onExtraPayment',
  unverified: 'onUnverified',
  verifying: undefined,
  unexpected_status: undefined,
  duplicate: undefined,
}

/** One registered handler; `Event` ties the event's name to what its handler is given. */
export type RegisteredHandler<O extends Order> = {
  [Event in HandlerEvent]: { event: Event; handler: Handler<HandlerEvents<O>[Event]> }
}[HandlerEvent]

/** The handlers by name, and the tasks that a decision means for them. */
export interface HandlerRegistry<O extends Order> {
  /** @throws {ConfigurationError} when the name is taken. */
  add<Event extends HandlerEvent>(
    event: Event,
    handler: Handler<HandlerEvents<O>[Event]>,
    name?: string,
  ): void
  find: (name: string) => RegisteredHandler<O> | undefined
  names: () => string[]
  tasksFor: (decision: Decision) => NewHandlerTask[]
}

/** A registry of the handlers in the options; names are `onPaid`, or `onPaid.<name>` for named ones. */
export function createHandlerRegistry<O extends Order>(
  handlers: Handlers<O>,
  receiver: string,
): HandlerRegistry<O> {
  // The keys of the only receiver are as short as they can be.
  const prefix = receiver === DEFAULT_NAME ? '' : `${receiver}:`
  const byName = new Map<string, RegisteredHandler<O>>()
  const registry: HandlerRegistry<O> = {
    add(event, handler, name) {
      const fullName = name === undefined ? event : `${event}.${name}`
      if (typeof handler !== 'function') {
        throw new ConfigurationError({
          option: fullName,
          problem: `is ${typeof handler}, not a function`,
        })
      }
      if (byName.has(fullName)) {
        throw new ConfigurationError({
          option: fullName,
          problem: 'is registered twice; give each a name',
        })
      }
      // `event` and `handler` belong together by this method's signature; the union cannot see it.
      byName.set(fullName, { event, handler } as unknown as RegisteredHandler<O>)
    },
    find: (name) => byName.get(name),
    names: () => [...byName.keys()],
    tasksFor(decision) {
      if (byName.size === 0) return []
      const findings = findingsOf(decision).map((finding) => EVENT_OF_FINDING[finding])
      const events: readonly unknown[] = [EVENT_OF[decision.kind], ...findings]
      const { reference, txHash } = decision
      const tasks: NewHandlerTask[] = []
      for (const [handler, { event }] of byName) {
        if (!events.includes(event)) continue
        tasks.push({ handler, idempotencyKey: `${prefix}${handler}:${reference}:${txHash}` })
      }
      return tasks
    },
  }
  for (const event of EVENTS) addFromOption(registry, event, handlers[event])
  return registry
}

function addFromOption<O extends Order, Event extends HandlerEvent>(
  registry: HandlerRegistry<O>,
  event: Event,
  option: Handlers<O>[Event],
): void {
  if (option === undefined || isNull(option)) return
  if (typeof option !== 'object') registry.add(event, option)
  else for (const [name, handler] of Object.entries(option)) registry.add(event, handler, name)
}

/** A caller without types may give `null` for none. */
function isNull(value: unknown): boolean {
  return value === null
}
