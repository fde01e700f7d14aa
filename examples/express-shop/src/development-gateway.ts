import { randomBytes, randomUUID } from 'node:crypto'
import type { TransferData } from '@tonplug/core'
import { createGatewayStandIn, transferCompleted, transferFailed } from '@tonplug/testing'
import { formatAmount } from './money.js'
import { unconnectedGateway } from './payment-gateway.js'
import type { DevelopmentGateway, Simulation } from './payment-gateway.js'
import type { ShopOrder } from './shop-order.js'

/** Where a development gateway delivers to, and what it signs with. */
export interface DevelopmentGatewayOptions {
  secret: string
  /** Asked for at each delivery, since a free port is known only when the shop listens. */
  webhookUrl: () => string
}

/** A gateway on this machine: no wallet, no chain, but real requests with real signatures. */
export function createDevelopmentGateway(options: DevelopmentGatewayOptions): DevelopmentGateway {
  return {
    ...unconnectedGateway,
    async simulate(order, simulation) {
      const gateway = createGatewayStandIn({ url: options.webhookUrl(), secret: options.secret })
      const { attempts } = await gateway.deliver(
        { ...buildPayload(order, simulation), timestamp: new Date().toISOString() },
        { times: simulation === 'twice' ? 2 : 1 },
      )
      return { statuses: attempts.map(({ status }) => status ?? null) }
    },
  }
}

function buildPayload(order: ShopOrder, simulation: Simulation): object {
  switch (simulation) {
    case 'pay':
    case 'twice':
      return transferCompleted(describeTransfer(order, order.rawAmount))
    case 'fail':
      return transferFailed(describeTransfer(order, order.rawAmount))
    case 'underpay':
      return transferCompleted(describeTransfer(order, order.rawAmount / 2n))
  }
}

// Each transfer is one of its own, hashes included.
function describeTransfer(order: ShopOrder, rawAmount: bigint): Partial<TransferData> {
  const { reference, asset } = order
  const { name, currency } = order.data
  const [amount] = formatAmount(rawAmount, currency).split(' ')
  return {
    ...(amount !== undefined && { amount }),
    rawAmount: rawAmount.toString(),
    asset,
    assetTicker: currency.ticker,
    reference,
    bodyBase64Hash: randomBytes(32).toString('base64'),
    txHash: randomBytes(32).toString('hex'),
    traceId: randomUUID(),
    commentToSender: name,
    commentToRecipient: name,
    date: new Date().toISOString(),
  }
}
