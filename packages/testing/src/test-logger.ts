import type { Logger } from '@tonplug/core'

/** One call of a {@link TestLogger}. */
export interface LogLine {
  level: 'debug' | 'info' | 'warn' | 'error'
  message: string
  fields: Record<string, unknown>
}

/** A test logger: prints nothing and keeps every line. */
export interface TestLogger extends Logger {
  /** The lines so far, oldest first. */
  readonly lines: readonly LogLine[]
}

/** Creates a test logger, which prints nothing and keeps its `lines`. */
export function createTestLogger(): TestLogger {
  const lines: LogLine[] = []
  const record =
    (level: LogLine['level']) =>
    (message: string, fields: Record<string, unknown> = {}): void =>
      void lines.push({ level, message, fields })
  return {
    lines,
    debug: record('debug'),
    info: record('info'),
    warn: record('warn'),
    error: record('error'),
  }
}
