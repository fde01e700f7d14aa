import type { AddressInfo, Server } from 'node:net'
import { HttpAdapterHost } from '@nestjs/core'
import { Inject, Injectable } from '@nestjs/common'
import { createGatewayStandIn } from '@tonplug/testing'
import type { DeliveryReport, GatewayStandIn } from '@tonplug/testing'
import type { ShopOrder } from '../orders/shop-order.js'

/** What can be made to happen to an order without a wallet. */
export const simulations = ['pay', 'fail', 'underpay', 'twice'] as const

export type Simulation = (typeof simulations)[number]

/** The injection token of the secret that the gateway signs with. */
export const GATEWAY_SECRET = Symbol('gateway secret')

/** A gateway on this machine: no wallet, no chain, but real requests with real signatures. */
@Injectable()
export class DevelopmentGateway {
  constructor(
    @Inject(GATEWAY_SECRET) private readonly secret: string,
    private readonly adapterHost: HttpAdapterHost,
  ) {}

  /** Delivers the webhooks of an outcome, and tells with which statuses the shop answered. */
  async simulate(order: ShopOrder, simulation: Simulation): Promise<(number | null)[]> {
    const { reference, rawAmount, asset, product } = order
    const gateway = createGatewayStandIn({ url: this.webhookUrl(), secret: this.secret })
    const comments = { commentToSender: product.name, commentToRecipient: product.name }
    gateway.createTransfer({ reference, rawAmount, asset, ...comments })
    const { attempts } = await settle(gateway, order, simulation)
    return attempts.map(({ status }) => status ?? null)
  }

  private webhookUrl(): string {
    const server: Server = this.adapterHost.httpAdapter.getHttpServer()
    // An address of a listening TCP server is always an object.
    const { port } = server.address() as AddressInfo
    return `http://127.0.0.1:${port}/webhooks/ton`
  }
}

function settle(
  gateway: GatewayStandIn,
  { reference, rawAmount }: ShopOrder,
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
