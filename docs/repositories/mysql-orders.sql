CREATE TABLE orders (
  reference       VARBINARY(1024) PRIMARY KEY,
  raw_amount      DECIMAL(65, 0) NOT NULL,
  asset           VARCHAR(80) NOT NULL,
  recipient       VARCHAR(80),
  status          ENUM('pending', 'failed', 'expired', 'cancelled', 'completed') NOT NULL DEFAULT 'pending',
  created_at      DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
  payment         LONGTEXT CHARACTER SET utf8mb4,
  failure         LONGTEXT CHARACTER SET utf8mb4,
  failure_tx_hash VARBINARY(1024)
)
