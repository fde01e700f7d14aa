import { canonicalAddress } from '../../shared/address.js'
import { readCell } from '../../chain/cells/cell-reader.js'
import { decodeBoc } from '../../chain/cells/parse-boc.js'
import { encodeBoc } from '../../chain/cells/write-boc.js'
import { addressCell } from '../../chain/write-body.js'
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
      stack: [{ type: 'slice', boc: encodeBoc(addressCell(owner)) }],
    },
    request,
  )
  const [first] = answer.stack
  if (first?.type !== 'slice' && first?.type !== 'cell') return undefined
  const address = readCell(decodeBoc(first.boc)).address()
  return address === undefined ? undefined : canonicalAddress(address)
}
