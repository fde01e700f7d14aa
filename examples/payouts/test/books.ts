import { beginCell, loadMessage, Address } from '@ton/core'
import { openDatabase } from '../src/database.js'
import type { Line, World } from './world.js'

/** A payout as the chain has it. */
interface PaidOnChain {
  to: string
  amount: string
  jetton?: boolean
  comment?: string
}

const JETTON_TRANSFER = 0x0f8a7ea5

/** All that the wallet has ever sent, oldest first, read from the chain's own transactions. */
export function sentByWallet({ chain, wallet }: World): PaidOnChain[] {
  return chain.transactions
    .filter(({ address }) => address.equals(wallet))
    .flatMap(({ outMessages }) => outMessages)
    .map((cell) => {
      const { info, body } = loadMessage(cell.beginParse())
      if (info.type !== 'internal') throw new TypeError('the wallet has sent it out of the chain')
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

/** What a line is on the chain. */
export function onChain({ to, amount, jetton, comment }: Line): PaidOnChain {
  return {
    to: Address.parse(to).toRawString(),
    amount,
    ...(jetton !== undefined && { jetton: true }),
    ...(comment !== undefined && { comment }),
  }
}

/** Nanocoins that an account has received from the wallet. */
export function coinsOf({ chain, wallet }: World, recipient: Address): bigint {
  let coins = 0n
  for (const { address, transaction } of chain.transactions) {
    const info = transaction.inMessage?.info
    if (!address.equals(recipient) || info?.type !== 'internal') continue
    if (info.src.equals(wallet)) coins += info.value.coins
  }
  return coins
}

/** What an owner has of the jetton. */
export async function jettonsOf({ chain, minter }: World, owner: Address): Promise<bigint> {
  const cell = beginCell().storeAddress(owner).endCell()
  const asked = await chain.runGetMethod(minter, 'get_wallet_address', [{ type: 'slice', cell }])
  const [found] = asked.stack
  if (found?.type !== 'slice' && found?.type !== 'cell') throw new TypeError('no address came')
  const wallet = found.cell.beginParse().loadAddress()
  const { stack } = await chain.runGetMethod(wallet, 'get_wallet_data', [])
  return stack[0]?.type === 'int' ? stack[0].value : 0n
}

/** What the worker's books say: `reference status reason`. The worker must have ended. */
export async function readBooks({ env }: World): Promise<string[]> {
  const database = await openDatabase(env['DATA_DIR'] ?? '')
  const { rows } = await database.query<{ reference: string; status: string; reason: string }>(
    `SELECT reference, status, coalesce(reason, '') AS reason FROM payouts ORDER BY id`,
  )
  await database.close()
  return rows.map(({ reference, status, reason }) => `${reference} ${status} ${reason}`.trim())
}
