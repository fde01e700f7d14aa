import assert from 'node:assert/strict'
import { createV2Client } from '../../../packages/core/src/toncenter/v2/client.js'
import { InvalidParamsError } from '../../../packages/core/src/toncenter/errors/api.js'
import type { Cursor } from '../../../packages/core/src/toncenter/paging/cursor.js'
import type { Paginator } from '../../../packages/core/src/toncenter/paging/paginator.js'
import { readProgress } from '../../../packages/core/src/payments/watcher/stored-progress.js'
import { createV3Client } from '../../../packages/core/src/toncenter/v3/client.js'
import { documented, JSON_WORDS, jsonOf, nest, type Target, textOf, wrap } from '../target.js'

const options = {
  network: 'testnet',
  fetch: () => assert.fail('a cursor makes no request'),
} as const
const v2 = createV2Client(options)
const v3 = createV3Client(options)

/** Creates a paginator from a stored cursor. */
type Open = (params: object, options: { cursor: Cursor }) => Paginator<unknown>

/** All paginators; none of them validates its parameters before a request. */
const walks = [...Object.values(v2), ...Object.values(v3)].flatMap((method: object): Open[] =>
  // Only methods with pagination have `paginate`.
  'paginate' in method ? [method.paginate as Open] : [],
)
const names = Object.entries(v3).flatMap(([name, method]) => ('paginate' in method ? [name] : []))

/** Cursors that a shop has stored and reads back. */
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
    '"fullAtMs":',
    '"lookedUp":[',
    '"retry":[[',
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
    // A store may return any value.
    const cursor = jsonOf(input) as Cursor | undefined
    if (cursor === undefined) return
    for (const open of walks) {
      let walk: Paginator<unknown> | undefined
      const error = documented(InvalidParamsError, () => (walk = open({}, { cursor })))
      if (error !== undefined) assert.ok(error.message.length < 4000, 'the message is long')
      // Before its first page, a paginator returns the cursor that it was created with, which must be valid again.
      if (walk !== undefined)
        assert.deepEqual(open({}, { cursor: walk.cursor() }).cursor(), walk.cursor())
    }
  },
}
