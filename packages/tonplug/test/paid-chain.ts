import { Address, beginCell, internal } from '@ton/core'
import { createChainSimulator } from '@tonplug/simulator'
import { onTestFinished } from 'vitest'

/** The time of the payments, Unix seconds. */
export const PAID_AT = 1_767_614_400

const wallet = new Address(0, Buffer.alloc(32, 7))
const body = beginCell().storeUint(0x7a9d2c11, 32).storeUint(1, 64).endCell()

/** The wallet of the shop. */
export const recipient = wallet.toRawString()

/** The hash of the body of every payment. */
export const bodyHash = body.hash().toString('base64')

/** Serves until the test ends a chain on which equal payments of one TON took place. @returns its base URL */
export async function startPaidChain(payments = 1): Promise<string> {
  const chain = await createChainSimulator({ now: PAID_AT })
  onTestFinished(() => chain.close())
  const buyer = await chain.createWallet()
  for (let number = 0; number < payments; number++) {
    await buyer.send([internal({ to: wallet, value: 1_000_000_000n, bounce: false, body })])
  }
  chain.now += 600
  return chain.url
}
