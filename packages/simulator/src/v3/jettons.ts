import type { Address } from '@ton/core'
import { rootOf, type RecordedTransaction } from '../chain/recorded-transaction.js'
import { HttpError } from '../server/http-error.js'
import { base64Boc, base64Hash, rawAddress } from '../shared/encodings.js'
import { withMetadata } from './address-book.js'
import { decodeBody, readJettonBurn, readJettonTransfer } from './bodies.js'
import type { Contract, JettonMaster, JettonWallet } from './contracts.js'
import { factsOf, hashOf } from './facts.js'
import type { Json } from './json.js'
import { accountOf, accountsOf, contractAt } from './look-up.js'
import { compareValues, pageOf, timedPage, withinBounds, type PlacedRow } from './page.js'
import { addressesOf, addressOf, directionOf, flagOf, sortOf } from './parameters.js'
import type { RequestHandler, V3Request } from './request.js'

/** The endpoints for jettons. */
export const jettonHandlers = {
  async '/jetton/masters'(request) {
    const { query } = request
    const addresses = addressesOf(query, 'address')
    const admins = addressesOf(query, 'admin_address')
    const found = (await contractsOf(request, addresses)).filter(
      ({ contract }) =>
        contract.kind === 'jetton_master' &&
        (admins.length === 0 || isAmong(contract.admin, admins)),
    )
    const jetton_masters = []
    for (const { address, contract } of pageOf(query, found)) {
      if (contract.kind !== 'jetton_master') continue
      jetton_masters.push(await writeMaster(request, address, contract))
    }
    return withMetadata(request, { jetton_masters })
  },
  async '/jetton/wallets'(request) {
    const { query } = request
    const owners = addressesOf(query, 'owner_address')
    const jettons = addressesOf(query, 'jetton_address')
    if (jettons.length > 1 && owners.length !== 1) {
      throw new HttpError(422, 'multiple jetton_address need exactly one owner_address')
    }
    const hasNoEmpty = flagOf(query, 'exclude_zero_balance')
    const found: { address: Address; wallet: JettonWallet }[] = []
    for (const { address, contract } of await contractsOf(request, addressesOf(query, 'address'))) {
      if (contract.kind !== 'jetton_wallet') continue
      if (owners.length > 0 && !isAmong(contract.owner, owners)) continue
      if (jettons.length > 0 && !isAmong(contract.master, jettons)) continue
      if (hasNoEmpty && contract.balance === 0n) continue
      found.push({ address, wallet: contract })
    }
    const sort = sortOf(query)
    const sign = sort === 'asc' ? 1 : -1
    const sorted =
      sort === undefined
        ? found
        : found.toSorted((a, b) => sign * compareValues(a.wallet.balance, b.wallet.balance))
    const jetton_wallets = []
    for (const { address, wallet } of pageOf(query, sorted)) {
      jetton_wallets.push(await writeWallet(request, address, wallet))
    }
    return withMetadata(request, { jetton_wallets })
  },
  async '/jetton/transfers'(request) {
    const { query } = request
    const owners = addressesOf(query, 'owner_address', 'address')
    const direction = directionOf(query)
    const matches = jettonFilter(query)
    const rows: PlacedRow<JettonTransfer>[] = []
    for (const one of indexedWithin(request)) {
      const transfer = await transferAt(request, one)
      if (transfer === undefined || !matches(one, transfer.wallet)) continue
      const { owner } = transfer.wallet
      const isFrom = direction !== 'in' && isAmong(owner, owners)
      const isTo = direction !== 'out' && isAmong(transfer.to, owners)
      if (owners.length > 0 && !isFrom && !isTo) continue
      rows.push(placeRow(one, transfer))
    }
    const jetton_transfers = timedPage(query, rows).map(writeTransfer)
    return withMetadata(request, { jetton_transfers })
  },
  async '/jetton/burns'(request) {
    const { query } = request
    const owners = addressesOf(query, 'address')
    const matches = jettonFilter(query)
    const rows: PlacedRow<Json>[] = []
    for (const one of indexedWithin(request)) {
      const burn = await burnAt(request, one)
      if (burn === undefined || !matches(one, burn.wallet)) continue
      if (owners.length > 0 && !isAmong(burn.wallet.owner, owners)) continue
      rows.push(placeRow(one, burn.row))
    }
    return withMetadata(request, { jetton_burns: timedPage(query, rows) })
  },
} satisfies Record<string, RequestHandler>

function isAmong(one: Address | undefined, addresses: readonly Address[]): boolean {
  return one !== undefined && addresses.some((other) => other.equals(one))
}

/** Returns the known contracts of the given accounts, or of all accounts. */
async function contractsOf(
  request: V3Request,
  addresses: readonly Address[],
): Promise<{ address: Address; contract: Contract }[]> {
  const found = []
  for (const address of addresses.length > 0 ? addresses : accountsOf(request)) {
    const contract = await contractAt(request, address)
    if (contract !== undefined) found.push({ address, contract })
  }
  return found
}

function jettonFilter(
  query: URLSearchParams,
): (one: RecordedTransaction, wallet: JettonWallet) => boolean {
  const wallets = addressesOf(query, 'jetton_wallet')
  const master = addressOf(query, 'jetton_master')
  return (one, wallet) =>
    (wallets.length === 0 || isAmong(one.address, wallets)) &&
    (master === undefined || master.equals(wallet.master))
}

/** Returns the transactions within the requested bounds. The messages of the others need not be parsed. */
function indexedWithin({ query, indexed }: V3Request): RecordedTransaction[] {
  const isWithin = withinBounds(query)
  return indexed.filter(({ transaction: { lt, now } }) => isWithin({ lt, utime: now }))
}

/** A transfer that was requested from a jetton wallet, successful or not. */
interface JettonTransfer {
  one: RecordedTransaction
  to: Address
  wallet: JettonWallet
}

// Read once for each transaction: a list is requested in pages, again and again.
const transfers = new WeakMap<RecordedTransaction, Promise<JettonTransfer | undefined>>()

function transferAt(
  request: V3Request,
  one: RecordedTransaction,
): Promise<JettonTransfer | undefined> {
  const transfer = transfers.get(one) ?? readTransfer(request, one)
  transfers.set(one, transfer)
  return transfer
}

async function readTransfer(
  request: V3Request,
  one: RecordedTransaction,
): Promise<JettonTransfer | undefined> {
  const order = one.inMessage && readJettonTransfer(factsOf(one.inMessage).message.body)
  const wallet = order && (await walletAt(request, one))
  if (order === undefined || wallet === undefined) return undefined
  return { one, to: order.destination, wallet }
}

function writeTransfer({ one, wallet }: JettonTransfer): Json {
  const order = one.inMessage && readJettonTransfer(factsOf(one.inMessage).message.body)
  if (order === undefined) throw new TypeError('expected a transaction with a jetton transfer')
  const { forwardPayload } = order
  return {
    query_id: order.queryId.toString(),
    source: rawAddress(wallet.owner),
    destination: rawAddress(order.destination),
    amount: order.amount.toString(),
    source_wallet: rawAddress(one.address),
    jetton_master: rawAddress(wallet.master),
    ...writeTransacted(one),
    response_destination: order.responseDestination && rawAddress(order.responseDestination),
    ...writePayload('custom_payload', order.customPayload),
    forward_ton_amount: order.forwardCoins.toString(),
    ...writePayload('forward_payload', forwardPayload),
    trace_id: hashOf(rootOf(one)),
  }
}

async function burnAt(
  request: V3Request,
  one: RecordedTransaction,
): Promise<{ row: Json; wallet: JettonWallet } | undefined> {
  const order = one.inMessage && readJettonBurn(factsOf(one.inMessage).message.body)
  const wallet = order && (await walletAt(request, one))
  if (order === undefined || wallet === undefined) return undefined
  const row = {
    query_id: order.queryId.toString(),
    owner: rawAddress(wallet.owner),
    jetton_wallet: rawAddress(one.address),
    jetton_master: rawAddress(wallet.master),
    ...writeTransacted(one),
    amount: order.amount.toString(),
    response_destination: order.responseDestination && rawAddress(order.responseDestination),
    ...writePayload('custom_payload', order.customPayload),
    trace_id: hashOf(rootOf(one)),
  }
  return { row, wallet }
}

async function walletAt(
  { contracts }: V3Request,
  { address, after }: RecordedTransaction,
): Promise<JettonWallet | undefined> {
  const contract = await contracts.contractOf(address, after)
  return contract?.kind === 'jetton_wallet' ? contract : undefined
}

function writeTransacted(one: RecordedTransaction): Json {
  const { lt, now, description } = one.transaction
  return {
    transaction_hash: hashOf(one),
    transaction_lt: lt.toString(),
    transaction_now: now,
    transaction_aborted: description.type === 'generic' && description.aborted,
  }
}

function writePayload(name: string, cell: Parameters<typeof base64Boc>[0] | null): Json {
  return {
    [name]: cell && base64Boc(cell),
    [`decoded_${name}`]: (cell && decodeBody(cell)) ?? null,
  }
}

function placeRow<Row>(one: RecordedTransaction, row: Row): PlacedRow<Row> {
  const { lt, now } = one.transaction
  return { row, lt, utime: now, tie: hashOf(one) }
}

async function writeMaster(
  request: V3Request,
  address: Address,
  master: JettonMaster,
): Promise<Json> {
  return {
    address: rawAddress(address),
    total_supply: master.totalSupply.toString(),
    mintable: master.isMintable,
    admin_address: master.admin === undefined ? null : rawAddress(master.admin),
    jetton_content: master.content,
    jetton_wallet_code_hash: base64Hash(master.walletCode.hash()),
    ...(await writeState(request, address)),
  }
}

async function writeWallet(
  request: V3Request,
  address: Address,
  { balance, owner, master }: JettonWallet,
): Promise<Json> {
  return {
    address: rawAddress(address),
    balance: balance.toString(),
    owner: rawAddress(owner),
    jetton: rawAddress(master),
    ...(await writeState(request, address)),
  }
}

async function writeState(request: V3Request, address: Address): Promise<Json> {
  const view = await accountOf(request, address)
  return {
    last_transaction_lt: (view?.last.lt ?? 0n).toString(),
    code_hash: view?.code === undefined ? null : base64Hash(view.code.hash()),
    data_hash: view?.data === undefined ? null : base64Hash(view.data.hash()),
  }
}
