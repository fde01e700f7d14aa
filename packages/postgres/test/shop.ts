import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import {
  createPayments,
  createWebhookReceiver,
  type WebhookResponse,
  type HandlerContext,
  type Order,
  type Payments,
  type PaymentsOptions,
  type WebhookReceiver,
} from '@tonplug/core'
import {
  createFakeClock,
  createTestLogger,
  signPayload,
  transferCompleted,
  type FakeClock,
} from '@tonplug/testing'
import { onTestFinished } from 'vitest'
import { postgresInbox } from '../src/postgres-inbox.js'
import {
  postgresOrderRepository,
  type NewPostgresOrder,
  type PostgresOrderRepository,
} from '../src/postgres-order-repository.js'
import type { Queryable } from '../src/queryable.js'
import { followClock } from './database-clock.js'
import type { TestDatabase } from './databases.js'

export const SECRET = 'whsec_postgres_test'
const DRAIN_MS = 10_000
const MAX_STEPS = 1000
const QUIET_TURNS = 10

/** A database whose time is that of a fake clock. */
export type ClockedDatabase<Database extends TestDatabase = TestDatabase> = Database & {
  clock: FakeClock
  /** The database; each statement sees the clock's time. */
  timed: Queryable
}

/** Makes a database follow a fake clock of its own. */
export async function withClock<Database extends TestDatabase>(
  database: Database,
): Promise<ClockedDatabase<Database>> {
  const clock = createFakeClock()
  return { ...database, clock, timed: await followClock(database.db, clock) }
}

/** Payments and a receiver over a database, as one server has them, on a clock that stands still. */
export interface Shop {
  payments: Payments
  receiver: WebhookReceiver
  orders: PostgresOrderRepository
  clock: FakeClock
  /** The key and attempt of each run of `onPaid`. */
  runs: Run[]
  /**
   * Advances the clock step by step until the condition holds. Before each step, and at the end, the database has responded
   * to everything it was asked.
   */
  advanceUntil(isDone: () => boolean | Promise<boolean>, stepMs?: number): Promise<void>
  /** Resolves when the database has responded to everything it was asked. */
  quiet(): Promise<void>
  /** Signs the payload and passes it to the receiver. */
  send(payload?: object): Promise<WebhookResponse>
}

type Run = Pick<HandlerContext, 'idempotencyKey' | 'attempt'>

type ShopOptions = Partial<PaymentsOptions> & { clock: FakeClock }

/** The order that the payload builders pay. */
export const ORDER: NewPostgresOrder = {
  reference: 'order-1',
  rawAmount: 10_500_000_000n,
  asset: 'TON',
  data: null,
}

/** Returns the payload of a transfer with a hash of its own. */
export function transfer(number: number): object {
  return transferCompleted({ txHash: number.toString(16).padStart(64, '0') })
}

/** Returns the payload of a transfer for an order, with a hash of its own. */
export function transferFor(reference: string): object {
  const txHash = createHash('sha256').update(reference).digest('hex')
  return transferCompleted({ reference, txHash })
}

export function openShop(database: Queryable, { clock, ...options }: ShopOptions): Shop {
  const calls: Calls = { open: 0 }
  const db = counted(database, calls)
  const orders = postgresOrderRepository(db)
  const runs: Run[] = []
  const payments = createPayments<Order>({
    orders,
    onPaid: (_, { idempotencyKey, attempt }) => {
      runs.push({ idempotencyKey, attempt })
    },
    clock,
    logger: createTestLogger(),
    ...options,
    inbox: counted(options.inbox ?? postgresInbox(db), calls),
  })
  const receiver = createWebhookReceiver({ payments, secrets: SECRET })
  const shop: Shop = {
    payments,
    receiver,
    orders,
    clock,
    runs,
    async advanceUntil(isDone, stepMs = 1000) {
      for (let step = 0; step < MAX_STEPS; step++) {
        await shop.quiet()
        if (await isDone()) return
        await clock.advance(stepMs)
      }
      throw new Error(`the condition did not hold within ${MAX_STEPS} steps`)
    },
    quiet: () => untilQuiet(calls),
    send: (payload = transferCompleted()) => {
      const { body, headers } = signPayload(payload, SECRET)
      return receiver.receive({ headers, rawBody: body })
    },
  }
  onTestFinished(() => closeShop(shop))
  return shop
}

interface Calls {
  open: number
}

/** Counts the pending calls of a port. */
function counted<Port extends object>(port: Port, calls: Calls): Port {
  return new Proxy(port, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name)
      if (typeof member === 'object' && member !== null) return counted(member, calls)
      if (typeof member !== 'function') return member
      return (...args: unknown[]): unknown => {
        const result: unknown = Reflect.apply(member, target, args)
        if (result instanceof Promise) {
          calls.open++
          return result.finally(() => calls.open--)
        }
        // The result of `joinOrders`.
        return typeof result === 'object' && result !== null ? counted(result, calls) : result
      }
    },
  })
}

/** A call that follows another one begins within some turns of the event loop. */
async function untilQuiet(calls: Calls): Promise<void> {
  for (let turn = 0; turn < QUIET_TURNS; turn++) {
    await setImmediate()
    if (calls.open > 0) turn = 0
  }
}

/** Closes a shop whose clock stands still; handlers that outlive the drain are aborted and released. */
export async function closeShop(shop: Shop): Promise<void> {
  const { payments, receiver, clock } = shop
  let isClosed = false
  const closed = receiver
    .close()
    .then(() => payments.close())
    .finally(() => {
      isClosed = true
    })
  await shop.quiet()
  await clock.advance(DRAIN_MS)
  await shop.quiet()
  // Aborted handlers have some time to end.
  while (!isClosed) {
    await clock.advance(100)
    await shop.quiet()
  }
  await closed
}

/** Passes statements on, and calls the hooks before and after each. An error of a hook is the database's response. */
export function tapped(
  db: Queryable,
  hooks: {
    before?: (text: string) => void | Promise<void>
    after?: (text: string) => void | Promise<void>
  },
): Queryable {
  return {
    async query(text, values) {
      await hooks.before?.(text)
      const result = await db.query(text, values)
      await hooks.after?.(text)
      return result
    },
  }
}

/** Returns true for the statement that makes a transition and records its decision. */
export function isCompletion(text: string): boolean {
  return text.includes('UPDATE tonplug.orders') && text.includes('recorded AS')
}
