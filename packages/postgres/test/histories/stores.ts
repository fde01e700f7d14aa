import type { Order } from '@tonplug/core'
import type pg from 'pg'
import { postgresInbox } from '../../src/postgres-inbox.js'
import { postgresOrderRepository } from '../../src/postgres-order-repository.js'
import { newCredit, PAYMENT } from '../money.js'
import { newReport, paid } from '../reports.js'
import { BOTH, hashOf, type Input, type Output } from './two-orders.js'

const FAILURE = { traceId: '', status: 'failed', date: '' }
/** Returns the reference of an order of a group. */
export function referenceOf(group: string, order: number): string {
  return `${group}-order-${order}`
}

/** Opens the stores of one server. */
export function openStores(db: pg.Pool) {
  const orders = postgresOrderRepository(db)
  const inbox = postgresInbox(db)
  const joined = inbox.joinOrders?.<Order>(orders)
  const idOf = (group: string, credit: number): string => `${group}-credit-${credit}`

  /** Stores the report of an operator, and completes the order with the credits. */
  async function completeWith(
    group: string,
    given: { reference: string; txHash: string; credits: readonly number[] },
  ): Promise<Output> {
    const { reference, txHash, credits } = given
    const key = JSON.stringify([reference, txHash])
    const report = await inbox.reports.store(
      newReport({ key, reference, txHash, source: 'operator' }),
    )
    const made = await joined?.completeAndDecide(report.id, {
      key: { reference, merchant: '' },
      payment: { ...PAYMENT, txHash },
      payments: credits.map((credit) => `credit:${idOf(group, credit)}`),
      record: { decision: paid(report) },
    })
    return made?.transition ?? 'not-found'
  }

  async function claim(
    payments: readonly string[],
    owner: { reference: string; kind: 'order' | 'refund' },
  ): Promise<Output> {
    const isFree = await inbox.credits.claim({ name: 'default', merchant: '', ...owner, payments })
    return isFree ? 'free' : 'reused'
  }

  return {
    orders,
    async run(group: string, input: Input): Promise<Output> {
      const [method, number] = input
      const key = { reference: referenceOf(group, number), merchant: '' }
      const id = idOf(group, number)
      const refund = (attempt: number): string => JSON.stringify(['refund', id, attempt])
      switch (method) {
        case 'complete':
          return orders.complete(key, { ...PAYMENT, txHash: input[2] })
        case 'fail':
          return orders.fail(key, { ...FAILURE, txHash: input[2] })
        case 'claim':
          return claim([`credit:${idOf(group, input[2])}`], { ...key, kind: 'order' })
        case 'assign':
          return completeWith(group, { ...key, txHash: hashOf(input[2]), credits: [input[2]] })
        case 'accept':
          return completeWith(group, { ...key, txHash: BOTH, credits: [0, 1] })
        case 'refund':
          return claim([`credit:${id}`], { reference: refund(input[2]), kind: 'refund' })
        case 'release': {
          const reference = refund(input[2])
          await inbox.credits.release({ name: 'default', merchant: '', reference, credit: id })
          return 'done'
        }
        case 'show':
          await inbox.credits.store([newCredit({ id, txHash: hashOf(number) })])
          return 'done'
      }
    },
  }
}
