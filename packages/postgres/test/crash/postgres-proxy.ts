import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** A statement that is sent to PostgreSQL, or its result. */
export interface Crossing {
  /** The name of the prepared statement; the SQL of an unnamed one; its first word if it has no parameters. */
  statement: string
  direction: 'there' | 'back'
  /** Closes this connection on both sides. */
  cut: () => void
}

/** Decides about a crossing. `hold` never passes it on, nor anything that follows on its connection. */
export type Watch = (crossing: Crossing) => 'pass' | 'hold'

export interface PostgresProxy {
  /** The database through the proxy. */
  url: string
  /** Returns true while a statement is sent or runs. */
  isBusy(): boolean
  /** Resolves when no statement is sent or runs. */
  idle(): Promise<void>
  /** Closes every connection on both sides. */
  cutAll(): void
  close(): Promise<void>
}

/** Opens a proxy between a server and PostgreSQL. It passes statements and results on when their last message has arrived. */
export async function openProxy(databaseUrl: string, watch: Watch): Promise<PostgresProxy> {
  const target = new URL(databaseUrl)
  const cuts = new Set<() => void>()
  const busy = new Set<() => void>()
  let waiting: (() => void)[] = []
  const rest = (connection: () => void): void => {
    busy.delete(connection)
    if (busy.size > 0) return
    for (const resolve of waiting) resolve()
    waiting = []
  }
  const server = createServer((client) => {
    const postgres = connect(Number(target.port || 5432), target.hostname)
    const cut = (): void => {
      client.destroy()
      postgres.destroy()
      cuts.delete(cut)
      rest(cut)
    }
    cuts.add(cut)
    for (const socket of [client, postgres]) {
      socket.setNoDelay()
      socket.on('error', cut)
      socket.on('close', cut)
    }
    relay({
      client,
      postgres,
      cut,
      watch: (crossing) => {
        if (crossing.direction === 'there') busy.add(cut)
        else rest(cut)
        return watch(crossing)
      },
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = new URL(databaseUrl)
  // Only servers listening on pipes have another address.
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const cutAll = (): void => {
    for (const cut of cuts) cut()
  }
  return {
    url: url.href,
    isBusy: () => busy.size > 0,
    idle: async () => {
      if (busy.size > 0) await new Promise<void>((resolve) => waiting.push(resolve))
    },
    cutAll,
    async close() {
      server.close()
      cutAll()
      await once(server, 'close')
    },
  }
}

interface Relay {
  client: Socket
  postgres: Socket
  watch: Watch
  cut: () => void
}

/** Messages that belong to the statement whose `Sync` follows them. */
const PARTS_OF_STATEMENT = ['P', 'B', 'D', 'E', 'C', 'H']

function relay({ client, postgres, watch, cut }: Relay): void {
  let isHeld = false
  // The driver sends the next statement after the result of the last one.
  let running: string | undefined
  let bound = ''
  let unnamed = ''
  const pending: { there: Buffer[]; back: Buffer[] } = { there: [], back: [] }

  const cross = (direction: 'there' | 'back', statement: string | undefined): void => {
    const whole = Buffer.concat(pending[direction].splice(0))
    const passes = statement === undefined || watch({ statement, direction, cut }) === 'pass'
    if (!passes) isHeld = true
    else (direction === 'there' ? postgres : client).write(whole)
  }
  const fromClient = messageReader({ hasStartUp: true }, (message, type) => {
    if (isHeld) return
    pending.there.push(message)
    if (type === 'P' && cString(message, 5) === '') unnamed = cString(message, 6)
    if (type === 'B') bound = statementName(message) || unnamed
    if (PARTS_OF_STATEMENT.includes(type)) return
    if (type === 'S') running = bound
    if (type === 'Q') running = cString(message, 5).split(' ', 1)[0]
    cross('there', type === 'S' || type === 'Q' ? running : undefined)
  })
  const fromPostgres = messageReader({ hasStartUp: false }, (message, type) => {
    if (isHeld) return
    pending.back.push(message)
    if (running !== undefined && type !== 'Z') return
    const statement = running
    running = undefined
    cross('back', statement)
  })
  client.on('data', fromClient)
  postgres.on('data', fromPostgres)
}

/** Cuts a stream into messages: a letter, and a length that counts itself. Only the client's first has no letter. */
function messageReader(
  { hasStartUp }: { hasStartUp: boolean },
  onMessage: (message: Buffer, type: string) => void,
): (chunk: Buffer) => void {
  let rest = Buffer.alloc(0)
  let isStartUp = hasStartUp
  return (chunk) => {
    rest = Buffer.concat([rest, chunk])
    for (;;) {
      const letters = isStartUp ? 0 : 1
      if (rest.length < letters + 4) return
      const length = letters + rest.readInt32BE(letters)
      if (rest.length < length) return
      const message = rest.subarray(0, length)
      rest = rest.subarray(length)
      onMessage(message, isStartUp ? '' : String.fromCharCode(message[0] ?? 0))
      isStartUp = false
    }
  }
}

/** Returns the second string of `Bind`, after the portal's name. */
function statementName(bind: Buffer): string {
  const portal = cString(bind, 5)
  return cString(bind, 5 + Buffer.byteLength(portal) + 1)
}

function cString(message: Buffer, start: number): string {
  return message.toString('utf8', start, message.indexOf(0, start))
}
