// A server process whose orders and inbox are in the process that started it.
import { createServer } from 'node:http'
import { createWebhookReceiver, readNodeBody } from '@tonplug/core'

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

const receiver = createWebhookReceiver({
  secrets: process.argv[2],
  orders: remote('orders', ['findByReference', 'complete', 'recordFailure', 'listOpen']),
  inbox: {
    name: 'remote',
    isDurable: true,
    ...remote('inbox', [
      'store',
      'decide',
      'claimDeliveries',
      'postpone',
      'matchReference',
      'find',
      'claimTasks',
      'extendLease',
      'finishTask',
      'listDead',
      'nextDueMs',
      'stats',
      'forgetDecided',
    ]),
  },
  onPaid: ({ order }, { idempotencyKey }) =>
    call('handlers', 'onPaid')(order.reference, idempotencyKey, process.pid),
})

const server = createServer((request, response) => {
  void receiver
    .receive({ method: request.method, headers: request.headers, rawBody: readNodeBody(request) })
    .then(({ status, headers, body }) => response.writeHead(status, headers).end(body))
})
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }))
process.on('SIGTERM', () => void receiver.close().then(() => process.exit(0)))
