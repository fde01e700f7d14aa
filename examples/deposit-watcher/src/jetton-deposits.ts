import { canonicalAddress } from '@tonplug/core'
import type { V3Client, V3Result, V3Transaction } from '@tonplug/core/toncenter'
import type { DepositSource } from './deposit-source.js'
import type { Deposit } from './deposit.js'
import { findJettonWallets } from './jetton-wallets.js'
import { sourceName } from './source-name.js'

/** A transfer as listed by the index, under the transaction of the sender's jetton wallet. */
export type JettonTransfer = V3Result<'jettonTransfers'>['jetton_transfers'][number]

/** The outcome of a transfer. */
type Arrival = Deposit | 'in transit' | 'failed'

/** Opcode of `internal_transfer`, the message between two jetton wallets. Source: TEP-74. */
const INTERNAL_TRANSFER = 0x178d4519

/** Creates the source of jetton deposits of one master. */
export function jettonDeposits(
  v3: V3Client,
  addresses: readonly string[],
  jettonMaster: string,
): DepositSource<JettonTransfer> {
  // Canonical, so that the cursor stays valid if the settings contain another address format.
  const owners = addresses.map(canonicalAddress)
  const master = canonicalAddress(jettonMaster)
  const findWallet = findJettonWallets(v3, master)
  // Servers ignore unknown filters, so their results are filtered again.
  const isWanted = ({ destination, jetton_master, transaction_aborted }: JettonTransfer): boolean =>
    !transaction_aborted &&
    canonicalAddress(jetton_master) === master &&
    owners.includes(canonicalAddress(destination))

  return {
    name: sourceName(master, owners),
    watch: (options) =>
      v3.jettonTransfers.watch(
        { owner_address: owners, jetton_master: master, direction: 'in' },
        options,
      ),
    async read(transfers, signal) {
      const wanted = transfers.filter(isWanted)
      const arrivals = await Promise.all(
        wanted.map(async (transfer) => findArrival({ v3, findWallet }, transfer, signal)),
      )
      return {
        deposits: arrivals.filter((arrival) => typeof arrival === 'object'),
        isIncomplete: arrivals.includes('in transit'),
      }
    },
  }
}

/**
 * Returns the outcome of a transfer. A listed transfer has left the sender's jetton wallet, but the recipient's jetton wallet
 * may still reject it, which returns the jettons. Only the transaction that receives the message between the two wallets
 * proves a deposit, if its account is the wallet that the master names.
 */
async function findArrival(
  { v3, findWallet }: { v3: V3Client; findWallet: ReturnType<typeof findJettonWallets> },
  transfer: JettonTransfer,
  signal: AbortSignal,
): Promise<Arrival> {
  const [sent] = (await v3.transactions({ hash: transfer.transaction_hash, limit: 1 }, { signal }))
    .transactions
  if (sent === undefined) return 'in transit'
  const message = sent.out_msgs.find(({ opcode }) => Number(opcode) === INTERNAL_TRANSFER)
  if (message === undefined) return 'failed'
  const [received] = (
    await v3.transactionsByMessage(
      { msg_hash: message.hash, direction: 'in', limit: 1 },
      { signal },
    )
  ).transactions
  if (received === undefined || !isFinal(received)) return 'in transit'
  if (received.description.aborted === true) return 'failed'
  const address = canonicalAddress(transfer.destination)
  const wallet = await findWallet(address, signal)
  if (canonicalAddress(received.account) !== wallet.address) return 'failed'
  if (!wallet.isDeployed) return 'in transit'
  return {
    txHash: received.hash,
    messageHash: message.hash,
    address,
    asset: canonicalAddress(transfer.jetton_master),
    amount: transfer.amount,
    sender: canonicalAddress(transfer.source),
    at: new Date(received.now * 1000),
  }
}

/** Servers before mid-2026 omit `finality` and list final transactions only. */
function isFinal({ finality }: V3Transaction): boolean {
  return finality !== 'pending' && finality !== 'confirmed'
}
