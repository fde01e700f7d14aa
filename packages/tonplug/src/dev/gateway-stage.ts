import {
  createGatewayStandIn,
  type GatewayStandInOptions,
  transferCompleted,
} from '@tonplug/testing'
import type { Stage } from './stage.js'

/** The jetton that the gateway knows by itself. */
const USDT = 'EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs'
/** An account that belongs to nobody. */
const STRANGER = `0:${'7e'.repeat(32)}`

/** Opens a gateway whose transfers are paid without a chain. */
export async function openGatewayStage(
  options: GatewayStandInOptions,
  port: number,
): Promise<Stage> {
  const gateway = createGatewayStandIn(options)
  const { recipientAddr: merchant, senderAddr: buyer } = transferCompleted().data
  return {
    gateway,
    gatewayUrl: await gateway.listen(port),
    merchant,
    buyer,
    assets: [
      { asset: 'TON', ticker: 'TON', decimals: 9 },
      { asset: USDT, ticker: 'USDT', decimals: 6 },
    ],
    isNetwork: false,
    wallets: () => Promise.resolve([]),
    pay(reference, { rawAmount, times, isMisdirected, delivery }) {
      const recipientAddr = isMisdirected ? STRANGER : undefined
      const pay = () => gateway.pay(reference, { rawAmount, recipientAddr, delivery })
      return Promise.all(Array.from({ length: times }, pay))
    },
    fail: async (reference, delivery) => [await gateway.fail(reference, { delivery })],
    close: () => gateway.close(),
  }
}
