import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { fail, failMistake, ok, type Check, type Finding } from '../check.js'
import { codeOf } from '../webhook-probe.js'

/** Sends PING to Redis. */
export const redis: Check = {
  name: 'Redis',
  async run({ redisUrl, timeoutMs }) {
    if (redisUrl === undefined) return undefined
    const mistake = failMistake('REDIS_URL', redisUrl, { isLocation: true })
    if (mistake !== undefined) return mistake
    const url = URL.canParse(redisUrl) ? new URL(redisUrl) : undefined
    if (url === undefined || !/^rediss?:$/.test(url.protocol)) {
      return fail('REDIS_URL is not a redis:// URL', 'Set it to redis://host:6379.')
    }
    try {
      return explain(await ping(url, timeoutMs))
    } catch (error) {
      return fail(
        `no connection to ${url.host} (${codeOf(error)})`,
        'Start Redis, or correct REDIS_URL. In a container, localhost is the container itself.',
      )
    }
  },
}

function explain(reply: string): Finding {
  if (reply.includes('+PONG')) return ok('responds')
  return fail(
    `responds with ${reply.split(/[\s:]/, 1)[0]?.slice(0, 20) || 'nothing'}`,
    'Correct the user and the password in REDIS_URL.',
  )
}

/** Returns the responses to AUTH and PING. */
function ping(url: URL, timeoutMs: number): Promise<string> {
  const { hostname: host, username, password, protocol } = url
  const port = Number(url.port || 6379)
  const socket: Socket =
    protocol === 'rediss:' ? connectTls({ host, port, servername: host }) : connect({ host, port })
  const credentials = [username, password].filter((part) => part !== '').map(decodeURIComponent)
  if (credentials.length > 0) socket.write(command(['AUTH', ...credentials]))
  socket.write(command(['PING']))
  return new Promise((resolve, reject) => {
    let reply = ''
    const timer = setTimeout(
      () => socket.destroy(Object.assign(new Error('timeout'), { code: 'ETIMEDOUT' })),
      timeoutMs,
    )
    socket.on('data', (data: Buffer) => {
      reply += data.toString()
      if (/[+-][^\r\n]*(?:PONG|ERR|NOAUTH|WRONGPASS)/.test(reply)) socket.destroy()
    })
    socket.once('error', reject)
    socket.once('close', () => {
      clearTimeout(timer)
      resolve(reply.includes('+PONG') ? '+PONG' : reply.slice(1))
    })
  })
}

function command(words: readonly string[]): string {
  const parts = words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`)
  return `*${words.length}\r\n${parts.join('')}`
}
