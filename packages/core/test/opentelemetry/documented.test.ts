import { readFileSync } from 'node:fs'
import type { Meter } from '@opentelemetry/api'
import * as entry from '@tonplug/core/opentelemetry'
import { expect, it } from 'vitest'
import * as attributes from '../../src/opentelemetry/attributes.js'
import {
  createBookGauges,
  createInboxGauges,
  createInstruments,
} from '../../src/opentelemetry/instruments.js'

const page = readFileSync(new URL('../../../../docs/reference/metrics.md', import.meta.url), 'utf8')
/** The names in the first columns of the page's tables. */
const documented = [...page.matchAll(/^\| `(?<name>tonplug\.[\w.]+)`/gm)].map(
  ({ groups }) => groups?.['name'] ?? '',
)

it('documents every metric and every attribute, and no others', () => {
  const metrics: string[] = []
  const note = (name: string): void => void metrics.push(name)
  // As much of a meter as is used.
  const meter = {
    createCounter: note,
    createHistogram: note,
    createObservableGauge: note,
  } as unknown as Meter
  createInstruments(meter)
  createInboxGauges(meter)
  createBookGauges(meter)
  const keys = Object.values(attributes).filter((value) => typeof value === 'string')
  expect(metrics).toHaveLength(19)
  const spans = ['tonplug.delivery']
  expect(documented.toSorted()).toEqual([...metrics, ...keys, ...spans].toSorted())
})

it('exports these names and no others', () => {
  expect(Object.keys(entry)).toEqual(['openTelemetryInstrumentation'])
})
