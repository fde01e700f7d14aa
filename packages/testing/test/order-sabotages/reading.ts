import type { Order, OrderKey } from '@tonplug/core'
import {
  onFound,
  onAll,
  onEach,
  withoutField,
  withReference,
  roundTrip,
  type Sabotage,
} from './sabotage.js'

export const READING: readonly Sabotage[] = [
  {
    mistake: 'finds any order for an unknown reference',
    noticedBy: /find > returns null for|not-found for an unknown/,
    change: (inner) => {
      const anyKey = (): OrderKey => inner.all()[0] ?? { reference: 'none' }
      return {
        find: async (key) => (await inner.find(key)) ?? inner.find(anyKey()),
        complete: async (key, payment) => {
          const transition = await inner.complete(key, payment)
          return transition === 'not-found' ? 'conflict' : transition
        },
        fail: async (key, failure) => {
          const transition = await inner.fail(key, failure)
          return transition === 'not-found' ? 'conflict' : transition
        },
      }
    },
  },
  {
    mistake: 'stores amounts as numbers',
    noticedBy: /S31|every field of the payment|with every field that was stored/,
    change: (inner) => ({
      add: (order) =>
        inner.add({ ...order, rawAmount: order.rawAmount && roundTrip(order.rawAmount) }),
      complete: (key, payment) =>
        inner.complete(key, { ...payment, rawAmount: roundTrip(payment.rawAmount) }),
      listOpen: onEach(inner, (order) => ({ ...order, createdAt: null })),
      find: onFound(inner, (order) => ({ ...order, createdAt: null })),
    }),
  },
  {
    mistake: 'returns an empty recipient, payment and failure',
    noticedBy: /without a recipient/,
    change: (inner) => ({
      find: onFound(inner, (order) => ({ ...order, recipient: order.recipient ?? '' })),
    }),
  },
  {
    mistake: 'stores every order as pending',
    noticedBy: /every status as stored|S42|cancelled order/,
    change: (inner) => ({ add: (order) => inner.add({ ...order, status: 'pending' }) }),
  },
  {
    mistake: 'does not return the recipient',
    noticedBy: /(find|listOpen) > returns (an order|orders) with every field/,
    change: withoutField('recipient'),
  },
  {
    mistake: 'does not return when an order was created',
    noticedBy: /(find|listOpen) > returns (an order|orders) with every field/,
    change: withoutField('createdAt'),
  },
  {
    mistake: 'does not return the body hash',
    noticedBy: /the body hash of an order/,
    change: withoutField('bodyBase64Hash'),
  },
  {
    mistake: 'does not return the failure',
    noticedBy: /S74 (stores|replaces|returns)|S28|keeps that/,
    change: withoutField('failure'),
  },
  {
    mistake: 'does not return the merchant',
    noticedBy: /S66 (find returns the order|listOpen|returns the orders)/,
    change: withoutField('merchant'),
  },
  {
    mistake: 'does not find an order by a key without a merchant',
    noticedBy: /by an empty merchant and by none/,
    change: (inner) => ({
      find: async (key) => (key.merchant === undefined ? null : inner.find(key)),
    }),
  },
  {
    mistake: 'compares references without case',
    noticedBy: /references that differ by case/,
    change: withReference((reference) => reference.toLowerCase()),
  },
  {
    mistake: 'trims references',
    noticedBy: /trailing space/,
    change: withReference((reference) => reference.trim()),
  },
  {
    mistake: 'reads references as numbers',
    noticedBy: /leading zero/,
    change: withReference((reference) => reference.replace(/^0+/, '')),
  },
  {
    mistake: 'compares references without accents',
    noticedBy: /accent/,
    change: withReference((reference) =>
      reference.normalize('NFD').replaceAll(/[\u0300-\u036f]/g, ''),
    ),
  },
  {
    mistake: 'uses references as patterns',
    noticedBy: /wildcard/,
    change: withReference((reference) => reference.replaceAll('_', '-')),
  },
  {
    mistake: 'rejects unusual references',
    noticedBy: /S83 finds and completes/,
    change: (inner) => ({
      add: (order) => {
        if (!/^order|^[\w-]{1,20}$/.test(order.reference) || order.reference.startsWith('__'))
          return
        inner.add(order)
      },
    }),
  },
  {
    mistake: 'returns what it read before',
    noticedBy: /(find|listOpen|findBy\w+) (> )?returns the new state|returns the new state/,
    change: (inner) => {
      const found = new Map<string, Order>()
      const remember = (order: Order): Order => {
        const id = JSON.stringify([order.merchant ?? '', order.reference])
        const known = found.get(id) ?? order
        found.set(id, known)
        return known
      }
      return {
        find: onFound(inner, remember),
        findByReferences: onAll(inner, 'findByReferences', remember),
        findByBodyHashes: onAll(inner, 'findByBodyHashes', remember),
        listOpen: onEach(inner, remember),
      }
    },
  },
]

export const MERCHANTS: readonly Sabotage[] = [
  {
    mistake: 'ignores the merchant of a key',
    noticedBy: /S66 (find|complete|fail|completes)|S65/,
    change: (inner) => {
      const anyOf = ({ reference }: OrderKey): OrderKey =>
        inner.all().find((order) => order.reference === reference) ?? { reference }
      return {
        find: (key) => inner.find(anyOf(key)),
        complete: (key, payment) => inner.complete(anyOf(key), payment),
        fail: (key, failure) => inner.fail(anyOf(key), failure),
      }
    },
  },
  {
    mistake: 'joins merchant and reference with a colon',
    noticedBy: /S83 distinguishes/,
    change: (inner) => {
      const joined = ({ merchant = '', reference }: OrderKey): OrderKey => ({
        reference: merchant === '' ? reference : `${merchant}:${reference}`,
      })
      return {
        add: (order) => inner.add({ ...order, ...joined(order), merchant: '' }),
        find: (key) => inner.find(joined(key)),
      }
    },
  },
  {
    mistake: 'lists the orders of one merchant',
    noticedBy: /S66 (listOpen|returns)/,
    change: (inner) => {
      const isOwn = ({ merchant = '' }: Order): boolean => merchant === ''
      return {
        async *listOpen(query) {
          for await (const order of inner.listOpen(query)) if (isOwn(order)) yield order
        },
        findByReferences: async (values) =>
          (await inner.findByReferences?.(values))?.filter(isOwn) ?? [],
        findByBodyHashes: async (values) =>
          (await inner.findByBodyHashes?.(values))?.filter(isOwn) ?? [],
      }
    },
  },
]

export const ACCESS: readonly Sabotage[] = [
  {
    mistake: 'rejects access to orders that can be written',
    noticedBy: /S80/,
    change: () => ({ checkAccess: () => Promise.reject(new Error('permission denied')) }),
  },
]
