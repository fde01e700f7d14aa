import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ConfigurationError } from '@tonplug/core'
import { describe, expect, it, onTestFinished } from 'vitest'
import * as handlers from '../../src/payments/handlers.decorators.js'
import * as tokens from '../../src/tonplug.tokens.js'
import { WebhookController } from '../../src/webhook/webhook-controller.decorator.js'

type Standard = (value: unknown, context: object) => unknown

const { readHandlers: _r, handlerPrototypes: _p, ...handlerDecorators } = handlers
const { InjectInvoices, InjectPayments, InjectReceiver, InjectV2, InjectV3, InjectWatcher } = tokens
const injectors = {
  InjectInvoices,
  InjectPayments,
  InjectReceiver,
  InjectV2,
  InjectV3,
  InjectWatcher,
}

const contextOf = (kind: string, name: string) => {
  return { kind, name, static: false, private: false, addInitializer() {}, metadata: {} }
}

describe('a decorator that was compiled as a standard decorator', () => {
  const method = contextOf('method', 'ship')
  const field = contextOf('field', 'payments')
  const cases: [name: string, call: () => unknown][] = [
    [
      'WebhookController',
      () => asStandard(WebhookController('a'))(class {}, contextOf('class', 'Shop')),
    ],
    ...Object.entries(handlerDecorators).map(([name, decorator]): [string, () => unknown] => [
      name,
      () => asStandard(decorator())(async () => undefined, method),
    ]),
    ...Object.entries(injectors).map(([name, decorator]): [string, () => unknown] => [
      name,
      () => asStandard(decorator())(undefined, field),
    ]),
  ]

  it.each(cases)('names the compiler option: %s', (_name, call) => {
    expect(call).toThrow(ConfigurationError)
    expect(call).toThrow(
      /^(class Shop|method ship|field payments): .*"experimentalDecorators": true/,
    )
  })
})

/** Compiles classes with TypeScript, without `experimentalDecorators`, and returns a function that defines them. */
function compile(source: string): (decorators: object) => void {
  const folder = mkdtempSync(join(tmpdir(), 'tonplug-decorators-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'shop.ts'), source)
  const typescript = createRequire(import.meta.url).resolve('typescript/package.json')
  const options = ['--ignoreConfig', '--noCheck', '--target', 'es2022', '--types', '']
  const args = [join(typescript, '../bin/tsc'), ...options, '--outDir', folder]
  execFileSync(process.execPath, [...args, join(folder, 'shop.ts')])
  const code = readFileSync(join(folder, 'shop.js'), 'utf8')
  expect(code).toContain('__esDecorate')
  return (decorators) => {
    // oxlint-disable-next-line typescript/no-implied-eval
    new Function(...Object.keys(decorators), code)(...Object.values(decorators))
  }
}

it.each([
  ["@WebhookController('webhooks/ton') class Shop {}", 'class Shop'],
  ['class Shop { @OnPaid() async ship() {} }', 'method ship'],
  ['class Shop { @InjectPayments() payments }', 'field payments'],
])('names the compiler option after TypeScript has compiled without it: %s', (source, what) => {
  const define = compile(source)
  const problem = `${what}: its decorator was compiled as a standard decorator`
  const { OnPaid } = handlers
  expect(() => define({ WebhookController, OnPaid, InjectPayments })).toThrow(problem)
})

function asStandard(decorator: unknown): Standard {
  return decorator as Standard
}
