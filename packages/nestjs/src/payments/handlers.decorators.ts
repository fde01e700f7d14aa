import 'reflect-metadata'
import { ConfigurationError, parseOptions } from '@tonplug/core'
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
import { z } from 'zod'

const HANDLED_EVENTS = Symbol.for('tonplug:handled-events')

/** The instance whose events a method handles. */
export interface HandlerOptions {
  /** The instance. @default that of the class's own `@WebhookController`, or 'default' */
  name?: string | undefined
}

const OPTIONS = z.strictObject({
  name: z.string().min(1).optional(),
} satisfies Record<keyof HandlerOptions, z.ZodType>)

/** One decorator on a method. */
export interface HandledEvent extends HandlerOptions {
  event: HandlerEvent
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
 * @OnTransferPaid()
 * async ship({ order }: PaidTransfer<ShopOrder>, { idempotencyKey }: HandlerContext) {}
 * ```
 */
export function OnTransferPaid(options?: HandlerOptions): HandlerDecorator<PaidTransfer<never>> {
  return handles('onPaid', options)
}

/** Runs the method for each transfer for an order that did not succeed. */
export function OnTransferFailed(
  options?: HandlerOptions,
): HandlerDecorator<FailedTransfer<never>> {
  return handles('onFailed', options)
}

/** Runs the method for each transfer that does not fit its order: amount, asset, wallet, or one of the shop's rules. */
export function OnTransferMismatch(
  options?: HandlerOptions,
): HandlerDecorator<MismatchedTransfer<never>> {
  return handles('onMismatch', options)
}

/** Runs the method for money that arrived for a completed or cancelled order. */
export function OnExtraPayment(options?: HandlerOptions): HandlerDecorator<ExtraPayment<never>> {
  return handles('onExtraPayment', options)
}

/** Runs the method for each transfer whose reference matches no order so far. */
export function OnUnknownOrder(options?: HandlerOptions): HandlerDecorator<UnknownOrder> {
  return handles('onUnknownOrder', options)
}

/** Runs the method for each transfer that is not proven on the chain, or whose payment has paid another order. */
export function OnTransferUnverified(
  options?: HandlerOptions,
): HandlerDecorator<UnverifiedTransfer<never>> {
  return handles('onUnverified', options)
}

/** Returns the events that a method handles, decorated in its class or in one that it extends. */
export function readHandledEvents(prototype: object, method: string): readonly HandledEvent[] {
  // Only `handles` writes it.
  return (
    (Reflect.getMetadata(HANDLED_EVENTS, prototype, method) as HandledEvent[] | undefined) ?? []
  )
}

/** Stores the metadata under the method's name, so that decorators that wrap the function do not lose it. */
function handles<Event>(
  event: HandlerEvent,
  options: HandlerOptions = {},
): HandlerDecorator<Event> {
  const { name } = parseOptions(OPTIONS, options)
  // Without type checks, properties can be decorated too; they have no descriptor.
  return (target, key, descriptor?: PropertyDescriptor) => {
    if (typeof target === 'function') {
      throw new ConfigurationError({
        option: `${target.name}.${key}`,
        problem: 'is static and cannot be a handler; use an instance method',
      })
    }
    if (typeof descriptor?.value !== 'function') {
      throw new ConfigurationError({
        option: `${target.constructor.name}.${key}`,
        problem: `is a property and cannot be a handler; write it as a method: ${key}() {}`,
      })
    }
    const earlier = Reflect.getOwnMetadata(HANDLED_EVENTS, target, key) as
      HandledEvent[] | undefined
    Reflect.defineMetadata(HANDLED_EVENTS, [...(earlier ?? []), { event, name }], target, key)
    handlerPrototypes.add(target)
  }
}
