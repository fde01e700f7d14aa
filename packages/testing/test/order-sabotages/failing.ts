import { withFailure, type Sabotage } from './sabotage.js'

export const FAILING: readonly Sabotage[] = [
  {
    mistake: 'does not store failures',
    noticedBy: /S28 moves|S74 stores/,
    change: (inner) => ({
      fail: async (key) => {
        const order = await inner.find(key)
        if (order === null) return 'not-found'
        inner.add({ ...order, status: 'failed' })
        return 'applied'
      },
    }),
  },
  {
    mistake: 'records the failures of pending orders only',
    noticedBy:
      /S74 (stores the failure of an expired|replaces|applies 50)|S74 .* order that is expired/,
    change: (inner) => ({
      fail: async (key, failure) => {
        const order = inner.all().find(({ reference }) => reference === key.reference)
        if (order?.status === 'expired') return 'conflict'
        const isOther = order?.failure?.txHash !== failure.txHash
        return order?.status === 'failed' && isOther ? 'conflict' : inner.fail(key, failure)
      },
    }),
  },
  {
    mistake: 'moves expired orders to failed',
    noticedBy: /S74 stores the failure of an expired/,
    change: (inner) => ({
      fail: async (key, failure) => {
        const order = await inner.find(key)
        if (order?.status === 'expired') inner.add({ ...order, status: 'pending' })
        return inner.fail(key, failure)
      },
    }),
  },
  {
    mistake: 'does not store the status of a failure',
    noticedBy: /S28 moves|S74 stores every/,
    change: withFailure((failure) => ({ ...failure, status: 'failed' })),
  },
  {
    mistake: 'stores 0 and an empty string for a failure without code and message',
    noticedBy: /S28 stores a failure without/,
    change: withFailure((failure) => ({ errorCode: 0, errorMessage: '', ...failure })),
  },
  {
    mistake: 'stores error codes as 32-bit integers',
    noticedBy: /32-bit/,
    change: withFailure(({ errorCode, ...failure }) =>
      errorCode === undefined ? failure : { ...failure, errorCode: errorCode | 0 },
    ),
  },
  {
    mistake: 'returns applied for every failure',
    noticedBy: /already-applied for the txHash of the stored|S74 applies one/,
    change: (inner) => ({
      fail: async (key, failure) => {
        const transition = await inner.fail(key, failure)
        return transition === 'already-applied' ? 'applied' : transition
      },
    }),
  },
  {
    mistake: 'replaces a failure by its repetition',
    noticedBy: /and keeps that/,
    change: (inner) => ({
      fail: async (key, failure) => {
        const order = await inner.find(key)
        const isRepeated = order?.failure?.txHash === failure.txHash
        if (order && isRepeated && order.status === 'failed') inner.add({ ...order, failure })
        return inner.fail(key, failure)
      },
    }),
  },
  {
    mistake: 'records the failures of cancelled orders',
    noticedBy: /conflict for a cancelled order and leaves it cancelled/,
    change: (inner) => ({
      fail: async (key, failure) => {
        const order = await inner.find(key)
        if (order?.status === 'cancelled') inner.add({ ...order, failure })
        return inner.fail(key, failure)
      },
      complete: async (key, payment) => {
        const transition = await inner.complete(key, payment)
        return transition === 'conflict' ? 'already-applied' : transition
      },
    }),
  },
  {
    mistake: 'lets a failure change a completed order',
    noticedBy: /S27/,
    change: (inner) => ({
      fail: async (key, failure) => {
        const order = await inner.find(key)
        if (order === null) return 'not-found'
        inner.add({ ...order, status: 'failed', failure })
        return 'applied'
      },
    }),
  },
]
