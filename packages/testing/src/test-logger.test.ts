import { expect, it } from 'vitest'
import { createTestLogger } from './test-logger.js'

it('keeps every line, in order', () => {
  const logger = createTestLogger()
  logger.info('started')
  logger.error('failed', { reference: 'order-1' })
  logger.warn('odd')
  logger.debug('detail')
  expect(logger.lines).toEqual([
    { level: 'info', message: 'started', fields: {} },
    { level: 'error', message: 'failed', fields: { reference: 'order-1' } },
    { level: 'warn', message: 'odd', fields: {} },
    { level: 'debug', message: 'detail', fields: {} },
  ])
})
