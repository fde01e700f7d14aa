import type { CheckedInbox } from '../../inbox/checked-inbox.js'
import type { CreditPlace, StoredCredit } from '../../inbox/inbox-credits.js'

/** The account of a wallet in one asset. */
export interface BookedAccount {
  account: string
  asset: string
}

/** Credits in one response of the store. */
const PAGE_SIZE = 500

/** Returns the accounts that the credits of a wallet name. */
export async function listAccounts(
  { credits }: CheckedInbox,
  wallet: string,
): Promise<BookedAccount[]> {
  const found: BookedAccount[] = []
  let after: CreditPlace | undefined
  for (;;) {
    const [first] = await credits.listOfWallet({ wallet, after, limit: 1 })
    if (first === undefined) return found
    const { account, asset } = first
    found.push({ account, asset })
    after = { account, asset, utime: Number.MAX_SAFE_INTEGER, id: '' }
  }
}

/** Reads the credits of one account, oldest first. */
export interface CreditReader {
  /** Returns the next credit if it is not later than `utime`, Unix seconds. */
  next(utime: number): Promise<StoredCredit | undefined>
}

/** @param from the earliest time, Unix seconds */
export function createCreditReader(
  { credits }: CheckedInbox,
  { wallet, account, asset, from }: BookedAccount & { wallet: string; from: number },
): CreditReader {
  let page: StoredCredit[] = []
  let after: CreditPlace | undefined = { account, asset, utime: from, id: '' }
  const readPage = async (): Promise<void> => {
    const rows = await credits.listOfWallet({ wallet, after, limit: PAGE_SIZE })
    page = rows.filter((row) => row.account === account && row.asset === asset)
    after = page.length < PAGE_SIZE ? undefined : page.at(-1)
  }
  return {
    async next(utime) {
      if (page.length === 0 && after !== undefined) await readPage()
      const [first] = page
      if (first === undefined || first.utime > utime) return undefined
      page.shift()
      return first
    },
  }
}
