const events = require('node:events')
const { createServer } = require('node:http')
const { createV2Client } = require('@tonplug/core/toncenter')

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

test('reports the path of an invalid response value', async () => {
  const error = { code: 'ERR_TONPLUG_RESPONSE_SHAPE', path: 'result.last.workchain' }
  await expect(createV2Client({ baseUrl }).getMasterchainInfo()).rejects.toMatchObject(error)
})
