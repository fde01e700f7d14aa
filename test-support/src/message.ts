/** An external message to the account 0:0707…, with an empty body. */
export const BOC = 'te6cckEBAQEAJQAARYgADg4ODg4ODg4ODg4ODg4ODg4ODg4ODg4ODg4ODg4ODg4EIJtQFQ=='
/** The hash of {@link BOC}'s transaction and trace. */
export const HASH = Buffer.alloc(32, 9).toString('base64')

/** The trace of {@link BOC}, from API v3. */
export const TRACE = {
  trace_id: HASH,
  start_lt: '1',
  start_utime: 1_780_000_000,
  trace_info: { trace_state: 'complete', messages: 1, transactions: 1, pending_messages: 0 },
  transactions_order: [HASH],
  transactions: {
    [HASH]: {
      account: `0:${'07'.repeat(32)}`,
      hash: HASH,
      lt: '1',
      now: 1_780_000_000,
      total_fees: '1',
      description: { type: 'ord', aborted: false, compute_ph: { success: true, exit_code: 0 } },
      out_msgs: [],
      finality: 'finalized',
    },
  },
}
