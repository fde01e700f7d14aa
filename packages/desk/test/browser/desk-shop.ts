import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import {
  createPayments,
  createPaymentWatcher,
  createWebhookReceiver,
  type MemoryOrderRepository,
  memoryOrderRepository,
  type Payments,
  type PaymentsOptions,
} from '@tonplug/core'
import { createV3Client } from '@tonplug/core/toncenter'
import { tonplugDesk, type DeskOperator, type DeskTonConnect } from '@tonplug/desk'
import { tonplugWebhook } from '@tonplug/express'
import { type Simulator, startSimulator } from '@tonplug/simulator'
import { createTestLogger, type FakeClock, signPayload, transferCompleted } from '@tonplug/testing'
import express from 'express'
import { onTestFinished } from 'vitest'

const SECRET = 'whsec_desk_test'

type Transfer = Parameters<typeof transferCompleted>[0]

/** A shop with a desk. */
export interface DeskShop {
  /** The URL of the desk. */
  url: string
  payments: Payments
  orders: MemoryOrderRepository
  /** References of the orders that were shipped. */
  shipped: string[]
  /** Lets the handler `mail` succeed. */
  fixMail: () => void
  /** Changes the operator of the desk and the rights; with undefined, `authorize` returns false. */
  signIn: (operator: string | undefined, may?: DeskOperator['may']) => void
  /** Reads the chain now, with a watcher. */
  look: () => Promise<void>
  /** Delivers a signed webhook. */
  deliver: (transfer: Transfer | string) => Promise<void>
}

/** Options of a desk. */
export interface DeskShopOptions {
  /** @default true */
  actions?: boolean
  /** Base URL of API v3, for a watcher and for refunds. */
  v3?: string
  wallets?: readonly string[]
  /** The clock of the desk. With it, the watcher runs; otherwise it only looks on request. */
  clock?: FakeClock
  amounts?: PaymentsOptions['amounts']
  verifyOnChain?: PaymentsOptions['verifyOnChain']
  tonConnect?: DeskTonConnect
}

/** Runs a shop on Express with a desk at `/tonplug`, until the test ends. */
export async function openDeskShop(options: DeskShopOptions = {}): Promise<DeskShop> {
  const { actions = true, v3: baseUrl, wallets, clock, amounts, tonConnect } = options
  const { verifyOnChain } = options
  const orders = memoryOrderRepository()
  const shipped: string[] = []
  let isMailFixed = false
  const payments = createPayments({
    orders,
    wallets,
    amounts,
    ...(verifyOnChain && { verifyOnChain }),
    handlerRetry: { maxAttempts: 1 },
    onPaid: {
      ship: ({ order }) => void shipped.push(order.reference),
      mail: () => {
        if (!isMailFixed) throw new Error('SMTP server responded with 451 <b>try later</b>')
      },
    },
    logger: createTestLogger(),
  })
  const receiver = createWebhookReceiver({ payments, secrets: [{ name: 'main', secret: SECRET }] })
  const v3 = baseUrl === undefined ? undefined : createV3Client({ baseUrl, rps: Infinity })
  const watcher = v3 && createPaymentWatcher({ payments, v3 })
  if (clock !== undefined) watcher?.start()
  const internals = { ...payments.internals, ...(clock && { clock }) }
  let visitor: DeskOperator | undefined = { operator: 'ada@example.com' }
  const authorize = () => visitor ?? false
  const desk = tonplugDesk({
    payments: { ...payments, internals },
    authorize,
    actions,
    watcher,
    v3,
    network: 'testnet',
    tonConnect,
  })
  const app = express().post('/webhooks/ton', tonplugWebhook(receiver)).use('/tonplug', desk)
  const server = app.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(async () => {
    await watcher?.close()
    await receiver.close()
    await payments.close()
    server.close()
    server.closeAllConnections()
  })
  // A server on a port has no other kind of address.
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const deliver = (transfer: Transfer | string): Promise<void> =>
    post(`${origin}/webhooks/ton`, transfer)
  return {
    url: `${origin}/tonplug/`,
    payments,
    orders,
    shipped,
    signIn: (operator, may) =>
      void (visitor = operator === undefined ? undefined : { operator, may }),
    fixMail: () => void (isMailFixed = true),
    look: async () => watcher?.checkNow(),
    deliver,
  }
}

async function post(url: string, transfer: Transfer | string): Promise<void> {
  const payload = typeof transfer === 'string' ? transfer : transferCompleted(transfer)
  const { body, headers } = signPayload(payload, SECRET)
  await fetch(url, { method: 'POST', headers, body })
}

/** Adds an open order of 10.5 TON. */
export function addOrder({ orders }: DeskShop, reference: string, fields: object = {}): void {
  const order = { reference, rawAmount: 10_500_000_000n, asset: 'TON', status: 'pending' } as const
  orders.add({ ...order, ...fields })
}

/** Runs a simulated chain until the test ends. */
export async function openChain(clock?: FakeClock): Promise<Simulator> {
  const simulator = await startSimulator({ secret: SECRET, ...(clock && { clock }) })
  onTestFinished(() => simulator.close())
  return simulator
}
