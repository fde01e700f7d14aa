import { setImmediate } from 'node:timers/promises'
import {
  createWebhookReceiver,
  type Answer,
  type HandlerContext,
  type Order,
  type WebhookReceiver,
  type WebhookReceiverOptions,
} from '@tonplug/core'
import {
  createManualClock,
  recordingLogger,
  signPayload,
  transferCompleted,
  type ManualClock,
} from '@tonplug/testing'
import { onTestFinished } from 'vitest'
import { postgresInbox } from '../src/postgres-inbox.js'
import {
  postgresOrderRepository,
  type NewPostgresOrder,
  type PostgresOrderRepository,
} from '../src/postgres-order-repository.js'
import type { Queryable } from '../src/queryable.js'

export const SECRET = 'whsec_postgres_test'
const DRAIN_MS = 10_000
const MAX_STEPS = 1000
const QUIET_TURNS = 10

/** A receiver over a database on a clock that stands still, as one server has it. */
export interface Shop {
  receiver: WebhookReceiver
  orders: PostgresOrderRepository
  clock: ManualClock
  /** Each run of `onPaid`: its key and attempt. */
  runs: Run[]
  /**
   * Moves the clock step by step until the condition holds. Before each step and at the end, what
   * the receiver has asked its inbox is answered.
   */
  advanceUntil(isDone: () => boolean | Promise<boolean>, stepMs?: number): Promise<void>
  /** Signs the payload and hands it to the receiver. */
  send(payload?: object): Promise<Answer>
}

type Run = Pick<HandlerContext, 'idempotencyKey' | 'attempt'>

/** What the payload builders pay for. */
export const ORDER: NewPostgresOrder = {
  reference: 'order-1',
  rawAmount: 10_500_000_000n,
  asset: 'TON',
  data: null,
}

/** A transfer with a hash of its own. */
export function transfer(number: number): object {
  return transferCompleted({ txHash: number.toString(16).padStart(64, '0') })
}

export function openShop(
  db: Queryable,
  {
    clock = createManualClock(),
    ...options
  }: Partial<WebhookReceiverOptions<Order>> & { clock?: ManualClock } = {},
): Shop {
  const orders = postgresOrderRepository(db)
  const runs: Run[] = []
  const calls: Calls = { open: 0 }
  const receiver = createWebhookReceiver<Order>({
    secrets: SECRET,
    orders,
    onPaid: (_, { idempotencyKey, attempt }) => {
      runs.push({ idempotencyKey, attempt })
    },
    clock,
    logger: recordingLogger(),
    ...options,
    inbox: counted(options.inbox ?? postgresInbox(db), calls),
  })
  onTestFinished(() => closeShop({ receiver, clock }))
  return {
    receiver,
    orders,
    clock,
    runs,
    async advanceUntil(isDone, stepMs = 1000) {
      for (let step = 0; step < MAX_STEPS; step++) {
        await untilAnswered(calls)
        if (await isDone()) return
        await clock.advance(stepMs)
      }
      throw new Error(`the condition did not hold within ${MAX_STEPS} steps`)
    },
    send: (payload = transferCompleted()) => {
      const { body, headers } = signPayload(payload, SECRET)
      return receiver.receive({ headers, rawBody: body })
    },
  }
}

interface Calls {
  open: number
}

/** Counts the calls of a port that have not been answered. */
function counted<Port extends object>(port: Port, calls: Calls): Port {
  return new Proxy(port, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name)
      if (typeof member !== 'function') return member
      return (...args: unknown[]): unknown => {
        const result: unknown = Reflect.apply(member, target, args)
        if (result instanceof Promise) {
          calls.open++
          return result.finally(() => calls.open--)
        }
        // What `joinOrders` gives out.
        return typeof result === 'object' && result !== null ? counted(result, calls) : result
      }
    },
  })
}

/** A call that follows another comes within some turns of the event loop. */
async function untilAnswered(calls: Calls): Promise<void> {
  for (let turn = 0; turn < QUIET_TURNS; turn++) {
    await setImmediate()
    if (calls.open > 0) turn = 0
  }
}

/** Ends a receiver whose clock stands still: what still runs after the drain's time is given back. */
export async function closeShop({ receiver, clock }: Pick<Shop, 'receiver' | 'clock'>) {
  let isClosed = false
  const closed = receiver.close().finally(() => {
    isClosed = true
  })
  await clock.advance(DRAIN_MS)
  // The drain's time is over. What is left takes no time of this clock, only the database's.
  while (!isClosed) {
    await clock.advance(0)
    await setImmediate()
  }
  await closed
}

/** How many rows of a table fit. */
export async function count(db: Queryable, table: string, condition = 'true'): Promise<number> {
  const text = `SELECT count(*)::text AS count FROM tonplug.${table} WHERE ${condition}`
  const { rows } = await db.query(text)
  return Number((rows[0] as { count: string }).count)
}

/** Passes statements on, and tells of each before and after. What a hook throws is what the database answers. */
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

/** The statement that makes a transition and records its decision. */
export function isCompletion(text: string): boolean {
  return text.includes('WITH moved AS')
}
