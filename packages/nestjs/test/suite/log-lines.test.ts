import { stripVTControlCharacters } from 'node:util'
import { ConsoleLogger } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { memoryOrderRepository } from '@tonplug/core'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createNestLogger } from '../../src/nest-logger.js'
import { TonplugModule } from '../../src/tonplug.module.js'

/** Records what Nest's console logger writes. */
function recordOutput(): string[] {
  const written: string[] = []
  for (const stream of [process.stdout, process.stderr]) {
    const spy = vi.spyOn(stream, 'write').mockImplementation((text) => {
      written.push(stripVTControlCharacters(String(text)))
      return true
    })
    onTestFinished(() => spy.mockRestore())
  }
  return written
}

describe("log lines of Nest's console logger", () => {
  it('are one line of text each, with the fields behind the message', async () => {
    const written = recordOutput()
    const orders = memoryOrderRepository()
    const app = await NestFactory.createApplicationContext(
      TonplugModule.forRoot({ name: 'log-lines', payments: { orders } }),
      { logger: new ConsoleLogger(), abortOnError: false },
    )
    await app.close()
    const ours = written.filter((text) => text.includes('[Tonplug]'))
    expect(ours).toContainEqual(
      expect.stringMatching(
        /\[Tonplug\] payments started \{ instance: 'log-lines', network: 'mainnet', .*handlers: \[\] \}\n$/,
      ),
    )
    expect(ours.map((text) => text.trimEnd().split('\n').length)).toEqual(ours.map(() => 1))
  })

  it('stay one line with an error, its stack and a field of several lines', () => {
    const written = recordOutput()
    const error = { name: 'Error', message: 'a\nb', stack: '    at f (a.js:1)\n    at g (b.js:2)' }
    createNestLogger('Tonplug').error('handler failed', {
      error: { ...error, cause: error },
      sum: 1n,
    })
    expect(written).toHaveLength(1)
    expect(written[0]?.trimEnd().split('\n')).toHaveLength(1)
    expect(written[0]).toContain("message: 'a\\nb'")
    expect(written[0]).toContain('sum: 1n')
  })
})
