import { Option } from 'commander'
import { explainError } from './explain-error.js'
import { CommandError } from './failure.js'
import { parseCount } from './options.js'

/** `--port`, up to `most`. */
export const portOption = (description: string, usual: number, most = 65_535): Option =>
  new Option('-p, --port <port>', description)
    .default(usual)
    .argParser((text) => Number(parseCount(text, 0, most)))

/** Explains why a server cannot listen on a port. */
export function explainPort(port: number, error: unknown): CommandError {
  return new CommandError(
    `cannot listen on port ${port} (${explainError(error)}); choose another with --port`,
  )
}
