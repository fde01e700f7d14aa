import { Address } from '@ton/core'
import { rawAddress } from '../spellings.js'
import type { Contract, JettonMaster } from './contracts.js'
import type { Json } from './json.js'
import { accountOf, contractAt } from './look-up.js'
import type { Question } from './question.js'

const RAW_ADDRESS = /^-?\d+:[0-9A-F]{64}$/

/** Adds to a list what the index knows of the addresses in it. */
export async function withAddressBook(question: Question, answer: Json): Promise<Json> {
  return { ...answer, address_book: await bookOf(question, addressesIn(answer)) }
}

/** Adds to a list what the index knows of the addresses and tokens in it. */
export async function withMetadata(question: Question, answer: Json): Promise<Json> {
  const addresses = addressesIn(answer)
  return {
    ...answer,
    address_book: await bookOf(question, addresses),
    metadata: question.tellsJettons ? await metadataOf(question, addresses) : {},
  }
}

/** Every address that stands in an answer, once. */
function addressesIn(answer: unknown): Address[] {
  const found = new Set<string>()
  const look = (value: unknown): void => {
    if (typeof value === 'string' && RAW_ADDRESS.test(value)) found.add(value)
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(look)
  }
  look(answer)
  return [...found].map((raw) => Address.parse(raw))
}

async function bookOf(question: Question, addresses: readonly Address[]): Promise<Json> {
  const book: Json = {}
  for (const address of addresses) book[rawAddress(address)] = await writeBookRow(question, address)
  return book
}

/** A row of an address book. Wallets, and accounts without a contract, are spelt so that nothing bounces. */
export async function writeBookRow(question: Question, address: Address): Promise<Json> {
  const view = await accountOf(question, address)
  const contract = await contractAt(question, address)
  const bounceable = view?.code !== undefined && contract?.kind !== 'wallet'
  return {
    user_friendly: address.toString({ bounceable }),
    domain: null,
    interfaces: interfacesOf(contract),
  }
}

/** What a contract is called. */
export function interfacesOf(contract: Contract | undefined): string[] {
  if (contract === undefined) return []
  return [contract.kind === 'wallet' ? contract.wallet.name : contract.kind]
}

/** The tokens among accounts, and of what jettons the wallets among them are. */
export async function metadataOf(question: Question, addresses: readonly Address[]): Promise<Json> {
  const metadata: Json = {}
  const masters = new Map<string, Address>()
  for (const address of addresses) {
    const contract = await contractAt(question, address)
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
    const contract = await contractAt(question, address)
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
