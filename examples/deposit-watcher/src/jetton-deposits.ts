import { canonicalAddress } from '@tonplug/core'
import type { V3Client, V3Result, V3Transaction } from '@tonplug/core'
import type { DepositSource } from './deposit-source.js'
import type { Deposit } from './deposit.js'
import { sourceName } from './source-name.js'

/** A transfer as the index lists it: by the transaction of the sender's jetton wallet. */
export type JettonTransfer = V3Result<'jettonTransfers'>['jetton_transfers'][number]

/** What became of a transfer. */
type Arrival = Deposit | 'under way' | 'failed'

/** `internal_transfer`: what one jetton wallet tells the other. Source: TEP-74. */
const INTERNAL_TRANSFER = 0x178d4519

/** Jettons of one master that the addresses receive. */
export function jettonDeposits(
  v3: V3Client,
  addresses: readonly string[],
  jettonMaster: string,
): DepositSource<JettonTransfer> {
  // One spelling, so that the cursor fits however they are spelt next time.
  const owners = addresses.map(canonicalAddress)
  const master = canonicalAddress(jettonMaster)
  // Servers ignore a filter that they do not know, so what they answer is looked at again.
  const isWanted = ({ destination, jetton_master, transaction_aborted }: JettonTransfer): boolean =>
    !transaction_aborted &&
    canonicalAddress(jetton_master) === master &&
    owners.includes(canonicalAddress(destination))

  return {
    name: sourceName(master, owners),
    follow: (options) =>
      v3.jettonTransfers.follow(
        { owner_address: owners, jetton_master: master, direction: 'in' },
        options,
      ),
    async read(transfers, signal) {
      const wanted = transfers.filter(isWanted)
      const arrivals = await Promise.all(wanted.map(async (one) => arrivalOf(v3, one, signal)))
      return {
        deposits: arrivals.filter((arrival) => typeof arrival === 'object'),
        isUnderWay: arrivals.includes('under way'),
      }
    },
  }
}

/**
 * Looks whether the jettons arrived. A listed transfer has left the sender's jetton wallet; the recipient's may still
 * refuse it, and the jettons then go back. So the message between the two is followed to the transaction that received
 * it: only that one credits.
 */
async function arrivalOf(
  v3: V3Client,
  transfer: JettonTransfer,
  signal: AbortSignal,
): Promise<Arrival> {
  const [sent] = (await v3.transactions({ hash: transfer.transaction_hash, limit: 1 }, { signal }))
    .transactions
  if (sent === undefined) return 'under way'
  const message = sent.out_msgs.find(({ opcode }) => Number(opcode) === INTERNAL_TRANSFER)
  if (message === undefined) return 'failed'
  const [received] = (
    await v3.transactionsByMessage(
      { msg_hash: message.hash, direction: 'in', limit: 1 },
      { signal },
    )
  ).transactions
  if (received === undefined || !isFinal(received)) return 'under way'
  if (received.description.aborted === true) return 'failed'
  return {
    txHash: received.hash,
    messageHash: message.hash,
    address: canonicalAddress(transfer.destination),
    asset: canonicalAddress(transfer.jetton_master),
    amount: transfer.amount,
    sender: canonicalAddress(transfer.source),
    at: new Date(received.now * 1000),
  }
}

/** Servers before the middle of 2026 do not tell, and list only what is final. */
function isFinal({ finality }: V3Transaction): boolean {
  return finality !== 'pending' && finality !== 'confirmed'
}
