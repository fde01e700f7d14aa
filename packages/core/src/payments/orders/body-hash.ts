import { canonicalTransactionHash } from './transaction-hash.js'

/** The hash of an empty body: a transfer without a comment. It identifies no payment. */
export const EMPTY_BODY = '96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7'

/** Returns the hash of a message's body in lower-case hex; `undefined` when it is missing or identifies no payment. */
export function readBodyHash(hash: string | null | undefined): string | undefined {
  if (hash === null || hash === undefined || hash === '') return undefined
  const canonical = canonicalTransactionHash(hash)
  return canonical === EMPTY_BODY ? undefined : canonical
}
