import { beginCell, loadMessage, Address } from '@ton/core'
import type { Row, TestEnvironment } from './environment.js'

/** A payout on the chain. */
interface PaidOnChain {
  to: string
  amount: string
  jetton?: boolean
  comment?: string
}

const JETTON_TRANSFER = 0x0f8a7ea5

/** Returns all payouts that the wallet sent, oldest first, from the transactions of the chain. */
export function sentByWallet({ chain, wallet }: TestEnvironment): PaidOnChain[] {
  return chain.transactions
    .filter(({ address }) => address.equals(wallet))
    .flatMap(({ outMessages }) => outMessages)
    .map((cell) => {
      const { info, body } = loadMessage(cell.beginParse())
      if (info.type !== 'internal') throw new TypeError('the wallet sent an external message')
      const slice = body.beginParse()
      const opcode = slice.remainingBits < 32 ? undefined : slice.loadUint(32)
      if (opcode !== JETTON_TRANSFER) {
        const to = info.dest.toRawString()
        const comment = opcode === 0 ? slice.loadStringTail() : undefined
        return { to, amount: `${info.value.coins}`, ...(comment !== undefined && { comment }) }
      }
      slice.skip(64)
      const amount = `${slice.loadCoins()}`
      const to = slice.loadAddress().toRawString()
      slice.loadAddress()
      slice.loadMaybeRef()
      slice.loadCoins()
      const comment = slice.loadMaybeRef()?.beginParse().skip(32).loadStringTail()
      return { to, amount, jetton: true, ...(comment !== undefined && { comment }) }
    })
}

/** Returns the payout on the chain that a row requests. */
export function onChain({ recipient, amount, jetton, comment }: Row): PaidOnChain {
  return {
    to: Address.parse(recipient).toRawString(),
    amount,
    ...(jetton !== undefined && { jetton: true }),
    ...(comment !== undefined && { comment }),
  }
}

/** Returns the nanocoins that an account received from the wallet. */
export function coinsOf({ chain, wallet }: TestEnvironment, recipient: Address): bigint {
  let coins = 0n
  for (const { address, transaction } of chain.transactions) {
    const info = transaction.inMessage?.info
    if (!address.equals(recipient) || info?.type !== 'internal') continue
    if (info.src.equals(wallet)) coins += info.value.coins
  }
  return coins
}

/** Returns an owner's jetton balance. */
export async function jettonsOf(
  { chain, minter }: TestEnvironment,
  owner: Address,
): Promise<bigint> {
  const cell = beginCell().storeAddress(owner).endCell()
  const result = await chain.runGetMethod(minter, 'get_wallet_address', [{ type: 'slice', cell }])
  const [item] = result.stack
  if (item?.type !== 'slice' && item?.type !== 'cell') throw new TypeError('expected an address')
  const wallet = item.cell.beginParse().loadAddress()
  const { stack } = await chain.runGetMethod(wallet, 'get_wallet_data', [])
  return stack[0]?.type === 'int' ? stack[0].value : 0n
}

/** Reads the worker's queue as `reference status reason`. */
export async function readQueue(environment: TestEnvironment): Promise<string[]> {
  const rows = await environment.query<{
    reference: string
    status: string
    reason: string | null
  }>('SELECT reference, status, reason FROM payouts ORDER BY id')
  return rows.map(({ reference, status, reason }) =>
    `${reference} ${status} ${reason ?? ''}`.trim(),
  )
}
