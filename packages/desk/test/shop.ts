import {
  createPayments,
  createTransferReport,
  memoryInbox,
  memoryOrderRepository,
  type Inbox,
  type MemoryOrderRepository,
  type Order,
  type Payments,
  type PaymentsOptions,
  type TransferData,
} from '@tonplug/core'
import {
  createFakeClock,
  createTestLogger,
  type FakeClock,
  type TestLogger,
} from '@tonplug/testing'
import { onTestFinished } from 'vitest'
import { createDesk, type Desk, type DeskOptions } from '@tonplug/desk'

export const WALLET = `0:${'0a'.repeat(32)}`
export const PAYER = `0:${'0b'.repeat(32)}`

/** Payments with a desk, on a fake clock. */
export interface Shop {
  payments: Payments
  orders: MemoryOrderRepository
  inbox: Inbox
  clock: FakeClock
  logger: TestLogger
}

/** Opens a shop with the order `order-1` of 10.5 TON, whose `onPaid` fails while `isOutOfStock`. */
export function openShop(
  options: Partial<PaymentsOptions> = {},
): Shop & { stock: { isOut: boolean; shipped: string[] } } {
  const clock = createFakeClock()
  const logger = createTestLogger()
  const inbox = options.inbox ?? memoryInbox({ clock })
  const orders = memoryOrderRepository([order()])
  const stock = { isOut: false, shipped: [] as string[] }
  const payments = createPayments({
    orders,
    inbox,
    clock,
    logger,
    wallets: [WALLET],
    handlerRetry: { maxAttempts: 1 },
    onPaid: ({ order: { reference } }) => {
      if (stock.isOut) throw new Error('out of stock')
      stock.shipped.push(reference)
    },
    ...options,
  })
  onTestFinished(() => payments.close())
  return { payments, orders, inbox, clock, logger, stock }
}

export function order(changes: Partial<Order> = {}): Order {
  return {
    reference: 'order-1',
    rawAmount: 10_500_000_000n,
    asset: 'TON',
    status: 'pending',
    createdAt: new Date(Date.UTC(2026, 0, 5)),
    ...changes,
  }
}

let transfers = 0

/** Returns a transfer that pays `order-1`, with a hash of its own. */
function transfer(changes: Partial<TransferData> = {}): TransferData {
  const txHash = (++transfers).toString(16).padStart(64, '0')
  return {
    amount: '10.5',
    rawAmount: '10500000000',
    senderAddr: PAYER,
    recipientAddr: WALLET,
    asset: 'TON',
    status: 'success',
    reference: 'order-1',
    bodyBase64Hash: '',
    txHash,
    traceId: txHash,
    date: '2026-01-05T10:00:00.000Z',
    ...changes,
  }
}

/** Reports a transfer as the chain watcher does. */
export async function report(payments: Payments, changes: Partial<TransferData> = {}) {
  const reported = transfer(changes)
  await payments.submit(createTransferReport(reported, { source: 'chain' }))
  return reported
}

/** The cookie by which {@link openDesk} recognizes its operator. */
export const COOKIE = 'session=ann'

/** Options of a desk whose operator has {@link COOKIE}. */
export function optionsFor(payments: Payments, options: Partial<DeskOptions> = {}): DeskOptions {
  const authorize: DeskOptions['authorize'] = ({ headers }) =>
    (headers.get('cookie') ?? '').includes(COOKIE) && { operator: 'ann@shop.example' }
  return { payments, authorize, ...options }
}

/** A desk, and requests of its operator's browser. */
export interface Browser {
  desk: Desk
  readonly get: (path: string) => Promise<Response>
  readonly json: <Body>(path: string) => Promise<Body>
  /** With the session's token unless `headers` has another one. */
  readonly post: (
    action: string,
    body: unknown,
    headers?: Record<string, string>,
  ) => Promise<Response>
}

const ORIGIN = 'https://shop.example'

/** Opens a desk below /tonplug. */
export function openDesk(payments: Payments, options: Partial<DeskOptions> = {}): Browser {
  return browse(createDesk(optionsFor(payments, options)))
}

/** Returns requests to a desk. */
export function browse(desk: Desk): Browser {
  const send = (path: string, init: RequestInit = {}) => {
    const headers = { cookie: COOKIE, host: 'shop.example', ...(init.headers as object) }
    return desk.fetch(new Request(`${ORIGIN}/tonplug/${path}`, { ...init, headers }))
  }
  return {
    desk,
    get: (path) => send(path),
    // The caller knows the type of the path.
    json: async <Body>(path: string) => (await (await send(path)).json()) as Body,
    post: async (action, body, headers) => {
      const session = await sessionOf(await send('api/session'))
      return send(`api/${action}`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-csrf-token': session.token,
          cookie: `${COOKIE}; ${session.cookie}`,
          'sec-fetch-site': 'same-origin',
          ...headers,
        },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      })
    },
  }
}

/** Reads the token and the cookie of a session. */
export async function sessionOf(response: Response): Promise<{ token: string; cookie: string }> {
  const { csrfToken } = (await response.json()) as { csrfToken: string }
  const [cookie = ''] = (response.headers.getSetCookie()[0] ?? '').split(';')
  return { token: csrfToken, cookie }
}
