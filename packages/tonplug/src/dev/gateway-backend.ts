import { createMockGateway, type MockGatewayOptions, transferCompleted } from '@tonplug/testing'
import type { PaymentBackend } from './payment-backend.js'

/** The default jetton of the mock gateway. */
const USDT = 'EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs'
/** An account without an owner. */
const STRANGER = `0:${'7e'.repeat(32)}`

/** Starts a mock gateway without a chain. */
export async function openGatewayBackend(
  options: MockGatewayOptions,
  port: number,
): Promise<PaymentBackend> {
  const gateway = createMockGateway(options)
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
