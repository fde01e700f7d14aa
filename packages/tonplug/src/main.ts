#!/usr/bin/env node
import { runCommandLine } from './command-line.js'

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // The reader of a pipe may close it early, for example `head`.
  if (error.code === 'EPIPE') return
  process.stderr.write(`error: the output could not be written: ${error.message}\n`)
  process.exit(1)
})

process.exitCode = await runCommandLine(process.argv.slice(2))
