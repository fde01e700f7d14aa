/** What the tasks that prove payments on the chain are registered as. */
export const PROOF_TASK = 'verifyOnChain'
