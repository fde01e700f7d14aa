import { type Logger } from '@tonplug/core'
import { createV3Client } from '@tonplug/core/toncenter'
import {
  createMockGateway,
  findJettonWalletBy,
  type MockGatewayOptions,
  watchNetwork,
} from '@tonplug/testing'
import { printLine } from '../escape-hidden.js'
import { onOneLine } from '../table.js'
import type { PaymentBackend } from './payment-backend.js'

/** A network and the wallets of its transfers. */
export interface WatchedNetwork {
  /** Base URL of API v3. */
  v3: string
  /** Its key. */
  v3Key: string | undefined
  merchant: string
  buyer: string
}

/** Starts a mock gateway that watches a network, on which real wallets pay. */
export async function openNetworkBackend(
  options: MockGatewayOptions,
  port: number,
  { v3: baseUrl, v3Key: apiKey, merchant, buyer }: WatchedNetwork,
): Promise<PaymentBackend> {
  const v3 = createV3Client({ baseUrl, apiKey })
  const gateway = createMockGateway({
    ...options,
    recipientAddr: merchant,
    senderAddr: buyer,
    jettonWallet: findJettonWalletBy(v3),
  })
  const gatewayUrl = await gateway.listen(port)
  const watch = watchNetwork(gateway, { v3, logger: toStandardError })
  return {
    gateway,
    gatewayUrl,
    chainUrl: baseUrl,
    merchant,
    buyer,
    // Jetton transfers are created by the shop only.
    assets: [{ asset: 'TON', ticker: 'TON', decimals: 9 }],
    isNetwork: true,
    wallets: () => Promise.resolve([]),
    pay: () => Promise.reject(new Error('payments on a network are made by a wallet')),
    fail: () => Promise.reject(new Error('failures on a network are caused by a wallet')),
    async close() {
      await watch.close()
      await gateway.close()
    },
  }
}

const toStandardError: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: logLine,
  error: logLine,
}

function logLine(message: string, facts?: object): void {
  printLine(onOneLine(`${message} ${JSON.stringify(facts ?? {})}`), process.stderr)
}
