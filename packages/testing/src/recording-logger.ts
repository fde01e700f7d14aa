import type { LogFields, Logger } from '@tonplug/core'

/** One call of a {@link RecordingLogger}. */
export interface LogLine {
  level: 'debug' | 'info' | 'warn' | 'error'
  message: string
  fields: LogFields
}

/** A logger that prints nothing and keeps everything. */
export interface RecordingLogger extends Logger {
  /** What was logged so far, oldest first. */
  readonly lines: readonly LogLine[]
}

/** A logger for tests: silent, and its `lines` can be looked at. */
export function recordingLogger(): RecordingLogger {
  const lines: LogLine[] = []
  const record =
    (level: LogLine['level']) =>
    (message: string, fields: LogFields = {}): void =>
      void lines.push({ level, message, fields })
  return {
    lines,
    debug: record('debug'),
    info: record('info'),
    warn: record('warn'),
    error: record('error'),
  }
}
