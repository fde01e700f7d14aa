import assert from 'node:assert/strict'
import { createV2Client } from '../../../packages/core/src/v2/client.js'
import { InvalidParamsError } from '../../../packages/core/src/errors/params.js'
import type { Cursor } from '../../../packages/core/src/paging/cursor.js'
import type { Walk } from '../../../packages/core/src/paging/walk.js'
import { readProgress } from '../../../packages/core/src/reconcile/cursor.js'
import { createV3Client } from '../../../packages/core/src/v3/client.js'
import { documented, JSON_WORDS, jsonOf, nest, type Target, textOf, wrap } from '../target.js'

const options = {
  network: 'testnet',
  fetch: () => assert.fail('a cursor makes no request'),
} as const
const v2 = createV2Client(options)
const v3 = createV3Client(options)

/** A walk with a cursor that somebody stored. */
type Open = (params: object, options: { cursor: Cursor }) => Walk<unknown>

/** Every walk; none of them looks at its parameters before a request. */
const walks = [...Object.values(v2), ...Object.values(v3)].flatMap((method: object): Open[] =>
  // Those that page have it.
  'iterate' in method ? [method.iterate as Open] : [],
)
const names = Object.entries(v3).flatMap(([name, method]) => ('iterate' in method ? [name] : []))

/** What comes back from where a shop keeps its cursors. */
export const cursorsTarget: Target = {
  name: 'cursors',
  words: [
    '{"endpoint":"',
    ...names,
    'getTransactions',
    '"position":{',
    '"isDone":false}',

    '"lt":"',
    '"hash":"',
    '"offset":',
    '"filter":"',
    '"account":"',
    '"known":[',
    '"after":"',
    '"seqno":',
    '"scannedTo":',
    '"windowSeconds":',
    '"fullAtMs":',
    '"lookedUp":[',
    '"__proto__":',
    ...JSON_WORDS,
    '1',
    '-1',
    '1.5',
    '1e999',
    '99999999999999999999',
  ],
  grow: {
    'a long position': (bytes) =>
      wrap(
        '{"endpoint":"getTransactions","isDone":false,"position":{"hash":"","lt":"',
        '9',
        '"}}',
        bytes,
      ),
    nesting: (bytes) => nest('{"endpoint":', '1', '}', bytes),
    'many keys': (bytes) =>
      wrap(
        '{"endpoint":"transactions","isDone":false,"position":{',
        '"a":["b"],',
        '"c":1}}',
        bytes,
      ),
  },
  check(input) {
    readProgress(textOf(input))
    // Whatever a store gives back.
    const cursor = jsonOf(input) as Cursor | undefined
    if (cursor === undefined) return
    for (const open of walks) {
      let walk: Walk<unknown> | undefined
      const error = documented(InvalidParamsError, () => (walk = open({}, { cursor })))
      if (error !== undefined) assert.ok(error.message.length < 4000, 'the message is long')
      // A walk that has not begun is where it was told to begin, and that is read again.
      if (walk !== undefined)
        assert.deepEqual(open({}, { cursor: walk.cursor() }).cursor(), walk.cursor())
    }
  },
}
