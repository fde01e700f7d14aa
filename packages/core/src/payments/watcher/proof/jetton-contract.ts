import type { RequestOptions } from '../../../toncenter/transport/call-options.js'
import { readWalletData, run, type MethodReader } from './jetton-wallets.js'

/**
 * Returns why an account cannot be paid: it is a jetton wallet or a jetton master, whose contract would reject or keep the
 * money. `undefined` for every other account, deployed or not.
 * @param account canonical
 * @throws what the client of API v3 throws when the account cannot be asked.
 */
export async function refuseJettonContract(
  v3: MethodReader,
  account: string,
  request: RequestOptions,
): Promise<string | undefined> {
  const wallet = await readWalletData(v3, account, request)
  if (wallet === 'undeployed') return undefined
  if (wallet !== undefined) {
    return `must be the wallet of a person or a merchant; ${account} is the jetton wallet of ${wallet.owner}. Pass the address of its owner`
  }
  const result = await run(v3, { address: account, method: 'get_jetton_data' }, request)
  // Source: TEP-74, `get_jetton_data`.
  const isMaster = !('exitCode' in result) && result.stack.length >= 5
  return isMaster
    ? `must be the wallet of a person or a merchant; ${account} is the master of a jetton. Pass it as asset`
    : undefined
}
