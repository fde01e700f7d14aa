import { isDeepStrictEqual } from 'node:util'
import { describe, expect, it } from 'vitest'
import { decode } from '../../src/toncenter/schema/decode.js'
import { fieldsOf, type Decoder } from '../../src/toncenter/schema/decoding.js'
import type { Schema } from '../../src/toncenter/schema/fields.js'
import type { Issue } from '../../src/toncenter/schema/mismatch.js'
import { parseJson } from '../../src/toncenter/transport/lossless-json.js'
import { v2Decoders } from '../../src/toncenter/v2/generated/decoders.js'
import { v2Endpoints } from '../../src/toncenter/v2/endpoints/table.js'
import { v2Results } from '../../src/toncenter/v2/results.js'
import { MUTATIONS, mutate, placesOf } from '../mutations.js'
import { createRandom } from '@tonplug/test-support/random'
import { safeParse } from './schema/read-schema.js'
import { createSampler } from './schema-samples.js'
import { readFixtures as readV2Fixtures } from './v2/fixtures.js'
import { decoders, endpointNames, schemaOf } from './v3/every-endpoint.js'
import { readFixtures as readV3Fixtures } from './v3/fixtures.js'

const BODIES_PER_ENDPOINT = 25
const CHANGES_PER_BODY = 24
const CHANGES_PER_CAPTURE = 80

/** Outcome of a value: the decoded value, or the first problem. */
type Outcome = { value: unknown } | { issue: Issue }

interface Subject {
  name: string
  schema: Schema
  decoder: Decoder
}

const subjects: Subject[] = [
  ...Object.values(v2Endpoints).map(({ name }) => ({
    name: `v2 ${name}`,
    schema: v2Results[name as keyof typeof v2Results],
    decoder: v2Decoders[name as keyof typeof v2Decoders],
  })),
  ...endpointNames.map((name) => ({
    name: `v3 ${name}`,
    schema: schemaOf(name),
    decoder: decoders[name],
  })),
]

function bySchema(schema: Schema, text: string): Outcome {
  const read = safeParse(schema, parseJson(text))
  return read.success ? { value: read.data } : { issue: read.issue }
}

function byDecoder(decoder: Decoder, text: string): Outcome {
  const decoded = decode(parseJson(text), { decoder, parseAgain: () => parseJson(text) })
  if (decoded.isDecoded) return { value: decoded.value }
  return { issue: { path: decoded.path, expected: decoded.expected } }
}

/** The body, then copies of it with one change each. */
function* changedBodies(body: unknown, count: number, random: () => number): Generator<unknown> {
  yield body
  const places = placesOf(body)
  for (let changes = 0; changes < count; changes++) {
    const place = places[Math.floor(random() * places.length)]
    const mutation = MUTATIONS[Math.floor(random() * MUTATIONS.length)]
    if (place !== undefined && mutation !== undefined) yield mutate(body, place, mutation)
  }
}

/** Reads every body both ways. @returns how many, how many of them were refused, and where the two differ. */
function compare(subject: Subject, bodies: Iterable<unknown>) {
  const tally = { bodies: 0, refused: 0, differences: [] as unknown[] }
  for (const body of bodies) {
    const text = JSON.stringify(body)
    if (text === undefined) continue
    const expected = bySchema(subject.schema, text)
    const found = byDecoder(subject.decoder, text)
    tally.bodies++
    if ('issue' in expected) tally.refused++
    if (!isDeepStrictEqual(found, expected)) {
      tally.differences.push({ name: subject.name, text, expected, found })
    }
  }
  return tally
}

function* madeBodies(sample: () => unknown, random: () => number): Generator<unknown> {
  for (let made = 0; made < BODIES_PER_ENDPOINT; made++) {
    yield* changedBodies(sample(), CHANGES_PER_BODY, random)
  }
}

/** A recorded or described answer, and the name of its subject. */
interface Capture {
  file: string
  name: string
  body: unknown
}

/** Captured and described answers. */
function readCaptures(): Capture[] {
  const v2 = readV2Fixtures().map(({ file, endpoint, text }) => ({
    file,
    name: `v2 ${endpoint}`,
    // Every fixture is a whole answer.
    body: (parseJson(text) as { result?: unknown }).result,
  }))
  const v3 = readV3Fixtures().map(({ file, endpoint, text }) => ({
    file,
    name: `v3 ${endpoint}`,
    body: parseJson(text),
  }))
  return [...v2, ...v3].filter(({ body }) => body !== undefined)
}

/** `jsonRPC` may return anything, and an accepted message counts as sent whatever its response contains. */
const NEVER_REFUSED = new Set([
  'v2 jsonRPC',
  'v2 sendBoc',
  'v2 sendBocReturnHash',
  'v2 sendBocReturnHashNoError',
  'v3 message',
])

describe('a generated decoder', () => {
  it.each(subjects)(
    'returns what its schema returns for generated and changed bodies: $name',
    (subject) => {
      const random = createRandom(subject.name.length)
      const sample = createSampler(random)
      const tally = compare(
        subject,
        madeBodies(() => sample(subject.schema), random),
      )
      expect(tally.differences).toEqual([])
      expect(tally.bodies - tally.refused).toBeGreaterThan(100)
      expect(tally.refused).toBeGreaterThanOrEqual(NEVER_REFUSED.has(subject.name) ? 0 : 50)
    },
  )

  it.each(readCaptures())(
    'returns what its schema returns for a recorded and changed response: $file',
    (capture) => {
      const subject = subjects.find(({ name }) => name === capture.name)
      if (subject === undefined) throw new TypeError(`no endpoint is called ${capture.name}`)
      const random = createRandom(capture.file.length)
      const bodies = changedBodies(capture.body, CHANGES_PER_CAPTURE, random)
      expect(compare(subject, bodies).differences).toEqual([])
    },
  )

  it('differs from its schema when a check is missing', () => {
    const schema = v2Results.getMasterchainInfo
    const random = createRandom(1)
    const sample = createSampler(random)
    // A decoder that looks at one of the two blocks only.
    const decoder: Decoder = (value) => {
      const fields = fieldsOf(value)
      return { ...fields, last: v2Decoders.lookupBlock(fields['last']) }
    }
    const careless = { name: 'careless', schema, decoder }
    const tally = compare(
      careless,
      madeBodies(() => sample(schema), random),
    )
    expect(tally.differences.length).toBeGreaterThan(100)
  })
})
