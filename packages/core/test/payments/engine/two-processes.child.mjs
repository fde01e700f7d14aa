// A server process whose orders and inbox are in its parent process.
import { createServer } from 'node:http'
import { createPayments, createWebhookReceiver, readNodeBody } from '@tonplug/core'

const [, , secrets, role] = process.argv
const waiting = new Map()
let lastId = 0

/** Calls a method of a store in the parent process. */
function call(store, method) {
  return (...parameters) =>
    new Promise((resolve, reject) => {
      const id = ++lastId
      waiting.set(id, { resolve, reject })
      process.send({ id, store, method, parameters })
    })
}

const remote = (store, methods) =>
  Object.fromEntries(methods.map((method) => [method, call(store, method)]))

process.on('message', ({ id, result, error }) => {
  const { resolve, reject } = waiting.get(id)
  waiting.delete(id)
  if (error === undefined) resolve(result)
  else reject(new Error(error))
})

const runInParent = ({ order }, { idempotencyKey }) =>
  call('handlers', 'onPaid')(order.reference, idempotencyKey, process.pid)

const payments = createPayments({
  orders: remote('orders', ['find', 'complete', 'fail', 'listOpen']),
  inbox: {
    name: 'remote',
    isDurable: true,
    stats: call('inbox', 'stats'),
    sums: call('inbox', 'sums'),
    reports: remote('inbox.reports', [
      'store',
      'decide',
      'claim',
      'postpone',
      'reread',
      'orderCreated',
      'redecide',
      'find',
      'findValues',
      'list',
      'recordAction',
      'listActions',
      'forget',
    ]),
    tasks: remote('inbox.tasks', [
      'list',
      'replay',
      'claim',
      'claimRelay',
      'extendLease',
      'finish',
      'finishRelayed',
      'listRelayed',
    ]),
    credits: remote('inbox.credits', [
      'store',
      'find',
      'listOf',
      'listOfWallet',
      'list',
      'claim',
      'release',
    ]),
    processes: remote('inbox.processes', ['register', 'unsubscribe', 'nextDueInMs']),
  },
  idlePollMs: 100,
  ...(role === 'web' ? {} : { onPaid: runInParent }),
})
const receiver = createWebhookReceiver({ payments, secrets })

const server = createServer((request, response) => {
  void receiver
    .receive({ method: request.method, headers: request.headers, rawBody: readNodeBody(request) })
    .then(({ status, headers, body }) => response.writeHead(status, headers).end(body))
})
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }))
async function close() {
  await receiver.close()
  await payments.close()
  process.exit(0)
}
process.on('SIGTERM', () => void close())
