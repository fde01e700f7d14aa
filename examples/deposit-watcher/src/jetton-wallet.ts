import { Address, beginCell } from '@ton/core'
import { canonicalAddress } from '@tonplug/core'
import { toTupleReader } from '@tonplug/core/contract'
import type { V3Client } from '@tonplug/core/toncenter'

/** The worker cannot begin without the answer, so it waits while the index is down. */
const PATIENCE = { maxAttempts: 1000, deadlineMs: 3_600_000 }

/**
 * Asks a jetton's master for the address of an owner's jetton wallet; in canonical form, also before the wallet is deployed.
 * Only the master knows it: anyone can deploy a contract that calls itself a jetton wallet of any master and owner, and an
 * index may believe it. Source: TEP-74, `get_wallet_address`.
 */
export async function findJettonWallet(
  v3: V3Client,
  { master, owner }: { master: string; owner: string },
  signal: AbortSignal,
): Promise<string> {
  const cell = beginCell().storeAddress(Address.parse(owner)).endCell()
  const stack = [{ type: 'slice', boc: cell.toBoc() } as const]
  const call = { address: master, method: 'get_wallet_address', stack }
  const result = await v3.runGetMethod(call, { ...PATIENCE, signal })
  return canonicalAddress(toTupleReader(result.stack).readAddress().toRawString())
}
