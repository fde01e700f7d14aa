import { fork } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const ROUNDS = 11
/** A new server runs code that is not compiled yet; more code needs a longer warm-up. */
const WARM_UP_ROUNDS = 3
const BATCH = 5000
const AT_ONCE = 16
const SERVER = join(import.meta.dirname, 'servers/webhook-server.mjs')

/**
 * Sends batches of requests to servers in rotating order, each server in a separate process.
 * @param names servers of `servers/webhook-server.mjs`, at most 11
 * @param route `path` of the route, and `makeRequests`, which returns bodies and headers for a range of order numbers
 * @returns the rounds of each server by its name, as `{ wallMs, cpuMs }` per request
 */
export async function measureServers(names, route) {
  const servers = new Map()
  for (const name of names) servers.set(name, await start(name))
  const samples = new Map(names.map((name) => [name, []]))
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
    for (let turn = 0; turn < names.length; turn++) {
      const name = names[(round + WARM_UP_ROUNDS + turn) % names.length]
      const sample = await run({ ...servers.get(name), ...route }, (round + WARM_UP_ROUNDS) * BATCH)
      if (round >= 0) samples.get(name).push(sample)
    }
  }
  for (const { child } of servers.values()) child.kill()
  return samples
}

async function start(name) {
  const child = fork(SERVER, [name, String((ROUNDS + WARM_UP_ROUNDS) * BATCH)], { execArgv: [] })
  const [port] = await once(child, 'message')
  return { name, child, port }
}

/** Sends a batch of requests for separate orders. Returns the time per request. */
async function run({ name, child, port, path, makeRequests }, from) {
  const requests = makeRequests(from, from + BATCH).map((request) => toBytes(path, request))
  const sockets = await Promise.all(Array.from({ length: AT_ONCE }, () => open(port)))
  await sleep(20)
  const sleepAgain = stayAwake()
  const cpuBefore = await cpuOf(child)
  const before = performance.now()
  await Promise.all(sockets.map((socket) => sendAll(socket, requests, name)))
  const wallMs = (performance.now() - before) / BATCH
  sleepAgain()
  const cpuMs = ((await cpuOf(child)) - cpuBefore) / BATCH
  for (const socket of sockets) socket.destroy()
  return { wallMs, cpuMs }
}

async function open(port) {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true }).setEncoding('latin1')
  await once(socket, 'connect')
  return socket
}

function toBytes(path, { body, headers }) {
  const sent = { host: '127.0.0.1', 'content-length': Buffer.byteLength(body), ...headers }
  const lines = Object.entries(sent).map(([header, value]) => `${header}: ${value}\r\n`)
  return Buffer.from(`POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`)
}

/**
 * Sends requests one after the other until none is left. Writes prepared bytes and compares lengths, because the load must
 * cost less than the fastest server: a server that waits for requests pays for each time that it wakes, and a fast server
 * would seem the slower one.
 */
function sendAll(socket, requests, name) {
  return new Promise((resolve, reject) => {
    let received = ''
    socket.on('data', (text) => {
      received += text
      if (!isComplete(received)) return
      if (!received.startsWith('HTTP/1.1 2')) reject(new Error(`${name} answered ${received}`))
      received = ''
      sendNext()
    })
    socket.on('error', reject)
    socket.on('close', () => reject(new Error(`${name} closed a connection`)))
    sendNext()

    function sendNext() {
      const request = requests.pop()
      if (request === undefined) resolve()
      else socket.write(request)
    }
  })
}

/** Returns true for a whole response; all servers send the length of the body. */
function isComplete(response) {
  const end = response.indexOf('\r\n\r\n')
  if (end === -1) return false
  const [, length] = /\r\ncontent-length: (\d+)/i.exec(response)
  return response.length >= end + 4 + Number(length)
}

/**
 * Keeps the event loop of this process busy. Otherwise the server that writes a response would also pay for waking this
 * process, which costs more than writing, and happens more often with slower servers.
 */
function stayAwake() {
  let isAwake = true
  const turn = () => {
    if (isAwake) setImmediate(turn)
  }
  turn()
  return () => {
    isAwake = false
  }
}

async function cpuOf(child) {
  child.send('cpu')
  const [{ user, system }] = await once(child, 'message')
  return (user + system) / 1000
}
