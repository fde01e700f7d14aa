import { createMockGateway } from '@tonplug/testing'
import type { DeliveryReport, MockGateway } from '@tonplug/testing'
import { unconnectedGateway } from './payment-gateway.js'
import type { DevelopmentGateway, Simulation } from './payment-gateway.js'
import type { ShopOrder } from './shop-order.js'

/** Options of a development gateway. */
export interface DevelopmentGatewayOptions {
  secret: string
  /** Called for each delivery, because a free port is known only when the shop listens. */
  webhookUrl: () => string
}

/** Creates a gateway on this machine: it has no wallet and no chain, but sends real requests with real signatures. */
export function createDevelopmentGateway(options: DevelopmentGatewayOptions): DevelopmentGateway {
  return {
    ...unconnectedGateway,
    async simulate({ reference, rawAmount, asset, data }, simulation) {
      // A new one for each order, because orders outlive the process and the transfers of a gateway do not.
      const gateway = createMockGateway({ url: options.webhookUrl(), secret: options.secret })
      const comments = { commentToSender: data.name, commentToRecipient: data.name }
      gateway.createTransfer({ reference, rawAmount, asset, ...comments })
      const { attempts } = await settle(gateway, { reference, rawAmount }, simulation)
      return { statuses: attempts.map(({ status }) => status ?? null) }
    },
  }
}

function settle(
  gateway: MockGateway,
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
