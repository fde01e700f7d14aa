import type { Payment } from '@tonplug/core'
import { onFound, withoutField, withPayment, type Sabotage } from './sabotage.js'

export const COMPLETING: readonly Sabotage[] = [
  {
    mistake: 'reads the order, then writes it',
    noticedBy: /S38 applies one|S40 applies one/,
    change: (inner) => ({
      complete: async (key, payment) => {
        const order = await inner.find(key)
        if (order === null) return 'not-found'
        if (order.status === 'completed') {
          return order.payment?.txHash === payment.txHash ? 'already-applied' : 'conflict'
        }
        inner.add({ ...order, status: 'completed', payment })
        return 'applied'
      },
    }),
  },
  {
    mistake: 'completes pending orders only',
    noticedBy: /S29 S43 completes an order that is (failed|expired)|S29 completes|S27 S29/,
    change: (inner) => ({
      complete: async (key, payment) => {
        const status = (await inner.find(key))?.status
        return status === 'failed' || status === 'expired'
          ? 'conflict'
          : inner.complete(key, payment)
      },
    }),
  },
  {
    mistake: 'completes without a payment',
    noticedBy: /completes an order that is|the payment's|every field of the payment/,
    change: (inner) => ({
      find: onFound(inner, (order) => ({ ...order, payment: undefined })),
    }),
  },
  {
    mistake: 'returns conflict for a repetition',
    noticedBy: /S26|S38/,
    change: (inner) => ({
      complete: async (key, payment) => {
        const transition = await inner.complete(key, payment)
        return transition === 'already-applied' ? 'conflict' : transition
      },
    }),
  },
  {
    mistake: 'replaces the payment by that of another transfer',
    noticedBy: /S40 returns conflict/,
    change: (inner) => ({
      complete: async (key, payment) => {
        const order = await inner.find(key)
        if (order?.status === 'completed') inner.add({ ...order, payment })
        return inner.complete(key, payment)
      },
    }),
  },
  {
    mistake: 'takes any completed order for one that the transfer completed',
    noticedBy: /S113|S40 returns conflict/,
    change: (inner) => ({
      complete: async (key, payment) => {
        const order = await inner.find(key)
        return order?.status === 'completed' ? 'already-applied' : inner.complete(key, payment)
      },
    }),
  },
  {
    mistake: 'completes cancelled orders',
    noticedBy: /S42/,
    change: (inner) => ({
      complete: async (key, payment) => {
        const order = await inner.find(key)
        if (order?.status === 'cancelled') inner.add({ ...order, status: 'pending' })
        return inner.complete(key, payment)
      },
    }),
  },
  {
    mistake: 'changes every order',
    noticedBy: /does not change other orders|S83 finds/,
    change: (inner) => ({
      complete: async (key, payment) => {
        const transition = await inner.complete(key, payment)
        for (const order of inner.all()) await inner.complete(order, payment)
        return transition
      },
    }),
  },
  {
    mistake: 'shares the payment between concurrent calls',
    noticedBy: /completes each of many|S66 completes one order/,
    change: (inner) => {
      let shared: Payment
      return {
        complete: async (key, payment) => {
          shared = payment
          await Promise.resolve()
          return inner.complete(key, shared)
        },
      }
    },
  },
  {
    mistake: 'lets a transaction complete one order',
    noticedBy: /two orders by the same/,
    change: (inner) => {
      const used = new Map<string, string>()
      return {
        complete: async (key, payment) => {
          const reference = used.get(payment.txHash) ?? key.reference
          used.set(payment.txHash, reference)
          return reference === key.reference ? inner.complete(key, payment) : 'conflict'
        },
      }
    },
  },
  {
    mistake: 'creates unknown orders',
    noticedBy: /complete > returns not-found/,
    change: (inner) => ({
      complete: async (key, payment) => {
        const transition = await inner.complete(key, payment)
        const { rawAmount, asset } = payment
        if (transition === 'not-found') inner.add({ ...key, rawAmount, asset, status: 'completed' })
        return transition
      },
    }),
  },
  {
    mistake: 'stores dates in its own time zone',
    noticedBy: /every field of the payment|date "yesterday"|date ""/,
    change: withPayment(({ date, ...payment }) => {
      const parsed = new Date(date)
      return { ...payment, date: Number.isNaN(+parsed) ? 'invalid' : parsed.toISOString() }
    }),
  },
  {
    mistake: 'does not store the source of a payment',
    noticedBy: /source (chain|gateway|operator)/,
    change: withPayment((payment) => ({ ...payment, source: 'webhook' })),
  },
  {
    mistake: 'stores the source of every payment as chain',
    noticedBy: /source webhook/,
    change: withPayment((payment) => ({ ...payment, source: 'chain' })),
  },
  {
    mistake: 'does not store the body hash of a payment',
    noticedBy: /completes an order that is|every field of the payment/,
    change: withPayment((payment) => ({ ...payment, bodyBase64Hash: '' })),
  },
]

export const OFFERS: readonly Sabotage[] = [
  {
    mistake: 'does not return the offers',
    noticedBy: /S127 (returns the offers|stores)/,
    change: withoutField('offers'),
  },
  {
    mistake: 'returns the offers of another order',
    noticedBy: /S127 returns no offers/,
    change: (inner) => ({
      find: onFound(inner, (order) => ({ ...order, offers: inner.all().at(-1)?.offers })),
    }),
  },
  {
    mistake: 'returns copies of offers that JSON.stringify rejects',
    noticedBy: /S127 returns offers that JSON/,
    change: (inner) => ({
      find: onFound(inner, ({ offers, ...order }) => ({
        ...order,
        offers: offers?.map((offer) => ({ ...offer })),
      })),
    }),
  },
  {
    mistake: 'does not store the offer of a payment',
    noticedBy: /S127 stores the offer of a payment/,
    change: withPayment(({ offer: _offer, ...payment }) => payment),
  },
]
