import { badRequest, GatewayStandInError } from './stand-in-error.js'
import type { Transfer } from './transfer.js'

/** The transfers of a stand-in; beyond its limit it forgets the oldest. */
export interface TransferBook {
  /** @throws {GatewayStandInError} when there is one of this reference. */
  add(transfer: Transfer): void
  /** @throws {GatewayStandInError} when there is none. */
  byReference(reference: string): Transfer
  /**
   * @param bodyHash base64 or base64url, with or without padding. A space counts as a plus: the official SDK does
   * not encode the hash, so that servers read a space in its place.
   * @throws {GatewayStandInError} when there is none.
   */
  byBodyHash(bodyHash: string): Transfer
  /** As {@link byBodyHash}, where there need not be one. */
  findByBodyHash(bodyHash: string): Transfer | undefined
  /** The oldest first. */
  list(): Transfer[]
  clear(): void
}

/** Creates an empty book for at most so many transfers. */
export function createTransferBook(limit: number): TransferBook {
  const transfers = new Map<string, Transfer>()
  const references = new Map<string, string>()

  const findByBodyHash = (hash: string): Transfer | undefined =>
    transfers.get(references.get(canonicalHash(hash)) ?? '')
  const orRefuse = (found: Transfer | undefined, asked: string): Transfer => {
    if (found !== undefined) return found
    throw new GatewayStandInError({ status: 404, message: `there is no transfer with ${asked}` })
  }
  return {
    add(transfer) {
      const { reference, bodyBase64Hash } = transfer.created
      if (transfers.has(reference)) {
        throw badRequest(`there is a transfer with the reference ${JSON.stringify(reference)}`)
      }
      transfers.set(reference, transfer)
      references.set(canonicalHash(bodyBase64Hash), reference)
      const [oldest] = transfers.values()
      if (transfers.size <= limit || oldest === undefined) return
      transfers.delete(oldest.created.reference)
      references.delete(canonicalHash(oldest.created.bodyBase64Hash))
    },
    byReference: (reference) =>
      orRefuse(transfers.get(reference), `the reference ${JSON.stringify(reference)}`),
    byBodyHash: (hash) => orRefuse(findByBodyHash(hash), `the body hash ${JSON.stringify(hash)}`),
    findByBodyHash,
    list: () => [...transfers.values()],
    clear() {
      transfers.clear()
      references.clear()
    },
  }
}

function canonicalHash(hash: string): string {
  return hash.replaceAll(/[ -]/g, '+').replaceAll('_', '/').replace(/=+$/, '')
}
