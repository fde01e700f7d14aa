/** The color of a badge. */
export type Tone = 'good' | 'bad' | 'wait' | 'plain'

interface DecisionText {
  tone: Tone
  /** The rule that decided. */
  rule: string
}

const DECISIONS: Readonly<Record<string, DecisionText>> = {
  paid: { tone: 'good', rule: 'All rules passed; the order is completed.' },
  failed: { tone: 'bad', rule: 'Rule 5: the transfer did not succeed.' },
  duplicate: { tone: 'plain', rule: 'Rule 4: this transfer was decided before.' },
  extra_payment: { tone: 'bad', rule: 'Rule 4: another transfer has completed the order.' },
  paid_after_cancel: { tone: 'bad', rule: 'The order was canceled before the payment.' },
  amount_mismatch: {
    tone: 'bad',
    rule: 'Rule 6 failed: the received amount differs from that of the order.',
  },
  asset_mismatch: { tone: 'bad', rule: 'Rule 7 failed: the order is in another asset.' },
  wallet_mismatch: {
    tone: 'bad',
    rule: "The rule for wallets failed: the recipient is not one of the shop's wallets.",
  },
  rejected: { tone: 'bad', rule: "One of the shop's own rules failed:" },
  unknown_order: { tone: 'wait', rule: 'Rule 3: no order has this reference yet.' },
  verifying: { tone: 'wait', rule: 'Every rule passed; the proof on the chain is pending.' },
  unverified: { tone: 'bad', rule: 'The proof on the chain failed:' },
  refund: { tone: 'plain', rule: 'An operator was given a transfer that returns the money.' },
}

/** Returns the color and the rule of a decision; the defaults for an unknown kind. */
export function describeDecision(kind: string): DecisionText {
  return DECISIONS[kind] ?? { tone: 'plain', rule: '' }
}

/** Returns the kind of a decision as words. */
export function decisionName(kind: string): string {
  return kind.replaceAll('_', ' ')
}
