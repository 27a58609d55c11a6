package io.weir.compat.redis.fault;

/**
 * A store that answers each call, but late.
 *
 * <p>Immutable.
 *
 * @param leastMillis the shortest time
 * @param mostMillis the longest
 */
public record Slow(long leastMillis, long mostMillis) implements Mishap {
  @Override
  public String title() {
    return "SLOW, " + leastMillis + " to " + mostMillis + " ms";
  }

  @Override
  public void begin(ProxiedRedis store) {
    store.slow(leastMillis, mostMillis);
  }

  @Override
  public void end(ProxiedRedis store) {
    store.heal();
  }

  @Override
  public boolean cutsOff() {
    return true;
  }

  @Override
  public long seen(ProxiedRedis store) {
    return store.struck();
  }
}
