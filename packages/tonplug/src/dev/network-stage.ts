import { createV3Client, type Logger } from '@tonplug/core'
import {
  createGatewayStandIn,
  findJettonWalletBy,
  type GatewayStandInOptions,
  watchNetwork,
} from '@tonplug/testing'
import { onOneLine } from '../table.js'
import type { Stage } from './stage.js'

/** A network, and the wallet that gets the payments there. */
export interface StageNetwork {
  /** The base URL of an API v3. */
  v3: string
  /** Its key. */
  v3Key: string | undefined
  merchant: string
  buyer: string
}

/** Opens a gateway that watches a network, where wallets of people pay. */
export async function openNetworkStage(
  options: GatewayStandInOptions,
  port: number,
  { v3: baseUrl, v3Key: apiKey, merchant, buyer }: StageNetwork,
): Promise<Stage> {
  const v3 = createV3Client({ baseUrl, apiKey })
  const gateway = createGatewayStandIn({
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
    // The message of a jetton's transfer is made when a shop asks for it.
    assets: [{ asset: 'TON', ticker: 'TON', decimals: 9 }],
    isNetwork: true,
    wallets: () => Promise.resolve([]),
    pay: () => Promise.reject(new Error('a wallet pays it on the network')),
    fail: () => Promise.reject(new Error('a payment fails on the network')),
    async close() {
      await watch.close()
      await gateway.close()
    },
  }
}

const toStandardError: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: tell,
  error: tell,
}

function tell(message: string, facts?: object): void {
  process.stderr.write(`${onOneLine(`${message} ${JSON.stringify(facts ?? {})}`)}\n`)
}
