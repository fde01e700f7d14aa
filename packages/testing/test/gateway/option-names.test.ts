import { systemClock } from '@tonplug/core'
import { createV3Client } from '@tonplug/core/toncenter'
import { describe, expect, it } from 'vitest'
import { createMockGateway, type MockGateway } from '../../src/gateway/mock-gateway.js'
import { type NetworkWatchOptions, watchNetwork } from '../../src/gateway/network-watch.js'
import type { MockGatewayOptions } from '../../src/gateway/options.js'
import { createTestLogger } from '../../src/test-logger.js'

const secret = 'whsec_names'

function refusal(message: string): unknown {
  return expect.objectContaining({ code: 'ERR_TONPLUG_CONFIGURATION', message })
}

describe('an unknown option', () => {
  it.each([
    ['recipient', 'recipientAddr'],
    ['URL', 'url'],
    ['maxAttempt', 'maxAttempts'],
  ])('is rejected in the mock gateway: %s, and %s is suggested', (option, meant) => {
    const options = { secret, [option]: 1 }
    expect(() => createMockGateway(options)).toThrow(
      refusal(`${option}: is not an option here; did you mean ${meant}?`),
    )
  })

  it('is rejected in watchNetwork', async () => {
    const gateway = createMockGateway({ secret })
    const options = { v3: createV3Client({ network: 'testnet' }), poll: 1000 }
    expect(() => watchNetwork(gateway, options)).toThrow(
      refusal('poll: is not an option here; did you mean pollMs?'),
    )
    await gateway.close()
  })
})

describe('an unknown option of a call', () => {
  const url = 'http://127.0.0.1:9/webhooks/ton'
  // Values that TypeScript would not allow.
  const any = (options: object): never => options as never

  it.each<[string, (gateway: MockGateway) => unknown, string]>([
    [
      'pay',
      (to) => to.pay('r', any({ corrupt: true })),
      'corrupt: is not an option here; it takes',
    ],
    [
      'pay',
      (to) => to.pay('r', any({ raw: 1n })),
      'raw: is not an option here; it takes rawAmount,',
    ],
    ['pay', (to) => to.pay('r', any({ delivery: { corupt: true } })), 'delivery.corupt: is not'],
    ['pay', (to) => to.pay('r', any({ delivery: 'drop' })), 'delivery: is drop; give '],
    ['pay', (to) => to.pay('r', any({ delivery: null })), 'delivery: must be an object'],
    ['pay', (to) => to.pay('r', { delivery: any({ drop: 'yes' }) }), 'drop is yes; give true or'],
    ['pay', (to) => to.pay('r', { delivery: { times: 0 } }), 'times is 0; give'],
    ['pay', (to) => to.pay('r', { delivery: any({ delayMs: '5' }) }), 'delayMs is 5; give'],
    ['pay', (to) => to.pay('r', { delivery: { secret: '' } }), 'secret must be a non-empty string'],
    ['pay', (to) => to.pay('r', any({ rawAmount: 5 })), 'rawAmount is a number; give base units'],
    ['fail', (to) => to.fail('r', any({ rawAmount: 1n })), 'rawAmount: is not an option here'],
    ['fail', (to) => to.fail('r', any({ delivery: { time: 3 } })), 'delivery.time: is not an'],
    ['resend', (to) => to.resend('r', any({ time: 3 })), 'time: is not an option here; did you'],
    ['deliver', (to) => to.deliver('{}', any({ time: 3 })), 'time: is not an option here; did'],
    ['deliver', (to) => to.deliver('{}', any({ delivery: {} })), 'delivery: is not an option here'],
    [
      'createTransfer',
      async (to) => to.createTransfer(any({ amount: 1 })),
      'amount: is not an option here; did you mean rawAmount?',
    ],
    ['createTransfer', async (to) => to.createTransfer(any({})), 'rawAmount is missing; give base'],
  ])('is rejected in %s before anything happens', async (_method, call, message) => {
    const gateway = createMockGateway({ url, secret })
    gateway.createTransfer({ reference: 'r', rawAmount: 1n })
    await expect(call(gateway)).rejects.toThrow(message)
    expect(gateway.transfers()).toMatchObject([{ status: 'pending' }])
    expect(gateway.log()).toEqual([])
    await gateway.close()
  })
})

it('all options are accepted', async () => {
  const all: Required<MockGatewayOptions> = {
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
  const gateway = createMockGateway(all)
  expect(gateway.transfers()).toEqual([])
  const ofWatch: Required<NetworkWatchOptions> = {
    v3: createV3Client({ network: 'testnet' }),
    pollMs: 60_000,
    clock: systemClock,
    logger: createTestLogger(),
  }
  const watch = watchNetwork(gateway, ofWatch)
  await watch.close()
  await gateway.close()
})
