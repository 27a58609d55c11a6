package io.weir.internal.redis.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class ConnectLatencyTest {
  private final ConnectLatency opening = new ConnectLatency(100);

  @Test
  void allTheTimeCountsUntilTheServerIsConnected() {
    assertEquals(50, opening.applyAsLong(150));
    opening.restart(150);
    assertEquals(10, opening.applyAsLong(160));
  }

  @Test
  void fromThenOnOnlyWhatTheServerOwes() {
    opening.connected(now -> 0);
    assertEquals(0, opening.applyAsLong(900));
    opening.connected(now -> now - 900);
    assertEquals(70, opening.applyAsLong(970));
  }
}
