import { randomBytes, randomUUID } from 'node:crypto'
import type { AddressInfo, Server } from 'node:net'
import { HttpAdapterHost } from '@nestjs/core'
import { Inject, Injectable } from '@nestjs/common'
import type { TransferData } from '@tonplug/core'
import { createGatewayStandIn, transferCompleted, transferFailed } from '@tonplug/testing'
import { formatAmount } from '../orders/money.js'
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
    const gateway = createGatewayStandIn({ url: this.webhookUrl(), secret: this.secret })
    const { attempts } = await gateway.deliver(
      { ...buildPayload(order, simulation), timestamp: new Date().toISOString() },
      { times: simulation === 'twice' ? 2 : 1 },
    )
    return attempts.map(({ status }) => status ?? null)
  }

  private webhookUrl(): string {
    const server: Server = this.adapterHost.httpAdapter.getHttpServer()
    // An address of a listening TCP server is always an object.
    const { port } = server.address() as AddressInfo
    return `http://127.0.0.1:${port}/webhooks/ton`
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
  const { product, reference, asset } = order
  const [amount = ''] = formatAmount(rawAmount, product.currency).split(' ')
  return {
    amount,
    rawAmount: rawAmount.toString(),
    asset,
    assetTicker: product.currency.ticker,
    reference,
    bodyBase64Hash: randomBytes(32).toString('base64'),
    txHash: randomBytes(32).toString('hex'),
    traceId: randomUUID(),
    date: new Date().toISOString(),
  }
}
