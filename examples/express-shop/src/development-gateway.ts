import { createGatewayStandIn } from '@tonplug/testing'
import type { DeliveryReport, GatewayStandIn } from '@tonplug/testing'
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
    async simulate({ reference, rawAmount, asset, data }, simulation) {
      // One of its own for each, since orders outlive the process and what a stand-in knows does not.
      const gateway = createGatewayStandIn({ url: options.webhookUrl(), secret: options.secret })
      const comments = { commentToSender: data.name, commentToRecipient: data.name }
      gateway.createTransfer({ reference, rawAmount, asset, ...comments })
      const { attempts } = await settle(gateway, { reference, rawAmount }, simulation)
      return { statuses: attempts.map(({ status }) => status ?? null) }
    },
  }
}

function settle(
  gateway: GatewayStandIn,
  { reference, rawAmount }: Pick<ShopOrder, 'reference' | 'rawAmount'>,
  simulation: Simulation,
): Promise<DeliveryReport> {
  switch (simulation) {
    case 'pay':
      return gateway.pay(reference)
    case 'twice':
      return gateway.pay(reference, { delivery: { times: 2 } })
    case 'fail':
      return gateway.fail(reference)
    case 'underpay':
      return gateway.pay(reference, { rawAmount: rawAmount / 2n })
  }
}
