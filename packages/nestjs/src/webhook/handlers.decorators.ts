import 'reflect-metadata'
import { checkOptionNames, ConfigurationError } from '@tonplug/core'
import type {
  ExtraPayment,
  FailedTransfer,
  FindingEvents,
  Handler,
  HandlerEvent,
  MismatchedTransfer,
  PaidTransfer,
  UnmatchedTransfer,
  UnverifiedTransfer,
} from '@tonplug/core'

const HANDLED_EVENTS = Symbol.for('tonplug:handled-events')

/** Whose events a method handles. */
export interface HandlerOptions {
  /** The instance. @default that of the class's own `@WebhookController`, or 'default' */
  name?: string | undefined
}

const NAMES: Record<keyof HandlerOptions, true> = { name: true }

/** One decorator on a method. */
export interface HandledEvent extends HandlerOptions {
  event: HandlerEvent
}

/** Fits methods that can be given such an event; any other is a compile error. */
export type HandlerDecorator<Event> = <Method extends Handler<Event>>(
  target: object,
  key: string,
  descriptor: TypedPropertyDescriptor<Method>,
) => void

/** Prototypes with decorated methods, whichever app they are for. */
export const handlerPrototypes = new Set<object>()

// `never` as the order fits methods for any type of order.

/**
 * The method runs for each order that was completed, until it returns; a throw is tried again. An Observable that it
 * returns is subscribed, and waited for. Methods of all providers and controllers count. Its class and method names are
 * part of what is stored: keep them across deploys.
 * @example
 * ```ts
 * @OnTransferPaid()
 * async ship({ order }: PaidTransfer<ShopOrder>, { idempotencyKey }: HandlerContext) {}
 * ```
 */
export function OnTransferPaid(options?: HandlerOptions): HandlerDecorator<PaidTransfer<never>> {
  return handles('onPaid', options)
}

/** The method runs for each transfer that failed on chain. */
export function OnTransferFailed(
  options?: HandlerOptions,
): HandlerDecorator<FailedTransfer<never>> {
  return handles('onFailed', options)
}

/** The method runs for each transfer whose amount, asset or recipient is not the order's, or that a rule rejected. */
export function OnTransferMismatched(
  options?: HandlerOptions,
): HandlerDecorator<MismatchedTransfer<never>> {
  return handles('onMismatched', options)
}

/** The method runs for each transfer whose reference no order has, so far. */
export function OnTransferUnmatched(options?: HandlerOptions): HandlerDecorator<UnmatchedTransfer> {
  return handles('onUnmatched', options)
}

/** The method runs for money that arrived for an order already paid, or cancelled. */
export function OnExtraPayment(options?: HandlerOptions): HandlerDecorator<ExtraPayment<never>> {
  return handles('onExtraPayment', options)
}

/** The method runs for each transfer that `verifyOnChain` did not find on the chain as its webhook tells it. */
export function OnTransferUnverified(
  options?: HandlerOptions,
): HandlerDecorator<UnverifiedTransfer<never>> {
  return handles('onUnverified', options)
}

/**
 * The method runs for each order that was completed by a payment which only the reconciler found. Methods with
 * {@link OnTransferPaid} run as well.
 */
export function OnLostWebhook(
  options?: HandlerOptions,
): HandlerDecorator<FindingEvents<never>['onLostWebhook']> {
  return handles('onLostWebhook', options)
}

/** The method runs for each transfer of less than its order's amount; those with {@link OnTransferMismatched} as well. */
export function OnUnderpaid(
  options?: HandlerOptions,
): HandlerDecorator<FindingEvents<never>['onUnderpaid']> {
  return handles('onUnderpaid', options)
}

/** The method runs for each transfer of more than its order's amount; those with {@link OnTransferMismatched} as well. */
export function OnOverpaid(
  options?: HandlerOptions,
): HandlerDecorator<FindingEvents<never>['onOverpaid']> {
  return handles('onOverpaid', options)
}

/** The method runs for each transfer for an order that another one has completed; {@link OnExtraPayment} as well. */
export function OnPaidTwice(
  options?: HandlerOptions,
): HandlerDecorator<FindingEvents<never>['onPaidTwice']> {
  return handles('onPaidTwice', options)
}

/** The method runs for each transfer for an order that had expired, or was cancelled. */
export function OnPaidLate(
  options?: HandlerOptions,
): HandlerDecorator<FindingEvents<never>['onPaidLate']> {
  return handles('onPaidLate', options)
}

/** The method runs for each order that was completed by a transfer from before it was stored. */
export function OnPaidEarly(
  options?: HandlerOptions,
): HandlerDecorator<FindingEvents<never>['onPaidEarly']> {
  return handles('onPaidEarly', options)
}

/** The method runs for each transfer of another asset than its order's; {@link OnTransferMismatched} as well. */
export function OnWrongAsset(
  options?: HandlerOptions,
): HandlerDecorator<FindingEvents<never>['onWrongAsset']> {
  return handles('onWrongAsset', options)
}

/** The events that a method handles, decorated in its class or in one that it extends. */
export function readHandledEvents(prototype: object, method: string): readonly HandledEvent[] {
  // Written by `handles` alone.
  return (
    (Reflect.getMetadata(HANDLED_EVENTS, prototype, method) as HandledEvent[] | undefined) ?? []
  )
}

/** The metadata belongs to the method's name, so that decorators that wrap the function do not lose it. */
function handles<Event>(
  event: HandlerEvent,
  options: HandlerOptions = {},
): HandlerDecorator<Event> {
  checkOptionNames(options, Object.keys(NAMES))
  const { name } = options
  // Builders that check no types decorate properties too, without a descriptor.
  return (target, key, descriptor?: PropertyDescriptor) => {
    if (typeof target === 'function') {
      throw new ConfigurationError({
        option: `${target.name}.${key}`,
        problem: 'is static and cannot be a handler; make it a method of the instance',
      })
    }
    if (typeof descriptor?.value !== 'function') {
      throw new ConfigurationError({
        option: `${target.constructor.name}.${key}`,
        problem: `is a property and cannot be a handler, since it is not there before the object; write it as a method: ${key}() {}`,
      })
    }
    const earlier = Reflect.getOwnMetadata(HANDLED_EVENTS, target, key) as
      HandledEvent[] | undefined
    Reflect.defineMetadata(HANDLED_EVENTS, [...(earlier ?? []), { event, name }], target, key)
    handlerPrototypes.add(target)
  }
}
