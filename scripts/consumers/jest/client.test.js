const events = require('node:events')
const { createServer } = require('node:http')
const { createV2Client } = require('@tonplug/core')

let server
let baseUrl

beforeAll(async () => {
  server = createServer((_, response) => {
    response.setHeader('content-type', 'application/json')
    response.end('{"ok": true, "result": {"last": {"workchain": "x"}}}')
  }).listen(0)
  await events.once(server, 'listening')
  baseUrl = `http://127.0.0.1:${server.address().port}`
})

afterAll(() => server.close())

test('says where an answer is wrong, by a schema that is loaded for that', async () => {
  const error = { code: 'ERR_TONPLUG_RESPONSE_SHAPE', path: 'result.last.workchain' }
  await expect(createV2Client({ baseUrl }).getMasterchainInfo()).rejects.toMatchObject(error)
})
