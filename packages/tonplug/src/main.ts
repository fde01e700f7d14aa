#!/usr/bin/env node
import { runCommandLine } from './command-line.js'

// The reader of a pipe may close it early, for example `head`.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})

process.exitCode = await runCommandLine(process.argv.slice(2))
