import { beginCell, type Address, type Cell, type TupleItem } from '@ton/core'
import type { Chain } from '../chain/chain.js'
import { readContent } from '../chain/jetton-content.js'
import { HttpError } from '../server/http-error.js'
import { base64Boc } from '../shared/encodings.js'
import { notSimulated } from './method-call.js'

/**
 * Returns the data of a jetton contract.
 * @throws {HttpError} when the contract is not a jetton, or its master does not confirm it
 */
export async function tokenData(chain: Chain, address: Address): Promise<unknown> {
  const master = await read(chain, address, 'get_jetton_data')
  if (master !== undefined) return writeMaster(address, master)
  const wallet = await read(chain, address, 'get_wallet_data')
  if (wallet !== undefined) return writeWallet(chain, address, wallet)
  for (const method of ['get_collection_data', 'get_nft_data']) {
    if ((await read(chain, address, method)) !== undefined) throw notSimulated('NFTs')
  }
  throw notToken(address)
}

async function read(chain: Chain, address: Address, method: string, stack: TupleItem[] = []) {
  const { exitCode, stack: result } = await chain.runGetMethod(address, method, stack)
  return exitCode === 0 || exitCode === 1 ? result : undefined
}

function writeMaster(address: Address, stack: readonly TupleItem[]): unknown {
  const [supply, mintable, admin, content, code] = stack
  const admin_address = loadAddress(admin)
  return {
    '@type': 'ext.tokens.jettonMasterData',
    address: address.toString(),
    contract_type: 'jetton_master',
    total_supply: loadInt(supply).toString(),
    mintable: loadInt(mintable) !== 0n,
    ...(admin_address && { admin_address: admin_address.toString() }),
    jetton_content: readContent(loadCell(content)),
    jetton_wallet_code: base64Boc(loadCell(code)),
  }
}

async function writeWallet(chain: Chain, address: Address, stack: readonly TupleItem[]) {
  const [balance, ownerSlice, masterSlice, code] = stack
  const [owner, master] = [loadAddress(ownerSlice), loadAddress(masterSlice)]
  if (!owner || !master || !(await isKnown(chain, { address, owner, master })))
    throw notToken(address)
  return {
    '@type': 'ext.tokens.jettonWalletData',
    address: address.toString(),
    contract_type: 'jetton_wallet',
    balance: loadInt(balance).toString(),
    owner: owner.toString(),
    jetton: master.toString(),
    jetton_wallet_code: base64Boc(loadCell(code)),
  }
}

/** Asks the master for the owner's wallet, because anyone can deploy a contract that claims to be one. */
async function isKnown(
  chain: Chain,
  { address, owner, master }: Record<'address' | 'owner' | 'master', Address>,
): Promise<boolean> {
  const cell = beginCell().storeAddress(owner).endCell()
  const result = await read(chain, master, 'get_wallet_address', [{ type: 'slice', cell }])
  return loadAddress(result?.[0])?.equals(address) ?? false
}

function notToken(address: Address): HttpError {
  return new HttpError(409, `Smart contract ${address.toString()} is not Jetton or NFT`)
}

function loadInt(item: TupleItem | undefined): bigint {
  return item?.type === 'int' ? item.value : 0n
}

function loadCell(item: TupleItem | undefined): Cell {
  return item?.type === 'cell' || item?.type === 'slice' ? item.cell : beginCell().endCell()
}

function loadAddress(item: TupleItem | undefined): Address | undefined {
  return loadCell(item).beginParse().loadMaybeAddress() ?? undefined
}
