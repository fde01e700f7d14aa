import { spawn } from 'node:child_process'
import type { ChildProcessByStdio } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

const main = fileURLToPath(new URL('../dist/main.js', import.meta.url))

/** The compiled worker in its own process. */
export interface WorkerProcess {
  kill(signal?: NodeJS.Signals): void
  /** Resolves when the process has ended, with its signal or exit code, and its output. */
  ended: Promise<{ by: NodeJS.Signals | number | null; output: string }>
}

/** Starts the compiled worker. */
export function startWorker(options: {
  env: Record<string, string>
  /** Called for each line of output. */
  onLine?: (line: string) => void
  /** A module to preload. */
  preload?: URL
}): WorkerProcess {
  const { env, onLine, preload } = options
  const preloads = preload === undefined ? [] : ['--import', preload.href]
  const child: ChildProcessByStdio<null, Readable, Readable> = spawn(
    process.execPath,
    [...preloads, main],
    {
      env: { PATH: process.env['PATH'], NO_COLOR: '1', NODE_NO_WARNINGS: '1', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  onTestFinished(() => void child.kill('SIGKILL'))
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      output += `${line}\n`
      onLine?.(line)
    })
  }
  const ended = once(child, 'close').then(([code, signal]: unknown[]) => ({
    // The arguments of `close`.
    by: (signal ?? code) as NodeJS.Signals | number | null,
    output,
  }))
  return { kill: (signal = 'SIGKILL') => void child.kill(signal), ended }
}
