/** The fields of `data` that the rows change. */
export interface SampleChanges {
  amount?: string
  rawAmount?: string
  asset?: string
  assetTicker?: string
}

/** The documented sample of a successful transfer, for one order. */
export function sampleSuccess(reference: string, changes: SampleChanges = {}) {
  return {
    event: 'transfer.completed',
    timestamp: '2024-01-15T14:30:00.000Z',
    data: {
      amount: '10.5',
      rawAmount: '10500000000',
      senderAddr: 'UQBBJCufrlb61Obnff4zyxjRw_xYP5iM8l758tm-DUQLu8ql',
      recipientAddr: 'UQDknWOyqKePBIuvxLRZAClgOlpBZe6L-YrxXWLyTNg0eTHm',
      asset: 'TON',
      assetTicker: 'TON',
      status: 'success',
      reference,
      bodyBase64Hash: 'fclvd2yEI+V6J4VImj+cQ/tudWh21q2anKxKpOcuwZM=',
      txHash: '628b49d96dcde97a430dd4f597705899e09a968f793491e4b704cae33a40dc02',
      traceId: '1f10668b5f1cb897d57faf08cfe58c668060f14ce32077c43011c862fea5f5c7',
      commentToSender: 'Thanks for the purchase',
      commentToRecipient: 'Payment for order #1234',
      date: '2024-01-15T14:30:00.000Z',
      ...changes,
    },
  }
}

/** The documented sample of a failed transfer, for one order. */
export function sampleFailure(reference: string) {
  return {
    event: 'transfer.completed',
    timestamp: '2024-01-15T14:35:00.000Z',
    data: {
      amount: '10.5',
      rawAmount: '10500000000',
      senderAddr: 'UQBBJCufrlb61Obnff4zyxjRw_xYP5iM8l758tm-DUQLu8ql',
      recipientAddr: 'UQDknWOyqKePBIuvxLRZAClgOlpBZe6L-YrxXWLyTNg0eTHm',
      asset: 'TON',
      assetTicker: 'TON',
      status: 'failed',
      reference,
      bodyBase64Hash: 'SBTZIJOsig9KIWOrh97lCbowalj1iIvg7csvzQcSAos=',
      txHash: 'c44474038d459e40e4714afefa7bf8dae9f9834b22f5e8ec1dd434ecb62b512e',
      traceId: '81a43b8822c3f60070d8203e2f1ebfdcf2c4e83b5c6a323c9769af4793286bbc',
      commentToSender: 'Transaction failed',
      commentToRecipient: 'Payment for order #5678',
      date: '2024-01-15T14:35:00.000Z',
      errorCode: 36,
      errorMessage: 'Not enough TON',
    },
  }
}

/** An event that is announced and not documented; only its name matters. */
export function sampleRefund(reference: string) {
  return {
    event: 'transfer.refunded',
    timestamp: '2024-01-15T14:40:00.000Z',
    data: { reference },
  }
}
