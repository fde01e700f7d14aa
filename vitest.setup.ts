import { inspect } from 'node:util'
import { afterAll, afterEach } from 'vitest'

// A secret of the tests, a signature, or the raw text of a body.
const FORBIDDEN = /whsec_\w+|sha256=[0-9a-f]{8,}|"rawAmount"\s*:/i

let printed = ''

/** Keeps what goes through a write function of a stream, and lets it pass. Undone after the file, as others follow. */
function watch(stream: NodeJS.WriteStream): void {
  // Bound below, and put back as it was.
  // oxlint-disable-next-line typescript/unbound-method
  const { write } = stream
  const pass = write.bind(stream) as (...parameters: unknown[]) => boolean
  stream.write = (chunk: unknown, ...rest: unknown[]): boolean => {
    printed += typeof chunk === 'string' ? chunk : ''
    return pass(chunk, ...rest)
  }
  afterAll(() => void (stream.write = write))
}

watch(process.stdout)
watch(process.stderr)
for (const level of ['log', 'info', 'warn', 'error', 'debug'] as const) {
  const print = console[level]
  console[level] = (...values: unknown[]): void => {
    printed += values.map((value) => inspect(value, { depth: null })).join(' ')
    print.apply(console, values)
  }
  afterAll(() => void (console[level] = print))
}

afterEach(() => {
  const text = printed
  printed = ''
  if (FORBIDDEN.test(text)) throw new Error('a test printed a secret, a signature or a body')
})
