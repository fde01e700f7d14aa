import { toHex } from '../shared/bytes.js'
import { hashOf, type ProofCell } from './cell.js'
import { hasCell, readContract } from './contract.js'
import { addressBits, coinBits } from '../shared/cells/bits.js'
import { writeCell } from './write-cell.js'

/** A jetton wallet: its account, its owner, and the jetton master. Canonical addresses. */
export interface OwnedJettonWallet {
  master: string
  owner: string
  wallet: string
}

/**
 * `confirmed`: the wallet's code is a cell in the master's data, and its address follows from this code, master and owner.
 * `denied`: it has other code. `unknown`: the code has no known layout of data, so its address cannot be derived.
 */
export type JettonWalletProof = 'confirmed' | 'denied' | 'unknown'

/**
 * Proves that an account is a wallet of a jetton, by the proven states of both.
 * @param isPinned the address is known: it is not derived
 * @throws {ProofError} when one of them has no contract.
 */
export function proveJettonWallet(
  { master, owner, wallet }: OwnedJettonWallet,
  states: { master: ProofCell; wallet: ProofCell },
  { isPinned }: { isPinned: boolean },
): JettonWalletProof {
  const { code } = readContract(states.wallet, wallet)
  const { data } = readContract(states.master, master)
  if (!hasCell(data, code)) return 'denied'
  if (isPinned) return 'confirmed'
  const [workchain] = master.split(':')
  const isDerived = initialData({ master, owner, code }).some((first) => {
    // A StateInit with code and data.
    const init = writeCell('00110', [code, first])
    return `${workchain}:${toHex(hashOf(init))}` === wallet
  })
  return isDerived ? 'confirmed' : 'unknown'
}

/** Returns the data that a new wallet has, in each known layout: an empty balance, its owner and its master. */
function initialData({
  master,
  owner,
  code,
}: Pick<OwnedJettonWallet, 'master' | 'owner'> & { code: ProofCell }): ProofCell[] {
  const bits = coinBits(0n) + addressBits(owner) + addressBits(master)
  return [
    // The reference contract of TEP-74.
    writeCell(bits, [code]),
    // The governed jetton, for example USDT: it begins with the status.
    writeCell(`0000${bits}`, []),
  ]
}
