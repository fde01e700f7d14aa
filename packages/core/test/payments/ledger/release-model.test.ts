import { createRandom } from '@tonplug/test-support/random'
import { describe, expect, it } from 'vitest'

// A tiny store and its actors, in random orders of their statements. It tests why each proposal of a refund has its own claim: a
// watcher that releases one proposal must not release the claim of a later one.

const SEEDS = 20_000
const TURNS = 60

interface Proposal {
  attempt: number
  by: string
  /** The wallet sends it until this time. */
  validUntil: number
}

interface Store {
  /** The time of the newest block. */
  now: number
  /** The order or the refund that uses the credit. */
  use: string
  released: Set<string>
  proposals: Map<number, Proposal>
  /** Proposals that an operator can sign. */
  handed: Proposal[]
  isSent: boolean
  /** The outcomes of this run, so that the test shows what it has covered. */
  seen: Set<string>
}

/** One step is one statement: nothing else happens within it. */
type Actor = (store: Store) => Generator<void, void, void>

function claim(store: Store, owner: string): boolean {
  if (store.released.has(owner)) return false
  store.use ||= owner
  return store.use === owner
}

function release(store: Store, owner: string): void {
  if (store.use !== owner) return
  store.use = ''
  store.released.add(owner)
  store.seen.add('released')
}

/** @param isNumbered false for a refund whose proposals share one claim */
function actors(isNumbered: boolean): Record<string, Actor> {
  const ownerOf = (attempt: number): string => (isNumbered ? `refund ${attempt}` : 'refund')
  const free = (store: Store, attempt: number): void => {
    release(store, ownerOf(attempt))
    if (!isNumbered) store.released.clear()
  }
  const operator = (by: string): Actor =>
    function* (store) {
      const head = store.now
      yield
      let last = [...store.proposals.values()].at(-1)
      yield
      for (;;) {
        const isSent = last !== undefined && store.isSent
        yield
        const isOver = last !== undefined && !isSent && head > last.validUntil
        if (last !== undefined && isOver) free(store, last.attempt)
        yield
        const first = last === undefined ? 1 : isOver ? last.attempt + 1 : last.attempt
        const attempt = Math.max(first, isNumbered ? store.released.size + 1 : 1)
        yield
        if (!claim(store, ownerOf(attempt)) || isSent || (last !== undefined && !isOver)) return
        yield
        const own = { attempt, by, validUntil: head + 2 }
        const stored: Proposal = store.proposals.get(attempt) ?? own
        store.proposals.set(attempt, stored)
        if (stored === own) store.handed.push(own)
        if (stored === own || head <= stored.validUntil) return
        last = stored
      }
    }
  return {
    ann: operator('ann'),
    bob: operator('bob'),
    // Its look at the chain is complete up to the block that it knows.
    *watcher(store) {
      const head = store.now
      yield
      for (const { attempt, validUntil } of store.proposals.values()) {
        if (head <= validUntil) continue
        yield
        if (store.use !== ownerOf(attempt)) continue
        yield
        if (store.isSent) return
        yield
        free(store, attempt)
      }
    },
    *order(store) {
      yield
      if (claim(store, 'order')) store.seen.add('ordered')
    },
    *wallet(store) {
      yield
      const open = store.handed.find(({ validUntil }) => store.now <= validUntil)
      if (open === undefined) return
      store.isSent = true
      store.seen.add('sent')
    },
    *time(store) {
      yield
      store.now++
    },
  }
}

/** Runs the actors in random turns; each begins again when it has ended. @returns the seed that breaks the promise */
function play(isNumbered: boolean): { broken: number | undefined; seen: Set<string> } {
  const seen = new Set<string>()
  const cast = Object.values(actors(isNumbered))
  for (let seed = 1; seed <= SEEDS; seed++) {
    const random = createRandom(seed)
    const store: Store = {
      now: 0,
      use: '',
      released: new Set(),
      proposals: new Map(),
      handed: [],
      isSent: false,
      seen,
    }
    const runs = cast.map((actor) => actor(store))
    for (let turn = 0; turn < TURNS; turn++) {
      const chosen = Math.floor(random() * cast.length)
      const actor = cast[chosen]
      if (runs[chosen]?.next().done === true && actor) runs[chosen] = actor(store)
      if (store.isSent && store.use === 'order') return { broken: seed, seen }
    }
  }
  return { broken: undefined, seen }
}

describe('the release of a refund that was not sent', () => {
  it(`S137 gives the money to the order or to the payer, in ${SEEDS} orders of the statements`, () => {
    const { broken, seen } = play(true)
    expect(broken).toBeUndefined()
    expect([...seen].toSorted()).toEqual(['ordered', 'released', 'sent'])
  })

  it('S137 pays twice in a model whose proposals share one claim', () => {
    expect(play(false).broken).toBeDefined()
  })
})
