import type { IncomingMessage } from 'node:http'

/** The parts of Nest's adapter for Express that register its body parsers, in all majors. */
export interface ExpressAdapter {
  registerParserMiddleware(prefix?: string, rawBody?: boolean): unknown
  /** Optional for adapters of others. */
  useBodyParser?(type: string, rawBody: boolean, options?: ParserOptions): unknown
}

interface ParserOptions {
  verify?: Verify | undefined
}

type Verify = (
  request: IncomingMessage & { rawBody?: unknown },
  response: unknown,
  bytes: Buffer,
  encoding: unknown,
) => unknown

/**
 * Makes the parsers that Nest registers keep the bytes of a body in `request.rawBody`, as Nest's option `rawBody: true` does.
 * Changes this adapter, not its class, because a process may have several apps.
 */
export function keepBytesInParsers(adapter: ExpressAdapter): void {
  const register = adapter.registerParserMiddleware.bind(adapter)
  const useBodyParser = adapter.useBodyParser?.bind(adapter)
  adapter.registerParserMiddleware = (prefix) => register(prefix, true)
  if (useBodyParser === undefined) return
  adapter.useBodyParser = (type, rawBody, options) =>
    // With `rawBody`, Nest replaces the app's own `verify`, which may check other signatures.
    useBodyParser(type, rawBody, rawBody ? options : keepingBytes(options))
}

function keepingBytes(options: ParserOptions = {}): ParserOptions {
  return {
    ...options,
    verify(request, ...given) {
      const [, bytes] = given
      request.rawBody = bytes
      return options.verify?.(request, ...given)
    },
  }
}
