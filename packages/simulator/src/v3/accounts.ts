import { Address } from '@ton/core'
import type { AccountView } from '../chain/account-view.js'
import { HttpError } from '../server/http-error.js'
import { base64Boc, base64Hash, rawAddress } from '../shared/encodings.js'
import { interfacesOf, metadataOf, withMetadata, writeBookRow } from './address-book.js'
import type { Json } from './json.js'
import { accountOf, accountsOf, contractAt, lastOf } from './look-up.js'
import { compareValues, pageOf } from './page.js'
import { addressesOf, flagOf, hashesOf } from './parameters.js'
import type { RequestHandler, V3Request } from './request.js'
import type { WalletFacts } from '../chain/wallet-kinds.js'
import { writeCurrencies } from './write-currencies.js'

const MOST_ACCOUNTS = 1000

/** The endpoints for accounts. */
export const accountHandlers = {
  async '/accountStates'(request) {
    const { query } = request
    const withBoc = flagOf(query, 'include_boc', true)
    const codes = hashesOf(query, 'code_hash')
    const accounts = []
    for (const { address, view } of await knownAccounts(request)) {
      const row = await writeAccount(request, { address, view }, withBoc)
      if (codes.length === 0 || codes.includes(String(row['code_hash']))) accounts.push(row)
    }
    return withMetadata(request, { accounts })
  },
  async '/walletStates'(request) {
    const wallets = []
    for (const account of await knownAccounts(request)) {
      wallets.push(await writeWallet(request, account))
    }
    return withMetadata(request, { wallets })
  },
  async '/addressBook'(request) {
    const texts = request.query.getAll('address')
    if (texts.length === 0) throw new HttpError(422, 'address is required')
    const book: Json = {}
    for (const text of texts) {
      const address = addressIn(text)
      const isKnown = address !== undefined && (await accountOf(request, address)) !== undefined
      book[text] = isKnown ? await writeBookRow(request, address) : NOBODY
    }
    return book
  },
  '/metadata'(request) {
    const addresses = addressesOf(request.query, 'address')
    if (addresses.length === 0) throw new HttpError(422, 'address is required')
    return metadataOf(request, addresses)
  },
  async '/topAccountsByBalance'(request) {
    const rows = []
    for (const address of accountsOf(request)) {
      const view = await accountOf(request, address)
      if (view !== undefined) rows.push({ address, balance: view.balance })
    }
    const sorted = rows.toSorted(
      (one, other) =>
        -compareValues(one.balance, other.balance) ||
        compareValues(rawAddress(one.address), rawAddress(other.address)),
    )
    return pageOf(request.query, sorted).map(({ address, balance }) => ({
      account: rawAddress(address),
      balance: balance.toString(),
    }))
  },
} satisfies Record<string, RequestHandler>

/** The row of an invalid address, or of an account that is not indexed. */
const NOBODY = { user_friendly: null, domain: null, interfaces: [] }

function addressIn(text: string): Address | undefined {
  try {
    return Address.parse(text)
  } catch {
    // The row of an invalid address is empty; the request does not fail.
    return undefined
  }
}

interface KnownAccount {
  address: Address
  view: AccountView
}

/** Returns the indexed accounts that a request lists. @throws {HttpError} 401 without an address */
async function knownAccounts(request: V3Request): Promise<KnownAccount[]> {
  const addresses = addressesOf(request.query, 'address')
  if (addresses.length === 0) throw new HttpError(401, 'address of account is required')
  if (addresses.length > MOST_ACCOUNTS) {
    throw new HttpError(422, `limit is not allowed: ${addresses.length} > ${MOST_ACCOUNTS}`)
  }
  const found = new Map<string, KnownAccount>()
  for (const address of addresses) {
    const view = await accountOf(request, address)
    if (view !== undefined) found.set(rawAddress(address), { address, view })
  }
  return [...found.values()]
}

async function writeAccount(
  request: V3Request,
  { address, view }: KnownAccount,
  withBoc: boolean,
): Promise<Json> {
  const { code, data, frozenHash } = view
  const last = lastOf(request, address)
  return {
    address: rawAddress(address),
    account_state_hash: last ? base64Hash(last.transaction.stateUpdate.newHash) : null,
    balance: view.balance.toString(),
    extra_currencies: writeCurrencies(view.extraCurrencies),
    status: view.status,
    ...(frozenHash !== undefined && { frozen_hash: base64Hash(frozenHash) }),
    last_transaction_hash: base64Hash(view.last.hash),
    last_transaction_lt: view.last.lt.toString(),
    ...(data !== undefined && { data_hash: base64Hash(data.hash()) }),
    ...(code !== undefined && { code_hash: base64Hash(code.hash()) }),
    ...(withBoc && data !== undefined && { data_boc: base64Boc(data) }),
    ...(withBoc && code !== undefined && { code_boc: base64Boc(code) }),
    contract_methods: null,
    interfaces: interfacesOf(await contractAt(request, address)),
  }
}

async function writeWallet(request: V3Request, { address, view }: KnownAccount): Promise<Json> {
  const contract = await contractAt(request, address)
  const wallet = contract?.kind === 'wallet' ? contract.wallet : undefined
  return {
    address: rawAddress(address),
    is_wallet: wallet !== undefined,
    ...(wallet && writeWalletFacts(wallet)),
    balance: view.balance.toString(),
    extra_currencies: writeCurrencies(view.extraCurrencies),
    ...(wallet?.isSignatureAllowed !== undefined && {
      is_signature_allowed: wallet.isSignatureAllowed,
    }),
    status: view.status,
    ...(view.code !== undefined && { code_hash: base64Hash(view.code.hash()) }),
    last_transaction_hash: base64Hash(view.last.hash),
    last_transaction_lt: view.last.lt.toString(),
  }
}

/** Returns the type, seqno and id of a wallet. */
export function writeWalletFacts({ type, seqno, walletId }: WalletFacts): Json {
  return { wallet_type: type, seqno, ...(walletId !== undefined && { wallet_id: walletId }) }
}
