import { loadMessage, toNano } from '@ton/core'
import { signedBlocks, type ShownCredit, type SignedBlocksOptions } from '@tonplug/core/proof'
import type { Chain, RecordedTransaction } from '@tonplug/simulator'
import { type ChainLiteserver, createChainLiteserver } from '@tonplug/simulator/internal'
import { serveChain } from '../../toncenter/chain/served-chain.js'
import { look, ours, startPaid } from './two-sources.js'

/** A shop with payments, and a liteserver of its chain. */
export async function startSigned(changed: Partial<SignedBlocksOptions> = {}) {
  const paid = await startPaid()
  const server = createChainLiteserver(paid.chain)
  const open = () => signedBlocks({ liteserver: server, trusted: server.trusted, ...changed })
  const prove = (transfer: typeof paid.native, witness = open()) =>
    look({ sources: [paid.index(), witness] }, paid.reported(transfer))
  return { ...paid, server, open, prove }
}

/** Returns what an honest index shows of a payment to the shop's wallet. */
export function shownOf({ transaction, inMessage }: RecordedTransaction): ShownCredit {
  const { info, body } = loadMessage(inMessage!.beginParse())
  if (info.type !== 'internal') throw new TypeError('no payment')
  const [account, sender] = [info.dest.toRawString(), info.src.toRawString()]
  const hash = transaction.hash().toString('hex')
  const message = {
    hash: inMessage!.hash().toString('hex'),
    sender,
    recipient: account,
    value: info.value.coins,
    bodyHash: body.hash().toString('hex'),
    transaction: { hash, lt: transaction.lt },
  }
  const paid = { account, wallet: account, rawAmount: info.value.coins, utime: transaction.now }
  return { ...paid, asset: 'TON', route: [message] }
}

/** Starts a chain on which the shop's wallet has received payments from the faucet. */
export async function startReceived(count: number, changed: Partial<SignedBlocksOptions> = {}) {
  const { chain } = await serveChain()
  for (let index = 0; index < count; index++) {
    await chain.sendFromFaucet({ to: ours, value: toNano(1) + BigInt(index) })
  }
  const server = createChainLiteserver(chain)
  const open = (more: Partial<SignedBlocksOptions> = {}) =>
    signedBlocks({ liteserver: server, trusted: server.trusted, ...changed, ...more })
  return { chain, server, open, claims: receivedBy(chain) }
}

export function receivedBy(chain: Chain): ShownCredit[] {
  return chain.index.ofAccount(ours).map(shownOf)
}

/** Returns the numbers of calls since the last count: block proofs, account states, pages of transactions. */
export function countOf(server: ChainLiteserver) {
  const calls = server.calls.splice(0)
  return ['getBlockProof', 'getAccountState', 'getTransactions'].map(
    (name) => calls.filter((call) => call === name).length,
  )
}
