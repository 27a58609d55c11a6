package io.weir.compat.redis.fault;

/**
 * A fault that strikes calls on their way.
 *
 * <p>Immutable.
 *
 * @param fault what happens to them
 * @param moment when
 */
public record CallFault(Fault fault, Moment moment) implements Mishap {
  @Override
  public String title() {
    return fault + ", " + moment;
  }

  @Override
  public void begin(ProxiedRedis store) {
    store.strike(fault, moment);
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
