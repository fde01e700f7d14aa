import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** Number of loaded processes that can replace a killed one at once. */
const MOST_WARM = 2

const SCRIPTS = {
  express: new URL('express.child.mjs', import.meta.url),
  nest: new URL('nest.child.mjs', import.meta.url),
}

export type Framework = keyof typeof SCRIPTS

/** A server in its own process, whose clock the test advances. */
export interface ServerProcess {
  /** The webhook route. */
  url: string
  /** Advances its clock. Resolves when its timers have fired, or it was killed. */
  advance(ms: number): Promise<void>
  /** Sends SIGKILL; resolves when it has exited. */
  kill(): Promise<void>
}

export interface ServerProcesses {
  /** Starts the server of a loaded process at this time. */
  start(nowMs: number): Promise<ServerProcess>
  /** Kills all processes. */
  close(): Promise<void>
}

/** @param parameters handed to the processes; `starts`: how many will be started */
export function createServerProcesses(
  framework: Framework,
  { parameters, starts }: { parameters: string[]; starts: number },
): ServerProcesses {
  const script = fileURLToPath(SCRIPTS[framework])
  const all = new Set<LoadedProcess>()
  const warm: LoadedProcess[] = []
  let left = starts
  const refill = (): void => {
    while (warm.length < Math.min(left, MOST_WARM)) {
      const loaded = load(script, parameters)
      all.add(loaded)
      warm.push(loaded)
    }
  }
  refill()
  return {
    async start(nowMs) {
      const next = warm.shift() ?? load(script, parameters)
      left--
      const { port } = await next.ask({ serveAtMs: nowMs })
      refill()
      return {
        url: `http://127.0.0.1:${port}/webhooks/ton`,
        advance: async (ms) => void (await next.ask({ advanceMs: ms })),
        async kill() {
          await next.kill()
          all.delete(next)
        },
      }
    },
    async close() {
      await Promise.all([...all].map((loaded) => loaded.kill()))
    },
  }
}

interface Reply {
  port?: number
}

interface LoadedProcess {
  ask(message: { serveAtMs: number } | { advanceMs: number }): Promise<Reply>
  kill(): Promise<void>
}

function load(script: string, parameters: string[]): LoadedProcess {
  const child = fork(script, parameters, { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] })
  let isKilled = false
  let complaints = ''
  child.stderr?.on('data', (text: Buffer) => (complaints += text.toString()))
  const exited = once(child, 'exit')
  // The caller of `ask` gets the error.
  exited.catch(() => undefined)
  const reply = async (): Promise<Reply> => {
    const [message] = await Promise.race([once(child, 'message'), exited.then(() => [{}])])
    const end = child.exitCode ?? child.signalCode
    if (end !== null && !isKilled) {
      throw new Error(`a server ended by itself with ${end}: ${complaints}`)
    }
    // The child sends nothing else.
    return message as Reply
  }
  const ready = reply()
  // As above.
  ready.catch(() => undefined)
  return {
    async ask(message) {
      await ready
      if (isKilled || !child.connected) return reply()
      const answer = reply()
      child.send(message, () => undefined)
      return answer
    },
    async kill() {
      isKilled = true
      child.kill('SIGKILL')
      await exited
    },
  }
}
