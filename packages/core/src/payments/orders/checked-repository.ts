import { z } from 'zod'
import { NATIVE_ASSET } from '../../shared/asset.js'
import { inChunks } from '../../shared/in-chunks.js'
import { describeType } from '../../shared/describe-type.js'
import { address, asset, describeIssue, ISSUE_OPTIONS } from '../../shared/options.js'
import { RepositoryError } from './errors.js'
import type { Order, OrderKey, OrderStatus } from './order.js'
import { isMerchant, isOrderKey, isReference, MERCHANT_RULE, REFERENCE_RULE } from './order-key.js'
import type { OrderRepository, Transition } from './repository.js'
import { lazy } from '../../shared/lazy.js'

/** The limit of the repository's contract. */
const KEYS_PER_CALL = 1000
const STATUSES = ['pending', 'failed', 'expired', 'cancelled', 'completed'] satisfies OrderStatus[]

const AMOUNT = 'must be a bigint of base units'
const DATE = 'must be a Date'
const VALID_DATE = 'must be a valid Date'
const DECIMAL = 'must be a decimal string'
const OFFERS = 'must be a list of offers in different assets, at least one'
const MISSING_AMOUNT = 'must be a bigint of base units, unless the order has `offers`'
const MISSING_ASSET = "must be 'TON' or a jetton master, unless the order has `offers`"
const BOTH_FORMS = 'must be left out of an order with `rawAmount` or `asset`'

const OFFER = lazy(() =>
  z.object({
    rawAmount: z.bigint(AMOUNT).min(0n, AMOUNT),
    asset,
    rate: z
      .object({
        price: z.string(DECIMAL),
        currency: z.string(),
        at: z.custom(isValidDate, VALID_DATE),
        orderPrice: z.string(DECIMAL),
      })
      .nullish(),
    // By an invalid one no payment would be late.
    expiresAt: z.custom(isValidDate, VALID_DATE).nullish(),
  }),
)

/** Schema of the fields that the rules use. */
export const ORDER = lazy(() =>
  z
    .object({
      reference: z.string(REFERENCE_RULE).refine(isReference, REFERENCE_RULE),
      merchant: z.string(MERCHANT_RULE).refine(isMerchant, MERCHANT_RULE).nullish(),
      rawAmount: z.bigint(AMOUNT).min(0n, AMOUNT).nullish(),
      asset: asset.nullish(),
      offers: z.array(OFFER(), OFFERS).min(1, OFFERS).refine(haveOwnAssets, OFFERS).nullish(),
      expiresAt: z.custom(isDate, DATE).nullish(),
      status: z.enum(STATUSES),
      recipient: address.nullish(),
      bodyBase64Hash: z.string().nullish(),
      createdAt: z.custom(isDate, DATE).nullish(),
    })
    .superRefine((order, context) => {
      const { rawAmount = null, asset: paidIn = null, offers = null } = order
      const reject = (path: string, message: string): void =>
        context.addIssue({ code: 'custom', path: [path], message, input: undefined })
      if (offers !== null) {
        if (rawAmount !== null || paidIn !== null) reject('offers', BOTH_FORMS)
      } else if (rawAmount === null) reject('rawAmount', MISSING_AMOUNT)
      else if (paidIn === null) reject('asset', MISSING_ASSET)
    }),
)

const TRANSITIONS = ['applied', 'already-applied', 'conflict', 'not-found'] satisfies Transition[]

/** A payment in an asset must fit one offer only. Assets are canonical by then. */
function haveOwnAssets(offers: readonly { asset: string }[]): boolean {
  return new Set(offers.map((offer) => offer.asset)).size === offers.length
}

/** Not by `instanceof`: test runners create a separate `Date` class for each file. */
function isDate(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'getTime' in value
}

function isValidDate(value: unknown): boolean {
  return isDate(value) && !Number.isNaN(Number(value))
}

/** The methods that deciding needs. */
export interface CheckedRepository<O extends Order> extends Pick<
  OrderRepository<O>,
  'find' | 'complete' | 'fail'
> {
  /** Returns the usable orders with one of these body hashes; `undefined` without the method. */
  findByBodyHashes(hashes: readonly string[]): Promise<O[] | undefined>
  /** Returns the usable orders with one of these references, of any merchant; `undefined` without the method. */
  findByReferences(references: readonly string[]): Promise<O[] | undefined>
}

/**
 * Wraps the shop's repository and checks its contract: anything it throws, or returns in the wrong shape, becomes a
 * {@link RepositoryError} that names the call and the field.
 */
export function checkedRepository<O extends Order>(
  repository: OrderRepository<O>,
): CheckedRepository<O> {
  return {
    async find(key) {
      // No order has such a key; the shop's own columns may refuse it, or find another order.
      if (!isOrderKey(key)) return null
      try {
        const order = (await repository.find(key)) ?? null
        if (order !== null) checkFound(order, key)
        return order
      } catch (cause) {
        throw failed('orders.find', cause)
      }
    },
    async complete(key, payment) {
      const operation = 'orders.complete'
      if (!isOrderKey(key)) return 'not-found'
      try {
        return checkTransition(operation, await repository.complete(key, payment))
      } catch (cause) {
        throw failed(operation, cause)
      }
    },
    async fail(key, failure) {
      const operation = 'orders.fail'
      if (!isOrderKey(key)) return 'not-found'
      try {
        return checkTransition(operation, await repository.fail(key, failure))
      } catch (cause) {
        throw failed(operation, cause)
      }
    },
    findByBodyHashes: (hashes) =>
      findMany('orders.findByBodyHashes', hashes, repository.findByBodyHashes?.bind(repository)),
    findByReferences: (references) =>
      findMany(
        'orders.findByReferences',
        references,
        repository.findByReferences?.bind(repository),
      ),
  }
}

/** An order that the rules cannot use must not affect the others. */
async function findMany<O extends Order>(
  operation: string,
  keys: readonly string[],
  find: ((keys: readonly string[]) => Promise<O[]>) | undefined,
): Promise<O[] | undefined> {
  if (find === undefined) return undefined
  const found: O[] = []
  for (const part of inChunks(keys, KEYS_PER_CALL)) {
    found.push(...(await attempt(operation, () => find(part))))
  }
  return found.filter(isUsable)
}

/**
 * Returns the newest orders without those that the rules cannot use.
 * @throws {RepositoryError} when the call fails, or returns no page.
 */
export async function newestOrders(
  repository: Pick<OrderRepository, 'list'>,
  limit: number,
): Promise<Order[]> {
  const operation = 'orders.list'
  const page = await attempt(operation, async () => repository.list?.({ limit }))
  if (Array.isArray(page?.orders)) return page.orders.filter(isUsable)
  const problem = `the result must be { orders }; received ${describeType(page)}`
  throw new RepositoryError({ operation, problem })
}

function isUsable(order: Order): boolean {
  try {
    checkOrder(order)
    return true
  } catch {
    return false
  }
}

/** Runs one call to a store. @throws {RepositoryError} for anything the call throws. */
export function attempt<Result>(operation: string, call: () => Promise<Result>): Promise<Result> {
  const fail = (cause: unknown): never => {
    throw failed(operation, cause)
  }
  try {
    // A store in JavaScript may return a value, or a thenable without `catch`.
    return Promise.resolve(call()).catch(fail)
  } catch (cause) {
    return Promise.reject(failed(operation, cause))
  }
}

/** Returns the error of a call to a store that has failed. */
function failed(operation: string, cause: unknown): RepositoryError {
  if (cause instanceof RepositoryError) return cause
  return new RepositoryError({ operation, problem: 'failed; see cause', cause })
}

/** @throws {RepositoryError} when the rules cannot use the order, or it is not the one asked for. */
export function checkFound(order: Order, { reference, merchant = '' }: OrderKey): void {
  // An order without a merchant belongs to none: a repository that ignores merchants cannot serve several.
  if (order.reference !== reference || (order.merchant ?? '') !== merchant) {
    const asked = JSON.stringify({ merchant, reference })
    const found = JSON.stringify({ merchant: order.merchant, reference: order.reference })
    const problem = `was asked for ${asked} and returned ${found}; match merchant and reference exactly, and return both`
    throw new RepositoryError({ operation: 'orders.find', problem })
  }
  checkOrder(order)
}

/** @throws {RepositoryError} when the rules cannot use the order. */
export function checkOrder(order: Order): void {
  const { reference, merchant = '', rawAmount, createdAt = null } = order
  // Each delivery checks its order: a common one, in the native asset to any wallet, needs no schema.
  if (
    typeof reference === 'string' &&
    typeof merchant === 'string' &&
    isOrderKey(order) &&
    typeof rawAmount === 'bigint' &&
    rawAmount >= 0n &&
    order.asset === NATIVE_ASSET &&
    (order.offers ?? order.expiresAt ?? null) === null &&
    STATUSES.includes(order.status) &&
    (order.recipient ?? order.bodyBase64Hash ?? null) === null &&
    (createdAt === null || createdAt instanceof Date)
  ) {
    return
  }
  const issue = ORDER().safeParse(order, ISSUE_OPTIONS).error?.issues[0]
  if (issue === undefined) return
  const subject = `the order ${JSON.stringify(order.reference)}:`
  const problem = [subject, ...issue.path, describeIssue(issue)].join(' ')
  throw new RepositoryError({ operation: 'orders.find', problem })
}

/** @throws {RepositoryError} when the value is not a {@link Transition}. */
export function checkTransition(operation: string, transition: Transition): Transition {
  if (TRANSITIONS.includes(transition)) return transition
  const problem = `the result must be one of ${TRANSITIONS.join(', ')}; received ${describeType(transition)}`
  throw new RepositoryError({ operation, problem })
}
