import { HANDLER_EVENTS, type HandlerEvent } from '../inbox/handler-event.js'
import { ConfigurationError } from '../../shared/configuration-error.js'
import { functionSchema, parseOptions } from '../../shared/options.js'
import { PROOF_TASK } from '../inbox/inbox-tasks.js'
import type { Order } from '../orders/order.js'
import type { Handler, HandlerEvents, Handlers } from './events.js'

/** One registered handler; `Event` ties the event's name to the handler's argument. */
export type RegisteredHandler<O extends Order> = {
  [Event in HandlerEvent]: { event: Event; handler: Handler<HandlerEvents<O>[Event]> }
}[HandlerEvent]

/** The handlers of this process, by name. */
export interface HandlerRegistry<O extends Order> {
  /** @throws {ConfigurationError} when the name is taken or reserved, or the handler is not a function. */
  add<Event extends HandlerEvent>(
    event: Event,
    handler: Handler<HandlerEvents<O>[Event]>,
    name?: string,
  ): void
  find: (name: string) => RegisteredHandler<O> | undefined
  /** The events that this process has handlers for. */
  readonly events: ReadonlySet<HandlerEvent>
  names: () => string[]
  /** For the inbox's `register`. */
  subscriptions: () => { handler: string; event: HandlerEvent }[]
}

/** Creates a registry of the handlers in the options; names are `onPaid`, or `onPaid.<name>` for named ones. */
export function createHandlerRegistry<O extends Order>(handlers: Handlers<O>): HandlerRegistry<O> {
  const byName = new Map<string, RegisteredHandler<O>>()
  const events = new Set<HandlerEvent>()
  const registry: HandlerRegistry<O> = {
    add(event, handler, name) {
      const fullName = name === undefined ? event : `${event}.${name}`
      parseOptions(functionSchema(), handler, { path: fullName })
      if (byName.has(fullName) || fullName === PROOF_TASK || fullName.includes('\u0000')) {
        const problem = 'is registered already; give each handler of an event its own name'
        throw new ConfigurationError({ option: fullName, problem })
      }
      // `event` and `handler` belong together by this method's signature; the union cannot express it.
      byName.set(fullName, { event, handler } as unknown as RegisteredHandler<O>)
      events.add(event)
    },
    find: (name) => byName.get(name),
    events,
    names: () => [...byName.keys()],
    subscriptions: () => [...byName].map(([handler, { event }]) => ({ handler, event })),
  }
  for (const event of HANDLER_EVENTS) addFromOption(registry, event, handlers[event])
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

/** A caller without types may pass `null`. */
function isNull(value: unknown): boolean {
  return value === null
}
