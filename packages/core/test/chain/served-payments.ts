import { comment, internal, SendMode } from '@ton/core'
import { createPayer } from './payer.js'
import { serveChain } from './served-chain.js'
import { walletV4 } from '@tonplug/testing/simulator'

/** A chain with a payer and a shop's wallet, behind API v3. */
export interface ServedPayments {
  /** Of API v3. */
  url: string
  /** The wallet that is paid. */
  recipient: string
  /** Pays so many nanocoins, with a comment. */
  pay(rawAmount: bigint, note: string): Promise<void>
}

/** Serves such a chain until the test ends. @param now its time, Unix seconds */
export async function servePayments(now: number): Promise<ServedPayments> {
  const { chain, v3Server } = await serveChain({ now })
  const payer = createPayer(4, 1)
  const { address: to } = walletV4(90).wallet
  await chain.fund(payer.address, 1_000_000_000_000n)
  return {
    url: v3Server.url,
    recipient: to.toRawString(),
    async pay(value, note) {
      const message = internal({ to, value, bounce: false, body: comment(note) })
      await payer.pay(chain, [message], SendMode.PAY_GAS_SEPARATELY)
    },
  }
}
