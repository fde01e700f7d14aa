/** Returns the claim on a transaction, as opposed to one on a message that credited the recipient. */
export function transactionClaim(txHash: string): string {
  return `tx:${txHash}`
}

/** A payment on the chain: canonical hashes of the messages that credited it, and of the transactions that it alone has. */
export interface ClaimedPayment {
  credits: readonly string[]
  transactions: readonly string[]
}

/** Returns the claims on a payment: on the money, and on each transaction that a report may name. */
export function paymentClaims({ credits, transactions }: ClaimedPayment): string[] {
  return [...credits, ...transactions.map(transactionClaim)]
}
