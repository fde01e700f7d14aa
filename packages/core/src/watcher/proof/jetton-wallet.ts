import { canonicalAddress } from '../../shared/address.js'
import { readCell } from '../../chain/cells/cell-reader.js'
import { decodeBoc } from '../../chain/cells/parse-boc.js'
import { decodeHex } from '../../shared/base64.js'
import type { RequestOptions } from '../../toncenter/transport/call-options.js'
import type { V3Client } from '../../toncenter/v3/client.js'

/**
 * Returns the canonical address of an owner's jetton wallet. Only the jetton master can compute it.
 * Source: TEP-74, `get_wallet_address`.
 * @returns `undefined` when the result of the get-method is not an address
 * @throws {GetMethodError} when the master has no such method
 */
export async function findJettonWallet(
  v3: Pick<V3Client, 'runGetMethod'>,
  { master, owner }: { master: string; owner: string },
  request: RequestOptions,
): Promise<string | undefined> {
  const answer = await v3.runGetMethod(
    {
      address: master,
      method: 'get_wallet_address',
      stack: [{ type: 'slice', boc: addressBoc(owner) }],
    },
    request,
  )
  const [first] = answer.stack
  if (first?.type !== 'slice' && first?.type !== 'cell') return undefined
  const address = readCell(decodeBoc(first.boc)).address()
  return address === undefined ? undefined : canonicalAddress(address)
}

/** A bag of one cell with a standard address: the tag 100, eight bits of workchain, 256 of hash. @param address canonical */
function addressBoc(address: string): Uint8Array {
  const [workchain, hash = ''] = address.split(':')
  const account = BigInt.asUintN(8, BigInt(workchain ?? 0)) * 2n ** 256n + BigInt(`0x${hash}`)
  // 267 bits, the bit that ends them, and four of nothing.
  const bits = (((0b100n << 264n) | account) << 5n) | 0b10000n
  const HEADER = 'b5ee9c72' + '01' + '01' + '01' + '01' + '00' + '24' + '00'
  const CELL = '00' + '43'
  return decodeHex(HEADER + CELL + bits.toString(16).padStart(68, '0'))
}
