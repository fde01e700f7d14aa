import { Address } from '@ton/core'
import type { AccountView } from '../account-view.js'
import { Refusal } from '../refusal.js'
import { base64Boc, base64Hash, rawAddress } from '../spellings.js'
import { interfacesOf, metadataOf, withMetadata, writeBookRow } from './address-book.js'
import type { Json } from './json.js'
import { accountOf, accountsOf, contractAt, lastOf } from './look-up.js'
import { compareValues, pageOf } from './page.js'
import { addressesOf, flagOf, hashesOf } from './parameters.js'
import type { Answer, Question } from './question.js'
import type { WalletFacts } from './wallet-kinds.js'
import { writeCurrencies } from './write-currencies.js'

const MOST_ACCOUNTS = 1000

/** What the index tells of accounts. */
export const accountAnswers = {
  async '/accountStates'(question) {
    const { query } = question
    const withBoc = flagOf(query, 'include_boc', true)
    const codes = hashesOf(query, 'code_hash')
    const accounts = []
    for (const { address, view } of await knownAccounts(question)) {
      const row = await writeAccount(question, { address, view }, withBoc)
      if (codes.length === 0 || codes.includes(String(row['code_hash']))) accounts.push(row)
    }
    return withMetadata(question, { accounts })
  },
  async '/walletStates'(question) {
    const wallets = []
    for (const account of await knownAccounts(question)) {
      wallets.push(await writeWallet(question, account))
    }
    return withMetadata(question, { wallets })
  },
  async '/addressBook'(question) {
    const texts = question.query.getAll('address')
    if (texts.length === 0) throw new Refusal(422, 'address is required')
    const book: Json = {}
    for (const text of texts) {
      const address = addressIn(text)
      const isKnown = address !== undefined && (await accountOf(question, address)) !== undefined
      book[text] = isKnown ? await writeBookRow(question, address) : NOBODY
    }
    return book
  },
  '/metadata'(question) {
    const addresses = addressesOf(question.query, 'address')
    if (addresses.length === 0) throw new Refusal(422, 'address is required')
    return metadataOf(question, addresses)
  },
  async '/topAccountsByBalance'(question) {
    const rows = []
    for (const address of accountsOf(question)) {
      const view = await accountOf(question, address)
      if (view !== undefined) rows.push({ address, balance: view.balance })
    }
    const sorted = rows.toSorted(
      (one, other) =>
        -compareValues(one.balance, other.balance) ||
        compareValues(rawAddress(one.address), rawAddress(other.address)),
    )
    return pageOf(question.query, sorted).map(({ address, balance }) => ({
      account: rawAddress(address),
      balance: balance.toString(),
    }))
  },
} satisfies Record<string, Answer>

/** Of an address that is none, or that the index has never seen. */
const NOBODY = { user_friendly: null, domain: null, interfaces: [] }

function addressIn(text: string): Address | undefined {
  try {
    return Address.parse(text)
  } catch {
    // It is answered all the same.
    return undefined
  }
}

interface KnownAccount {
  address: Address
  view: AccountView
}

/** The accounts of a question that the index has seen. @throws {Refusal} 401 when it names none */
async function knownAccounts(question: Question): Promise<KnownAccount[]> {
  const addresses = addressesOf(question.query, 'address')
  if (addresses.length === 0) throw new Refusal(401, 'address of account is required')
  if (addresses.length > MOST_ACCOUNTS) {
    throw new Refusal(422, `limit is not allowed: ${addresses.length} > ${MOST_ACCOUNTS}`)
  }
  const found = new Map<string, KnownAccount>()
  for (const address of addresses) {
    const view = await accountOf(question, address)
    if (view !== undefined) found.set(rawAddress(address), { address, view })
  }
  return [...found.values()]
}

async function writeAccount(
  question: Question,
  { address, view }: KnownAccount,
  withBoc: boolean,
): Promise<Json> {
  const { code, data, frozenHash } = view
  const last = lastOf(question, address)
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
    interfaces: interfacesOf(await contractAt(question, address)),
  }
}

async function writeWallet(question: Question, { address, view }: KnownAccount): Promise<Json> {
  const contract = await contractAt(question, address)
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

/** What a wallet is, and where it stands. */
export function writeWalletFacts({ type, seqno, walletId }: WalletFacts): Json {
  return { wallet_type: type, seqno, ...(walletId !== undefined && { wallet_id: walletId }) }
}
