package io.weir.internal.postgres;

import io.weir.compat.redis.fault.Fault;
import io.weir.compat.redis.fault.Moment;

/** Something that goes wrong with a PostgreSQL, or on the way to it, and that comes right again. */
interface PostgresMishap {
  /** Its name in printed results. */
  String title();

  /** Lets it happen; it has when this returns. */
  void begin(ProxiedPostgres store) throws Exception;

  /** Brings it to an end. */
  void end(ProxiedPostgres store) throws Exception;

  /** Whether nodes aren't answered meanwhile. */
  boolean cutsOff();

  /** The number of times that it was observed. */
  long seen(ProxiedPostgres store);

  /**
   * A fault that strikes statements on their way.
   *
   * @param fault what happens to them
   * @param moment when
   */
  record OnTheWay(Fault fault, Moment moment) implements PostgresMishap {
    @Override
    public String title() {
      return fault + ", " + moment;
    }

    @Override
    public void begin(ProxiedPostgres store) {
      store.proxy().strike(fault, moment);
    }

    @Override
    public void end(ProxiedPostgres store) {
      store.proxy().heal();
    }

    @Override
    public boolean cutsOff() {
      return fault != Fault.DRIP || moment != Moment.AFTER_COMMIT; // six bytes don't take long
    }

    @Override
    public long seen(ProxiedPostgres store) {
      return store.proxy().struck();
    }
  }

  /**
   * A PostgreSQL that answers each statement, but late.
   *
   * @param leastMillis the shortest time
   * @param mostMillis the longest
   */
  record Slow(long leastMillis, long mostMillis) implements PostgresMishap {
    @Override
    public String title() {
      return "SLOW, " + leastMillis + " to " + mostMillis + " ms";
    }

    @Override
    public void begin(ProxiedPostgres store) {
      store.proxy().slow(leastMillis, mostMillis);
    }

    @Override
    public void end(ProxiedPostgres store) {
      store.proxy().heal();
    }

    @Override
    public boolean cutsOff() {
      return true;
    }

    @Override
    public long seen(ProxiedPostgres store) {
      return store.proxy().struck();
    }
  }
}
