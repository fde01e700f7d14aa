import { canonicalAddress } from '../address/address.js'
import { ConfigurationError } from '../errors/configuration.js'
import { RepositoryError } from '../errors/repository.js'
import { canonicalAsset } from './asset.js'
import { foundBy } from './found-by.js'
import type { Order, OrderStatus } from './order.js'
import type { OrderRepository, Transition } from './repository.js'

const METHODS = ['findByReference', 'complete', 'recordFailure', 'listOpen'] as const
const STATUSES: readonly OrderStatus[] = ['pending', 'failed', 'expired', 'cancelled', 'completed']
const TRANSITIONS: readonly Transition[] = ['applied', 'already-applied', 'conflict', 'not-found']

/** What deciding needs of an order repository. */
export type CheckedRepository<O extends Order> = Pick<
  OrderRepository<O>,
  'findByReference' | 'complete' | 'recordFailure'
>

/**
 * The shop's repository with its contract checked: whatever it throws, or answers wrongly, becomes a
 * {@link RepositoryError} that names the call and the field.
 * @throws {ConfigurationError} when a method is missing.
 */
export function checkedRepository<O extends Order>(
  repository: OrderRepository<O>,
): CheckedRepository<O> {
  const missing = METHODS.filter((method) => typeof repository?.[method] !== 'function')
  if (missing.length > 0) {
    throw new ConfigurationError({
      option: 'orders',
      problem: `the order repository has no ${missing.join(', ')}; implement OrderRepository`,
    })
  }
  return {
    async findByReference(reference, context) {
      try {
        const order = (await repository.findByReference(reference, merchantOf(context))) ?? null
        if (order !== null) checkOrder(order, reference)
        return order
      } catch (cause) {
        throw failed('orders.findByReference', cause)
      }
    },
    async complete(reference, payment) {
      const operation = 'orders.complete'
      try {
        return checkTransition(operation, await repository.complete(reference, payment))
      } catch (cause) {
        throw failed(operation, cause)
      }
    },
    async recordFailure(reference, failure) {
      const operation = 'orders.recordFailure'
      try {
        return checkTransition(operation, await repository.recordFailure(reference, failure))
      } catch (cause) {
        throw failed(operation, cause)
      }
    },
  }
}

/** What a reconciler found was signed by no merchant's secret: it comes from an order of this very repository. */
function merchantOf(context: { signedWith: string } | undefined) {
  return context === undefined || foundBy(context.signedWith) !== undefined ? undefined : context
}

/** Runs one call to the store. @throws {RepositoryError} for whatever it throws. */
export async function attempt<Result>(
  operation: string,
  call: () => Promise<Result>,
): Promise<Result> {
  try {
    return await call()
  } catch (cause) {
    throw failed(operation, cause)
  }
}

/** What a call to the store that threw comes to. */
function failed(operation: string, cause: unknown): RepositoryError {
  if (cause instanceof RepositoryError) return cause
  return new RepositoryError({ operation, problem: 'failed; see cause', cause })
}

/** @throws {RepositoryError} when the order is not one that the rules can judge. */
export function checkOrder(order: Order, reference: string): void {
  const operation = 'orders.findByReference'
  const fail = (problem: string, cause?: unknown): never => {
    const which = `the order ${JSON.stringify(reference)} has`
    throw new RepositoryError({ operation, problem: `${which} ${problem}`, cause })
  }
  if (order.reference !== reference) fail(`the reference ${JSON.stringify(order.reference)}`)
  if (typeof order.rawAmount !== 'bigint') {
    fail(`a rawAmount of type ${typeof order.rawAmount}; give base units as bigint`)
  }
  if (!STATUSES.includes(order.status)) {
    fail(`the status ${JSON.stringify(order.status)}; known are ${STATUSES.join(', ')}`)
  }
  try {
    canonicalAsset(order.asset)
  } catch (cause) {
    fail(`the asset ${JSON.stringify(order.asset)}, neither 'TON' nor a jetton master`, cause)
  }
  if (typeof (order.bodyBase64Hash ?? '') !== 'string') {
    fail(`a bodyBase64Hash of type ${typeof order.bodyBase64Hash}; give it as the gateway wrote it`)
  }
  if (!isDateOrNone(order.createdAt)) {
    fail(`a createdAt of type ${typeof order.createdAt}; give a Date, or leave it out`)
  }
  if (order.recipient === undefined || order.recipient === null) return
  try {
    canonicalAddress(order.recipient)
  } catch (cause) {
    fail(`the recipient ${JSON.stringify(order.recipient)}, which is no address`, cause)
  }
}

/** Not by `instanceof`: test runners have a `Date` of their own in each file. */
function isDateOrNone(value: unknown): boolean {
  if (value === undefined || value === null) return true
  return typeof value === 'object' && 'getTime' in value
}

/** @throws {RepositoryError} when it is no {@link Transition}. */
export function checkTransition(operation: string, transition: Transition): Transition {
  if (TRANSITIONS.includes(transition)) return transition
  throw new RepositoryError({
    operation,
    problem: `answered ${JSON.stringify(transition)}; a transition is one of ${TRANSITIONS.join(', ')}`,
  })
}
