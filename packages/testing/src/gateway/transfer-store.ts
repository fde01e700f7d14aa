import { badRequest, MockGatewayError } from './mock-gateway-error.js'
import type { Transfer } from './transfer.js'

/** The transfers of a mock gateway; beyond the limit the oldest are deleted. */
export interface TransferStore {
  /** @throws {MockGatewayError} when the reference exists. */
  add(transfer: Transfer): void
  /** @throws {MockGatewayError} when it does not exist. */
  byReference(reference: string): Transfer
  /**
   * @param bodyHash base64 or base64url, with or without padding. A space counts as a plus: the official SDK does
   * not encode the hash, so that servers read a plus as a space.
   * @throws {MockGatewayError} when it does not exist.
   */
  byBodyHash(bodyHash: string): Transfer
  /** Returns `undefined` when no transfer has this body hash. */
  findByBodyHash(bodyHash: string): Transfer | undefined
  /** Oldest first. */
  list(): Transfer[]
  clear(): void
}

/** Creates an empty store for at most `limit` transfers. */
export function createTransferStore(limit: number): TransferStore {
  const transfers = new Map<string, Transfer>()
  const references = new Map<string, string>()

  const findByBodyHash = (hash: string): Transfer | undefined =>
    transfers.get(references.get(canonicalHash(hash)) ?? '')
  const orThrow = (found: Transfer | undefined, key: string): Transfer => {
    if (found !== undefined) return found
    throw new MockGatewayError({ status: 404, message: `the transfer with ${key} does not exist` })
  }
  return {
    add(transfer) {
      const { reference, bodyBase64Hash } = transfer.created
      if (transfers.has(reference)) {
        throw badRequest(`a transfer with the reference ${JSON.stringify(reference)} exists`)
      }
      transfers.set(reference, transfer)
      references.set(canonicalHash(bodyBase64Hash), reference)
      const [oldest] = transfers.values()
      if (transfers.size <= limit || oldest === undefined) return
      transfers.delete(oldest.created.reference)
      references.delete(canonicalHash(oldest.created.bodyBase64Hash))
    },
    byReference: (reference) =>
      orThrow(transfers.get(reference), `the reference ${JSON.stringify(reference)}`),
    byBodyHash: (hash) => orThrow(findByBodyHash(hash), `the body hash ${JSON.stringify(hash)}`),
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
