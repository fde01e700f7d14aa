import { beginCell, type Cell } from '@ton/core'
import { expect, it } from 'vitest'
import type { Trace } from '../../../toncenter/v3/schemas/trace.js'
import { findForgedBody } from './forged-body.js'

const body = beginCell().storeUint(7, 32).endCell()
const other = beginCell().storeUint(8, 32).endCell()

const contentOf = (cell: Cell, hash: Cell = cell) => ({
  body: cell.toBoc().toString('base64'),
  hash: hash.hash().toString('base64'),
})

/** A trace of one transaction with these messages. */
function traceOf(received: object | undefined, ...sent: (object | undefined)[]): Trace {
  const messageOf = (hash: string, message_content?: object) => ({ hash, message_content })
  const one = {
    hash: 'tx',
    lt: 1n,
    ...(received !== undefined && { in_msg: messageOf('received', received) }),
    out_msgs: sent.map((content, place) => messageOf(`sent ${place}`, content)),
  }
  return { transactions_order: ['tx'], transactions: { tx: one } } as unknown as Trace
}

it('finds no forged body where each has the hash beside it, or none has one', () => {
  expect(findForgedBody(traceOf(contentOf(body), contentOf(other), undefined))).toBeUndefined()
  expect(findForgedBody(traceOf(undefined, contentOf(other)))).toBeUndefined()
})

it('finds a received and a sent message whose body has another hash', () => {
  expect(findForgedBody(traceOf(contentOf(body, other)))).toBe('received')
  const sent = traceOf(contentOf(body), contentOf(other), contentOf(body, other))
  expect(findForgedBody(sent)).toBe('sent 1')
  expect(findForgedBody(traceOf(undefined, contentOf(body, other)))).toBe('sent 0')
})

it('finds a message that has only one of a body and a hash', () => {
  const { body: text, hash } = contentOf(body)
  expect(findForgedBody(traceOf({ body: text }))).toBe('received')
  expect(findForgedBody(traceOf({ hash }))).toBe('received')
})

it('ignores a body that nothing is read from', () => {
  const { hash } = contentOf(body)
  expect(findForgedBody(traceOf({ body: 'no cell', hash }))).toBeUndefined()
})
