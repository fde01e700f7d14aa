import { createTransport, createV3Client, type V3Client } from '@tonplug/core/toncenter'
import { EventEmitter, once } from 'node:events'
import {
  createPaymentVerifier,
  createPayments,
  createWebhookReceiver,
  memoryOrderRepository,
  type Decision,
  type TransferData,
} from '@tonplug/core'
import type { CreditWitness } from '@tonplug/core/proof'
import { createTestLogger } from '@tonplug/testing'
import { startSimulator, type Simulator, type SimulatorOptions } from '@tonplug/simulator'
import { onTestFinished } from 'vitest'
import { serveReceiver } from './serve-receiver.js'

const SECRET = 'whsec_simulator'

/** A call of a handler. */
interface HandlerCall {
  kind: Decision['kind']
  reference: string
  txHash: string
}

/** A shop that verifies its payments on the simulated chain. */
export interface SimulatedShop {
  simulator: Simulator
  orders: ReturnType<typeof memoryOrderRepository>
  v3: V3Client
  /** Resolves with the calls of the handlers, as soon as there are `count` of them. */
  calls: (count: number) => Promise<readonly HandlerCall[]>
  /** Creates a transfer and its order. */
  order: (transfer: { rawAmount: bigint; asset?: string }) => string
  isCompleted: (reference: string) => Promise<boolean>
}

/** Starts a shop and stops it when the test ends. @param witness creates a second source of payments */
export async function openShop(
  options: Partial<SimulatorOptions> = {},
  witness?: (simulator: Simulator) => CreditWitness,
): Promise<SimulatedShop> {
  let url = ''
  const simulator = await startSimulator({ url: () => url, secret: SECRET, ...options })
  onTestFinished(() => simulator.close())
  const v3 = createV3Client({
    transport: createTransport({ baseUrl: simulator.urls.chain, rps: Infinity }),
  })
  const all: HandlerCall[] = []
  const events = new EventEmitter()
  const record = (kind: HandlerCall['kind'], { reference, txHash }: TransferData): void => {
    all.push({ kind, reference, txHash })
    events.emit('call')
  }
  const orders = memoryOrderRepository()
  const payments = createPayments({
    orders,
    wallets: [simulator.merchant.address.toString()],
    verifyOnChain: createPaymentVerifier({
      sources: [v3, ...(witness ? [witness(simulator)] : [])],
    }),
    onPaid: ({ transfer }) => record('paid', transfer),
    onFailed: ({ transfer }) => record('failed', transfer),
    onMismatch: ({ transfer, decision }) => record(decision.kind, transfer),
    onExtraPayment: ({ transfer, decision }) => record(decision.kind, transfer),
    onUnverified: ({ transfer, decision }) => record(decision.kind, transfer),
    logger: createTestLogger(),
    ...(options.clock && { clock: options.clock }),
  })
  const receiver = createWebhookReceiver({ payments, secrets: SECRET })
  const server = await serveReceiver(receiver)
  onTestFinished(() => server.close())
  onTestFinished(async () => {
    await receiver.close()
    await payments.close()
  })
  url = server.url
  return {
    simulator,
    orders,
    v3,
    async calls(count) {
      while (all.length < count) await once(events, 'call')
      return all
    },
    order({ rawAmount, asset = 'TON' }) {
      const { reference } = simulator.gateway.createTransfer({ rawAmount, asset })
      const createdAt = new Date(simulator.chain.now * 1000)
      orders.add({ reference, rawAmount, asset, status: 'pending', createdAt })
      return reference
    },
    isCompleted: async (reference) => (await orders.find({ reference }))?.status === 'completed',
  }
}
