import { z } from 'zod'
import { createJettonWallets } from '../../watcher/proof/jetton-wallets.js'
import { NATIVE_ASSET } from '../../../shared/asset.js'
import { callListener } from '../../../shared/instrumentation.js'
import { lazy } from '../../../shared/lazy.js'
import { address, parseOptions, type OptionSchemas } from '../../../shared/options.js'
import type { Order } from '../../orders/order.js'
import { requireReader, type OperatorContext } from '../context.js'
import type {
  AccountBalance,
  Balance,
  BalanceOptions,
  BalanceState,
  BookedTo,
} from './balance-result.js'
import { bookAccount, type Books } from './book-account.js'
import { addAlarm, openBooking, toBalance } from './booking.js'
import { listAccounts, type BookedAccount } from './ledger-credits.js'

const BOOKED_TO = lazy(() =>
  z.object({
    lt: z.bigint(),
    txHash: z.string(),
    utime: z.number(),
    rawBalance: z.bigint(),
  } satisfies OptionSchemas<BookedTo>),
)

const REQUEST = lazy(() =>
  z.strictObject({
    wallet: address,
    after: z
      .array(z.object({ account: address, asset: z.string(), bookedTo: BOOKED_TO().optional() }))
      .optional(),
  } satisfies OptionSchemas<BalanceOptions & { wallet: string }>),
)

/** See `Operator.balance`. */
export async function balance<O extends Order>(
  context: OperatorContext<O>,
  wallet: string,
  options: BalanceOptions,
): Promise<Balance> {
  const given = parseOptions(REQUEST(), { ...options, wallet }, { path: 'balance' })
  const { name, inbox, engine } = context
  const v3 = requireReader(context, 'read balances')
  const { gen_utime: head } = (await v3.masterchainInfo()).last
  const books = { wallet: given.wallet, inbox, v3, head }
  const accounts: AccountBalance[] = []
  for (const account of await accountsOf(books, given.after ?? [])) {
    const from = given.after?.find((one) => isSame(one, account))?.bookedTo
    accounts.push(await bookProven(books, account, from))
  }
  const state = worstOf(accounts)
  callListener(() =>
    engine.instrumentation.books?.({ payments: name, wallet: books.wallet, accounts }),
  )
  return { wallet: books.wallet, state, head, accounts }
}

/** Returns the wallet itself, and its jetton wallets with credits, now or in an earlier result. */
async function accountsOf(
  { inbox, wallet }: Books,
  former: readonly BookedAccount[],
): Promise<BookedAccount[]> {
  const own = { account: wallet, asset: NATIVE_ASSET }
  const all = [own, ...(await listAccounts(inbox, wallet)), ...former]
  return all.filter((one, index) => all.findIndex((other) => isSame(one, other)) === index)
}

function isSame(one: BookedAccount, other: BookedAccount): boolean {
  return one.account === other.account && one.asset === other.asset
}

/** Books an account that belongs to the wallet: itself, or a jetton wallet that its master and its data prove. */
async function bookProven(
  books: Books,
  account: BookedAccount,
  from: BookedTo | undefined,
): Promise<AccountBalance> {
  if (await isOwn(books, account)) return bookAccount(books, account, from)
  const unread = openBooking(account, { balance: undefined, balanceLt: 0n }, from)
  const detail = `${account.account} is not the wallet of ${books.wallet} for ${account.asset}`
  addAlarm(unread, { kind: 'wallet_not_proven', detail })
  return toBalance(unread)
}

async function isOwn({ v3, wallet }: Books, { account, asset }: BookedAccount): Promise<boolean> {
  if (asset === NATIVE_ASSET) return account === wallet
  const wallets = createJettonWallets(v3)
  const jetton = { master: asset, owner: wallet }
  if ((await wallets.find(jetton, {})) !== account) return false
  return (await wallets.confirm(jetton, account, {})) !== 'denied'
}

function worstOf(accounts: readonly AccountBalance[]): BalanceState {
  const states = accounts.map(({ state }) => state)
  if (states.includes('alarm')) return 'alarm'
  return states.includes('hold') ? 'hold' : 'balanced'
}
