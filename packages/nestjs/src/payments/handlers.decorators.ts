import 'reflect-metadata'
import { ConfigurationError } from '@tonplug/core'
import type {
  ExtraPayment,
  FailedTransfer,
  Handler,
  HandlerEvent,
  MismatchedTransfer,
  PaidTransfer,
  UnknownOrder,
  UnverifiedTransfer,
} from '@tonplug/core'
import { rejectStandardDecorator } from '../decorator-mode.js'

const HANDLED_EVENTS = Symbol.for('tonplug:handled-events')

/** The instance whose events a method handles. */
export interface HandlerOptions {
  /** The instance. @default that of the class's own `@WebhookController`, or 'default' */
  name?: string | undefined
}

/** One decorator on a method. */
export interface HandledEvent extends HandlerOptions {
  event: HandlerEvent
  method: string
  /** The prototype of the class that has the decorator. */
  owner: object
}

/** Accepts methods that take the event; any other is a compile error. */
export type HandlerDecorator<Event> = <Method extends Handler<Event>>(
  target: object,
  key: string,
  descriptor: TypedPropertyDescriptor<Method>,
) => void

/** Prototypes with decorated methods, of all apps in the process. */
export const handlerPrototypes = new Set<object>()

// The order type `never` accepts methods for any type of order.

/**
 * Runs the method for each completed order, and retries it until it returns without throwing. An Observable that it returns
 * is subscribed to and awaited. Works in every provider and controller. The names of class and method are part of the stored
 * tasks: keep them across deploys.
 * @example
 * ```ts
 * @OnPaid()
 * async ship({ order }: PaidTransfer<ShopOrder>, { idempotencyKey }: HandlerContext) {}
 * ```
 */
export const OnPaid = decoratorFor<PaidTransfer<never>>('onPaid')

/** Runs the method for each transfer for an order that did not succeed. */
export const OnFailed = decoratorFor<FailedTransfer<never>>('onFailed')

/** Runs the method for each transfer that does not fit its order: amount, asset, wallet, or one of the shop's rules. */
export const OnMismatch = decoratorFor<MismatchedTransfer<never>>('onMismatch')

/** Runs the method for money that arrived for a completed or cancelled order. */
export const OnExtraPayment = decoratorFor<ExtraPayment<never>>('onExtraPayment')

/** Runs the method for each transfer whose reference matches no order so far. */
export const OnUnknownOrder = decoratorFor<UnknownOrder>('onUnknownOrder')

/** Runs the method for each transfer that is not proven on the chain, or whose payment has paid another order. */
export const OnUnverified = decoratorFor<UnverifiedTransfer<never>>('onUnverified')

/** Returns the handlers of a class, its own and those that it inherits. */
export function readHandlers(prototype: object): readonly HandledEvent[] {
  // Only the decorators write it.
  return (Reflect.getMetadata(HANDLED_EVENTS, prototype) as HandledEvent[] | undefined) ?? []
}

function decoratorFor<Event>(event: HandlerEvent) {
  return ({ name }: HandlerOptions = {}): HandlerDecorator<Event> => {
    // Without type checks, properties and static methods can be decorated too.
    return (owner, method, descriptor?: PropertyDescriptor) => {
      rejectStandardDecorator(method)
      if (typeof owner === 'function' || typeof descriptor?.value !== 'function') {
        const { name: className } = typeof owner === 'function' ? owner : owner.constructor
        const problem = `must be an instance method to be a handler: ${method}() {}`
        throw new ConfigurationError({ option: `${className}.${method}`, problem })
      }
      // Own decorators of an overriding method replace those that it inherits.
      const others = readHandlers(owner).filter(
        (other) => other.method !== method || other.owner === owner,
      )
      // Stored by the method's name, so that decorators that wrap the function do not lose it.
      const handlers = [...others, { event, name, method, owner }]
      Reflect.defineMetadata(HANDLED_EVENTS, handlers, owner)
      handlerPrototypes.add(owner)
    }
  }
}
