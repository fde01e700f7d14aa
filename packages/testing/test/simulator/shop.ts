import { EventEmitter, once } from 'node:events'
import {
  createPaymentProof,
  createTransport,
  createV3Client,
  createWebhookReceiver,
  memoryOrderRepository,
  type Decision,
  type TransferData,
  type V3Client,
} from '@tonplug/core'
import { recordingLogger } from '@tonplug/testing'
import { startSimulator, type Simulator, type SimulatorOptions } from '@tonplug/testing/simulator'
import { onTestFinished } from 'vitest'
import { serveNode } from '../node-server.js'

const SECRET = 'whsec_simulator'

/** What a handler was told. */
interface Told {
  kind: Decision['kind']
  reference: string
  txHash: string
}

/** A shop that proves its payments on the simulated chain. */
export interface SimulatedShop {
  simulator: Simulator
  orders: ReturnType<typeof memoryOrderRepository>
  v3: V3Client
  /** Resolves with what the shop's handlers were told, once that is so much. */
  told: (count: number) => Promise<readonly Told[]>
  /** Creates a transfer and the order for it. */
  order: (transfer: { rawAmount: bigint; asset?: string }) => string
  isCompleted: (reference: string) => Promise<boolean>
}

/** Opens a shop until the test ends. */
export async function openShop(options: Partial<SimulatorOptions> = {}): Promise<SimulatedShop> {
  let url = ''
  const simulator = await startSimulator({ url: () => url, secret: SECRET, ...options })
  onTestFinished(() => simulator.close())
  const v3 = createV3Client({
    transport: createTransport({ baseUrl: simulator.urls.chain, rps: Infinity }),
  })
  const all: Told[] = []
  const events = new EventEmitter()
  const tell = (kind: Told['kind'], { reference, txHash }: TransferData): void => {
    all.push({ kind, reference, txHash })
    events.emit('told')
  }
  const orders = memoryOrderRepository()
  const receiver = createWebhookReceiver({
    secrets: SECRET,
    orders,
    recipients: [simulator.merchant.address.toString()],
    verifyOnChain: createPaymentProof({ v3 }),
    onPaid: ({ transfer }) => tell('paid', transfer),
    onFailed: ({ transfer }) => tell('failed', transfer),
    onMismatched: ({ transfer, decision }) => tell(decision.kind, transfer),
    onExtraPayment: ({ transfer, decision }) => tell(decision.kind, transfer),
    onUnverified: ({ transfer, decision }) => tell(decision.kind, transfer),
    logger: recordingLogger(),
    ...(options.clock && { clock: options.clock }),
  })
  const server = await serveNode(receiver)
  onTestFinished(() => server.close())
  onTestFinished(() => receiver.close())
  url = server.url
  return {
    simulator,
    orders,
    v3,
    async told(count) {
      while (all.length < count) await once(events, 'told')
      return all
    },
    order({ rawAmount, asset = 'TON' }) {
      const { reference } = simulator.gateway.createTransfer({ rawAmount, asset })
      orders.add({ reference, rawAmount, asset, status: 'pending' })
      return reference
    },
    isCompleted: async (reference) =>
      (await orders.findByReference(reference))?.status === 'completed',
  }
}
