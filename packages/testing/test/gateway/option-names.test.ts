import { createV3Client, systemClock } from '@tonplug/core'
import { describe, expect, it } from 'vitest'
import {
  createGatewayStandIn,
  type GatewayStandInOptions,
} from '../../src/gateway/gateway-stand-in.js'
import { type NetworkWatchOptions, watchNetwork } from '../../src/gateway/network-watch.js'
import { recordingLogger } from '../../src/recording-logger.js'

const secret = 'whsec_names'

function refusal(message: string): unknown {
  return expect.objectContaining({ code: 'ERR_TONPLUG_CONFIGURATION', message })
}

describe('a misspelt option', () => {
  it.each([
    ['recipient', 'recipientAddr'],
    ['URL', 'url'],
    ['maxAttempt', 'maxAttempts'],
  ])('of the stand-in: %s is refused, and %s suggested', (option, meant) => {
    const options = { secret, [option]: 1 }
    expect(() => createGatewayStandIn(options)).toThrow(
      refusal(`${option}: is not an option here; did you mean ${meant}?`),
    )
  })

  it('of the watch over a network is refused', async () => {
    const gateway = createGatewayStandIn({ secret })
    const options = { v3: createV3Client({ network: 'testnet' }), poll: 1000 }
    expect(() => watchNetwork(gateway, options)).toThrow(
      refusal('poll: is not an option here; did you mean pollMs?'),
    )
    await gateway.close()
  })
})

it('takes all options there are', async () => {
  const all: Required<GatewayStandInOptions> = {
    url: 'http://127.0.0.1:9/webhooks/ton',
    secret,
    clock: systemClock,
    header: 'x-pay-signature',
    apiKey: 'key',
    recipientAddr: '0QApAdacOHpJfIJ01ztI2pzn9rjZHCGcvQwGSOjgAm3E5eKf',
    senderAddr: '0QApAdacOHpJfIJ01ztI2pzn9rjZHCGcvQwGSOjgAm3E5eKf',
    assets: [],
    jettonWallet: () => undefined,
    maxTransfers: 1,
    maxAttempts: 1,
    fetch,
  }
  const gateway = createGatewayStandIn(all)
  expect(gateway.transfers()).toEqual([])
  const ofWatch: Required<NetworkWatchOptions> = {
    v3: createV3Client({ network: 'testnet' }),
    pollMs: 60_000,
    clock: systemClock,
    logger: recordingLogger(),
  }
  const watch = watchNetwork(gateway, ofWatch)
  await watch.close()
  await gateway.close()
})
