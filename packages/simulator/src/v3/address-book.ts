import { Address } from '@ton/core'
import { rawAddress } from '../shared/encodings.js'
import type { Contract, JettonMaster } from './contracts.js'
import type { Json } from './json.js'
import { accountOf, contractAt } from './look-up.js'
import type { V3Request } from './request.js'

const RAW_ADDRESS = /^-?\d+:[0-9A-F]{64}$/

/** Adds the address book of all addresses in a response. */
export async function withAddressBook(request: V3Request, response: Json): Promise<Json> {
  return { ...response, address_book: await bookOf(request, addressesIn(response)) }
}

/** Adds the address book and the token metadata of all addresses in a response. */
export async function withMetadata(request: V3Request, response: Json): Promise<Json> {
  const addresses = addressesIn(response)
  return {
    ...response,
    address_book: await bookOf(request, addresses),
    metadata: request.indexesJettons ? await metadataOf(request, addresses) : {},
  }
}

/** Returns the distinct addresses in a response. */
function addressesIn(response: unknown): Address[] {
  const found = new Set<string>()
  const look = (value: unknown): void => {
    if (typeof value === 'string' && RAW_ADDRESS.test(value)) found.add(value)
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(look)
  }
  look(response)
  return [...found].map((raw) => Address.parse(raw))
}

async function bookOf(request: V3Request, addresses: readonly Address[]): Promise<Json> {
  const book: Json = {}
  for (const address of addresses) book[rawAddress(address)] = await writeBookRow(request, address)
  return book
}

/** Returns a row of the address book. Addresses of wallets and of accounts without a contract are non-bounceable. */
export async function writeBookRow(request: V3Request, address: Address): Promise<Json> {
  const view = await accountOf(request, address)
  const contract = await contractAt(request, address)
  const bounceable = view?.code !== undefined && contract?.kind !== 'wallet'
  return {
    user_friendly: address.toString({ bounceable }),
    domain: null,
    interfaces: interfacesOf(contract),
  }
}

/** Returns the interface names of a contract. */
export function interfacesOf(contract: Contract | undefined): string[] {
  if (contract === undefined) return []
  return [contract.kind === 'wallet' ? contract.wallet.name : contract.kind]
}

/** Returns the metadata of jetton masters and jetton wallets among the accounts. */
export async function metadataOf(request: V3Request, addresses: readonly Address[]): Promise<Json> {
  const metadata: Json = {}
  const masters = new Map<string, Address>()
  for (const address of addresses) {
    const contract = await contractAt(request, address)
    if (contract?.kind === 'jetton_master') masters.set(rawAddress(address), address)
    if (contract?.kind !== 'jetton_wallet') continue
    masters.set(rawAddress(contract.master), contract.master)
    metadata[rawAddress(address)] = writeToken('jetton_wallets', {
      extra: {
        balance: contract.balance.toString(),
        jetton: rawAddress(contract.master),
        owner: rawAddress(contract.owner),
      },
    })
  }
  for (const [raw, address] of masters) {
    const contract = await contractAt(request, address)
    if (contract?.kind !== 'jetton_master') continue
    metadata[raw] = writeToken('jetton_masters', describeJetton(contract))
  }
  return metadata
}

function writeToken(type: string, token: Json): Json {
  return { is_indexed: true, token_info: [{ valid: true, type, ...token }] }
}

function describeJetton({ content }: JettonMaster): Json {
  const { name, symbol, description, image, ...extra } = content
  return {
    ...(name !== undefined && { name }),
    ...(symbol !== undefined && { symbol }),
    ...(description !== undefined && { description }),
    ...(image !== undefined && { image }),
    extra,
  }
}
