-- Your server inserts payouts, in the same transaction as its own records: INSERT INTO payouts (reference, recipient, amount) …
CREATE TABLE payouts (
  id        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- Your name of the payout: a second row with the same name is refused.
  reference text NOT NULL UNIQUE,
  -- UQ… is non-bounceable, EQ… is bounceable: a payment to an account without a contract then returns.
  recipient text NOT NULL,
  -- In base units. A message has 120 bits for it.
  amount    numeric(36, 0) NOT NULL CHECK (amount > 0),
  -- The address of the jetton's master; null for native coin.
  jetton    text,
  comment   text CHECK (octet_length(comment) <= 500),
  status    text NOT NULL DEFAULT 'queued' CHECK (status IN ('queued', 'signed', 'paid', 'failed')),
  -- The signed message, which may have been sent and does not expire: keep the row.
  message   jsonb,
  seqno     bigint UNIQUE,
  reason    text,
  CHECK ((message IS NULL) = (seqno IS NULL)),
  CHECK (status IN ('queued', 'failed') OR message IS NOT NULL)
);
CREATE UNIQUE INDEX one_message_at_a_time ON payouts ((true)) WHERE status = 'signed';
